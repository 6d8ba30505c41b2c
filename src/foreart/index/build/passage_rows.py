"""Postings with one row per passage; the passages of a document are consecutive, in one segment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

from foreart.corpus import Corpus, scanning
from foreart.index.build.corpus_scan import Scan, groups
from foreart.index.build.row_reader import NewSegment, RowReader
from foreart.index.build.segment_building import segment, stored_text
from foreart.index.passage_kind import Passages
from foreart.index.storage.segment import DOCUMENTS
from foreart.parallel import cores, in_order
from foreart.text.passages import passage_spans
from foreart.text.tokens import Tokenizer, tokens

# Between the id of a document and the number of a passage.
SEPARATOR = "#"
# The maximum number of postings of a segment, which is built in less than 1 GB.
_POSTINGS = 40_000_000

# The id of a document and the texts of its passages.
_Document = tuple[str, list[str]]


@dataclass(frozen=True)
class PassageRows(RowReader):
    """One row per passage of at most `words` words; `size` is the maximum number of passages of a segment."""

    sections: str
    cutting: str
    words: int
    size: int
    two_stage: bool = False

    @classmethod
    def of(cls, kind: Passages, sections: str) -> PassageRows:
        """The rows of an index of passages."""
        return cls(sections, kind.cutting, kind.words, min(DOCUMENTS, max(1, _POSTINGS // kind.words)))

    @property
    def folder_name(self) -> str:
        """The name of the folder of the postings."""
        default = self.sections == "full" and self.words == Passages().words
        return "passages" if default else f"passages-{self.words}-{self.sections}"

    @property
    def tokenizer(self) -> Tokenizer:
        """The default tokenizer."""
        return tokens

    def texts(self, number: str, record: bytes) -> list[tuple[str, str]]:
        """The passages of the section, numbered."""
        return _numbered(_split((number, record), sections=self.sections, words=self.words, limit=self.size))

    def groups(self, scanned: Scan, positions: np.ndarray, rows: np.ndarray) -> list[np.ndarray]:
        """Divides documents into segments by their number of passages."""
        return groups(positions, rows, limit=self.size, size=self.size)

    def read(
        self, corpus: Corpus, scanned: Scan, positions: np.ndarray, progress: Callable[[int], None]
    ) -> Iterator[NewSegment]:
        """Splits documents in several threads, a few ahead, and counts the words of their passages."""
        threads = min(cores(), 16)
        split = partial(_split, sections=self.sections, words=self.words, limit=self.size)
        with ThreadPoolExecutor(threads) as pool:
            stored = scanning.stored(corpus, scanned.serials[positions].tolist())
            yield from _segments(in_order(pool, split, stored, ahead=2 * threads), limit=self.size, progress=progress)


def _segments(documents: Iterable[_Document], *, limit: int, progress: Callable[[int], None]) -> Iterator[NewSegment]:
    """Segments of documents in order, all full except the last."""
    source = iter(documents)
    pending = next(source, None)
    done = 0
    while pending is not None:
        sizes: list[int] = []

        def passages(sizes: list[int] = sizes) -> Iterator[tuple[str, str]]:
            nonlocal pending, done
            filled = 0
            while pending is not None and filled + len(pending[1]) <= limit:
                yield from _numbered(pending)
                sizes.append(len(pending[1]))
                filled += len(pending[1])
                done += 1
                progress(done)
                pending = next(source, None)

        made = segment(passages())
        yield NewSegment(made, np.array(sizes, dtype=np.int64))


def _numbered(document: _Document) -> list[tuple[str, str]]:
    """The id and text of each passage."""
    return [(f"{document[0]}{SEPARATOR}{ordinal}", text) for ordinal, text in enumerate(document[1])]


def _split(stored: tuple[str, bytes], *, sections: str, words: int, limit: int) -> _Document:
    """The id and passages of a stored patent; one empty passage if it has no text."""
    number, record = stored
    text = stored_text(record, sections)
    spans = passage_spans(text, words=words)
    while len(spans) > limit:  # a document of millions of words gets longer passages
        words *= 2
        spans = passage_spans(text, words=words)
    return number, [text[start:end] for start, end in spans] or [""]
