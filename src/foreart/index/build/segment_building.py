"""Builds segments from texts: threads count chunks of documents, which are combined in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from foreart.corpus.stored_texts import unpack_texts
from foreart.features.counting.string_arrays import joined
from foreart.features.counting.text_counts import word_counter
from foreart.features.counting.word_counts import WordCounter
from foreart.index.build.coded_rows import CodedRows, coded, stacked
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
    builder = _SegmentBuilder()
    for chunk in _counted(_chunks(documents), text, words, threads or _cores()):
        builder.add(chunk)
    return builder.arrays()


def stored_text(record: bytes, sections: str = "full") -> str:
    """The indexed text of a stored patent (`corpus.stored_texts.stored`)."""
    return section_text(unpack_texts(record), sections)


@dataclass(frozen=True)
class _Chunk:
    """Documents whose rows are over the words of their own counter."""

    ids: list[str]
    counter: WordCounter
    rows: CodedRows


class _SegmentBuilder:
    """The words and rows of a segment so far."""

    def __init__(self) -> None:
        self._counter: WordCounter | None = None
        self._ids: list[str] = []
        self._rows: list[CodedRows] = []

    def add(self, chunk: _Chunk) -> None:
        """Appends the rows of a chunk."""
        if self._counter is None:
            self._counter = chunk.counter.empty()
        self._ids += chunk.ids
        self._rows.append(chunk.rows.renumbered(self._counter.ids_of(chunk.counter)))

    def arrays(self) -> SegmentArrays:
        """The segment; the builder cannot be used afterwards."""
        rows = stacked(self._rows)
        self._rows.clear()
        counter = self._counter if self._counter is not None else WordCounter()
        letters, ends = counter.letters()
        self._counter = None
        return inverted(joined(self._ids), letters, ends, rows)


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
