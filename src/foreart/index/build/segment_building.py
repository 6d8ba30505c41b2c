"""Builds segments from texts: threads count chunks of documents, which are combined in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

from foreart.corpus.scanning import unpack_texts
from foreart.features.counting.string_arrays import ends_of, joined
from foreart.features.counting.text_counts import word_counter
from foreart.features.counting.word_counts import WordCounter
from foreart.index.build.coded_rows import CodedRows, coded, concatenated, stacked
from foreart.index.build.inverting import inverted
from foreart.index.storage.segment import SegmentArrays
from foreart.parallel import cores, in_order
from foreart.text import section_text
from foreart.text.tokens import Tokenizer, tokens

# Ids and the sources of their texts.
_Sources = tuple[list[str], list[str | bytes]]

# Documents and bytes of a chunk: small enough to queue in memory, large enough to share most of its words.
CHUNK = 256
_CHUNK_SIZE = 1 << 23


def segment(
    documents: Iterable[tuple[str, str]] | Iterable[tuple[str, bytes]],
    *,
    text: Callable[..., str | bytes] | None = None,
    words: Tokenizer = tokens,
    threads: int = 0,
) -> SegmentArrays:
    """One segment of at most 65,536 documents."""
    builder = SegmentBuilder(words)
    for chunk in _counted(_chunks(documents), text, words, threads or _cores()):
        builder.add(joined(chunk.ids), builder.counter.ids_of(chunk.counter), chunk.rows)
    return builder.arrays()


def stored_text(record: bytes, sections: str = "full") -> str:
    """The indexed text of a stored patent (`corpus.scanning.stored`)."""
    return section_text(unpack_texts(record), sections)


@dataclass(frozen=True)
class _Chunk:
    """Documents whose rows are over the words of their own counter."""

    ids: list[str]
    counter: WordCounter
    rows: CodedRows


class SegmentBuilder:
    """The words and rows of a segment so far; rows may be over the words of several counters."""

    def __init__(self, words: Tokenizer = tokens) -> None:
        self.counter = word_counter(words)
        self._ids: list[tuple[np.ndarray, np.ndarray]] = []
        self._rows: list[CodedRows] = []

    def add(self, ids: tuple[np.ndarray, np.ndarray], numbers: np.ndarray, rows: CodedRows) -> None:
        """Appends rows and their ids (a string array); `numbers` are the ids in `counter` of the words of the rows."""
        self._ids.append(ids)
        self._rows.append(rows.renumbered(numbers))

    def arrays(self) -> SegmentArrays:
        """The segment; the builder cannot be used afterwards."""
        rows = stacked(self._rows)
        self._rows.clear()
        letters, ends = self.counter.letters()
        self.counter = WordCounter()
        ids = concatenated([each for each, _ in self._ids], np.uint8)
        sizes = concatenated([np.diff(bounds) for _, bounds in self._ids], np.int64)
        return inverted((ids, ends_of(sizes)), letters, ends, rows)


def _chunks(
    documents: Iterable[tuple[str, str]] | Iterable[tuple[str, bytes]],
) -> Iterator[_Sources]:
    ids: list[str] = []
    sources: list[str | bytes] = []
    size = 0
    for number, source in documents:
        ids.append(number)
        sources.append(source)
        size += len(source)
        if len(ids) == CHUNK or size >= _CHUNK_SIZE:
            yield ids, sources
            ids, sources, size = [], [], 0
    if ids:
        yield ids, sources


def _counted(
    chunks: Iterator[_Sources],
    text: Callable[..., str | bytes] | None,
    words: Tokenizer,
    threads: int,
) -> Iterator[_Chunk]:
    """The counted chunks in order; a few more than threads are pending."""
    with ThreadPoolExecutor(threads) as pool:
        yield from in_order(pool, partial(_count, text=text, words=words), chunks, ahead=threads + 2)


def _count(chunk: _Sources, text: Callable[..., str | bytes] | None, words: Tokenizer) -> _Chunk:
    ids, sources = chunk
    counter = word_counter(words)
    for source in sources:
        counter.add(text(source) if text is not None else source)
    return _Chunk(ids, counter, coded(*counter.rows()))


def _cores() -> int:
    # More threads would wait for the one that combines chunks, and each needs memory.
    return min(cores(), 16)
