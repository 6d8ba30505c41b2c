"""Opens archives and compressed files, also nested, member by member; recognised by their first bytes."""

from __future__ import annotations

import struct
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from foreart.errors import BadFile
from foreart.sources.opening.broken_zip import salvaged
from foreart.sources.opening.stream import CHUNK, DAMAGED, Budget, Counter, Guard, Readable, Recoded, Stream, utf16
from foreart.sources.opening.unpacking import Partial, unpacked

__all__ = ["DAMAGED", "MAX_DEPTH", "is_media", "members"]

MAX_DEPTH = 5

# Called for a member that cannot be opened, with its name and the error.
Failed = Callable[[str, Exception], None]

# Tar headers with a name or attributes of the next member, and the maximum size that is read.
_EXTENSIONS = (
    *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
)
_MAX_NAME = 1 << 20
# Drawings, chemistry files, DTDs and the like, which archives contain along with the texts.
_MEDIA = (
    b"II*\0",
    b"MM\0*",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"%PDF",
    b"VjCD",
    b"\xd0\xcf\x11\xe0",
    b"RIFF",
)
_MEDIA_SUFFIXES = {
    *(".tif", ".tiff", ".jpg", ".jpeg", ".png", ".gif", ".bmp", ".svg", ".pdf", ".cdx", ".mol", ".nb"),
    *(".dtd", ".mod", ".ent", ".elt", ".xsd", ".xsl", ".xslt", ".css"),
}


def members(stream: Stream, budget: Budget, *, depth: int = 0, failed: Failed | None = None) -> Iterator[Stream]:
    """The plain streams inside a stream; itself if it is not an archive.

    With `failed`, a member of an archive that cannot be opened is reported there, and reading continues.
    """
    head = stream.head
    if depth > MAX_DEPTH:
        raise BadFile(f"archives nested more than {MAX_DEPTH} deep")
    counter = Counter(stream)
    opened = unpacked(head, counter)
    if opened is not None:
        inner = Stream(stream.name, Guard(opened, lambda: counter.count, budget))
        yield from members(inner, budget, depth=depth + 1, failed=failed)
    elif head.startswith((b"PK\x03\x04", b"PK\x05\x06")) and not _is_office_file(head):
        yield from _zip_members(stream, budget, depth, failed)
    elif head[257:262] == b"ustar":
        yield from _tar_members(stream, budget, depth, failed)
    else:
        yield _in_utf8(stream, head)


def is_media(stream: Stream) -> bool:
    """Whether a member of an archive is a drawing or another file without a patent, which is skipped."""
    head = stream.head
    is_bitmap = head.startswith(b"BM") and head[6:10] == b"\0\0\0\0"
    return head.startswith(_MEDIA) or is_bitmap or Path(stream.name).suffix.lower() in _MEDIA_SUFFIXES


def _in_utf8(stream: Stream, head: bytes) -> Stream:
    encoding = utf16(head)
    return Stream(stream.name, Recoded(stream, encoding)) if encoding else stream


def _is_office_file(head: bytes) -> bool:
    """DOCX and ODT are zip files too, but documents, not archives of documents."""
    return b"[Content_Types].xml" in head[:2000] or b"mimetypeapplication/vnd.oasis" in head[:200]


def _zip_members(stream: Stream, budget: Budget, depth: int, failed: Failed | None) -> Iterator[Stream]:
    with stream.seekable_file() as file:
        try:
            archive = zipfile.ZipFile(file)
        except (
            zipfile.BadZipFile,
            NotImplementedError,
            ValueError,
            struct.error,
        ):  # a missing or damaged central directory
            yield from _salvaged_members(stream, file, budget, depth)
            return
        with archive:
            # Sorted by name, so that parts of one document are consecutive and the order is the same everywhere.
            files = sorted(
                (item for item in archive.infolist() if not item.filename.endswith("/")), key=lambda item: item.filename
            )
            encrypted = [item.filename for item in files if item.flag_bits & 1]
            for info in files:
                budget.spend(0)
                if info.flag_bits & 1:
                    continue
                try:
                    yield from _zip_member(stream, archive, info, budget, depth, failed)
                except (*DAMAGED, BadFile) as error:
                    (failed or _raise)(f"{stream.name}!{info.filename}", error)
            if encrypted:
                names = f"{len(encrypted)} of {len(files)} members are encrypted ({encrypted[0]})"
                raise BadFile(f"{names}; unpack them first")


