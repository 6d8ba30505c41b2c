"""Scans the documents of a corpus, and locates them in segments."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from foreart.corpus import Corpus, scanning
from foreart.errors import IndexingError, StaleIndex
from foreart.index.storage.store import DIGEST

# Called after each document: the number of documents read, and of all to read.
Progress = Callable[[int, int], None]

# A text of n words has about a · n^b distinct ones (Heaps' law): 1,300 of 11,500 in real patents.
_HEAPS = (3.6, 0.63)


@dataclass(frozen=True)
class Scan:
    """All documents of the corpus in order of arrival: serials, digests of id and content, estimated postings."""

    serials: np.ndarray
    digests: np.ndarray
    postings: np.ndarray
    fingerprint: str


@dataclass(frozen=True)
class Locations:
    """For each document of the corpus its segment, -1 if it has none, and its number there."""

    segment: np.ndarray
    document: np.ndarray

    def first(self, part: int) -> int:
        """The first document of the corpus in a segment; one past the last if there is none."""
        return int(np.argmax(np.append(self.segment == part, True)))

    def alive(self, sizes: Sequence[int]) -> list[np.ndarray]:
        """A mask for each segment, of the given sizes: which of its documents are in the corpus."""
        masks = [np.zeros(size, dtype=bool) for size in sizes]
        for part, mask in enumerate(masks):
            mask[self.document[self.segment == part]] = True
        return masks


def scan(corpus: Corpus) -> Scan:
    """Reads ids and content hashes once; texts are not read."""
    fingerprint = corpus.fingerprint
    serials, digests = digests_of(scanning.contents(corpus))
    if not len(serials):
        raise IndexingError(f"the corpus {corpus.path} is empty: load files with `foreart add FILE...`")
    words = np.fromiter(scanning.lengths(corpus), dtype=np.float64)
    if len(words) != len(serials):
        raise stale(corpus)
    return Scan(serials, digests, _HEAPS[0] * words ** _HEAPS[1], fingerprint)


def groups(positions: np.ndarray, weights: np.ndarray, *, limit: float, size: int) -> list[np.ndarray]:
    """Divides documents in order into groups of at most `size`, with a weight of at most `limit` if possible."""
    total = np.cumsum(weights)
    found: list[np.ndarray] = []
    start = 0
    while start < len(positions):
        maximum = limit + (total[start - 1] if start else 0)
        end = max(start + 1, int(np.searchsorted(total, maximum, side="right")))
        found.append(positions[start : min(end, start + size)])
        start += len(found[-1])
    return found


def locate(digests: np.ndarray, existing: Sequence[np.ndarray]) -> Locations:
    """The segment and number of each document, by digest; the first if there are several."""
    everything = np.ascontiguousarray(np.concatenate([*existing, digests])).view(np.uint64)
    first = len(everything) - len(digests)
    # Equal digests are adjacent in this order, those of segments before that of the corpus.
    order = np.lexsort((everything[:, 1], everything[:, 0]))
    new = np.insert((everything[order[1:]] != everything[order[:-1]]).any(axis=1), 0, True)
    heads = order[new][np.cumsum(new) - 1]
    found = (order >= first) & (heads < first)
    sizes = [len(each) for each in existing]
    owners = np.repeat(np.arange(len(sizes)), sizes)
    numbers = np.concatenate([np.zeros(0, dtype=np.int64), *(np.arange(size) for size in sizes)])
    locations = Locations(*(np.full(len(digests), -1, dtype=np.int64) for _ in range(2)))
    locations.segment[order[found] - first] = owners[heads[found]]
    locations.document[order[found] - first] = numbers[heads[found]]
    return locations


def stale(corpus: Corpus) -> StaleIndex:
    """The error for a corpus that changed while it was read."""
    return StaleIndex(
        f"the corpus {corpus.path} changed while it was indexed: build again when no process writes to it"
    )


def digests_of(rows: Iterable[tuple[int, str, bytes]]) -> tuple[np.ndarray, np.ndarray]:
    """The serials and digests of rows (serial, id, content)."""
    serials: list[int] = []
    digests = bytearray()
    for serial, number, content in rows:
        serials.append(serial)
        digests += hashlib.blake2b(number.encode("utf-8", "replace") + b"\0" + content, digest_size=DIGEST).digest()
    return np.array(serials, dtype=np.int64), np.frombuffer(bytes(digests), dtype=np.uint8).reshape(-1, DIGEST)
