"""Postings with one row per document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from foreart.corpus import Corpus, scanning
from foreart.features import Features
from foreart.index.build.corpus_scan import Scan, groups
from foreart.index.build.row_reader import NewSegment, RowReader
from foreart.index.build.segment_building import segment, stored_text
from foreart.index.storage.segment import DOCUMENTS
from foreart.text.tokens import Tokenizer, tokenizer

# A segment with this many postings is built in less than 2 GB; 65,536 average patents have 85 million.
POSTINGS = 120e6


@dataclass(frozen=True)
class DocumentRows(RowReader):
    """One row per document; segments of very long documents have fewer than `size` documents."""

    sections: str = "full"
    cutting: str = "default"
    size: int = DOCUMENTS
    two_stage: bool = True

    @classmethod
    def of(cls, features: Features, sections: str) -> DocumentRows:
        """The rows that features need."""
        return cls(sections, "as_published" if features.parameters.get("as_published") else "default")

    @property
    def folder_name(self) -> str:
        """The name of the folder of the postings."""
        return self.sections if self.cutting == "default" else f"{self.sections}-{self.cutting}"

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer of the features."""
        return tokenizer(as_published=self.cutting != "default")

    def texts(self, number: str, record: bytes) -> list[tuple[str, str]]:
        """The text of the section."""
        return [(number, stored_text(record, self.sections))]

    def groups(self, scanned: Scan, positions: np.ndarray, rows: np.ndarray) -> list[np.ndarray]:
        """Divides documents into segments by their estimated postings."""
        return groups(positions, scanned.postings[positions], limit=POSTINGS, size=self.size)

    def read(
        self, corpus: Corpus, scanned: Scan, positions: np.ndarray, progress: Callable[[int], None]
    ) -> Iterator[NewSegment]:
        """Counts the words of documents, one segment at a time."""
        text = partial(stored_text, sections=self.sections)
        done = 0
        for group in self.groups(scanned, positions, np.ones(len(positions))):
            serials = scanned.serials[group].tolist()
            made = segment(_stored(corpus, serials, done, progress), text=text, words=self.tokenizer)
            yield NewSegment(made, np.ones(len(group), dtype=np.int64))
            done += len(group)


def _stored(
    corpus: Corpus, serials: Sequence[int], done: int, progress: Callable[[int], None]
) -> Iterator[tuple[str, bytes]]:
    for number, record in enumerate(scanning.stored(corpus, serials), start=done + 1):
        yield record
        progress(number)
