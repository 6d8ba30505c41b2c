"""Counts the words of many texts; words get ids in order of appearance."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from typing import NamedTuple

import numpy as np

from foreart.features.counting.string_arrays import joined, split
from foreart.text.tokens import Tokenizer, tokens


class CountedRows(NamedTuple):
    """Row n has the distinct words `terms[ends[n]:ends[n + 1]]` in no order, each `counts` times."""

    ends: np.ndarray  # int64
    terms: np.ndarray  # uint32
    counts: np.ndarray  # uint32


class WordCounter:
    """Splits texts with a tokenizer and counts their words, one row per text."""

    def __init__(self, words: Tokenizer = tokens) -> None:
        self._words = words
        self._ids: defaultdict[str, int] = defaultdict()
        self._ids.default_factory = self._ids.__len__
        self._terms, self._counts, self._ends = array("I"), array("I"), array("q", [0])

    def __len__(self) -> int:
        """The number of texts."""
        return len(self._ends) - 1

    @property
    def terms(self) -> int:
        """The number of distinct words."""
        return len(self._ids)

    def add(self, text: str | bytes) -> None:
        """Appends a text, as a string or in UTF-8."""
        counts = Counter(self._words(text if isinstance(text, str) else text.decode("utf-8", "replace")))
        self._terms.extend([self._ids[word] for word in counts])
        self._counts.extend(counts.values())
        self._ends.append(len(self._terms))

    def rows(self) -> CountedRows:
        """All texts so far."""
        counted = (np.array(self._terms, dtype=np.uint32), np.array(self._counts, dtype=np.uint32))
        return CountedRows(np.array(self._ends, dtype=np.int64), *counted)

    def letters(self) -> tuple[np.ndarray, np.ndarray]:
        """All words in order of their ids, as a string array (`string_arrays`)."""
        return joined(self._ids)

    def ids_of(self, other: WordCounter) -> np.ndarray:
        """The id here of each word of another counter (uint32); new words get one."""
        return np.array([self._ids[word] for word in other._ids], dtype=np.uint32)

    def ids_of_strings(self, letters: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """The same for the words of a string array, as `letters` returned them."""
        return np.array([self._ids[word] for word in split(letters, ends)], dtype=np.uint32)
