"""A stream of bytes with a name, whose first bytes can be looked at, and which a bomb cannot overfill."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Protocol

from foreart.errors import BadFile

HEAD = 1 << 16
CHUNK = 1 << 20
# Patents compress 3 to 50 times; a stream that grows beyond this is not a patent file but a trap.
MAX_RATIO = 250
RATIO_FLOOR = 64 << 20


class Readable(Protocol):
    """Anything with `read(n)`."""

    def read(self, size: int = -1, /) -> bytes:
        """At most `size` bytes."""


class Stream:
    """Bytes of a file or of a member of an archive, read once, from front to back."""

    def __init__(self, name: str, raw: Readable, *, path: Path | None = None) -> None:
        self.name = name
        self._raw = raw
        self._path = path
        self._head = b""
        self._spooled: tempfile._TemporaryFileWrapper[bytes] | None = None

    @property
    def head(self) -> bytes:
        """The first 64 KiB, without consuming them."""
        while len(self._head) < HEAD:
            more = self._raw.read(HEAD - len(self._head))
            if not more:
                break
            self._head += more
        return self._head

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes; `b""` at the end."""
        if self._head:
            if size < 0:
                data, self._head = self._head + self._raw.read(), b""
                return data
            data, self._head = self._head[:size], self._head[size:]
            return data
        return self._raw.read(size)

    def path(self) -> Path:
        """A file on disk with these bytes, for libraries that need one; a temporary one where there is none."""
        if self._path is None:
            self._spooled = tempfile.NamedTemporaryFile(prefix="foreart-")  # noqa: SIM115 lives as long as the stream
            shutil.copyfileobj(self, self._spooled, CHUNK)
            self._spooled.flush()
            self._path = Path(self._spooled.name)
        return self._path

    def seekable_file(self) -> BinaryIO:
        """The same bytes as an open file that can be moved about in."""
        return self.path().open("rb")


class Counter:
    """Counts what passes, for the ratio of a decompressor."""

    def __init__(self, raw: Readable) -> None:
        self._raw = raw
        self.count = 0

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, counted."""
        data = self._raw.read(size)
        self.count += len(data)
        return data


class Guard:
    """Passes decompressed bytes on as long as they keep a sane ratio to the compressed ones."""

    def __init__(self, raw: Readable, compressed: Callable[[], int], budget: Budget) -> None:
        self._raw = raw
        self._compressed = compressed
        self._budget = budget
        self._count = 0

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes; raises BadFile when they have become far too many."""
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
            raise BadFile(f"grows more than {MAX_RATIO} times when unpacked: taken for a zip bomb and not read on")
        return data


class Budget:
    """What one file on disk may unpack to in all, archives within archives included."""

    def __init__(self, file_size: int) -> None:
        self._left = max(4 * RATIO_FLOOR, 1000 * file_size)

    def spend(self, size: int) -> None:
        """Takes note of unpacked bytes."""
        self._left -= size
        if self._left < 0:
            raise BadFile("unpacks to more than 1,000 times its size: taken for a zip bomb and not read on")
