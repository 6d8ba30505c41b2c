"""Synthetic documents: lists of word ids and counts, drawn to resemble real patents.

A document is a function of the seed and of its number alone: any of them can be drawn at any time, in any thread. Words
are numbered by falling frequency. A document draws words until it has as many different ones as it should: some from
all words, some from the words of its field, some from those of its topic. A topic is a thousand words drawn from all
words, so that, over all topics, each word is as frequent as before. Some documents are of one family and share most of
their words with an earlier one. How often a word stands in a document is a draw from real counts of words as frequent
as it is; documents of a topic often agree on it. The words past the head go on without end by a power law (Heaps).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from foreart.compiling import compiled

SHAPE = Path(__file__).resolve().parent / "search_shape.json"
CHUNK = 65_536
HEAD = 1 << 15  # words with a frequency of their own; the last stands for all that follow
WORDS = 1 << 24  # no more words than that
LEVELS = 4096  # of the quantiles of counts
QUERIES = 1 << 40  # numbers of documents that are in no corpus
SMALLEST = 9000  # documents that are in every corpus
# Words are of one band as long as they stand in at least such a share of all documents.
BANDS = np.array([0.98, 0.9, 0.75, 0.5, 0.35, *(0.5**power for power in range(2, 13))])

_GOLDEN, _ONE, _TWO = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S11, _S27, _S30, _S31, _S49, _S52 = (np.uint64(shift) for shift in (11, 27, 30, 31, 49, 52))
_UNIT = 1.0 / (1 << 53)


@dataclass(frozen=True)
class Shape:
    """What a corpus is like; made by `--fit`."""

    frequencies: np.ndarray  # of the words of the head: how often each is drawn, the last for all that follow
    tail: float  # the power with which frequencies fall after the head
    lengths: np.ndarray  # quantiles of different words a document
    counts: np.ndarray  # of words in documents: a row of quantiles for each band
    bands: np.ndarray  # of each word of the head
    mixture: np.ndarray  # see MIXTURE


# Shares of words from the topic and the field; topics, fields; words in a topic, in a field; how often documents of a
# topic or field agree on a count; share of documents of the family of another one; least share of words kept there.
MIXTURE = ("topic", "field", "topics", "fields", "topic_words", "field_words", "agree", "family", "kept")


@compiled
def _mixed(number: np.uint64) -> np.uint64:
    """Splitmix64: 64 bits that look like chance."""
    number = (number + _GOLDEN) & np.uint64(0xFFFFFFFFFFFFFFFF)
    number = (number ^ (number >> _S30)) * _ONE
    number = (number ^ (number >> _S27)) * _TWO
    return number ^ (number >> _S31)


@compiled
def _share(bits: np.uint64) -> float:
    return (bits >> _S11) * _UNIT


@compiled
def _word(bits: np.uint64, keep: np.ndarray, other: np.ndarray, tail: float) -> int:
    """A word drawn from all words: Walker's alias table of the head, the power law after it."""
    place = np.int64(bits >> _S49)
    word = place if (bits & np.uint64(0xFFFFFFFF)) * (1.0 / (1 << 32)) < keep[place] else np.int64(other[place])
    if word < HEAD - 1:
        return word
    rest = (WORDS / HEAD) ** (1.0 - tail)
    rank = HEAD * (1.0 - _share(_mixed(bits)) * (1.0 - rest)) ** (1.0 / (1.0 - tail))
    return min(np.int64(rank), WORDS - 1)


@compiled
def _root(number: int, seed: np.uint64, mixture: np.ndarray) -> int:
    """The first document of the family, itself for most; families reach through the whole corpus."""
    bits = _mixed(seed ^ _mixed(np.uint64(number) + np.uint64(77)))
    while number > 0 and _share(bits) < mixture[7]:
        earlier = _share(_mixed(bits))
        number = int(earlier * (SMALLEST if number >= QUERIES else number))
        bits = _mixed(seed ^ _mixed(np.uint64(number) + np.uint64(77)))
    return number


