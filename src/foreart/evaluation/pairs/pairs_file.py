"""Pairs as a text file: a JSON line about the set, then target, document and label, separated by tabs."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from foreart.durable import replacing
from foreart.errors import BadFile
from foreart.evaluation.pairs.pairs import Pairs

FORM = 1
_NAME = "foreart pairs"


def write_pairs(pairs: Pairs, path: str | Path) -> None:
    """Writes the set atomically; random documents are listed once, without a target."""
    file_path = Path(path)
    file_path.parent.mkdir(parents=True, exist_ok=True)
    header = {
        "file": _NAME,
        "form": FORM,
        "fingerprint": pairs.fingerprint,
        "corpus": pairs.corpus,
        "counts": pairs.counts,
        "settings": dict(pairs.settings),
        "notes": list(pairs.notes),
    }
    with replacing(file_path) as file:
        file.write(json.dumps(header, ensure_ascii=False).encode() + b"\n")
        file.writelines("\t".join(line).encode() + b"\n" for line in pairs.lines())


def read_pairs(path: str | Path) -> Pairs:
    """The set of a file; refused if its pairs do not match its fingerprint."""
    file_path = Path(path)
    try:
        with file_path.open(encoding="utf-8") as file:
            header = _header(file.readline(), file_path)
            pairs = _pairs([line.rstrip("\n").split("\t") for line in file], file_path)
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{file_path} cannot be read as pairs: {error}") from None
    pairs = replace(
        pairs,
        settings=dict(header.get("settings") or {}),
        corpus=str(header.get("corpus") or ""),
        notes=tuple(header.get("notes") or ()),
    )
    if header.get("fingerprint") not in (None, pairs.fingerprint):
        raise BadFile(
            f"{file_path} was changed after it was written: make it again with `foreart pairs`, "
            "or remove the fingerprint from its first line if the change was intended"
        )
    return pairs


def read_targets(path: str | Path) -> tuple[str, ...]:
    """The ids of a file, each once: one per line, or the queries of a qrels file; `#` starts a comment."""
    lines = (line.split("#")[0].split() for line in _text(Path(path)).splitlines())
    ids = {fields[0]: None for fields in lines if fields}
    if not ids:
        raise BadFile(f"{path} names no targets: write one id per line")
    return tuple(ids)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{path} cannot be read: {error}") from None


def _header(line: str, file_path: Path) -> Mapping[str, Any]:
    try:
        header = json.loads(line)
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("file") != _NAME:
        raise BadFile(f"{file_path} is not a file of pairs: make one with `foreart pairs --out FILE`")
    if header.get("form") != FORM:
        raise BadFile(f"{file_path} was made by another version of foreart: make it again with `foreart pairs`")
    return header


def _pairs(lines: list[list[str]], file_path: Path) -> Pairs:
    targets: list[str] = []
    shared: list[str] = []
    links: dict[str, dict[str, list[str]]] = {"cited": defaultdict(list), "duplicate": defaultdict(list)}
    for number, fields in enumerate(lines, start=2):
        match fields:
            case [target, "", "target"] if target:
                targets.append(target)
            case ["", document, "random"] if document:
                shared.append(document)
            case [target, document, ("cited" | "duplicate") as label] if target and document:
                links[label][target].append(document)
            case _:
                raise BadFile(f"{file_path}: line {number} is not target, document and label separated by tabs")
    cited, duplicates = ({target: tuple(ids) for target, ids in links[label].items()} for label in links)
    unknown = (cited.keys() | duplicates.keys()) - set(targets)
    if unknown:
        raise BadFile(f"{file_path}: {min(unknown)} has pairs, but no line declares it a target")
    return Pairs(tuple(targets), tuple(shared), cited, duplicates)
