"""Reads the patents of a path: open, recognise, split, parse; what fails becomes a reject, and reading continues."""

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
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.stream import Budget, Stream
from foreart.sources.readers import READERS, recognise

# The errors that malformed input can cause; any other error is a bug and propagates.
MALFORMED = (ForeartError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)


@dataclass(frozen=True, slots=True)
class Document:
    """A record before parsing: file, format and bytes. It can be sent to another process."""

    file: str
    format: str
    record: RawRecord


def read(path: str | Path) -> Iterator[Patent]:
    """The patents of a file in any known format; warns of each record that cannot be read."""
    for item in scan(path):
        if isinstance(item, Reject):
            warnings.warn(str(item), stacklevel=2)
        else:
            yield item


def scan(path: str | Path) -> Iterator[Patent | Reject]:
    """The patents and the rejects of a file, in file order."""
    for item in raw_records(path):
        if isinstance(item, Reject):
            yield item
        else:
            yield from parse_record(item)


def parse_record(document: Document) -> list[Patent | Reject]:
    """The patents of one record, or its reject."""
    record = document.record
    origin = Origin(document.file, f"document {record.index}", document.format)
    reader = READERS[document.format]
    try:
        if record.problem:
            raise BadRecord(record.problem)
        patents = reader.parse(record.data)
        return [patent if patent.origins else replace(patent, origins=(origin,)) for patent in patents]
    except MALFORMED as error:
        reason = str(error) if isinstance(error, ForeartError) else f"malformed ({type(error).__name__}: {error})"
        return [Reject(document.file, record.position, reason, record.data[:RAW_LIMIT], document.format)]


def files(path: str | Path) -> list[str]:
    """The files of a path: itself, or the files of a folder by name, without drawings and other media."""
    root = Path(path)
    if str(path) == "-" or not root.is_dir():
        return [str(path)]
    return [str(item) for item in sorted(root.rglob("*")) if item.is_file() and not _is_media_file(item)]


def _is_media_file(path: Path) -> bool:
    try:
        with path.open("rb") as raw:
            return is_media(Stream(str(path), raw))
    except OSError:
        return False  # reported when it is read


def raw_records(path: str | Path) -> Iterator[Document | Reject]:
    """The unparsed records of a file, in constant memory. `-` is standard input; a folder is all its files by name."""
    if str(path) == "-":
        yield from _stream_records(Stream("-", sys.stdin.buffer), Budget(1 << 40))
        return
    path = Path(path)
    if path.is_dir():
        for file in files(path):
            yield from raw_records(file)
        return
    try:
        with path.open("rb") as raw:
            yield from _stream_records(Stream(str(path), raw, path=path), Budget(path.stat().st_size))
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror or error}") from error


def _stream_records(stream: Stream, budget: Budget) -> Iterator[Document | Reject]:
    """Records of a stream; consecutive members of an archive that are parts of one document are joined."""
    for key, items in groupby(_member_records(stream, budget), key=_group):
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
    return replace(first, record=replace(first.record, data=b"\n".join(part.record.data for part in parts)))


def _member_records(stream: Stream, budget: Budget) -> Iterator[Document | Reject]:
    failures: list[tuple[str, Exception]] = []
    last: Stream | None = None
    try:
        for member in members(stream, budget, failed=lambda name, error: failures.append((name, error))):
            yield from _failed(failures, last)
            last = member
            yield from _plain_records(member, in_archive=member.name != stream.name)
    except (*DAMAGED, BadFile) as error:
        failures.append((stream.name, error))
    if last is None and not failures:
        yield Reject(stream.name, "", "there is no file in the archive", stream.start)
    yield from _failed(failures, last)


def _failed(failures: list[tuple[str, Exception]], last: Stream | None) -> Iterator[Reject]:
    """Rejects for what could not be opened. A truncated archive is reported once, with the member it ends in."""
    for name, error in failures:
        if last is None or not last.name.startswith(name) or not _is_same(error, last.error):
            yield Reject(name, "", _reason(error))
    failures.clear()


def _is_same(error: Exception, other: Exception | None) -> bool:
    return (isinstance(error, DAMAGED) and isinstance(other, DAMAGED)) or str(error) == str(other)


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, ForeartError) else f"damaged or truncated: {error or type(error).__name__}"


def _plain_records(stream: Stream, *, in_archive: bool) -> Iterator[Document | Reject]:
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
        for record in reader.split(stream):
            yield Document(stream.name, reader.name, record)
    except (*DAMAGED, *MALFORMED) as error:
        yield Reject(stream.name, "", _reason(error), stream.start)


def _unknown() -> str:
    return "no known patent format; `foreart formats` lists what can be read"
