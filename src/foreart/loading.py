"""Files become patents in the corpus: read and packed on all cores, written by one, resumed where it was stopped."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from foreart.corpus import BATCH_BYTES, Corpus, Packed, Summary, Writer, pack
from foreart.document.reject import Reject
from foreart.errors import BadFile
from foreart.processes import WorkerProcesses
from foreart.sources import Document, files, parse_piece, pieces

# What one worker is given at a time.
_CHUNK_BYTES = 1 << 20
_CHUNK_DOCUMENTS = 64
# Below this, starting processes takes longer than reading.
_WORTH_PROCESSES = 4 << 20

Progress = Callable[[str, Summary], None]


@dataclass(frozen=True, slots=True)
class _Batch:
    """Records on their way: `done` is how many of the file are stored once this batch is."""

    file: str
    done: int
    result: Future[list[Packed | Reject]] | list[Packed | Reject]
    last: bool = False


def load(
    paths: Iterable[str | Path],
    corpus: Corpus,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    batch_bytes: int = BATCH_BYTES,
) -> Summary:
    """Adds the patents of files (folders are walked, `-` is standard input) to the corpus.

    Killed at any moment, the same call goes on behind the last whole batch and ends with the same corpus; a batch
    is committed when it has `batch_bytes` of packed records, or after two seconds.
    """
    named = [file for path in paths for file in files(path)]
    with ExitStack() as stack:
        writer = stack.enter_context(Writer(corpus.connection, corpus.path, batch_bytes=batch_bytes))
        pool: Executor | None = None
        if workers > 1 and _size(named) >= _WORTH_PROCESSES:
            pool = stack.enter_context(WorkerProcesses(workers, preload=(__name__, "datasketch")))
        flying: deque[_Batch] = deque()
        for batch in _batches(named, writer, pool):
            flying.append(batch)
            while len(flying) > 2 * workers:
                _store(flying.popleft(), writer, progress)
        while flying:
            _store(flying.popleft(), writer, progress)
    return writer.summary


def _store(batch: _Batch, writer: Writer, progress: Progress | None) -> None:
    items = batch.result if isinstance(batch.result, list) else batch.result.result()
    for item in items:
        writer.add(item)
    writer.progress(batch.file, batch.done, finished=batch.last)
    if progress is not None:
        progress(batch.file, writer.summary)


def _batches(named: list[str], writer: Writer, pool: Executor | None) -> Iterator[_Batch]:
    for file in named:
        size, modified = _identity(file)
        done = writer.begin_file(file, size, modified)
        if done is None:
            continue
        for batch in _cut(_documents(file, done)):
            done += len(batch)
            yield _Batch(file, done, pool.submit(_pack, batch) if pool else _pack(batch))
        yield _Batch(file, done, [], last=True)


def _documents(file: str, done: int) -> Iterator[Document | Reject]:
    """The records of a file behind those that are stored; a file that cannot be opened is one reject."""
    try:
        yield from islice(pieces(file), done, None)
    except BadFile as error:
        yield Reject(file, "", str(error).removeprefix(f"{file}: "))


def _cut(items: Iterable[Document | Reject]) -> Iterator[list[Document | Reject]]:
    batch: list[Document | Reject] = []
    size = 0
    for item in items:
        batch.append(item)
        size += len(item.raw if isinstance(item, Reject) else item.piece.data)
        if size >= _CHUNK_BYTES or len(batch) >= _CHUNK_DOCUMENTS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _pack(batch: list[Document | Reject]) -> list[Packed | Reject]:
    """Runs in a worker."""
    packed: list[Packed | Reject] = []
    for item in batch:
        for found in [item] if isinstance(item, Reject) else parse_piece(item):
            packed.append(found if isinstance(found, Reject) else pack(found))
    return packed


def _identity(file: str) -> tuple[int, int]:
    """By what a file is known again; standard input never is."""
    if file == "-":
        return -1, time.time_ns()
    try:
        status = Path(file).stat()
    except OSError:  # told when it is opened
        return -1, time.time_ns()
    return status.st_size, status.st_mtime_ns


def _size(named: list[str]) -> int:
    return sum(_identity(file)[0] if file != "-" else _WORTH_PROCESSES for file in named)
