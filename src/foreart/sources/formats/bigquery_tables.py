"""Converts rows of BigQuery exports in CSV and Parquet to nested records."""

from __future__ import annotations

import ast
import base64
import datetime
import json
import re
from collections.abc import Iterator
from typing import Any

from foreart.errors import BadFile, MissingExtra
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.stream import Stream

# Rows per batch: few, because a row with its description may have megabytes.
_BATCH = 32
_SEVERAL = re.compile(r"[;|]")
# Names of plain columns in exports that select the English text of the nested records.
_PLAIN = {
    "title": "title_localized",
    "abstract": "abstract_localized",
    "claims": "claims_localized",
    "description": "description_localized",
}
_TEXTS = ("text", "npl_text")
_LISTS = ("cpc", "ipc", "uspc", "locarno", "inventor", "assignee", "inventor_harmonized", "assignee_harmonized")


def flat_record(row: dict[str, str]) -> dict[str, Any]:
    """The nested record of a row of cells.

    >>> flat_record({"publication_number": "US-1-A", "cpc.code": "A61B17/70; A61B17/86"})["cpc"]
    [{'code': 'A61B17/70'}, {'code': 'A61B17/86'}]
    """
    record: dict[str, Any] = {}
    for column, cell in row.items():
        if not cell.strip():
            continue
        name, _, path = column.partition(".")
        name = _PLAIN.get(name, name)
        value = _value(cell)
        if path:
            _place(record, name, path, value)
        elif name in _LISTS and isinstance(value, str):
            record[name] = _parts(value)
        else:
            record.setdefault(name, value)
    return record


def _value(cell: str) -> object:
    """The value of a cell: nested records are JSON, or Python literals if pandas wrote the file."""
    text = cell.strip()
    if text[0] not in "[{":
        return cell
    try:
        value: object = json.loads(text, strict=False)
        return value
    except (ValueError, RecursionError):
        pass
    try:
        value = ast.literal_eval(text)
        return value
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return cell


def _place(record: dict[str, Any], name: str, path: str, value: object) -> None:
    """Restores a flattened column: the items of `cpc.code` and `cpc.first` correspond in order."""
    if isinstance(value, str):
        value = [value] if path.split(".")[-1] in _TEXTS else _parts(value)
    parts = value if isinstance(value, list) else [value]
    items = record.setdefault(name, [])
    if not isinstance(items, list):
        return
    for position, part in enumerate(parts):
        if position == len(items):
            items.append({})
        if isinstance(items[position], dict):
            items[position].setdefault(path, _flag(part))


def _parts(value: str) -> list[str]:
    return [part.strip() for part in _SEVERAL.split(value)]


def _flag(part: object) -> object:
    lower = part.lower() if isinstance(part, str) else ""
    return lower == "true" if lower in ("true", "false") else part


def parquet_rows(stream: Stream) -> Iterator[RawRecord]:
    """One record per row, as JSON, with a few rows in memory at a time."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise MissingExtra("Parquet files", "parquet") from None
    index = 0
    try:
        with parquet.ParquetFile(stream.path()) as file:
            for batch in file.iter_batches(batch_size=_BATCH):
                for row in batch.to_pylist():
                    index += 1
                    yield RawRecord(index, 0, json.dumps(row, ensure_ascii=False, default=_plain).encode())
    except (pa.ArrowException, OSError) as error:
        raise BadFile(f"document {index + 1}: not a readable Parquet file: {error}") from None


def _plain(value: object) -> str:
    """A JSON value for types that JSON lacks."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value.isoformat() if isinstance(value, datetime.date) else str(value)
