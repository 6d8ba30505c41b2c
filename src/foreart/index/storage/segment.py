"""Up to 65,536 documents: who has this word, and which words has this document; never changed once made."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from foreart.index.storage.lexicon import Lexicon

# Documents of a segment have numbers of 16 bits, and the sums of one segment stay in the cache of one core.
DOCUMENTS = 1 << 16
# A code below is the count itself; this one says that the count stands among the great ones.
GREAT = 255


@dataclass(frozen=True)
class SegmentArrays:
    """What a segment stores, each a file.

    `docs[starts[t]:starts[t + 1]]` are the documents of term t in order, `codes` how often each has it;
    `row_terms[row_ends[d]:row_ends[d + 1]]` are the terms of document d in order, `row_codes` how often it has them.
    `great_*` are the counts of 255 and more, in order of term and document. `words` is the length of each document.
    Terms are numbered by the number of documents that have them, the most frequent first, equal ones by their bytes.
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
    """The arrays, with the lexicons of terms and of ids."""

    def __init__(self, arrays: SegmentArrays) -> None:
        self.arrays = arrays
        self.terms = Lexicon(arrays.term_letters, arrays.term_ends, arrays.term_slots)
        self.ids = Lexicon(arrays.id_letters, arrays.id_ends, arrays.id_slots)

    def __len__(self) -> int:
        """How many documents."""
        return len(self.arrays.row_ends) - 1

    @property
    def postings(self) -> int:
        """How many different words all documents have, each by itself."""
        return len(self.arrays.docs)

    def row(self, document: int) -> tuple[np.ndarray, np.ndarray]:
        """The terms of a document in order, and how often it has each."""
        start, end = int(self.arrays.row_ends[document]), int(self.arrays.row_ends[document + 1])
        terms = np.asarray(self.arrays.row_terms[start:end])
        counts = self.arrays.row_codes[start:end].astype(np.int64)
        for place in np.flatnonzero(counts == GREAT).tolist():
            counts[place] = self.great(int(terms[place]), document)
        return terms, counts

    def great(self, term: int, document: int) -> int:
        """A count that no code can hold."""
        first, last = np.searchsorted(self.arrays.great_terms, [term, term + 1])
        place = first + np.searchsorted(self.arrays.great_docs[first:last], document)
        return int(self.arrays.great_counts[place])
