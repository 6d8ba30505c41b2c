"""Named byte streams with a preview of the first bytes and a guard against decompression bombs."""

from __future__ import annotations

import codecs
import lzma
import shutil
import tarfile
import tempfile
import weakref
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Protocol

import zstandard

from foreart.errors import BadFile

HEAD = 1 << 16
CHUNK = 1 << 20
# Patents compress 3 to 50 times; a stream that grows more than this is a decompression bomb.
MAX_RATIO = 250
RATIO_FLOOR = 64 << 20
_START = 1024

# The errors of truncated or damaged files.
DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError, zstandard.ZstdError)
_UTF16 = (
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"<\0?\0x\0m\0l\0", "utf-16-le"),
    (b"\0<\0?\0x\0m\0l", "utf-16-be"),
)


class Readable(Protocol):
    """Anything with `read(n)`."""

    def read(self, size: int = -1, /) -> bytes:
        """At most `size` bytes."""


class Stream:
    """The bytes of a file or of a member of an archive, read once, sequentially.

    A damaged stream returns all readable bytes before it raises its error, which is also kept in `error`.
    """

    def __init__(self, name: str, raw: Readable, *, path: Path | None = None) -> None:
        self.name = name
        self.start = b""
        self.error: Exception | None = None
        self._raw = raw
        self._path = path
        self._head = b""

    @property
    def head(self) -> bytes:
        """The first 64 KiB, without consuming them."""
        while len(self._head) < HEAD:
            more = self._take(HEAD - len(self._head))
            if not more:
                break
            self._head += more
        if not self._head and self.error is not None:
            raise self.error
        self.start = self.start or self._head[:_START]
        return self._head

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes; `b""` at the end."""
        if size < 0:
            return b"".join(iter(lambda: self.read(CHUNK), b""))
        if self._head:
            data, self._head = self._head[:size], self._head[size:]
            return data
        data = self._take(size)
        if not data and self.error is not None:
            raise self.error
        return data

    def _take(self, size: int) -> bytes:
        if self.error is not None:
            return b""
        try:
            return self._raw.read(size)
        except (*DAMAGED, BadFile) as error:
            self.error = error
            return b""

    def path(self) -> Path:
        """A file on disk with these bytes, for libraries that need one; a temporary one if there is none."""
        if self._path is None:
            spooled = tempfile.NamedTemporaryFile(prefix="foreart-")  # noqa: SIM115 closed with the stream
            weakref.finalize(self, spooled.close)
            shutil.copyfileobj(self, spooled, CHUNK)
            spooled.flush()
            self._path = Path(spooled.name)
        return self._path

    def seekable_file(self) -> BinaryIO:
        """The same bytes as an open file that supports `seek`."""
        return self.path().open("rb")


def utf16(head: bytes) -> str:
    """The codec of a UTF-16 text that starts with these bytes; `""` for any other encoding."""
    return next((codec for start, codec in _UTF16 if head.startswith(start)), "")


class Recoded:
    """Converts UTF-16 to UTF-8, because readers search for ASCII."""

    def __init__(self, raw: Readable, encoding: str) -> None:
        self._raw = raw
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, possibly fewer than `size`."""
        while data := self._raw.read(size):
            text = self._decoder.decode(data)
            if text:
                return text.encode("utf-8", "replace")
        return self._decoder.decode(b"", final=True).encode("utf-8", "replace")


class Counter:
    """Counts the bytes read, for the compression ratio."""

    def __init__(self, raw: Readable) -> None:
        self._raw = raw
        self.count = 0

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, counted."""
        data = self._raw.read(size)
        self.count += len(data)
        return data


class Guard:
    """Limits the ratio of decompressed to compressed bytes."""

    def __init__(self, raw: Readable, compressed: Callable[[], int], budget: Budget) -> None:
        self._raw = raw
        self._compressed = compressed
        self._budget = budget
        self._count = 0

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes; raises BadFile when the ratio is exceeded."""
        data = self._raw.read(CHUNK if size < 0 else size)
        if size < 0:
            parts = [data]
            while data:
                data = self.read(CHUNK)
                parts.append(data)
            return b"".join(parts)
        self._count += len(data)
        self._budget.spend(len(data))
        if self._count > RATIO_FLOOR and self._count > MAX_RATIO * max(1, self._compressed()):
            raise BadFile(
                f"grows more than {MAX_RATIO} times when unpacked: treated as a zip bomb and not read further"
            )
        return data


class Budget:
    """The total size to which one file on disk may unpack, including nested archives."""

    def __init__(self, file_size: int) -> None:
        self._left = max(4 * RATIO_FLOOR, 1000 * file_size)

    def spend(self, size: int) -> None:
        """Subtracts unpacked bytes; raises BadFile once the budget is exceeded."""
        self._left -= size
        if self._left < 0:
            raise BadFile("unpacks to more than 1,000 times its size: treated as a zip bomb and not read further")
