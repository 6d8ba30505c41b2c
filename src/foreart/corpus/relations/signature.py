"""A short signature of a text, by which near-identical texts are found without comparing all pairs."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import cache
from typing import Protocol

import numpy as np

PERMUTATIONS = 64
ROWS = 8  # of a band: two texts meet if all eight values of one of eight bands agree
_WORDS = 1200
_SHINGLE = 5
_LEAST_WORDS = 60
_SEED = 1
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # odd and without pattern: the golden ratio in 64 bits


class Written(Protocol):
    """A patent or a draft, as far as its text is concerned."""

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
    """The MinHash of the text's first 1,200 words in shingles of five; `b""` for a text too short to judge.

    The words are those of the description, which continuations share, or of abstract and claims where there is none.
    """
    return text_signature(document.description_text, document.abstract, document.claims_text)


def text_signature(description: str, abstract: str, claims: str) -> bytes:
    """The signature of a text that is given in parts."""
    found = _shingles(description or f"{abstract}\n{claims}")
    if not len(found):
        return b""
    factors, offsets = _permutations()
    # Bit for bit what datasketch 2.0 gives, whose signatures older corpora hold.
    permuted = _mixed(found)[None, :] * factors + offsets
    return bytes(permuted.min(axis=1).astype("<u4").tobytes())


def shingles(document: Written) -> np.ndarray:
    """The hashes that a signature is made of, each once, in order; none of a text too short to judge."""
    return np.unique(_shingles(document.description_text or f"{document.abstract}\n{document.claims_text}"))


def _shingles(text: str) -> np.ndarray:
    """A hash of every five words in a row; without a loop over words, because every patent passes here."""
    words = text[: 16 * _WORDS].lower().encode("utf-8", "replace").split()[:_WORDS]
    if len(words) < _LEAST_WORDS:
        return np.empty(0, np.uint32)
    hashes = np.array(list(map(zlib.crc32, words)), np.uint64)
    count = len(words) - _SHINGLE + 1
    rolled = np.zeros(count, np.uint64)
    for place in range(_SHINGLE):
        rolled = rolled * _FACTOR + hashes[place : place + count]
    return (rolled >> np.uint64(32)).astype(np.uint32)


def _mixed(hashes: np.ndarray) -> np.ndarray:
    """The finalizer of MurmurHash3."""
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        hashes = (hashes ^ (hashes >> np.uint32(shift))) * np.uint32(factor)
    return hashes


@cache
def _permutations() -> tuple[np.ndarray, np.ndarray]:
    """Odd factors and offsets of affine permutations of 32 bits, a row each."""
    random = np.random.RandomState(_SEED)  # whose numbers stored signatures were made with
    odd = random.randint(0, 1 << 31, (PERMUTATIONS, 1), dtype=np.uint32) * np.uint32(2) + np.uint32(1)
    return odd, random.randint(0, 1 << 32, (PERMUTATIONS, 1), dtype=np.uint32)


def likeness(one: np.ndarray, other: np.ndarray) -> float:
    """The estimated share of common shingles (Jaccard)."""
    return float(np.mean(one == other))


def groups(signatures: np.ndarray) -> Iterator[list[int]]:
    """Rows that agree in a whole band, in order, band by band."""
    for start in range(0, PERMUTATIONS, ROWS):
        band = np.ascontiguousarray(signatures[:, start : start + ROWS])
        keys = band.view([("", band.dtype)] * ROWS).ravel()
        order = np.argsort(keys, kind="stable")
        bounds = np.flatnonzero(keys[order][1:] != keys[order][:-1]) + 1
        starts, ends = np.concatenate([[0], bounds]), np.concatenate([bounds, [len(order)]])
        for at in np.flatnonzero(ends - starts > 1).tolist():
            yield order[starts[at] : ends[at]].tolist()
