"""Reads the members of a truncated zip file, whose central directory is missing."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from foreart.sources.opening.stream import Counter

_HEADER = struct.Struct("<4s5H3I2H")
_MAGIC = b"PK\x03\x04"
_ENCRYPTED, _SIZE_FOLLOWS, _UTF8 = 1, 8, 0x800
_STORED, _DEFLATED = 0, 8
_BLOCK = 1 << 16
_UNKNOWN = 0xFFFFFFFF
# The maximum gap between two members: the sizes of the first may follow its data.
_GAP = 64


class ZipMember:
    """One member, located by its own header; `read` raises EOFError if the file ends before the member."""

    def __init__(self, file: BinaryIO, name: str, method: int, size: int) -> None:
        self.name = name
        self.packed = Counter(file)
        self._file = file
        self._left = size
        self._inflate = zlib.decompressobj(-15) if method == _DEFLATED else None

    def read(self, size: int = -1, /) -> bytes:
        """At most `size` bytes."""
        if self._inflate is None:
            data = self.packed.read(min(self._left, size))
            self._left -= len(data)
            if self._left and not data:
                raise EOFError("it ends inside a member")
            return data
        while not self._inflate.eof:
            packed = self._inflate.unconsumed_tail or self.packed.read(_BLOCK)
            if not packed:
                raise EOFError("it ends inside a member")
            data = self._inflate.decompress(packed, size)
            if data:
                return data
        return b""

    def close(self) -> None:
        """Skips to the end of the member."""
        while self.read(_BLOCK):
            pass
        if self._inflate is not None:
            self._file.seek(-len(self._inflate.unused_data), 1)


def salvaged(file: BinaryIO) -> Iterator[ZipMember]:
    """The members in file order until the file ends; then raises BadZipFile."""
    file.seek(0)
    while True:
        gap = file.read(_GAP)
        position = gap.find(_MAGIC)
        if position < 0:
            break
        file.seek(position - len(gap), 1)
        header = file.read(_HEADER.size)
        if len(header) < _HEADER.size:
            break
        _, _, flags, method, _, _, _, size, _, name_size, extra_size = _HEADER.unpack(header)
        name = file.read(name_size).decode("utf-8" if flags & _UTF8 else "cp437", "replace")
        file.seek(extra_size, 1)
        known = size != _UNKNOWN and not flags & _SIZE_FOLLOWS
        if flags & _ENCRYPTED or method not in (_STORED, _DEFLATED) or (method == _STORED and not known):
            break
        member = ZipMember(file, name, method, size)
        if not name.endswith("/"):
            yield member
        member.close()
    raise zipfile.BadZipFile("the central directory of the zip file is missing")
