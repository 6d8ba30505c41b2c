"""Several arrays in one file, each in .npy format with a checksum; memory-mapped, not read.

One file instead of one per array: a memory map keeps its file open, and a process may open only 256 to 1,024 files.
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

from foreart.durable import flush, json_checksum, replacing

_ALIGNMENT = 64
_CHUNK = 1 << 24
# The last bytes of the file hold the length of its directory.
_LENGTH_BYTES = 8


class Torn(Exception):
    """The size or the directory of a file is not what was written: the file is truncated or changed."""


@dataclass(frozen=True, slots=True)
class StoredArray:
    """The location of one array: the .npy header is at `start`, the data at `offset`."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    start: int
    offset: int
    end: int
    checksum: str


@dataclass(frozen=True, slots=True)
class ArraysFile:
    """The size of a file and its arrays, which cover all of its bytes."""

    size: int
    pieces: tuple[StoredArray, ...]


def write(path: Path, arrays: Mapping[str, np.ndarray]) -> ArraysFile:
    """Writes a new file and flushes it to disk."""
    pieces: list[StoredArray] = []
    with path.open("xb") as file:
        for name, array in arrays.items():
            pieces.append(_written(file, name, np.ascontiguousarray(array)))
        flush(file)
        return ArraysFile(file.tell(), tuple(pieces))


def read(path: Path, known: ArraysFile) -> dict[str, np.ndarray]:
    """The arrays of a file, read-only; they keep the file open, even if it is removed."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size != known.size:
            raise Torn(f"{path} has {size:,} bytes instead of {known.size:,}")
        if not size:
            return {}
        buffer = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return {
        piece.name: np.ndarray(piece.shape, dtype=piece.dtype, buffer=buffer, offset=piece.offset)
        for piece in known.pieces
    }


def write_with_directory(path: Path, arrays: Mapping[str, np.ndarray], about: Mapping[str, Any]) -> None:
    """Replaces a file atomically: arrays, then a directory with their offsets and the metadata `about`."""
    with replacing(path) as file:
        pieces = [asdict(_written(file, name, np.ascontiguousarray(array))) for name, array in arrays.items()]
        record = {"about": dict(about), "pieces": pieces, "start": file.tell()}
        directory = json.dumps({**record, "checksum": json_checksum(record)}).encode()
        file.write(directory + len(directory).to_bytes(_LENGTH_BYTES, "little"))


def read_directory(path: Path) -> tuple[dict[str, Any], ArraysFile]:
    """The metadata and the array offsets of a file; `Torn` if its directory is damaged."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        file.seek(max(0, size - _LENGTH_BYTES))
        length = int.from_bytes(file.read(_LENGTH_BYTES), "little")
        file.seek(max(0, size - _LENGTH_BYTES - length))
        text = file.read(min(length, size))
    try:
        record = json.loads(text)
        checksum = record.pop("checksum")
        if checksum != json_checksum(record) or record["start"] + length + _LENGTH_BYTES != size:
            raise ValueError("checksum mismatch")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Torn(f"{path} is damaged ({type(error).__name__})") from None
    return dict(record["about"]), arrays_file(size, record["pieces"])


def arrays_file(size: int, pieces: Iterable[Mapping[str, Any]]) -> ArraysFile:
    """An ArraysFile from JSON."""
    return ArraysFile(size, tuple(StoredArray(**{**piece, "shape": tuple(piece["shape"])}) for piece in pieces))


def damaged(path: Path, known: ArraysFile) -> list[str]:
    """The names of the arrays whose checksum does not match."""
    with path.open("rb") as file:
        return [piece.name for piece in known.pieces if _checksum(_bytes(file, piece)) != piece.checksum]


def _written(file: BinaryIO, name: str, array: np.ndarray) -> StoredArray:
    start = file.tell()
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, np.lib.format.header_data_from_array_1_0(array))
    offset = start + header.tell()
    padding = bytes(-(offset + array.nbytes) % _ALIGNMENT)
    data = array.reshape(-1).view(np.uint8).data
    chunks = (data[begin : begin + _CHUNK] for begin in range(0, len(data), _CHUNK))
    checksum = _checksum((header.getvalue(), *chunks, padding), file.write)
    return StoredArray(name, array.dtype.str, array.shape, start, offset, file.tell(), checksum)


def _checksum(chunks: Iterable[bytes | memoryview], each: Callable[[bytes | memoryview], object] | None = None) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for chunk in chunks:
        digest.update(chunk)
        if each is not None:
            each(chunk)
    return digest.hexdigest()


def _bytes(file: BinaryIO, piece: StoredArray) -> Iterable[bytes]:
    file.seek(piece.start)
    left = piece.end - piece.start
    while left:
        chunk = file.read(min(left, _CHUNK))
        if not chunk:
            return
        left -= len(chunk)
        yield chunk
