"""A short signature of a text, by which near-identical texts are found without comparing all pairs."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from foreart.patent import Patent

PERMUTATIONS = 64
ROWS = 8  # of a band: two texts meet if all eight values of one of eight bands agree
_WORDS = 1200
_SHINGLE = 5
_LEAST_WORDS = 60
_SEED = 1
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # odd and without pattern: the golden ratio in 64 bits


def signature(patent: Patent) -> bytes:
    """The MinHash of the text's first 1,200 words in shingles of five; `b""` for a text too short to judge.

    The words are those of the description, which continuations share, or of abstract and claims where there is none.
    """
    text = patent.description_text or f"{patent.abstract}\n{patent.claims_text}"
    words = text[: 16 * _WORDS].lower().encode("utf-8", "replace").split()[:_WORDS]
    if len(words) < _LEAST_WORDS:
        return b""
    minhash = _empty().copy()
    minhash.update_batch(_shingles(words))
    return bytes(minhash.hashvalues.astype("<u4").tobytes())


def _shingles(words: list[bytes]) -> list[int]:
    """A hash of every five words in a row, each once; without a loop over words, because every patent passes here."""
    hashes = np.array(list(map(zlib.crc32, words)), np.uint64)
    count = len(words) - _SHINGLE + 1
    rolled = np.zeros(count, np.uint64)
    for place in range(_SHINGLE):
        rolled = rolled * _FACTOR + hashes[place : place + count]
    return list(np.unique(rolled >> np.uint64(32)).tolist())


@cache
def _empty() -> Any:  # noqa: ANN401 a MinHash, whose library has no types
    """Made once: making its permutations takes longer than using them. The library takes half a second to open."""
    from datasketch import MinHash

    return MinHash(num_perm=PERMUTATIONS, seed=_SEED, hashfunc=int)


def likeness(one: np.ndarray, other: np.ndarray) -> float:
    """The estimated share of common shingles (Jaccard)."""
    return float(np.mean(one == other))


def candidates(signatures: np.ndarray) -> Iterator[tuple[int, int]]:
    """Pairs of rows that agree in a whole band, each pair with its neighbour in the order of that band."""
    for start in range(0, PERMUTATIONS, ROWS):
        band = np.ascontiguousarray(signatures[:, start : start + ROWS])
        keys = band.view([("", band.dtype)] * ROWS).ravel()
        order = np.argsort(keys, kind="stable")
        same = keys[order][1:] == keys[order][:-1]
        for at in np.flatnonzero(same):
            yield int(order[at]), int(order[at + 1])
