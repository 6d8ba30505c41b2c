"""A search record as a file: one JSON document with a checksum, written atomically."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from foreart.durable import replace_bytes, seal
from foreart.errors import BadFile
from foreart.records.record_data import SearchRecord
from foreart.typed_json import Misfit, from_json, to_json

SCHEMA = "foreart search record"
VERSION = 1


def write_record(record: SearchRecord, path: str | Path) -> None:
    """Writes the record for its owner only; the path of the draft is relative, so both can be moved together."""
    place = Path(path)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        replace_bytes(place, _bytes(record_json(record, place.parent)), private=True)
    except OSError as error:
        raise BadFile(f"{place}: the search record cannot be written: {error.strerror or error}") from None


def record_json(record: SearchRecord, folder: Path | None = None) -> dict[str, Any]:
    """The record as a JSON object with its checksum; with a folder, paths are relative to it."""
    draft = replace(record.draft, path=_seen_from(folder, record.draft.path)) if folder else record.draft
    body = {"schema": SCHEMA, "version": VERSION, **to_json(replace(record, draft=draft))}
    body["documents"] = record.documents.packed  # long, so near the end
    return {**body, "checksum": seal(body)}


def read_record(path: str | Path) -> SearchRecord:
    """Reads a record; any other file is an error."""
    place = Path(path)
    body = _body(place)
    if not isinstance(body, dict) or body.get("schema") != SCHEMA:
        raise BadFile(f"{place} is not a search record: `foreart search DRAFT --save {place.name}` writes one")
    if body.get("version") != VERSION:
        raise BadFile(
            f"{place} has version {body.get('version')!r} of search records, and this foreart reads {VERSION}: "
            "use the foreart that wrote it"
        )
    checksum = body.pop("checksum", "")
    if checksum != seal(body):
        raise BadFile(f"{place} is damaged: its checksum does not match")
    return _record({name: value for name, value in body.items() if name not in ("schema", "version")}, place)


def _body(place: Path) -> Any:  # noqa: ANN401 whatever the file holds
    try:
        return json.loads(place.read_bytes())
    except OSError as error:
        raise BadFile(f"{place}: {error.strerror or 'cannot be read'}") from None
    except (ValueError, RecursionError):  # not JSON, not UTF-8, or nested too deeply
        raise BadFile(f"{place} is not a search record, or a damaged one: it is not JSON") from None


def _record(body: dict[str, Any], place: Path) -> SearchRecord:
    try:
        body["documents"] = {"packed": body.get("documents")}
        record: SearchRecord = from_json(SearchRecord, body)
    except Misfit as misfit:
        raise BadFile(f"{place} is a damaged search record: {misfit}") from None
    if not record.documents.sound:
        raise BadFile(f"{place} is a damaged search record: documents cannot be unpacked")
    return replace(record, draft=replace(record.draft, path=_found_from(place.parent, record.draft.path)))


def _seen_from(folder: Path, path: str) -> str:
    if not path:
        return ""
    try:
        return Path(os.path.relpath(path, folder.resolve())).as_posix()
    except ValueError:  # on another drive of Windows
        return Path(path).as_posix()


def _found_from(folder: Path, path: str) -> str:
    return os.path.normpath(folder.resolve() / path) if path else ""


def _bytes(body: dict[str, Any]) -> bytes:
    try:
        return _text(body, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate in a title or file name
        return _text(body, ensure_ascii=True).encode("ascii")


def _text(body: dict[str, Any], *, ensure_ascii: bool) -> str:
    return json.dumps(body, ensure_ascii=ensure_ascii, indent=2, allow_nan=False) + "\n"
