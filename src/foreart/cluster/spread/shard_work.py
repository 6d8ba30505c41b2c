"""What a worker does: opens shards from the shared folder, and answers questions about their rows."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock

import numpy as np

from foreart.child_process import type_and_place
from foreart.cluster.spread.shard_plan import Shard, state_of
from foreart.cluster.spread.shard_requests import (
    Answer,
    ShardAnswers,
    ShardPart,
    ShardQuestion,
    ShardRequest,
    unpacked,
)
from foreart.errors import ClusterError, ForeartError, IndexingError, StaleIndex
from foreart.index import Index
from foreart.parallel import limit_cores

# How many states a worker keeps open: of a library that is published while it is searched, and of a few libraries.
_STATES = 4


class OpenShards:
    """The shards of one state that this worker has opened; parts of an index that is asked for the first time."""

    def __init__(self, library: Path, record: str) -> None:
        self._state = state_of(library, json.loads(record))
        self._parts: dict[tuple[str, int, int], Index] = {}
        self._lock = Lock()

    def part(self, index: str, first: int, last: int) -> Index:
        """Some rows of an index, opened once."""
        with self._lock:
            if (index, first, last) not in self._parts:
                self._parts[index, first, last] = self._state.index(index).between(first, last)
            return self._parts[index, first, last]


@lru_cache(maxsize=_STATES)
def _opened(library: str, record: str) -> OpenShards:
    """A worker has no other place to keep what it has opened: a task that is repeated elsewhere opens it there."""
    return OpenShards(Path(library), record)


def answered(request: ShardRequest, threads: int = 0) -> ShardAnswers:
    """The answers to a request, or why there are none; runs on a worker, in so many threads."""
    return _done(
        request, threads, lambda opened: {each.number: _of_shard(each, request, opened) for each in request.shards}
    )


def opened_shards(request: ShardRequest, threads: int = 0) -> ShardAnswers:
    """Opens some shards before the first question; runs on a worker."""
    return _done(request, threads, lambda opened: {each.number: _prepared(each, opened) for each in request.shards})


def _done(
    request: ShardRequest, threads: int, work: Callable[[OpenShards], Mapping[int, Mapping[int, Answer]]]
) -> ShardAnswers:
    """What is found in the opened shards, or why that cannot be: a sentence, since Dask would log the error."""
    if threads:
        limit_cores(threads)
    worker = f"{socket.gethostname()}:{os.getpid()}"
    try:
        _check_version(request)
        opened = _opened(request.library, json.dumps(request.state, sort_keys=True))
        return ShardAnswers(worker, work(opened))
    except FileNotFoundError as error:
        return _refused(worker, StaleIndex(f"there is no {error.filename}"), request)
    except IndexingError as error:
        return _refused(worker, StaleIndex(str(error)), request)
    except ForeartError as error:
        return ShardAnswers(worker, error=type(error).__name__, sentence=str(error))
    except Exception as error:  # noqa: BLE001 the text of an unknown error must not leave the process: it may quote a draft
        return ShardAnswers(
            worker, error=ClusterError.__name__, sentence=f"worker {worker} failed: {type_and_place(error)}"
        )


def _check_version(request: ShardRequest) -> None:
    own = version("foreart")
    if own != request.foreart:
        raise ClusterError(
            f"a worker runs foreart {own} and this process {request.foreart}: install the same version on all machines"
        )


def _refused(worker: str, error: StaleIndex, request: ShardRequest) -> ShardAnswers:
    """The files of a state cannot be opened: they were removed after a build, or this machine has another folder."""
    sentence = f"worker {worker} cannot open this state of {request.library}: {error}"
    return ShardAnswers(worker, error=StaleIndex.__name__, sentence=sentence)


def _of_shard(shard: Shard, request: ShardRequest, opened: OpenShards) -> dict[int, Answer]:
    """The answers of one shard by question."""
    return {
        part.question: _answer(request.questions[part.question], part, shard, opened)
        for part in request.parts.get(shard.number, ())
    }


def _prepared(shard: Shard, opened: OpenShards) -> dict[int, Answer]:
    """Opens all indexes of a shard; there is nothing to answer."""
    for index, (first, last) in shard.rows.items():
        opened.part(index, first, last).prepare()
    return {}


def _answer(question: ShardQuestion, part: ShardPart, shard: Shard, opened: OpenShards) -> Answer:
    first, last = shard.rows[question.index]
    index = opened.part(question.index, first, last)
    if index.description.fingerprint != question.version:
        raise ClusterError(
            f"a worker has another version of the index {question.index} than this process: its folder must be the "
            "same library"
        )
    allowed = unpacked(part.allowed, last - first)
    nothing = np.empty(0, dtype=np.int64)
    if question.verb == "nearest_products":
        rows = index.nearest_products(question.query, question.k, allowed=allowed)
        return rows + first, index.products(question.query, rows)
    if question.verb == "products":
        assert part.rows is not None
        return nothing, index.products(question.query, part.rows)
    query = index.incoming(question.query)
    if question.verb == "nearest":
        rows, scores = index.nearest(query, question.k, allowed=allowed, exact=True)
        return rows + first, scores
    if question.verb == "scores":
        return nothing, index.scores(query)
    assert part.rows is not None
    return nothing, index.scores_of(query, part.rows)
