"""Splits CSV and TSV into rows: each row is a JSON object of column and cell, so that parsing needs no header."""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections.abc import Iterator

from foreart.errors import BadFile, BadRecord
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.record_splitting import MAX_RECORD
from foreart.sources.opening.stream import CHUNK, Stream

# The limit of the csv module, 128 KiB, is shorter than most descriptions; it uses four bytes per character.
_MAX_CELL = MAX_RECORD >> 2
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF8_BOM = codecs.BOM_UTF8.decode()


def rows(stream: Stream, delimiter: str) -> Iterator[RawRecord]:
    """One record per row, as JSON; a row that does not match the header becomes a record that `cells` refuses."""
    columns: list[str] | None = None
    index = 0
    for offset, row in table(stream, delimiter):
        if columns is None:
            if isinstance(row, str):
                raise BadFile(f"the first line is not a header: {row}")
            columns = _columns(row)
            continue
        index += 1
        yield RawRecord(index, offset, json.dumps(_as_cells(columns, row), ensure_ascii=False).encode())


def cells(data: bytes) -> dict[str, str]:
    """The cells of a record of `rows`, by column; raises BadRecord for a row that does not match the header."""
    row = json.loads(data)
    if isinstance(row, list):
        raise BadRecord(str(row[0]) if row else "an empty row")
    if not isinstance(row, dict):
        raise BadRecord("not a row of a table")
    return {str(column): cell if isinstance(cell, str) else str(cell or "") for column, cell in row.items()}


def header(head: bytes, delimiter: str) -> list[str]:
    """The columns of a table that starts with these bytes; empty if they are not text."""
    first = _decode_head(head)
    if "\0" in first[:1024]:
        return []
    try:
        row = next(csv.reader(io.StringIO(first, newline=""), delimiter=delimiter), [])
    except csv.Error:
        return []
    return _columns(row)


def table(stream: Stream, delimiter: str) -> Iterator[tuple[int, list[str] | str]]:
    """Each row with its byte offset, including the header, without blank lines; a reason instead of a malformed row."""
    csv.field_size_limit(_MAX_CELL)
    source = _Lines(stream)
    reader = csv.reader(source, delimiter=delimiter)
    while True:
        start = source.offset
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield start, f"a malformed row: {error}"
            continue
        if any(cell.strip() for cell in row):
            yield start, row


class _Lines:
    """The lines of a stream as text, whatever its encoding, and the number of bytes read so far."""

    def __init__(self, stream: Stream) -> None:
        self.offset = 0
        head = stream.head
        self._lines = _utf16_lines(stream) if head.startswith(_UTF16) else _lines(stream, _newline(head))

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        text = _decode(line)
        if self.offset == 0:
            text = text.removeprefix(_UTF8_BOM)
        self.offset += len(line)
        return text


def _newline(head: bytes) -> bytes:
    return b"\r" if b"\n" not in head and b"\r" in head else b"\n"


def _lines(stream: Stream, newline: bytes) -> Iterator[bytes]:
    buffer = bytearray()
    while chunk := stream.read(CHUNK):
        buffer += chunk
        end = buffer.rfind(newline) + 1
        if end:
            # Only the newline of this file separates lines: other kinds occur inside cells.
            yield from (line + newline for line in bytes(buffer[: end - 1]).split(newline))
            del buffer[:end]
        if len(buffer) > MAX_RECORD:
            raise BadFile(f"a line of more than {MAX_RECORD >> 20} MiB")
    if buffer:
        yield bytes(buffer)


def _utf16_lines(stream: Stream) -> Iterator[bytes]:
    """The lines of a UTF-16 file, which spreadsheets export; offsets are then those of the text in UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-16")("replace")
    text = ""
    while chunk := stream.read(CHUNK):
        text += decoder.decode(chunk)
        *complete, text = text.split("\n")
        yield from ((line + "\n").encode("utf-8", "replace") for line in complete)
        if len(text) > MAX_RECORD:
            raise BadFile(f"a line of more than {MAX_RECORD >> 20} MiB")
    if text:
        yield text.encode("utf-8", "replace")


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _decode_head(head: bytes) -> str:
    if head.startswith(_UTF16):
        return head[: len(head) // 2 * 2].decode("utf-16", "replace").replace("\r\n", "\n")
    newline = _newline(head)
    end = head.rfind(newline)  # the last line may end inside a character
    return _decode(head[:end] if end > 0 else head).removeprefix(_UTF8_BOM)


def _columns(row: list[str]) -> list[str]:
    """Unique names of columns: a second `Title` is `Title 2`."""
    names: dict[str, None] = {}
    counts: dict[str, int] = {}
    for position, cell in enumerate(row, start=1):
        name = plain = " ".join(cell.split()) or f"column {position}"
        while name in names:
            counts[plain] = counts.get(plain, 1) + 1
            name = f"{plain} {counts[plain]}"
        names[name] = None
    return list(names)


def _as_cells(columns: list[str], row: list[str] | str) -> dict[str, str] | list[str]:
    if isinstance(row, str):
        return [row]
    extra = row[len(columns) :]
    if len(row) < len(columns) or any(cell.strip() for cell in extra):
        return [f"a row of {len(row)} cells, but the header has {len(columns)}", *row]
    return dict(zip(columns, row, strict=False))
