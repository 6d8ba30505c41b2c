"""Facts that are only in the stored record of a patent: numbers in its text, inventors, a sketch of its words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import zstandard

from foreart.corpus.corpus import Corpus
from foreart.corpus.relations.signature import PERMUTATIONS, sketch, text_signature
from foreart.corpus.views.hashes import hashed
from foreart.document.named_numbers import named_numbers
from foreart.parallel import in_order
from foreart.processes import WorkerProcesses

Progress = Callable[[int, int], None]
# A stored record, and the signature of its text if the corpus has one.
Stored = tuple[bytes, bytes | None]
# Documents in a task for a worker process; up to this many are read in this process.
_CHUNK = 64
_NO_SKETCH = bytes(PERMUTATIONS)  # of a text too short to have a signature


@dataclass(frozen=True, slots=True)
class TextFacts:
    """Hashes of the numbers named in the description, inventors, and whether the publication date is estimated."""

    named: np.ndarray
    inventors: tuple[str, ...]
    estimated: bool
    sketch: bytes


def text_facts(
    corpus: Corpus, serials: Sequence[int], *, workers: int = 1, progress: Progress | None = None
) -> Iterator[TextFacts]:
    """The facts of these patents in order, empty for a removed one; read by several processes if there are many."""
    records = _records(corpus, serials)
    chunks = iter(lambda: list(islice(records, _CHUNK)), [])
    done = 0
    for part in map(_read, chunks) if len(serials) <= _CHUNK or workers < 2 else _by_processes(chunks, workers):
        done += len(part)
        if progress is not None:
            progress(done, len(serials))
        yield from part


def _records(corpus: Corpus, serials: Sequence[int]) -> Iterator[Stored]:
    for serial in serials:
        row = corpus.connection.execute(
            "SELECT json, minhash FROM record LEFT JOIN signature USING (serial) WHERE serial = ?", (serial,)
        ).fetchone()
        yield row or (b"", b"")


def _by_processes(chunks: Iterator[list[Stored]], workers: int) -> Iterator[list[TextFacts]]:
    """Reads chunks in worker processes: extracting numbers is pure Python, which the GIL limits to one thread."""
    with WorkerProcesses(workers, preload=(__name__,)) as pool:
        yield from in_order(pool, _read, chunks, ahead=8)


def _read(stored: list[Stored]) -> list[TextFacts]:
    return [facts_of(*each) for each in stored]


def facts_of(blob: bytes, signature: bytes | None) -> TextFacts:
    """The facts in a stored record, empty if it has no bytes; `signature` is that of its text, if it is known."""
    record = json.loads(zstandard.ZstdDecompressor().decompress(blob)) if blob else {}
    description = record.get("description") or ""
    if signature is None:
        signature = text_signature(description, record.get("abstract") or "", "\n".join(record.get("claims") or ()))
    return TextFacts(
        hashed(named_numbers(description)),
        tuple(record.get("inventors") or ()),
        bool(record.get("publication_date_estimated")),
        sketch(signature) or _NO_SKETCH,
    )
