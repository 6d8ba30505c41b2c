"""Joins pairs of words that mostly occur together, as in the published scripts of Helmers et al. (2019)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from foreart.features.counting.count_rows import Counts, count
from foreart.features.counting.token_stream import TokenStream

# By first word of a pair, the second words.
Bigrams = Mapping[str, frozenset[str]]

# A pair is joined if it occurs more often than this,
_MORE_THAN = 2
# and in more than this share of the occurrences of the more frequent of its words.
_SHARE = 0.1
# Pairs are counted in parts, by their first word: those of 100 million words take too much memory at once.
_PARTS = 8
_STEP = 1 << 22


def frequent_pairs(stream: TokenStream) -> Bigrams:
    """The pairs to join. Pairs do not cross the end of a text."""
    totals = _totals(stream)
    found: defaultdict[str, set[str]] = defaultdict(set)
    for part in range(_PARTS):
        pairs, counts = np.unique(_pairs(stream, part), return_counts=True)
        first, second = pairs // len(stream.terms), pairs % len(stream.terms)
        frequent = (counts > _MORE_THAN) & (counts > _SHARE * np.maximum(totals[first], totals[second]))
        for left, right in zip(first[frequent].tolist(), second[frequent].tolist(), strict=True):
            found[stream.terms[left]].add(stream.terms[right])
    return {left: frozenset(found[left]) for left in sorted(found)}


def joined(words: Iterable[str], bigrams: Bigrams) -> list[str]:
    """The words of a text with frequent pairs joined by `_`; overlapping pairs join three and more words.

    The scripts replace pairs in the text one after another, in no fixed order and even inside words; here a word is
    joined to its predecessor if the two are a pair, which gives the same result for complete words.
    """
    found: list[str] = []
    after: frozenset[str] = frozenset()
    for word in words:
        if word in after:
            found[-1] = f"{found[-1]}_{word}"
        else:
            found.append(word)
        after = bigrams.get(word, _NONE)
    return found


def joined_counts(stream: TokenStream, bigrams: Bigrams) -> Counts:
    """The count of each word, single or joined, in each text of a stream."""
    terms = stream.terms
    texts = ((terms[word] for word in words.tolist()) for words in stream)
    return count(texts, lambda words: joined(words, bigrams))  # type: ignore[arg-type]


_NONE: frozenset[str] = frozenset()


def _totals(stream: TokenStream) -> np.ndarray:
    totals = np.zeros(len(stream.terms), dtype=np.int64)
    for start in range(0, len(stream.ids), _STEP):
        totals += np.bincount(stream.ids[start : start + _STEP], minlength=len(totals))
    return totals


def _pairs(stream: TokenStream, part: int) -> np.ndarray:
    """The pairs whose first word is in one part, each encoded as one integer."""
    return np.concatenate([np.empty(0, np.int64), *_pairs_by_step(stream, part)])


def _pairs_by_step(stream: TokenStream, part: int) -> Iterator[np.ndarray]:
    for start in range(0, len(stream.ids) - 1, _STEP):
        words = np.asarray(stream.ids[start : start + _STEP + 1], dtype=np.int64)
        chosen = words[:-1] % _PARTS == part
        ends = stream.ends[np.searchsorted(stream.ends, start + 1) : np.searchsorted(stream.ends, start + len(words))]
        chosen[ends - start - 1] = False
        yield words[:-1][chosen] * len(stream.terms) + words[1:][chosen]
