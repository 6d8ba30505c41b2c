"""Asks all shards of a state at once, one request for each worker, and puts the answers together."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from foreart import errors
from foreart.cluster.spread.dask_door import DaskDoor, DaskWorker, WorkerTask
from foreart.cluster.spread.shard_plan import COPIES, Shard, ShardPlan, placed
from foreart.cluster.spread.shard_requests import Answer, ShardAnswers, ShardPart, ShardQuestion, ShardRequest, packed
from foreart.cluster.spread.shard_work import answered, opened_shards
from foreart.errors import ClusterError
from foreart.index.scoring.best_first import best_first

# What each question asks of rows: those to score, or the mask of those to search, or neither.
Rows = tuple[np.ndarray | None, np.ndarray | None]


class Shards:
    """The shards of one state. `library` is the folder as the workers see it, `foreart` the version of this process."""

    def __init__(self, door: DaskDoor, plan: ShardPlan, state: Mapping[str, Any], library: Path, foreart: str) -> None:
        self.plan = plan
        self._door = door
        self._blank = ShardRequest(foreart, str(library), state, ())
        self._placed: tuple[tuple[str, ...], Mapping[int, tuple[str, ...]]] = (), {}
        # By the address of a worker: the shards that it has open, and those that it was told to open.
        self._open: dict[str, set[int]] = {}
        self._told: dict[str, set[int]] = {}

    def answers(self, questions: Sequence[ShardQuestion], rows: Sequence[Rows]) -> list[list[tuple[Shard, Answer]]]:
        """For each question the answers of all shards that it concerns; ClusterError if one of them has none."""
        parts = {shard.number: _parts(shard, questions, rows) for shard in self.plan.shards}
        asked = [shard for shard in self.plan.shards if parts[shard.number]]
        found: dict[int, Mapping[int, Answer]] = {}
        if asked:
            for answer in self._door.ask(self._tasks(asked, questions, parts)):
                found |= _checked(answer)
        missing = [shard.number for shard in asked if shard.number not in found]
        if missing:
            raise ClusterError(f"{len(missing)} of {len(asked)} shards did not answer: search again")
        return [
            [(shard, found[shard.number][number]) for shard in asked if number in found[shard.number]]
            for number in range(len(questions))
        ]

    def _tasks(
        self, asked: Sequence[Shard], questions: Sequence[ShardQuestion], parts: Mapping[int, Sequence[ShardPart]]
    ) -> list[WorkerTask]:
        """One task for shards that the same two workers are asked for, so that the second one has all of them too."""
        workers = {worker.name: worker for worker in self._door.workers()}
        places = self.places(list(workers))
        self._tell(workers, places)
        groups: dict[tuple[str, ...], list[Shard]] = {}
        for shard in asked:
            groups.setdefault(self._order(shard, places, workers), []).append(shard)
        tasks = []
        for (first, *others), shards in groups.items():
            request = self._request(shards, questions, {shard.number: parts[shard.number] for shard in shards})
            tasks.append(WorkerTask(answered, request, workers[first], tuple(workers[other] for other in others)))
        return tasks

    def places(self, workers: Sequence[str]) -> Mapping[int, tuple[str, ...]]:
        """The workers of each shard, computed again when workers have joined or left."""
        names, places = self._placed
        if names != tuple(workers):
            places = placed(self.plan, workers)
            self._placed = tuple(workers), places
        return places

    def _order(
        self, shard: Shard, places: Mapping[int, tuple[str, ...]], workers: Mapping[str, DaskWorker]
    ) -> tuple[str, ...]:
        """Who is asked for a shard, and who next: workers that have it open come first.

        A worker that has just started has none. When workers join or leave, others than its own may have it open.
        """
        own = places[shard.number]
        others = [name for name in workers if name not in own and self._has(workers[name], shard)]
        return tuple(sorted([*own, *others], key=lambda name: not self._has(workers[name], shard)))[:COPIES]

    def _has(self, worker: DaskWorker, shard: Shard) -> bool:
        return shard.number in self._open.get(worker.address, ())

    def _request(
        self, shards: Sequence[Shard], questions: Sequence[ShardQuestion], parts: Mapping[int, Sequence[ShardPart]]
    ) -> ShardRequest:
        return dataclasses.replace(self._blank, shards=tuple(shards), questions=tuple(questions), parts=parts)

    def opened_by(self, workers: Sequence[DaskWorker], places: Mapping[int, tuple[str, ...]]) -> dict[str, str]:
        """Lets each worker open its shards; what is wrong by the name of the worker, nothing where nothing is."""
        tasks = []
        for worker in workers:
            shards = [shard for shard in self.plan.shards if worker.name in places[shard.number]]
            tasks.append(WorkerTask(opened_shards, self._request(shards, (), {}), worker, alone=True))
        answers: list[ShardAnswers] = self._door.ask(tasks)
        return {worker.name: answer.sentence for worker, answer in zip(workers, answers, strict=True)}

    def _tell(self, workers: Mapping[str, DaskWorker], places: Mapping[int, tuple[str, ...]]) -> None:
        """Lets workers open their shards before these are needed, also those of which they are the second."""
        present = {worker.address for worker in workers.values()}
        for known in (self._open, self._told):
            for address in known.keys() - present:
                known.pop(address, None)
        for name, worker in workers.items():
            told = self._told.setdefault(worker.address, set())
            shards = [shard for shard in self.plan.shards if name in places[shard.number] and shard.number not in told]
            if shards:
                told.update(shard.number for shard in shards)
                task = WorkerTask(opened_shards, self._request(shards, (), {}), worker, alone=True)
                self._door.begin(task, partial(self._note, worker.address))

    def _note(self, address: str, answer: ShardAnswers) -> None:
        """A worker has opened shards."""
        self._open.setdefault(address, set()).update(answer.answers)


def _parts(shard: Shard, questions: Sequence[ShardQuestion], rows: Sequence[Rows]) -> list[ShardPart]:
    """What the questions mean in a shard; those that do not concern it are left out."""
    parts = []
    # What several questions have in common is sent once: by array and rows of the shard.
    known: dict[tuple[int, int, int], np.ndarray | None] = {}
    for number, (question, (wanted, allowed)) in enumerate(zip(questions, rows, strict=True)):
        first, last = shard.rows[question.index]
        if wanted is not None:
            key = id(wanted), first, last
            if key not in known:
                known[key] = wanted[(wanted >= first) & (wanted < last)] - first
            own = known[key]
            if own is not None and len(own):
                parts.append(ShardPart(number, rows=own))
        elif allowed is None:
            parts.append(ShardPart(number))
        elif allowed[first:last].any():
            key = id(allowed), first, last
            if key not in known:
                known[key] = packed(allowed[first:last])
            parts.append(ShardPart(number, allowed=known[key]))
    return parts


def _checked(answer: ShardAnswers) -> Mapping[int, Mapping[int, Answer]]:
    """The answers; raises the error that a worker reports instead."""
    if answer.error:
        kind: type[Exception] = getattr(errors, answer.error, ClusterError)
        raise kind(answer.sentence)
    return answer.answers


def merged_nearest(found: Sequence[tuple[Shard, Answer]], ids: Sequence[str], k: int) -> Answer:
    """The k best of all shards, ties by id: the order of an index."""
    rows = np.concatenate([np.empty(0, dtype=np.int64), *(rows for _, (rows, _) in found)])
    scores = np.concatenate([np.empty(0), *(scores for _, (_, scores) in found)])
    order = best_first(rows, scores, ids, k)
    return rows[order], scores[order]


def merged_scores(found: Sequence[tuple[Shard, Answer]], index: str, rows: np.ndarray) -> np.ndarray:
    """The scores of some rows, in their order."""
    scores = np.zeros(len(rows))
    for shard, (_, values) in found:
        first, last = shard.rows[index]
        scores[(rows >= first) & (rows < last)] = values
    return scores
