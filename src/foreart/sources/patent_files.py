"""From a path to patents: open, recognise, cut, parse; whatever fails becomes a reject and the rest goes on."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from foreart.document.patent import Origin, Patent
from foreart.document.reject import RAW_LIMIT, Reject
from foreart.errors import BadFile, BadRecord, ForeartError
from foreart.sources.opening.containers import DAMAGED, is_media, members
from foreart.sources.opening.stream import Budget, Stream
from foreart.sources.reader import RawRecord
from foreart.sources.readers import READERS, recognise

# What malformed input makes honest code raise; anything else is a defect of ours and may be seen.
MALFORMED = (ForeartError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)


@dataclass(frozen=True, slots=True)
class Document:
    """A record before it is read: file, format and bytes. It can go to another process."""

    file: str
    format: str
    piece: RawRecord


def read(path: str | Path) -> Iterator[Patent]:
    """The patents of a file in any known format; each record that cannot be read gives a warning."""
    for item in scan(path):
        if isinstance(item, Reject):
            warnings.warn(str(item), stacklevel=2)
        else:
            yield item


def scan(path: str | Path) -> Iterator[Patent | Reject]:
    """The patents of a file and, where they stand, the records that cannot be read."""
    for item in pieces(path):
        if isinstance(item, Reject):
            yield item
        else:
            yield from parse_piece(item)


def parse_piece(document: Document) -> list[Patent | Reject]:
    """The patents of one record, or the reject it becomes."""
    piece = document.piece
    origin = Origin(document.file, f"document {piece.index}", document.format)
    reader = READERS[document.format]
    try:
        if piece.problem:
            raise BadRecord(piece.problem)
        return [patent if patent.origins else replace(patent, origins=(origin,)) for patent in reader.parse(piece.data)]
    except MALFORMED as error:
        reason = str(error) if isinstance(error, ForeartError) else f"malformed ({type(error).__name__}: {error})"
        return [Reject(document.file, piece.position, reason, piece.data[:RAW_LIMIT], document.format)]


def files(path: str | Path) -> list[str]:
    """The files a path stands for: itself, or those of a folder by name, drawings and the like passed over."""
    place = Path(path)
    if str(path) == "-" or not place.is_dir():
        return [str(path)]
    return [str(item) for item in sorted(place.rglob("*")) if item.is_file() and not _is_media_file(item)]


def _is_media_file(place: Path) -> bool:
    try:
        with place.open("rb") as raw:
            return is_media(Stream(str(place), raw))
    except OSError:
        return False  # told when it is read


def pieces(path: str | Path) -> Iterator[Document | Reject]:
    """The records of a file, unread, in constant memory. `-` is standard input; a folder is all its files by name."""
    if str(path) == "-":
        yield from _stream_pieces(Stream("-", sys.stdin.buffer), Budget(1 << 40))
        return
    place = Path(path)
    if place.is_dir():
        for file in files(place):
            yield from pieces(file)
        return
    try:
        with place.open("rb") as raw:
            yield from _stream_pieces(Stream(str(place), raw, path=place), Budget(place.stat().st_size))
    except OSError as error:
        raise BadFile(f"{place}: {error.strerror or error}") from error


def _stream_pieces(stream: Stream, budget: Budget) -> Iterator[Document | Reject]:
    """Records of a stream; parts of one document that follow each other in an archive are joined."""
    found = _member_pieces(stream, budget)
    for key, items in groupby(found, key=_group):
        if key is None:
            yield from items
        else:
            yield _joined([item for item in items if isinstance(item, Document)])


def _group(item: Document | Reject) -> tuple[str, str] | None:
    if isinstance(item, Reject):
        return None
    group = READERS[item.format].group
    return (item.format, group(item.file)) if group else None


def _joined(parts: list[Document]) -> Document:
    first = parts[0]
    if len(parts) == 1:
        return first
    return replace(first, piece=replace(first.piece, data=b"\n".join(part.piece.data for part in parts)))


def _member_pieces(stream: Stream, budget: Budget) -> Iterator[Document | Reject]:
    failures: list[tuple[str, Exception]] = []
    last: Stream | None = None
    try:
        for member in members(stream, budget, failed=lambda name, error: failures.append((name, error))):
            yield from _failed(failures, last)
            last = member
            yield from _plain_pieces(member, in_archive=member.name != stream.name)
    except (*DAMAGED, BadFile) as error:
        failures.append((stream.name, error))
    if last is None and not failures:
        yield Reject(stream.name, "", "there is no file in the archive", stream.start)
    yield from _failed(failures, last)


def _failed(failures: list[tuple[str, Exception]], last: Stream | None) -> Iterator[Reject]:
    """What could not be opened. That an archive is cut off is told once, with the member in which it happens."""
    for name, error in failures:
        if last is None or not last.name.startswith(name) or not _is_same(error, last.error):
            yield Reject(name, "", _reason(error))
    failures.clear()


def _is_same(error: Exception, other: Exception | None) -> bool:
    return (isinstance(error, DAMAGED) and isinstance(other, DAMAGED)) or str(error) == str(other)


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, ForeartError) else f"damaged or cut off: {error or type(error).__name__}"


def _plain_pieces(stream: Stream, *, in_archive: bool) -> Iterator[Document | Reject]:
    try:
        head = stream.head
        if not head.strip():
            if not in_archive:
                yield Reject(stream.name, "", "the file is empty")
            return
        if in_archive and is_media(stream):
            return
        reader = recognise(head, stream.name)
        if reader is None:
            yield Reject(stream.name, "", _reason(stream.error) if stream.error else _unknown(), stream.start)
            return
        for piece in reader.cut(stream):
            yield Document(stream.name, reader.name, piece)
    except (*DAMAGED, *MALFORMED) as error:
        yield Reject(stream.name, "", _reason(error), stream.start)


def _unknown() -> str:
    return "no known patent format; `foreart formats` lists what can be read"
