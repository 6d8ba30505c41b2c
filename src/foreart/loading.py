"""Loads files into the corpus: parsed and packed by worker processes, written by one, resumed after an interruption."""

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
from foreart.sources import Document, files, parse_record, raw_records

# The size of a task for a worker.
_CHUNK_BYTES = 1 << 20
_CHUNK_DOCUMENTS = 64
# Below this, starting processes takes longer than reading.
_MIN_PARALLEL_BYTES = 4 << 20

Progress = Callable[[str, Summary], None]


@dataclass(frozen=True, slots=True)
class _Batch:
    """Records in progress: `done` is how many records of the file are stored once this batch is."""

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

    Killed at any moment, the same call continues after the last committed batch and ends with the same corpus; a
    batch is committed when it has `batch_bytes` of packed records, or after two seconds.
    """
    inputs = [file for path in paths for file in files(path)]
    with ExitStack() as stack:
        writer = stack.enter_context(Writer(corpus.connection, corpus.path, batch_bytes=batch_bytes))
        pool: Executor | None = None
        if workers > 1 and _size(inputs) >= _MIN_PARALLEL_BYTES:
            pool = stack.enter_context(WorkerProcesses(workers, preload=(__name__,)))
        pending: deque[_Batch] = deque()
        for batch in _batches(inputs, writer, pool):
            pending.append(batch)
            while len(pending) > 2 * workers:
                _store(pending.popleft(), writer, progress)
        while pending:
            _store(pending.popleft(), writer, progress)
    return writer.summary


def _store(batch: _Batch, writer: Writer, progress: Progress | None) -> None:
    items = batch.result if isinstance(batch.result, list) else batch.result.result()
    for item in items:
        writer.add(item)
    writer.progress(batch.file, batch.done, finished=batch.last)
    if progress is not None:
        progress(batch.file, writer.summary)


def _batches(inputs: list[str], writer: Writer, pool: Executor | None) -> Iterator[_Batch]:
    for file in inputs:
        size, modified = _identity(file)
        done = writer.begin_file(file, size, modified)
        if done is None:
            continue
        for batch in _chunks(_documents(file, done)):
            done += len(batch)
            yield _Batch(file, done, pool.submit(_pack, batch) if pool else _pack(batch))
        yield _Batch(file, done, [], last=True)


def _documents(file: str, done: int) -> Iterator[Document | Reject]:
    """The records of a file after those already stored; a file that cannot be opened is one reject."""
    try:
        yield from islice(raw_records(file), done, None)
    except BadFile as error:
        yield Reject(file, "", str(error).removeprefix(f"{file}: "))


def _chunks(items: Iterable[Document | Reject]) -> Iterator[list[Document | Reject]]:
    batch: list[Document | Reject] = []
    size = 0
    for item in items:
        batch.append(item)
        size += len(item.raw if isinstance(item, Reject) else item.record.data)
        if size >= _CHUNK_BYTES or len(batch) >= _CHUNK_DOCUMENTS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _pack(batch: list[Document | Reject]) -> list[Packed | Reject]:
    """Parses and packs a batch; runs in a worker process."""
    packed: list[Packed | Reject] = []
    for item in batch:
        for parsed in [item] if isinstance(item, Reject) else parse_record(item):
            packed.append(parsed if isinstance(parsed, Reject) else pack(parsed))
    return packed


def _identity(file: str) -> tuple[int, int]:
    """Size and modification time, which identify a file when a load is resumed; standard input is never resumed."""
    if file == "-":
        return -1, time.time_ns()
    try:
        status = Path(file).stat()
    except OSError:  # reported when the file is opened
        return -1, time.time_ns()
    return status.st_size, status.st_mtime_ns


def _size(inputs: list[str]) -> int:
    return sum(_identity(file)[0] if file != "-" else _MIN_PARALLEL_BYTES for file in inputs)
