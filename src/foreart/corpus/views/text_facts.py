"""What stands only in the stored record of a patent: numbers in its text, inventors, a sketch of its words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import zstandard

from foreart.corpus.corpus import Corpus
from foreart.corpus.relations.signature import PERMUTATIONS, text_signature
from foreart.corpus.views.hashes import hashed
from foreart.document.named_numbers import named_numbers
from foreart.parallel import in_order
from foreart.processes import WorkerProcesses

Progress = Callable[[int, int], None]
# A stored record, and the signature of its text where the corpus keeps one.
Stored = tuple[bytes, bytes | None]
# Documents that go to another process at once; fewer than this are read here.
_CHUNK = 64
_NOTHING = bytes(PERMUTATIONS)


@dataclass(frozen=True, slots=True)
class TextFacts:
    """Hashes of the numbers that the description names, the inventors, and whether the publication is estimated."""

    named: np.ndarray
    inventors: tuple[str, ...]
    estimated: bool
    sketch: bytes


def text_facts(
    corpus: Corpus, serials: Sequence[int], *, workers: int = 1, progress: Progress | None = None
) -> Iterator[TextFacts]:
    """The facts of these patents in order, nothing of one that is gone; by several processes where they are many."""
    records = _records(corpus, serials)
    chunks = iter(lambda: list(islice(records, _CHUNK)), [])
    done = 0
    for part in map(_read, chunks) if len(serials) <= _CHUNK or workers < 2 else _by_processes(chunks, workers):
        done += len(part)
        if progress is not None:
            progress(done, len(serials))
        yield from part


def sketch(signature: bytes) -> bytes:
    """A byte of each hash of a signature; zeros for a text too short to have one."""
    return np.frombuffer(signature, dtype="<u4").astype(np.uint8).tobytes() or _NOTHING


def _records(corpus: Corpus, serials: Sequence[int]) -> Iterator[Stored]:
    for serial in serials:
        row = corpus.connection.execute(
            "SELECT json, minhash FROM record LEFT JOIN signature USING (serial) WHERE serial = ?", (serial,)
        ).fetchone()
        yield row or (b"", b"")


def _by_processes(chunks: Iterator[list[Stored]], workers: int) -> Iterator[list[TextFacts]]:
    """In processes: finding numbers is work of the interpreter, which runs one thread at a time."""
    with WorkerProcesses(workers, preload=(__name__,)) as pool:
        yield from in_order(pool, _read, chunks, ahead=8)


def _read(stored: list[Stored]) -> list[TextFacts]:
    return [_facts(*each) for each in stored]


def _facts(blob: bytes, signature: bytes | None) -> TextFacts:
    record = json.loads(zstandard.ZstdDecompressor().decompress(blob)) if blob else {}
    description = record.get("description") or ""
    if signature is None:
        signature = text_signature(description, record.get("abstract") or "", "\n".join(record.get("claims") or ()))
    return TextFacts(
        hashed(named_numbers(description)),
        tuple(record.get("inventors") or ()),
        bool(record.get("publication_date_estimated")),
        sketch(signature),
    )
