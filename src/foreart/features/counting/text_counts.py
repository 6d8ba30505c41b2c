"""Counts texts with the fastest counter that there is for a tokenizer."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import numpy as np
from scipy.sparse import csr_array

from foreart.features.counting.string_arrays import alphabetical, split, taken
from foreart.features.counting.word_counts import WordCounter
from foreart.text.tokens import Tokenizer, tokens


def word_counter(words: Tokenizer = tokens) -> WordCounter:
    """The fastest counter for a tokenizer: compiled if it is the default `tokens`.

    The compiled one releases the GIL, so that threads with a counter each count in parallel.
    """
    if sys.byteorder != "little" or words is not tokens:
        return WordCounter(words)
    from foreart.features.counting.compiled_counter import CompiledCounter  # numba is slow to import

    return CompiledCounter()


def counted(texts: Iterable[str]) -> tuple[list[str], csr_array]:
    """The words of the texts in alphabetical order, and a row of counts for each text."""
    counter = word_counter()
    for text in texts:
        counter.add(text)
    rows, (letters, ends) = counter.rows(), counter.letters()
    order, _ = alphabetical(letters, ends)  # by UTF-8 bytes, which is also the order of code points
    columns = np.empty(len(order), dtype=np.int32)
    columns[order] = np.arange(len(order), dtype=np.int32)
    matrix = csr_array((rows.counts.astype(np.int32), columns[rows.terms], rows.ends), shape=(len(counter), len(order)))
    matrix.sort_indices()
    return split(*taken(letters, ends, order)), matrix