def _zip_member(
    stream: Stream, archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget, depth: int, failed: Failed | None
) -> Iterator[Stream]:
    name = f"{stream.name}!{info.filename}"
    try:
        raw = archive.open(info)
    except (NotImplementedError, RuntimeError, ValueError, struct.error) as error:
        raise BadFile(f"unsupported compression: {error}") from error
    with raw:
        member = Stream(name, Guard(Partial(raw), lambda: info.compress_size, budget))  # type: ignore[arg-type]
        yield from members(member, budget, depth=depth + 1, failed=failed)


def _salvaged_members(stream: Stream, file: BinaryIO, budget: Budget, depth: int) -> Iterator[Stream]:
    for member in salvaged(file):
        counter = member.packed
        guarded = Guard(member, lambda counter=counter: counter.count, budget)  # type: ignore[misc]
        yield from members(Stream(f"{stream.name}!{member.name}", guarded), budget, depth=depth + 1)


class _Header(tarfile.TarInfo):
    """A tar header. Raises an error for a damaged one, which tarfile would treat as the end of the archive."""

    @classmethod
    def frombuf(cls, buffer: bytes, encoding: str, errors: str) -> tarfile.TarInfo:  # type: ignore[override]
        header = super().frombuf(buffer, encoding, errors)
        # tarfile reads long names and extended headers of any size into memory.
        if header.type in _EXTENSIONS and header.size > _MAX_NAME:
            raise tarfile.InvalidHeaderError(f"a name of {header.size} bytes")  # type: ignore[attr-defined]
        return header

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> tarfile.TarInfo:  # type: ignore[override]
        try:
            return super().fromtarfile(archive)
        except (tarfile.InvalidHeaderError, tarfile.TruncatedHeaderError) as error:  # type: ignore[attr-defined]
            raise tarfile.ReadError(f"a header of the tar file is damaged: {error}") from None


class _TarMember:
    """The bytes of a member; tarfile's own reader drops the last bytes of a truncated file."""

    def __init__(self, raw: Readable, size: int) -> None:
        self._raw = raw
        self._left = size

    def read(self, size: int = -1, /) -> bytes:
        data = self._raw.read(min(size, self._left))
        self._left -= len(data)
        if not data and self._left and size:
            raise EOFError("it ends inside a member")
        return data


def _tar_members(stream: Stream, budget: Budget, depth: int, failed: Failed | None) -> Iterator[Stream]:
    with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Header) as archive:  # type: ignore[call-overload]
        for info in archive:
            budget.spend(0)
            name = f"{stream.name}!{info.name}"
            if info.issparse():  # a few bytes of header can expand to terabytes of zeros
                (failed or _raise)(name, BadFile("a sparse file in a tar file; unpack it first"))
            elif info.isfile():  # links and devices inside an archive are never followed
                archive.fileobj.seek(info.offset_data)
                guarded = Guard(_TarMember(archive.fileobj, info.size), lambda size=info.size: size, budget)  # type: ignore[misc]
                yield from members(Stream(name, guarded), budget, depth=depth + 1, failed=failed)
            _skip(archive.fileobj, archive.offset)


def _skip(file: BinaryIO, offset: int) -> None:
    """Skips to the next header; tarfile's own loop does not stop at the end of the file, and a size may be 2^88."""
    while (left := offset - file.tell()) > 0:
        if not file.read(min(left, CHUNK)):
            raise EOFError("it ends inside a member")


def _raise(name: str, error: Exception) -> None:
    raise error
