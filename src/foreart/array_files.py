"""Arrays behind one another in one file, each as NumPy writes it and with a checksum; mapped, not read.

One file and not one for each array: a map keeps its file open, and a process may open 256 to 1,024 of them.
"""

from __future__ import annotations

import hashlib
import io
import json
import mmap
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from foreart.durable import flush, replacing, seal

_ALIGNED = 64
_CHUNK = 1 << 24
# The length of a directory, in the last bytes of its file.
_LENGTH = 8


class Torn(Exception):
    """A file is not as it was written: its size, or its directory, is another one."""


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


def write_with_directory(path: Path, arrays: Mapping[str, np.ndarray], about: Mapping[str, Any]) -> None:
    """Replaces a file at one moment: arrays, and after them a directory that names their places, and says `about`."""
    with replacing(path) as file:
        pieces = [asdict(_written(file, name, np.ascontiguousarray(array))) for name, array in arrays.items()]
        record = {"about": dict(about), "pieces": pieces, "start": file.tell()}
        directory = json.dumps({**record, "checksum": seal(record)}).encode()
        file.write(directory + len(directory).to_bytes(_LENGTH, "little"))


def read_directory(path: Path) -> tuple[dict[str, Any], ArraysFile]:
    """What a file says about itself, and where its arrays are; `Torn` if it was not written so."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        file.seek(max(0, size - _LENGTH))
        length = int.from_bytes(file.read(_LENGTH), "little")
        file.seek(max(0, size - _LENGTH - length))
        text = file.read(min(length, size))
    try:
        record = json.loads(text)
        checksum = record.pop("checksum")
        if checksum != seal(record) or record["start"] + length + _LENGTH != size:
            raise ValueError("its checksum is another one")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Torn(f"{path} is not whole ({type(error).__name__})") from None
    return dict(record["about"]), arrays_file(size, record["pieces"])


def arrays_file(size: int, pieces: Iterable[Mapping[str, Any]]) -> ArraysFile:
    """What is known of a file, from JSON."""
    return ArraysFile(size, tuple(Piece(**{**piece, "shape": tuple(piece["shape"])}) for piece in pieces))


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
