"""The words of many texts, numbered as they come, and how often each stands in each text."""

from __future__ import annotations

import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from foreart.features.counting.string_arrays import alphabetical, joined, split, taken
from foreart.text.tokens import Tokenizer, tokens


class CountedRows(NamedTuple):
    """Row n has the words `terms[ends[n]:ends[n + 1]]`, each once and in no order, and each `counts` times."""

    ends: np.ndarray  # int64
    terms: np.ndarray  # uint32
    counts: np.ndarray  # uint32


class WordCounter:
    """Counts the words of texts, one text a row, after cutting them by a function."""

    def __init__(self, words: Tokenizer = tokens) -> None:
        self._words = words
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._terms, self._counts, self._ends = array("I"), array("I"), array("q", [0])

    def __len__(self) -> int:
        """How many texts."""
        return len(self._ends) - 1

    @property
    def terms(self) -> int:
        """How many different words."""
        return len(self._numbers)

    def add(self, text: str | bytes) -> None:
        """One more text, as a string or in UTF-8."""
        found = Counter(self._words(text if isinstance(text, str) else text.decode("utf-8", "replace")))
        self._terms.extend([self._numbers[word] for word in found])
        self._counts.extend(found.values())
        self._ends.append(len(self._terms))

    def rows(self) -> CountedRows:
        """All texts so far."""
        counted = (np.array(self._terms, dtype=np.uint32), np.array(self._counts, dtype=np.uint32))
        return CountedRows(np.array(self._ends, dtype=np.int64), *counted)

    def letters(self) -> tuple[np.ndarray, np.ndarray]:
        """All words in order of their numbers, as letters behind one another, and where each ends."""
        return joined(self._numbers)

    def empty(self) -> WordCounter:
        """Another one that can be told the words of this one."""
        return type(self)()

    def numbers(self, other: WordCounter) -> np.ndarray:
        """The number of each word of another counter (uint32); words that are new get one."""
        return np.array([self._numbers[word] for word in other._numbers], dtype=np.uint32)


def word_counter(words: Tokenizer = tokens) -> WordCounter:
    """The fastest there is: compiled if words are cut by `tokens` in its usual form.

    Two threads, each with a counter of its own, then count side by side.
    """
    if sys.byteorder != "little" or words is not tokens:
        return WordCounter(words)
    from foreart.features.counting.word_cutting import CompiledCounter

    return CompiledCounter()


def counted(texts: Iterable[str]) -> tuple[list[str], csr_array]:
    """The words of texts in alphabetical order, and a row of counts for each text."""
    counter = word_counter()
    for text in texts:
        counter.add(text)
    rows, (letters, ends) = counter.rows(), counter.letters()
    order, _ = alphabetical(letters, ends)  # by bytes of UTF-8, which is by code points
    places = np.empty(len(order), dtype=np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    matrix = csr_array((rows.counts.astype(np.int32), places[rows.terms], rows.ends), shape=(len(counter), len(order)))
    matrix.sort_indices()
    return split(*taken(letters, ends, order)), matrix
