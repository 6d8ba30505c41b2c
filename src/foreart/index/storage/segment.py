"""An inverted index of up to 65,536 documents, with their rows; immutable."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from foreart.index.storage.lexicon import Lexicon

# Documents of a segment have 16-bit numbers, and the sums of one segment fit into the cache of a core.
DOCUMENTS = 1 << 16
# Codes below this are counts; this one means that the count is among the overflow counts.
OVERFLOW = 255


@dataclass(frozen=True)
class SegmentArrays:
    """The stored arrays of a segment; field names are part of the file format.

    `docs[starts[t]:starts[t + 1]]` are the documents of term t in order, `codes` its counts in them;
    `row_terms[row_ends[d]:row_ends[d + 1]]` are the terms of document d in order, `row_codes` their counts.
    `great_*` are the overflow counts, 255 and more, in order of term and document. `words` is the length of each
    document. Terms are numbered by document frequency, most frequent first, ties by their bytes.
    """

    term_letters: np.ndarray  # uint8
    term_ends: np.ndarray  # int64
    term_slots: np.ndarray  # uint32
    id_letters: np.ndarray
    id_ends: np.ndarray
    id_slots: np.ndarray
    starts: np.ndarray  # uint32
    docs: np.ndarray  # uint16
    codes: np.ndarray  # uint8
    row_ends: np.ndarray  # uint32
    row_terms: np.ndarray  # uint32
    row_codes: np.ndarray  # uint8
    great_terms: np.ndarray  # uint32
    great_docs: np.ndarray  # uint16
    great_counts: np.ndarray  # uint32
    words: np.ndarray  # uint32

    def named(self) -> dict[str, np.ndarray]:
        """The arrays by name, in a fixed order."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


class Segment:
    """The arrays with the lexicons of terms and ids."""

    def __init__(self, arrays: SegmentArrays) -> None:
        self.arrays = arrays
        self.terms = Lexicon(arrays.term_letters, arrays.term_ends, arrays.term_slots)
        self.ids = Lexicon(arrays.id_letters, arrays.id_ends, arrays.id_slots)

    def __len__(self) -> int:
        """The number of documents."""
        return len(self.arrays.row_ends) - 1

    @property
    def postings(self) -> int:
        """The number of postings."""
        return len(self.arrays.docs)

    def row(self, document: int) -> tuple[np.ndarray, np.ndarray]:
        """The terms of a document in order, and their counts."""
        start, end = int(self.arrays.row_ends[document]), int(self.arrays.row_ends[document + 1])
        terms = np.asarray(self.arrays.row_terms[start:end])
        counts = self.arrays.row_codes[start:end].astype(np.int64)
        for position in np.flatnonzero(counts == OVERFLOW).tolist():
            counts[position] = self.overflow_count(int(terms[position]), document)
        return terms, counts

    def overflow_count(self, term: int, document: int) -> int:
        """A count that does not fit into a code."""
        first, last = np.searchsorted(self.arrays.great_terms, [term, term + 1])
        position = first + np.searchsorted(self.arrays.great_docs[first:last], document)
        return int(self.arrays.great_counts[position])
