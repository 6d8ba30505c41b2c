"""A search record as a file: one JSON document with a checksum, written atomically."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from foreart.corpus.indexed_corpus import IndexedCorpus
from foreart.durable import json_checksum, replace_bytes
from foreart.errors import BadFile, StaleIndex
from foreart.records.record_data import SearchRecord, search_record
from foreart.search import Result
from foreart.typed_json import TypeMismatch, from_json, to_json

SCHEMA = "foreart search record"
VERSION = 1


def write_record(record: SearchRecord, path: str | Path) -> None:
    """Writes the record for its owner only; the path of the draft is relative, so both can be moved together."""
    file = Path(path)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_bytes(file, _bytes(record_json(record, file.parent)), private=True)
    except OSError as error:
        raise BadFile(f"{file}: the search record cannot be written: {error.strerror or error}") from None


def save_record(result: Result, corpus: IndexedCorpus, path: Path, *, private: bool) -> None:
    """Writes the record of a result; StaleIndex if other indexes were published since the search."""
    if corpus.fingerprint != result.corpus_fingerprint:
        raise StaleIndex(f"what {corpus.path.parent} searches has changed since this search: search again, then save")
    write_record(search_record(result, corpus, private=private), path)


def record_json(record: SearchRecord, folder: Path | None = None) -> dict[str, Any]:
    """The record as a JSON object with its checksum; with a folder, paths are relative to it."""
    draft = replace(record.draft, path=_relative_path(folder, record.draft.path)) if folder else record.draft
    body = {"schema": SCHEMA, "version": VERSION, **to_json(replace(record, draft=draft))}
    body["documents"] = record.documents.packed  # long, so near the end
    return {**body, "checksum": json_checksum(body)}


def read_record(path: str | Path) -> SearchRecord:
    """Reads a record; any other file is an error."""
    file = Path(path)
    body = _body(file)
    if not isinstance(body, dict) or body.get("schema") != SCHEMA:
        raise BadFile(f"{file} is not a search record: `foreart search DRAFT --save {file.name}` writes one")
    if body.get("version") != VERSION:
        raise BadFile(
            f"{file} has version {body.get('version')!r} of search records, and this foreart reads {VERSION}: "
            "use the foreart that wrote it"
        )
    checksum = body.pop("checksum", "")
    if checksum != json_checksum(body):
        raise BadFile(f"{file} is damaged: its checksum does not match")
    return _record({name: value for name, value in body.items() if name not in ("schema", "version")}, file)


def _body(file: Path) -> Any:  # noqa: ANN401 whatever the file holds
    try:
        return json.loads(file.read_bytes())
    except OSError as error:
        raise BadFile(f"{file}: {error.strerror or 'cannot be read'}") from None
    except (ValueError, RecursionError):  # not JSON, not UTF-8, or nested too deeply
        raise BadFile(f"{file} is not a search record, or it is damaged: it is not JSON") from None


def _record(body: dict[str, Any], file: Path) -> SearchRecord:
    try:
        body["documents"] = {"packed": body.get("documents")}
        record: SearchRecord = from_json(SearchRecord, body)
    except TypeMismatch as mismatch:
        raise BadFile(f"{file} is a damaged search record: {mismatch}") from None
    if not record.documents.sound:
        raise BadFile(f"{file} is a damaged search record: documents cannot be unpacked")
    return replace(record, draft=replace(record.draft, path=_absolute_path(file.parent, record.draft.path)))


def _relative_path(folder: Path, path: str) -> str:
    if not path:
        return ""
    try:
        return Path(os.path.relpath(path, folder.resolve())).as_posix()
    except ValueError:  # on another drive of Windows
        return Path(path).as_posix()


def _absolute_path(folder: Path, path: str) -> str:
    return os.path.normpath(folder.resolve() / path) if path else ""


def _bytes(body: dict[str, Any]) -> bytes:
    try:
        return _text(body, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate in a title or file name
        return _text(body, ensure_ascii=True).encode("ascii")


def _text(body: dict[str, Any], *, ensure_ascii: bool) -> str:
    return json.dumps(body, ensure_ascii=ensure_ascii, indent=2, allow_nan=False) + "\n"
