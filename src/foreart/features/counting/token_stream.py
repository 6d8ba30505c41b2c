"""Texts as sequences of word ids in a file: tokenized once, read as often as training needs."""

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
    """`ids[ends[i]:ends[i + 1]]` are the words of text i, as positions in `terms`. `ids` may be memory-mapped."""

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
        """The count of each word in each text."""
        columns, counts, indptr = [], [], [0]
        for words in self:
            distinct, times = np.unique(words, return_counts=True)
            columns.append(distinct.astype(np.int32))
            counts.append(times.astype(np.int32))
            indptr.append(indptr[-1] + len(distinct))
        data = np.concatenate(counts) if counts else np.empty(0, np.int32)
        indices = np.concatenate(columns) if columns else np.empty(0, np.int32)
        rows = csr_array((data, indices, np.array(indptr, np.int64)), shape=(len(self), len(self.terms)))
        return Counts(self.terms, rows)


def tokenized(texts: Iterable[str], words: Tokenizer) -> TokenStream:
    """Reads the texts once. The word ids are in a temporary file that is deleted with the stream."""
    word_ids: defaultdict[str, int] = defaultdict()
    word_ids.default_factory = word_ids.__len__
    ends = array("q", [0])
    with tempfile.TemporaryFile() as file:
        for text in texts:
            text_ids = np.array([word_ids[word] for word in words(text)], dtype=np.int32)
            file.write(text_ids.tobytes())
            ends.append(ends[-1] + len(text_ids))
        file.flush()
        ids: np.ndarray = np.empty(0, np.int32)
        if ends[-1]:  # the mapping outlives the open file
            ids = np.memmap(file, dtype=np.int32, mode="r+", shape=(ends[-1],))
    terms = sorted(word_ids)
    columns = np.empty(len(terms), dtype=np.int32)
    columns[[word_ids[term] for term in terms]] = np.arange(len(terms), dtype=np.int32)
    for start in range(0, len(ids), _STEP):
        ids[start : start + _STEP] = columns[ids[start : start + _STEP]]
    return TokenStream(terms, ids, np.array(ends, dtype=np.int64))


_STEP = 1 << 22
