"""Decompressors that return all complete data of a truncated file before they raise an error."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from typing import Protocol

import zstandard

from foreart.sources.opening.stream import Readable

# A file may demand a dictionary of 4 GiB; xz -9 needs 65 MiB.
_XZ_MEMORY = 256 << 20
_BLOCK = 1 << 16
_TRUNCATED = "it ends before the end of the compressed data"
_SKIPPABLE = b"\x2a\x4d\x18"


def unpacked(head: bytes, raw: Readable) -> Readable | None:
    """The decompressed bytes of a stream that starts with `head`; None if it is not compressed."""
    if head.startswith(b"\x1f\x8b"):
        return Partial(gzip.GzipFile(fileobj=raw, mode="rb"))  # type: ignore[call-overload]
    if head.startswith(b"\xfd7zXZ\0"):
        return _Frames(raw, lambda: lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_XZ_MEMORY))
    if head.startswith(b"BZh") and head[4:10] == b"1AY&SY":
        return _Frames(raw, bz2.BZ2Decompressor)
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        return _Zstd(raw)
    return None


class _Buffered(Protocol):
    def read1(self, size: int = -1, /) -> bytes: ...


class Partial:
    """Reads what is available: a buffered `read` that raises an error loses what it has collected."""

    def __init__(self, raw: _Buffered) -> None:
        self._raw = raw

    def read(self, size: int = -1, /) -> bytes:
        """At most `size` bytes."""
        return self._raw.read1(size)


class _Frames:
    """xz and bzip2, frame by frame."""

    def __init__(self, raw: Readable, start: Callable[[], lzma.LZMADecompressor | bz2.BZ2Decompressor]) -> None:
        self._raw = raw
        self._start = start
        self._state = start()

    def read(self, size: int = -1, /) -> bytes:
        while True:
            data = b""
            if self._state.eof:
                rest = self._state.unused_data.lstrip(b"\0") or self._raw.read(_BLOCK).lstrip(b"\0")
                if not rest:
                    return b""
                self._state = self._start()
                data = self._state.decompress(rest, size)
            elif self._state.needs_input:
                more = self._raw.read(_BLOCK)
                if not more:
                    raise EOFError(_TRUNCATED)
                data = self._state.decompress(more, size)
            else:
                data = self._state.decompress(b"", size)
            if data:
                return data


class _Zstd:
    """Zstandard; its library does not notice a truncated file, so blocks are tracked here."""

    def __init__(self, raw: Readable) -> None:
        self._blocks = _Blocks(raw)
        self._reader = zstandard.ZstdDecompressor().stream_reader(self._blocks, read_across_frames=True)  # type: ignore[arg-type]

    def read(self, size: int = -1, /) -> bytes:
        data = self._reader.read(size)
        if not data and self._blocks.is_open:
            raise EOFError(_TRUNCATED)
        return data


class _Blocks:
    """Tracks the frames and blocks of Zstandard (RFC 8878, section 3.1) as they are read."""

    def __init__(self, raw: Readable) -> None:
        self._raw = raw
        self._buffer = bytearray()
        self._skip = 0
        self._in_frame = False
        self._checksum = 0

    @property
    def is_open(self) -> bool:
        """Whether a frame has started and not ended."""
        return self._in_frame or self._skip > 0 or len(self._buffer) > 0

    def read(self, size: int = -1, /) -> bytes:
        data = self._raw.read(size)
        self._buffer += data
        while self._buffer and self._step():
            pass
        return data

    def _step(self) -> bool:
        """Advances one step; False if it needs more bytes."""
        if self._skip:
            skipped = min(self._skip, len(self._buffer))
            del self._buffer[:skipped]
            self._skip -= skipped
        elif self._in_frame:
            if len(self._buffer) < 3:
                return False
            block = int.from_bytes(self._buffer[:3], "little")
            del self._buffer[:3]
            self._skip = 1 if block >> 1 & 3 == 1 else block >> 3  # a repeated byte is one byte
            if block & 1:
                self._in_frame = False
                self._skip += self._checksum
        elif self._buffer[1:4] == _SKIPPABLE:
            if len(self._buffer) < 8:
                return False
            self._skip = 8 + int.from_bytes(self._buffer[4:8], "little")
        else:
            if len(self._buffer) < 5 or len(self._buffer) < (
                size := zstandard.frame_header_size(bytes(self._buffer[:18]))
            ):
                return False
            self._checksum = 4 if zstandard.get_frame_parameters(bytes(self._buffer[:size])).has_checksum else 0
            del self._buffer[:size]
            self._in_frame = True
        return True