@compiled
def _size(number: int, root: int, seed: np.uint64, lengths: np.ndarray) -> int:
    """How many different words the document has; members of a family are about as long."""
    place = _share(_mixed(seed ^ _mixed(np.uint64(root) + np.uint64(5)))) * (len(lengths) - 1)
    low = int(place)
    size = lengths[low] + (place - low) * (lengths[min(low + 1, len(lengths) - 1)] - lengths[low])
    if root != number:
        size *= 0.95 + 0.1 * _share(_mixed(seed ^ _mixed(np.uint64(number) + np.uint64(9))))
    return max(1, int(size))


@compiled
def _sizes(numbers: np.ndarray, seed: np.uint64, lengths: np.ndarray, mixture: np.ndarray) -> np.ndarray:
    found = np.empty(len(numbers), np.int64)
    for place in range(len(numbers)):
        number = numbers[place]
        found[place] = _size(number, _root(number, seed, mixture), seed, lengths)
    return found


@compiled
def _draw(
    into: np.ndarray,
    have: int,
    state: np.uint64,
    place: np.ndarray,
    seen: np.ndarray,
    mark: int,
    mixture: np.ndarray,
    keep: np.ndarray,
    other: np.ndarray,
    tail: float,
) -> int:
    """Draws words that are not seen yet until `into` is full; gives up on topics when they have no more."""
    tries, strength = 0, 2.0 * _share(_mixed(state ^ _TWO))
    topic, either = strength * mixture[0], strength * (mixture[0] + mixture[1])
    while have < len(into):
        state = _mixed(state)
        tries += 1
        way, bits = _share(state), _mixed(state ^ _GOLDEN)
        if tries < 50 * len(into):
            if way < topic:
                bits = _mixed(place[0] ^ np.uint64(_share(bits) * mixture[4]))
            elif way < either:
                bits = _mixed(place[1] ^ np.uint64(_share(bits) * mixture[5]))
        word = _word(bits, keep, other, tail)
        if seen[word] != mark:
            seen[word] = mark
            into[have] = word
            have += 1
    return have


@compiled
def _topic(origin: np.uint64, topics: float) -> int:
    """The topic of a family: small topics and great ones, by the square of a share."""
    return int(_share(_mixed(origin ^ _ONE)) ** 2 * topics)


@compiled
def _origins(numbers: np.ndarray, seed: np.uint64, mixture: np.ndarray) -> np.ndarray:
    found = np.empty((2, len(numbers)), np.int64)
    for place in range(len(numbers)):
        found[0, place] = root = _root(numbers[place], seed, mixture)
        found[1, place] = _topic(_mixed(seed ^ _mixed(np.uint64(root))), mixture[2])
    return found


@compiled
def _fill(
    numbers: np.ndarray,
    ends: np.ndarray,
    terms: np.ndarray,
    counts: np.ndarray,
    seed: np.uint64,
    keep: np.ndarray,
    other: np.ndarray,
    tail: float,
    lengths: np.ndarray,
    quantiles: np.ndarray,
    bands: np.ndarray,
    mixture: np.ndarray,
) -> None:
    """Draws the documents one after the other; words of each in order."""
    seen = np.zeros(WORDS, np.int32)
    place = np.empty(2, np.uint64)
    for row in range(len(numbers)):
        number, into = numbers[row], terms[ends[row] : ends[row + 1]]
        root = _root(number, seed, mixture)
        origin = _mixed(seed ^ _mixed(np.uint64(root)))
        own = _mixed(seed ^ _mixed(np.uint64(number)))
        topic = _topic(origin, mixture[2])
        field = int(_share(_mixed(seed ^ np.uint64(topic))) * mixture[3])
        place[0] = _mixed(seed ^ _mixed(np.uint64(topic + 1000)))
        place[1] = _mixed(seed ^ _mixed(np.uint64(field + 10)))
        have, mark = 0, 2 * row + 1
        if root == number:
            _draw(into, 0, own, place, seen, mark, mixture, keep, other, tail)
        else:
            base = np.empty(_size(root, root, seed, lengths), terms.dtype)
            _draw(base, 0, origin, place, seen, mark, mixture, keep, other, tail)
            share = mixture[8] + (1.0 - mixture[8]) * _share(_mixed(own ^ _TWO))
            mark += 1
            for word in base:
                if have < len(into) and _share(_mixed(own ^ np.uint64(word))) < share:
                    seen[word] = mark
                    into[have] = word
                    have += 1
            _draw(into, have, own, place, seen, mark, mixture, keep, other, tail)
        into.sort()
        for entry in range(ends[row], ends[row + 1]):
            word = terms[entry]
            bits = _mixed(origin + _mixed(np.uint64(word)))
            if _share(bits) < mixture[6]:
                bits = _mixed(place[np.int64(bits & np.uint64(1))] + _mixed(np.uint64(word)))
            counts[entry] = quantiles[bands[min(word, HEAD - 1)], np.int64(_mixed(bits) >> _S52)]


