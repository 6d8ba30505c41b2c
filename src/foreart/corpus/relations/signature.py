"""MinHash signatures, which find near-identical texts without comparing all pairs."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import cache
from typing import Protocol

import numpy as np

PERMUTATIONS = 64
ROWS = 8  # per band: two texts are candidates if all eight values of one of the eight bands agree
_WORDS = 1200
_SHINGLE = 5
_MIN_WORDS = 60
_SEED = 1
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # an odd number without a bit pattern: the golden ratio in 64 bits


class Written(Protocol):
    """Anything with a text: a patent or a draft."""

    @property
    def abstract(self) -> str:
        """The abstract."""

    @property
    def description_text(self) -> str:
        """The description."""

    @property
    def claims_text(self) -> str:
        """All claims."""


def signature(document: Written) -> bytes:
    """The MinHash of the first 1,200 words in shingles of five; `b""` for a text that is too short.

    The words are those of the description, which continuations share, or of abstract and claims if there is none.
    """
    return text_signature(document.description_text, document.abstract, document.claims_text)


def text_signature(description: str, abstract: str, claims: str) -> bytes:
    """The signature of a text given in parts."""
    hashes = _shingles(description or f"{abstract}\n{claims}")
    if not len(hashes):
        return b""
    factors, offsets = _permutations()
    # Bit for bit the result of datasketch 2.0, which made the signatures of older corpora.
    permuted = _mixed(hashes)[None, :] * factors + offsets
    return bytes(permuted.min(axis=1).astype("<u4").tobytes())


def sketch(signature: bytes) -> bytes:
    """A byte of each hash of a signature: what two sketches share estimates what their texts do."""
    return np.frombuffer(signature, dtype="<u4").astype(np.uint8).tobytes()


def shingles(document: Written) -> np.ndarray:
    """The distinct hashes behind a signature, in increasing order; none for a text that is too short."""
    return np.unique(_shingles(document.description_text or f"{document.abstract}\n{document.claims_text}"))


def _shingles(text: str) -> np.ndarray:
    """A rolling hash of every five consecutive words; vectorised, because it runs for every patent."""
    words = text[: 16 * _WORDS].lower().encode("utf-8", "replace").split()[:_WORDS]
    if len(words) < _MIN_WORDS:
        return np.empty(0, np.uint32)
    hashes = np.array(list(map(zlib.crc32, words)), np.uint64)
    count = len(words) - _SHINGLE + 1
    rolled = np.zeros(count, np.uint64)
    for offset in range(_SHINGLE):
        rolled = rolled * _FACTOR + hashes[offset : offset + count]
    return (rolled >> np.uint64(32)).astype(np.uint32)


def _mixed(hashes: np.ndarray) -> np.ndarray:
    """The finalizer of MurmurHash3."""
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        hashes = (hashes ^ (hashes >> np.uint32(shift))) * np.uint32(factor)
    return hashes


@cache
def _permutations() -> tuple[np.ndarray, np.ndarray]:
    """Odd factors and offsets of affine permutations of 32 bits, one row each."""
    random = np.random.RandomState(_SEED)  # the generator of the stored signatures
    odd = random.randint(0, 1 << 31, (PERMUTATIONS, 1), dtype=np.uint32) * np.uint32(2) + np.uint32(1)
    return odd, random.randint(0, 1 << 32, (PERMUTATIONS, 1), dtype=np.uint32)


def similarity(left: np.ndarray, right: np.ndarray) -> float:
    """The estimated Jaccard similarity of the shingles."""
    return float(np.mean(left == right))


def groups(signatures: np.ndarray) -> Iterator[list[int]]:
    """Groups of rows that agree in all values of a band, band by band; rows in increasing order."""
    hashed = band_keys(signatures)
    for band, start in enumerate(range(0, PERMUTATIONS, ROWS)):
        rows = _repeated(hashed[:, band])  # the others are alone, and sorting whole bands takes longer
        values = np.ascontiguousarray(signatures[rows, start : start + ROWS])
        keys = values.view([("", values.dtype)] * ROWS).ravel()
        order = np.argsort(keys, kind="stable")
        bounds = np.flatnonzero(keys[order][1:] != keys[order][:-1]) + 1
        starts, ends = np.concatenate([[0], bounds]), np.concatenate([bounds, [len(order)]])
        for group in np.flatnonzero(ends - starts > 1).tolist():
            yield rows[order[starts[group] : ends[group]]].tolist()


def band_keys(signatures: np.ndarray) -> np.ndarray:
    """A hash of each band of each signature: equal bands have equal ones."""
    words = np.ascontiguousarray(signatures, dtype="<u4").view("<u8").reshape(-1, PERMUTATIONS // ROWS, ROWS // 2)
    keys = np.zeros(words.shape[:2], np.uint64)
    for column in range(words.shape[2]):
        keys = (keys ^ words[:, :, column]) * _FACTOR
        keys ^= keys >> np.uint64(32)
    return keys


def _repeated(keys: np.ndarray) -> np.ndarray:
    """The rows whose key is that of another row too, ascending."""
    order = np.argsort(keys)
    same = keys[order][1:] == keys[order][:-1]
    repeated = np.zeros(len(keys), dtype=bool)
    repeated[order[1:][same]] = repeated[order[:-1][same]] = True
    return np.flatnonzero(repeated)
