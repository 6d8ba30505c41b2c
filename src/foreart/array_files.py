"""Arrays behind one another in one file, each as NumPy writes it and with a checksum; mapped, not read.

One file and not one for each array: a map keeps its file open, and a process may open 256 to 1,024 of them.
"""

from __future__ import annotations

import hashlib
import io
import mmap
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from foreart.durable import flush

_ALIGNED = 64
_CHUNK = 1 << 24


class Torn(Exception):
    """A file has not the size it was written with."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One array: its bytes begin at `start` of the file with a header as in .npy files and its numbers at `offset`."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    start: int
    offset: int
    end: int
    checksum: str


@dataclass(frozen=True, slots=True)
class ArraysFile:
    """What is known of a file of arrays: all its bytes belong to one of the pieces."""

    size: int
    pieces: tuple[Piece, ...]


def write(path: Path, arrays: Mapping[str, np.ndarray]) -> ArraysFile:
    """Writes a new file and waits until the disk has it."""
    pieces: list[Piece] = []
    with path.open("xb") as file:
        for name, array in arrays.items():
            pieces.append(_written(file, name, np.ascontiguousarray(array)))
        flush(file)
        return ArraysFile(file.tell(), tuple(pieces))


def read(path: Path, known: ArraysFile) -> dict[str, np.ndarray]:
    """The arrays of a file, which cannot be written to; they keep it open, even when it is removed."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size != known.size:
            raise Torn(f"{path} has {size:,} bytes instead of {known.size:,}")
        if not size:
            return {}
        held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return {
        piece.name: np.ndarray(piece.shape, dtype=piece.dtype, buffer=held, offset=piece.offset)
        for piece in known.pieces
    }


def damaged(path: Path, known: ArraysFile) -> list[str]:
    """The names of arrays whose bytes are not those that were written."""
    with path.open("rb") as file:
        return [piece.name for piece in known.pieces if _checksum(_bytes(file, piece)) != piece.checksum]


def _written(file: BinaryIO, name: str, array: np.ndarray) -> Piece:
    start = file.tell()
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, np.lib.format.header_data_from_array_1_0(array))
    offset = start + header.tell()
    padding = bytes(-(offset + array.nbytes) % _ALIGNED)
    data = array.reshape(-1).view(np.uint8).data
    chunks = (data[place : place + _CHUNK] for place in range(0, len(data), _CHUNK))
    checksum = _checksum((header.getvalue(), *chunks, padding), file.write)
    return Piece(name, array.dtype.str, array.shape, start, offset, file.tell(), checksum)


def _checksum(chunks: Iterable[bytes | memoryview], each: Callable[[bytes | memoryview], object] | None = None) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for chunk in chunks:
        digest.update(chunk)
        if each is not None:
            each(chunk)
    return digest.hexdigest()


def _bytes(file: BinaryIO, piece: Piece) -> Iterable[bytes]:
    file.seek(piece.start)
    left = piece.end - piece.start
    while left:
        chunk = file.read(min(left, _CHUNK))
        if not chunk:
            return
        left -= len(chunk)
        yield chunk