def alias(frequencies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Walker's table (Vose's way): each place is kept with a share, else its other is taken."""
    scaled = frequencies / frequencies.sum() * len(frequencies)
    keep, other = np.ones(len(scaled)), np.arange(len(scaled), dtype=np.int32)
    small = [place for place, value in enumerate(scaled) if value < 1]
    great = [place for place, value in enumerate(scaled) if value >= 1]
    while small and great:
        low, high = small.pop(), great[-1]
        keep[low], other[low] = scaled[low], high
        scaled[high] -= 1 - scaled[low]
        if scaled[high] < 1:
            small.append(great.pop())
    return keep, other


def load_shape(file: Path = SHAPE) -> Shape:
    """What `search_shape.py --fit` has learned."""
    return made_shape(json.loads(file.read_text("utf-8")))


def made_shape(kept: dict[str, Any]) -> Shape:
    """The shape of its JSON: knots are joined by straight lines between logarithms, quantiles are written as runs."""
    places, knots = np.log(np.arange(1, HEAD)), np.log(kept["ranks"])
    head = np.exp(np.interp(places, knots, np.log(kept["frequencies"])))
    shares = np.exp(np.interp(places, knots, np.log(kept["shares"])))
    return Shape(
        frequencies=np.append(head, kept["rest"]),
        tail=float(kept["tail"]),
        lengths=np.array(kept["lengths"], dtype=np.float64),
        counts=np.array([np.repeat(*np.array(runs).T) for runs in kept["counts"]], dtype=np.int32),
        bands=bands(np.append(shares, 0.0)),
        mixture=np.array([kept["mixture"][name] for name in MIXTURE], dtype=np.float64),
    )


def bands(shares: np.ndarray) -> np.ndarray:
    """The band of words that stand in such a share of the documents."""
    return np.searchsorted(-BANDS, -shares).astype(np.uint8)


class Drawing:
    """Draws documents of one shape and seed."""

    def __init__(self, shape: Shape, *, seed: int = 0, threads: int = 2) -> None:
        self._seed = np.uint64(_mixed(np.uint64(seed)))
        self._keep, self._other = alias(shape.frequencies)
        self._shape = shape
        self._threads = threads

    def documents(self, numbers: np.ndarray) -> csr_array:
        """Rows of counts of the documents so numbered; words in order."""
        shape, numbers = self._shape, np.asarray(numbers, dtype=np.int64)
        sizes = _sizes(numbers, self._seed, shape.lengths, shape.mixture)
        ends = np.concatenate([[0], np.cumsum(sizes)])
        terms, counts = np.empty(ends[-1], np.int32), np.empty(ends[-1], np.int32)

        def part(rows: np.ndarray) -> None:
            if len(rows):
                first, last = rows[0], rows[-1] + 1
                _fill(
                    *(numbers[first:last], ends[first : last + 1], terms, counts, self._seed, self._keep, self._other),
                    *(shape.tail, shape.lengths, shape.counts, shape.bands, shape.mixture),
                )

        with ThreadPoolExecutor(self._threads) as pool:
            list(pool.map(part, np.array_split(np.arange(len(numbers)), self._threads)))
        return csr_array((counts, terms, ends), shape=(len(numbers), WORDS))

    def origins(self, numbers: np.ndarray) -> np.ndarray:
        """Of each document the first one of its family, and its topic: two rows."""
        return _origins(np.asarray(numbers, dtype=np.int64), self._seed, self._shape.mixture)

    def chunks(self, documents: int, *, size: int = CHUNK) -> Iterator[csr_array]:
        """All documents of a corpus, so many at a time."""
        for first in range(0, documents, size):
            yield self.documents(np.arange(first, min(first + size, documents)))

    def queries(self, number: int = 50) -> csr_array:
        """Documents of the same kind that are in no corpus; some are of a family with one in every corpus."""
        return self.documents(QUERIES + np.arange(number))
