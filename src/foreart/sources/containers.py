"""Archives and compressed files, nested as offices nest them, opened member by member; known by their first bytes."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import zstandard

from foreart.errors import BadFile
from foreart.sources.stream import Budget, Counter, Guard, Readable, Stream

MAX_DEPTH = 5

# What unpacking throws when a file is cut off or damaged.
DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError, zstandard.ZstdError)

# Drawings, chemistry, DTDs and the like travel with the texts and hold no patent.
_MEDIA = (
    b"II*\0",
    b"MM\0*",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"%PDF",
    b"VjCD",
    b"BM",
    b"\xd0\xcf\x11\xe0",
    b"RIFF",
)
_MEDIA_SUFFIXES = {
    ".tif",
    ".tiff",
    ".jpg",
    ".png",
    ".gif",
    ".cdx",
    ".mol",
    ".nb",
    ".dtd",
    ".mod",
    ".ent",
    ".xsl",
    ".css",
}


def members(stream: Stream, budget: Budget, *, depth: int = 0) -> Iterator[Stream]:
    """The plain streams inside a stream: itself if it is no archive."""
    head = stream.head
    if depth > MAX_DEPTH:
        raise BadFile(f"archives within archives, more than {MAX_DEPTH} deep")
    unpacked = _decompressed(stream, head, budget)
    if unpacked is not None:
        yield from members(unpacked, budget, depth=depth + 1)
    elif head.startswith((b"PK\x03\x04", b"PK\x05\x06")) and not _is_office_file(head):
        yield from _zip_members(stream, budget, depth)
    elif head[257:262] == b"ustar":
        yield from _tar_members(stream, budget, depth)
    else:
        yield stream


def is_media(stream: Stream) -> bool:
    """Whether a member of an archive is a drawing or the like, which is passed over."""
    return stream.head.startswith(_MEDIA) or Path(stream.name).suffix.lower() in _MEDIA_SUFFIXES


def _decompressed(stream: Stream, head: bytes, budget: Budget) -> Stream | None:
    counter = Counter(stream)
    opened: Readable
    if head.startswith(b"\x1f\x8b"):
        opened = gzip.GzipFile(fileobj=counter)  # type: ignore[call-overload]
    elif head.startswith(b"\xfd7zXZ\0"):
        opened = lzma.LZMAFile(counter)  # type: ignore[arg-type]  # noqa: SIM115 read to its end by the caller
    elif head.startswith(b"BZh") and head[4:10] == b"1AY&SY":
        opened = bz2.BZ2File(counter)  # type: ignore[call-overload]
    elif head.startswith(b"\x28\xb5\x2f\xfd"):
        opened = zstandard.ZstdDecompressor().stream_reader(counter, read_across_frames=True)  # type: ignore[arg-type]
    else:
        return None
    return Stream(stream.name, Guard(opened, lambda: counter.count, budget))


def _is_office_file(head: bytes) -> bool:
    """DOCX and ODT are zip files too, but documents, not archives of documents."""
    return b"[Content_Types].xml" in head[:2000] or b"mimetypeapplication/vnd.oasis" in head[:200]


def _zip_members(stream: Stream, budget: Budget, depth: int) -> Iterator[Stream]:
    with stream.seekable_file() as file, zipfile.ZipFile(file) as archive:
        # In order of name, so that parts of one document follow each other and reading is the same everywhere.
        for info in sorted(archive.infolist(), key=lambda item: item.filename):
            if info.is_dir():
                continue
            if info.flag_bits & 1:
                raise BadFile(f"{info.filename} is encrypted; unpack it first")
            size = info.compress_size
            with archive.open(info) as raw:
                guarded = Guard(raw, lambda size=size: size, budget)  # type: ignore[misc]
                yield from members(Stream(f"{stream.name}!{info.filename}", guarded), budget, depth=depth + 1)


def _tar_members(stream: Stream, budget: Budget, depth: int) -> Iterator[Stream]:
    with tarfile.open(fileobj=stream, mode="r|") as archive:  # type: ignore[call-overload]
        for info in archive:
            if not info.isfile():  # links and devices inside an archive are never followed
                continue
            raw = archive.extractfile(info)
            if raw is not None:
                yield from members(Stream(f"{stream.name}!{info.name}", raw), budget, depth=depth + 1)
