"""Lists of publication numbers: saved searches, text files, or single numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from foreart.errors import BadFile, BadNumber
from foreart.identifiers.numbers import parse_number

_CELL = re.compile(r"[,;\t]")


# Whether a text is an id of the corpus; research collections have ids that are not publication numbers.
Known = Callable[[str], bool]


def listed(items: Iterable[str | Path], known: Known = lambda _: False) -> tuple[str, ...]:
    """The numbers of files and single numbers, each once, in order; `known` accepts ids that are not numbers.

    A file is a saved search or other JSON with `hits`, a JSON list of numbers, or text with a number at the start of
    each line; comments after `#`, and lines without a number in the first column of a table, are ignored.
    """
    numbers: dict[str, None] = {}
    for item in items:
        numbers.update(
            dict.fromkeys(_in_file(Path(item), known) if _is_file(str(item)) else [_number(str(item), known)])
        )
    return tuple(numbers)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a file name, or with a null character
        return False


def _number(text: str, known: Known) -> str:
    try:
        return str(parse_number(text))
    except BadNumber:
        if known(text.strip()):
            return text.strip()
        raise BadFile(f"{text}: there is no such file, and it is not a publication number") from None


def _in_file(path: Path, known: Known) -> list[str]:
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{path}: cannot be read as a list of numbers ({type(error).__name__})") from None
    if text.lstrip()[:1] in ("{", "["):
        try:
            return list(_in_record(json.loads(text), path))
        except ValueError:
            raise BadFile(f"{path}: looks like JSON but is incomplete or invalid") from None
    numbers = list(_in_lines(text, known))
    if text.strip() and not numbers:
        raise BadFile(f"{path}: has no publication number at the start of any line")
    return numbers


def _in_record(record: Any, path: Path) -> Iterator[str]:  # noqa: ANN401 whatever JSON holds
    """The ids of hits and their family members, or the strings of a list."""
    hits = record.get("hits") if isinstance(record, dict) else record
    if hits is None and isinstance(record, dict) and isinstance(record.get("result"), dict):
        hits = record["result"].get("hits")
    if not isinstance(hits, list):
        raise BadFile(f"{path}: has no hits; a saved search or a list of numbers is needed")
    for hit in hits:
        if isinstance(hit, str):
            yield hit
        elif isinstance(hit, dict) and isinstance(hit.get("id"), str):
            yield hit["id"]
            yield from (str(member["id"]) for member in hit.get("family_members") or () if "id" in member)
        else:
            raise BadFile(f"{path}: has a hit without an id")


def _in_lines(text: str, known: Known) -> Iterator[str]:
    for line in text.splitlines():
        cell = _CELL.split(line.split("#")[0])[0].strip().strip("\"'")
        try:
            yield _number(cell, known)
        except BadFile:  # a heading, a remark, an empty line
            continue
