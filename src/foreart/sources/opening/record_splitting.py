"""Splits streams into records, with one record in memory at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from foreart.document.reject import RAW_LIMIT
from foreart.errors import BadFile
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.stream import CHUNK, DAMAGED, Stream

# The largest grants, with their sequence listings, have tens of megabytes.
MAX_RECORD = 128 << 20
# Longer than any boundary, so that one that spans two chunks is found completely.
_OVERLAP = 256

Splitter = Callable[[Stream], Iterator[RawRecord]]


def single_record(stream: Stream) -> Iterator[RawRecord]:
    """The file is one record."""
    parts: list[bytes] = []
    size = 0
    while chunk := stream.read(CHUNK):
        size += len(chunk)
        _check(size, 1, 0)
        parts.append(chunk)
    yield RawRecord(1, 0, b"".join(parts))


def lines(stream: Stream) -> Iterator[RawRecord]:
    """One record per line, without empty lines."""
    return split(stream, re.compile(rb"\n"))


def xml_documents(*roots: str) -> Splitter:
    """One record per XML document; weekly files concatenate many.

    A document ends where one of the root elements is closed or where the next XML declaration starts, so that a
    truncated document does not include the next one.
    """
    closing = b"|".join(re.escape(root.encode()) for root in roots)
    boundary = re.compile(rb"<\?xml(?=[ \t\r\n])|</(?:%s)\s*>" % closing)

    def split_documents(stream: Stream) -> Iterator[RawRecord]:
        return split(stream, boundary, opens=b"<?")

    return split_documents


def split(
    stream: Stream, boundary: re.Pattern[bytes], *, opens: bytes | tuple[bytes, ...] | None = None
) -> Iterator[RawRecord]:
    """Records between boundaries; a boundary belongs to the record it ends, or to the next one (`opens`).

    Of a record that is too long, only the start is kept, as a record with a problem; splitting continues after it.
    """
    buffer = bytearray()
    searched = offset = index = begin = 0
    oversized = b""
    failure: Exception | None = None
    more = True
    while more:
        try:
            chunk = stream.read(CHUNK)
        except (*DAMAGED, BadFile) as error:
            failure, chunk = error, b""
        buffer += chunk
        more = bool(chunk)
        # A boundary near the end of the buffer may be incomplete: it waits for the next chunk.
        safe = len(buffer) - _OVERLAP if more else len(buffer)
        start = 0
        for match in boundary.finditer(buffer, searched):
            if match.start() > safe:
                break
            end = match.start() if opens is not None and match[0].startswith(opens) else match.end()
            data = bytes(buffer[start:end])
            if oversized:
                index += 1
                yield RawRecord(index, begin, oversized, _too_long())
                oversized = b""
            elif data.strip():
                index += 1
                yield RawRecord(index, offset + start, data)
            start = end
        del buffer[:start]
        offset += start
        searched = max(0, len(buffer) - _OVERLAP)
        if len(buffer) > MAX_RECORD or oversized:
            if not oversized:
                oversized, begin = bytes(buffer[:RAW_LIMIT]), offset
            offset += searched
            del buffer[:searched]
            searched = 0
    if failure is not None:
        raise failure
    if oversized:
        yield RawRecord(index + 1, begin, oversized, _too_long())
    elif buffer.strip():
        yield RawRecord(index + 1, offset, bytes(buffer))


_STRUCTURE = re.compile(rb'["{}\[\]]')
_STRING_END = re.compile(rb'["\\]')


def json_values(stream: Stream) -> Iterator[RawRecord]:  # noqa: C901 a state machine is clearest in one function
    """One record per JSON object: the elements of an array, or concatenated objects, in any layout."""
    buffer = bytearray()
    offset = index = at = depth = base = 0
    begin = -1
    in_string = False
    while chunk := stream.read(CHUNK):
        buffer += chunk
        while match := (_STRING_END if in_string else _STRUCTURE).search(buffer, at):
            char = match[0]
            at = match.end()
            if in_string:
                if char == b'"':
                    in_string = False
                elif at == len(buffer):  # the escaped character is in the next chunk
                    at -= 1
                    break
                else:
                    at += 1
            elif char == b'"':
                in_string = True
            elif char in b"{[":
                if char == b"[" and depth == base == 0 and begin < 0:
                    base = 1
                elif depth == base:
                    begin = match.start()
                depth += 1
            else:
                depth -= 1
                if depth == base and begin >= 0:
                    index += 1
                    yield RawRecord(index, offset + begin, bytes(buffer[begin:at]))
                    del buffer[:at]
                    offset, at, begin = offset + at, 0, -1
                elif depth <= 0:
                    depth = base = 0
        else:
            at = len(buffer)
        _check(len(buffer), index + 1, offset)
    if begin >= 0:
        yield RawRecord(index + 1, offset + begin, bytes(buffer[begin:]))


def _check(size: int, index: int, offset: int) -> None:
    if size > MAX_RECORD:
        raise BadFile(f"document {index}, byte {offset}: {_too_long()}")


def _too_long() -> str:
    return f"a record of more than {MAX_RECORD >> 20} MiB"
