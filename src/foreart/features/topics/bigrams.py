"""Two words that mostly stand together become one, as in the published scripts of Helmers et al. (2019)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from foreart.features.counting.count_rows import Counts, count
from foreart.features.counting.token_stream import TokenStream

# The words that may follow a word as one with it.
Bigrams = Mapping[str, frozenset[str]]

# A pair is one word if it is seen more often than this,
_MORE_THAN = 2
# and in more than this share of the places of the more frequent of its words.
_SHARE = 0.1
# Pairs are counted a part at a time, by their first word: those of 100 million words do not fit beside everything else.
_PARTS = 8
_STEP = 1 << 22


def frequent(stream: TokenStream) -> Bigrams:
    """The pairs that are one word. Pairs reach over no text's end."""
    often = _frequencies(stream)
    found: defaultdict[str, set[str]] = defaultdict(set)
    for part in range(_PARTS):
        pairs, seen = np.unique(_pairs(stream, part), return_counts=True)
        first, second = pairs // len(stream.terms), pairs % len(stream.terms)
        together = (seen > _MORE_THAN) & (seen > _SHARE * np.maximum(often[first], often[second]))
        for one, two in zip(first[together].tolist(), second[together].tolist(), strict=True):
            found[stream.terms[one]].add(stream.terms[two])
    return {one: frozenset(found[one]) for one in sorted(found)}


def joined(words: Iterable[str], bigrams: Bigrams) -> list[str]:
    """A text's words with frequent pairs joined by `_`; where pairs overlap, three and more words become one.

    The scripts replace pairs in the text one after another, in no fixed order and even inside of words; here a word
    is joined to the one before it wherever the two are a pair, which is what their replacing comes to in whole words.
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
    """How often each word, single or joined, stands in each text of a stream."""
    terms = stream.terms
    texts = ((terms[number] for number in words.tolist()) for words in stream)
    return count(texts, lambda words: joined(words, bigrams))  # type: ignore[arg-type]


_NONE: frozenset[str] = frozenset()


def _frequencies(stream: TokenStream) -> np.ndarray:
    often = np.zeros(len(stream.terms), dtype=np.int64)
    for start in range(0, len(stream.ids), _STEP):
        often += np.bincount(stream.ids[start : start + _STEP], minlength=len(often))
    return often


def _pairs(stream: TokenStream, part: int) -> np.ndarray:
    """The pairs whose first word's number falls into one part, each as one number."""
    return np.concatenate([np.empty(0, np.int64), *_pairs_by_step(stream, part)])


def _pairs_by_step(stream: TokenStream, part: int) -> Iterator[np.ndarray]:
    for start in range(0, len(stream.ids) - 1, _STEP):
        words = np.asarray(stream.ids[start : start + _STEP + 1], dtype=np.int64)
        chosen = words[:-1] % _PARTS == part
        ends = stream.ends[np.searchsorted(stream.ends, start + 1) : np.searchsorted(stream.ends, start + len(words))]
        chosen[ends - start - 1] = False
        yield words[:-1][chosen] * len(stream.terms) + words[1:][chosen]
