"""The documents of the corpus: which there are, in which segments they stand, and segments of those that are new."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from foreart.corpus import Corpus, scanning, stored_texts
from foreart.errors import IndexingError, StaleIndex
from foreart.index.build.segment_building import segment, stored_text
from foreart.index.storage.fact_arrays import FactArrays, fact_arrays
from foreart.index.storage.segment import SegmentArrays
from foreart.index.storage.store import DIGEST
from foreart.text import tokens

# Told after each document that is read: how many of how many.
Progress = Callable[[int, int], None]

# A text of n words has about a · n^b different ones: 1,300 of 11,500 in real patents, fewer in shares of longer ones.
_DIFFERENT = (3.6, 0.63)
# A segment of so many is made in less than 2 GB; 65,536 average patents have 85 million.
POSTINGS = 120e6


@dataclass(frozen=True)
class Scan:
    """All documents of the corpus in order of arrival: serials, hashes of id and content, about how many postings."""

    serials: np.ndarray
    digests: np.ndarray
    postings: np.ndarray
    fingerprint: str


@dataclass(frozen=True)
class Places:
    """For each document of the corpus the segment it stands in, -1 if in none, and its number there."""

    segment: np.ndarray
    document: np.ndarray

    def first(self, part: int) -> int:
        """The first document of the corpus that stands in a segment; behind the last if there is none."""
        return int(np.argmax(np.append(self.segment == part, True)))

    def alive(self, sizes: Sequence[int]) -> list[np.ndarray]:
        """For each segment, whose sizes are given, which of its documents are in the corpus."""
        masks = [np.zeros(size, dtype=bool) for size in sizes]
        for part, mask in enumerate(masks):
            mask[self.document[self.segment == part]] = True
        return masks


def scan(corpus: Corpus) -> Scan:
    """Goes through ids and contents once; texts are not read."""
    fingerprint = corpus.fingerprint
    serials, digests = _digests(scanning.contents(corpus))
    if not len(serials):
        raise IndexingError(f"the corpus {corpus.path} is empty: load files with `foreart add FILE...`")
    words = np.fromiter(scanning.lengths(corpus), dtype=np.float64)
    if len(words) != len(serials):
        raise stale(corpus)
    return Scan(serials, digests, _DIFFERENT[0] * words ** _DIFFERENT[1], fingerprint)


def cut(scanned: Scan, positions: np.ndarray, size: int) -> list[np.ndarray]:
    """Documents as full segments, and one with the rest; very long documents fill a segment earlier."""
    filled = np.cumsum(scanned.postings[positions])
    found: list[np.ndarray] = []
    start = 0
    while start < len(positions):
        room = POSTINGS + (filled[start - 1] if start else 0.0)
        end = max(start + 1, int(np.searchsorted(filled, room, side="right")))
        found.append(positions[start : min(end, start + size)])
        start += len(found[-1])
    return found


def locate(digests: np.ndarray, standing: Sequence[np.ndarray]) -> Places:
    """Where documents stand, by their digests and those of each segment; the first place, should there be two."""
    everything = np.ascontiguousarray(np.concatenate([*standing, digests])).view(np.uint64)
    first = len(everything) - len(digests)
    # Equal digests stand behind one another in this order, those of segments before that of the corpus.
    order = np.lexsort((everything[:, 1], everything[:, 0]))
    new = np.insert((everything[order[1:]] != everything[order[:-1]]).any(axis=1), 0, True)
    heads = order[new][np.cumsum(new) - 1]
    found = (order >= first) & (heads < first)
    sizes = [len(each) for each in standing]
    owners = np.repeat(np.arange(len(sizes)), sizes)
    numbers = np.concatenate([np.zeros(0, dtype=np.int64), *(np.arange(size) for size in sizes)])
    places = Places(*(np.full(len(digests), -1, dtype=np.int64) for _ in range(2)))
    places.segment[order[found] - first] = owners[heads[found]]
    places.document[order[found] - first] = numbers[heads[found]]
    return places


def read_segment(
    corpus: Corpus,
    serials: Sequence[int],
    digests: np.ndarray,
    *,
    sections: str,
    cutting: str,
    threads: int,
    progress: Callable[[int], None],
) -> tuple[SegmentArrays, FactArrays]:
    """The words and facts of the documents of these serials; `StaleIndex` if one is no longer what it was."""

    def documents() -> Iterator[tuple[str, bytes]]:
        for number, record in enumerate(stored_texts.stored(corpus, serials), start=1):
            yield record
            progress(number)

    words = tokens if cutting == "default" else partial(tokens, as_published=True)
    made = segment(documents(), text=partial(stored_text, sections=sections), words=words, threads=threads)
    facts = fact_arrays(scanning.facts(corpus, serials))
    if not np.array_equal(_digests(scanning.contents_of(corpus, serials))[1], digests):
        raise stale(corpus)
    return made, facts


def stale(corpus: Corpus) -> StaleIndex:
    """The corpus was written to while it was read."""
    return StaleIndex(f"the corpus {corpus.path} changed while it was indexed: build again when it has come to rest")


def _digests(rows: Iterable[tuple[int, str, bytes]]) -> tuple[np.ndarray, np.ndarray]:
    serials: list[int] = []
    digests = bytearray()
    for serial, number, content in rows:
        serials.append(serial)
        digests += hashlib.blake2b(number.encode("utf-8", "replace") + b"\0" + content, digest_size=DIGEST).digest()
    return np.array(serials, dtype=np.int64), np.frombuffer(bytes(digests), dtype=np.uint8).reshape(-1, DIGEST)
