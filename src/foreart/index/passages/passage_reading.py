"""Documents of the corpus become segments of passages; all passages of a document stand in one segment."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import numpy as np

from foreart.corpus import Corpus, scanning, stored_texts
from foreart.corpus.scanning import Fact
from foreart.index.build.segment_building import segment, stored_text
from foreart.index.passages.kind import Passages
from foreart.index.storage.fact_arrays import FactArrays, fact_arrays
from foreart.index.storage.segment import DOCUMENTS, SegmentArrays
from foreart.index.storage.store import DIGEST
from foreart.parallel import cores, in_order
from foreart.text.passages import passage_spans

# Stands between the id of a document and the number of a passage.
SIGN = "#"
# Postings of a segment at most: it is made in less than 1 GB.
_POSTINGS = 40_000_000
_NOTHING = Fact("", "", "", "", "", (), ())

# The id of a document and the texts of its passages.
Cut = tuple[str, list[str]]


def most_passages(kind: Passages) -> int:
    """How many passages a segment has at most."""
    return min(DOCUMENTS, max(1, _POSTINGS // kind.words))


def cut_documents(corpus: Corpus, serials: Sequence[int], *, sections: str, kind: Passages, most: int) -> Iterator[Cut]:
    """The documents of these serials in their order, each cut; a few are cut ahead, by several threads."""
    cut = partial(_cut, sections=sections, words=kind.words, most=most)
    threads = min(cores(), 16)
    with ThreadPoolExecutor(threads) as pool:
        yield from in_order(pool, cut, stored_texts.stored(corpus, serials), ahead=2 * threads)


def segments(
    documents: Iterable[Cut], *, most: int, progress: Callable[[int], None]
) -> Iterator[tuple[SegmentArrays, np.ndarray]]:
    """Segments of documents in their order, and how many passages each document has; all full but the last."""
    source = iter(documents)
    pending = next(source, None)
    done = 0
    while pending is not None:
        numbers: list[int] = []

        def passages(numbers: list[int] = numbers) -> Iterator[tuple[str, str]]:
            nonlocal pending, done
            filled = 0
            while pending is not None and filled + len(pending[1]) <= most:
                for ordinal, text in enumerate(pending[1]):
                    yield f"{pending[0]}{SIGN}{ordinal}", text
                numbers.append(len(pending[1]))
                filled += len(pending[1])
                done += 1
                progress(done)
                pending = next(source, None)

        made = segment(passages())
        yield made, np.array(numbers, dtype=np.int64)


def no_facts(passages: int) -> FactArrays:
    """The facts of so many passages: documents are selected elsewhere."""
    one = fact_arrays([_NOTHING])
    return replace(one, column_codes=np.zeros((len(one.column_codes), passages), dtype=np.uint16))


def are_as_scanned(corpus: Corpus, serials: Sequence[int], digests: np.ndarray) -> bool:
    """Whether the documents of these serials are those of which the digests are."""
    found = [
        hashlib.blake2b(number.encode("utf-8", "replace") + b"\0" + content, digest_size=DIGEST).digest()
        for _, number, content in scanning.contents_of(corpus, serials)
    ]
    return b"".join(found) == digests.tobytes()


def _cut(stored: tuple[str, bytes], *, sections: str, words: int, most: int) -> Cut:
    """The passages of a stored patent; one without any text has one, which is empty."""
    number, record = stored
    text = stored_text(record, sections)
    found = passage_spans(text, words=words)
    while len(found) > most:  # a document of millions of words gets longer passages
        words *= 2
        found = passage_spans(text, words=words)
    return number, [text[start:end] for start, end in found] or [""]
