"""Texts as numbers of words in their order, in a file: cut once, then gone through as often as training needs."""

from __future__ import annotations

import tempfile
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from foreart.features.counting.count_rows import Counts
from foreart.text.tokens import Tokenizer


@dataclass(frozen=True)
class TokenStream:
    """`ids[ends[i]:ends[i + 1]]` are the places in `terms` of the words of text i. `ids` may lie in a file."""

    terms: Sequence[str]
    ids: np.ndarray
    ends: np.ndarray

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, text: int) -> np.ndarray:
        return np.asarray(self.ids[self.ends[text] : self.ends[text + 1]])

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self[text] for text in range(len(self)))

    def counts(self) -> Counts:
        """How often each word stands in each text."""
        columns, numbers, ends = [], [], [0]
        for words in self:
            found, often = np.unique(words, return_counts=True)
            columns.append(found.astype(np.int32))
            numbers.append(often.astype(np.int32))
            ends.append(ends[-1] + len(found))
        data = np.concatenate(numbers) if numbers else np.empty(0, np.int32)
        indices = np.concatenate(columns) if columns else np.empty(0, np.int32)
        rows = csr_array((data, indices, np.array(ends, np.int64)), shape=(len(self), len(self.terms)))
        return Counts(self.terms, rows)


def tokenized(texts: Iterable[str], words: Tokenizer) -> TokenStream:
    """Goes through the texts once. The words lie in a temporary file that ends with the stream."""
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    ends = array("q", [0])
    with tempfile.TemporaryFile() as file:
        for text in texts:
            found = np.array([numbers[word] for word in words(text)], dtype=np.int32)
            file.write(found.tobytes())
            ends.append(ends[-1] + len(found))
        file.flush()
        ids: np.ndarray = np.empty(0, np.int32)
        if ends[-1]:  # a map of an open file stays when the file is closed
            ids = np.memmap(file, dtype=np.int32, mode="r+", shape=(ends[-1],))
    terms = sorted(numbers)
    places = np.empty(len(terms), dtype=np.int32)
    places[[numbers[term] for term in terms]] = np.arange(len(terms), dtype=np.int32)
    for start in range(0, len(ids), _STEP):
        ids[start : start + _STEP] = places[ids[start : start + _STEP]]
    return TokenStream(terms, ids, np.array(ends, dtype=np.int64))


_STEP = 1 << 22
