"""The contract of what reads documents as rows of postings, one per document or one per passage."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from foreart.corpus import Corpus
from foreart.index.build.corpus_scan import Scan
from foreart.index.storage.segment import SegmentArrays
from foreart.text.tokens import Tokenizer


@dataclass(frozen=True)
class NewSegment:
    """The arrays of a new segment, and the number of rows of each of its documents."""

    arrays: SegmentArrays
    rows: np.ndarray


class RowReader(ABC):
    """Reads documents as rows of postings; can be pickled.

    `size` is the maximum number of rows of a segment. With `two_stage`, the recall of two-stage search is measured.
    """

    sections: str
    cutting: str
    size: int
    two_stage: bool

    @property
    @abstractmethod
    def folder_name(self) -> str:
        """The name of the folder of the postings."""

    @property
    @abstractmethod
    def tokenizer(self) -> Tokenizer:
        """The function that splits texts into words."""

    @abstractmethod
    def groups(self, scanned: Scan, positions: np.ndarray, rows: np.ndarray) -> list[np.ndarray]:
        """Divides documents into segments, all full except the last; `rows` is the number of rows of each document."""

    @abstractmethod
    def texts(self, number: str, record: bytes) -> list[tuple[str, str]]:
        """The id and text of each row of a stored patent."""

    @abstractmethod
    def read(
        self, corpus: Corpus, scanned: Scan, positions: np.ndarray, progress: Callable[[int], None]
    ) -> Iterator[NewSegment]:
        """Builds segments of these documents in order, divided as by `groups`."""
