"""Hashes of the documents of a corpus, nine bytes each: enough to count those added, removed and changed."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

# 48 bits distinguish a million ids (probability of a collision: 1 in 500), 24 bits two contents of one id.
_ID, _CONTENT = 6, 3
_BOTH = _ID + _CONTENT

Change = Literal["added", "removed", "changed", "as it was"]


@dataclass(frozen=True, slots=True)
class PackedDocuments:
    """Short hashes of ids and contents, sorted, in base64: equal for equal corpora."""

    packed: str = ""

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """Hashes of ids and contents as numbers, sorted by id."""
        data = np.frombuffer(base64.b64decode(self.packed, validate=True), dtype=np.uint8).reshape(-1, _BOTH)
        ids, contents = _number(data[:, :_ID]), _number(data[:, _ID:])
        return ids, contents

    def __len__(self) -> int:
        return len(self.packed) * 3 // 4 // _BOTH

    @property
    def sound(self) -> bool:
        """Whether it can be unpacked."""
        try:
            return len(base64.b64decode(self.packed, validate=True)) % _BOTH == 0
        except (binascii.Error, ValueError):
            return False


@dataclass(frozen=True, slots=True)
class Turnover:
    """How many documents were added, removed, or changed."""

    added: int
    removed: int
    changed: int


def packed_documents(contents: Iterable[tuple[str, bytes]]) -> PackedDocuments:
    """Packs ids and the hashes of their contents."""
    packed = sorted(
        _short(number) + hashlib.blake2b(content, digest_size=_CONTENT).digest() for number, content in contents
    )
    return PackedDocuments(base64.b64encode(b"".join(packed)).decode("ascii"))


def turnover(first: PackedDocuments, second: PackedDocuments) -> Turnover:
    """Counts the changes from one state of a corpus to another."""
    (ids, before), (other_ids, after) = first.arrays(), second.arrays()
    common, rows_before, rows_after = np.intersect1d(ids, other_ids, return_indices=True)
    return Turnover(
        len(other_ids) - len(common), len(ids) - len(common), int((before[rows_before] != after[rows_after]).sum())
    )


def turnover_text(counts: Turnover) -> str:
    """`2 added, 0 removed, 1 changed`."""
    return f"{counts.added:,} added, {counts.removed:,} removed, {counts.changed:,} changed"


def changes(first: PackedDocuments, second: PackedDocuments, numbers: Iterable[str]) -> dict[str, Change]:
    """The change of each of some documents between two states of a corpus."""
    states = first.arrays(), second.arrays()
    return {number: _change(*(_content(number, *state) for state in states)) for number in numbers}


def _content(number: str, ids: np.ndarray, contents: np.ndarray) -> int | None:
    key = _number(np.frombuffer(_short(number), dtype=np.uint8))
    position = int(np.searchsorted(ids, key))
    return int(contents[position]) if position < len(ids) and ids[position] == key else None


def _number(data: np.ndarray) -> np.ndarray:
    """Bytes of the last axis as one big-endian number, which sorts like the bytes."""
    powers = 256 ** np.arange(data.shape[-1] - 1, -1, -1, dtype=np.uint64)
    return np.asarray(data.astype(np.uint64) @ powers)


def _change(before: int | None, after: int | None) -> Change:
    if before == after:
        return "as it was"
    if before is None:
        return "added"
    return "removed" if after is None else "changed"


def _short(number: str) -> bytes:
    return hashlib.blake2b(number.encode("utf-8", "surrogatepass"), digest_size=_ID).digest()
