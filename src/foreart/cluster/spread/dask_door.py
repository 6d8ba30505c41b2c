"""The door to a Dask cluster: who works there, one task for each worker, and what to say if nobody answers.

Dask schedules, keeps the workers and starts them again. A task is sent to one worker and no other, since not all have
its shards open; if that one is lost or slow, it is sent to the next one that has. The scheduler never gets more than
the request and the answer, and keeps neither.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from foreart.cluster.cluster_settings import ClusterSettings, TlsFiles
from foreart.cluster.home_address import HomeAddress
from foreart.cluster.spread.dask_connection import CONNECT, connected_client
from foreart.errors import ClusterError

if TYPE_CHECKING:
    from distributed import Client, Future

# Seconds between two looks at the workers while an answer is missing, and until it is missed for good.
_LOOK, LIMIT = 0.25, 300.0
# Seconds until a second worker is asked: so many times what an answer took of late, within bounds.
_SLOW, _PATIENCE, _MOST_PATIENCE = 4.0, 1.0, 10.0
# Seconds for which the list of workers is used again, and for which a cluster without any may start one again.
_FRESH, _RESTART = 1.0, 15.0
# A question at which so many workers were lost is not sent to another one.
_LOST = 3
# One prefix for all tasks, so that the scheduler keeps one statistic of them.
_PREFIX = "foreart"
_POISON = "several workers were lost at the same question: have they enough memory?"
# What nobody waits for comes after what somebody does.
_LATER = -10


@dataclass(frozen=True, slots=True)
class DaskWorker:
    """A worker: a name that survives a restart, the address that tasks are sent to, and the threads it may use."""

    name: str
    address: str
    threads: int


@dataclass(frozen=True, slots=True, eq=False)
class WorkerTask:
    """A function and its request for one worker; `others` are asked in turn if it is lost or slow, then any.

    With `alone`, nobody else is.
    """

    function: Callable[[Any, int], Any]
    request: Any
    worker: DaskWorker
    others: tuple[DaskWorker, ...] = ()
    alone: bool = False


@dataclass(slots=True, eq=False)
class _Asked:
    """A task that was sent, and to whom; `last` is None if the last one was lost and there is no other yet."""

    task: WorkerTask
    last: DaskWorker | None = None
    sent: list[str] = field(default_factory=list)
    lost: int = 0

    def next(self, present: Sequence[DaskWorker]) -> DaskWorker | None:
        """Who is asked next, of those that are present: one of its own that was not asked yet, any if all are lost."""
        addresses = {worker.address for worker in present}
        own = [worker for worker in (self.task.worker, *self.task.others) if worker.address in addresses]
        unasked = (worker for worker in own if worker.address not in self.sent)
        return next(unasked, None if own else next(iter(present), None))


class DaskDoor:
    """A connection that is opened when it is first needed, and again after it was lost."""

    def __init__(self, home: HomeAddress, tls: TlsFiles) -> None:
        self._home, self._tls = home, tls
        self._client: Client | None = None
        self._workers: list[DaskWorker] = []
        self._seen = 0.0
        self._usual = 0.0  # seconds that answers took of late
        self._begun: dict[Future, str] = {}

    def workers(self) -> list[DaskWorker]:
        """The workers, in order of their names, as they were a moment ago; ClusterError if there is none."""
        now = time.monotonic()
        if self._client is None or self._client.status != "running" or now > self._seen + _FRESH:
            self._workers, self._seen = self._found(now + _RESTART), now
            present = {worker.address for worker in self._workers}
            for future in [each for each, address in self._begun.copy().items() if address not in present]:
                self._begun.pop(future, None)
        return self._workers

    def _found(self, deadline: float) -> list[DaskWorker]:
        """The workers that the scheduler knows; waits for those that it starts again."""
        while True:
            client = self._connected()
            try:
                workers = client.sync(_known, client)
            except (OSError, TimeoutError) as error:
                raise self._lost(client) from error
            if workers:
                return list(workers)
            if time.monotonic() > deadline:
                raise self._without_workers()
            time.sleep(_LOOK)

    def ask(self, tasks: Sequence[WorkerTask]) -> list[Any]:
        """The results of all tasks, in order. A task is sent to another worker when its own is lost or slow."""
        client, began = self._connected(), time.monotonic()
        try:
            results: list[Any] = client.sync(self._answers, client, tasks)
        except (OSError, TimeoutError, CancelledError, asyncio.CancelledError) as error:
            raise self._lost(client) from error
        self._usual += 0.1 * (time.monotonic() - began - self._usual)
        return results

    async def _answers(self, client: Client, tasks: Sequence[WorkerTask]) -> list[Any]:
        """Runs in the thread of the connection, beside other questions."""
        waiting: dict[asyncio.Task[Any], _Asked] = {}
        results: dict[WorkerTask, Any] = {}

        def send(asked: _Asked, worker: DaskWorker) -> None:
            asked.last = worker
            asked.sent.append(worker.address)
            waiting[asyncio.ensure_future(_answer(client, asked.task, worker))] = asked

        pending = [_Asked(task) for task in tasks]
        for asked in pending:
            send(asked, asked.task.worker)
        began = time.monotonic()
        hurry, alive = began + min(max(_PATIENCE, _SLOW * self._usual), _MOST_PATIENCE), began
        try:
            while pending := [asked for asked in pending if asked.task not in results]:
                over = {each: waiting.pop(each) for each in await _over(waiting)}
                results |= {asked.task: each.result() for each, asked in over.items() if not _is_lost(each)}
                broken = {asked for each, asked in over.items() if _is_lost(each)}
                if over and not broken:
                    continue
                if client.status != "running":
                    raise CancelledError
                for asked in broken - set(waiting.values()):  # its worker may have ended with the answer
                    asked.sent.remove(asked.sent[-1])
                    asked.last = None
                now, present = time.monotonic(), await _known(client)
                alive = now if present else alive
                self._check(pending, began, alive)
                lost = [asked for asked in pending if asked.last not in present]
                for asked in lost:
                    self._count_loss(asked)
                late = [asked for asked in pending if now > hurry and not asked.task.alone]
                hurry = began + LIMIT if late else hurry
                for asked in {*lost, *late}:
                    worker = asked.next(present)
                    if worker is not None and worker != asked.last:
                        send(asked, worker)
        finally:
            for attempt in waiting:
                attempt.cancel()
        return [results[task] for task in tasks]

    def _check(self, pending: Sequence[_Asked], began: float, alive: float) -> None:
        """ClusterError if it has taken too long, or if there has been no worker for too long."""
        now = time.monotonic()
        if now > alive + _RESTART:
            raise self._without_workers()
        if now > began + LIMIT:
            late = sorted({asked.sent[-1] for asked in pending})
            raise ClusterError(f"no answer of {', '.join(late)} within {LIMIT:.0f} seconds")

    def _count_loss(self, asked: _Asked) -> None:
        """Counts a lost worker once; ClusterError if nobody else may be asked."""
        if asked.task.alone:
            name = asked.task.worker.name
            raise ClusterError(f"worker {name} was lost: ask again when {self._home} has started it again")
        asked.lost += asked.last is not None
        asked.last = None
        if asked.lost >= _LOST:
            raise ClusterError(_POISON)

    def begin(self, task: WorkerTask, done: Callable[[Any], None]) -> None:
        """Starts a task that nobody waits for, and calls `done` with its result, in another thread."""
        future = _submitted(self._connected(), task, task.worker, _LATER)
        self._begun[future] = task.worker.address

        def finished(over: Future) -> None:
            self._begun.pop(over, None)
            if over.status == "finished":
                with suppress(OSError, TimeoutError, CancelledError):
                    done(over.result(timeout=CONNECT))

        future.add_done_callback(finished)

    def _connected(self) -> Client:
        if self._client is None or self._client.status != "running":
            self.close()
            self._client = connected_client(self._home, self._tls)
        return self._client

    def _lost(self, client: Client) -> ClusterError:
        if self._client is client:  # else another thread has found out, and connected again
            self.close()
        return ClusterError(f"the scheduler {self._home} was lost during a search: start it and search again")

    def _without_workers(self) -> ClusterError:
        return ClusterError(f"{self._home} has no worker: start some, as with `foreart cluster start`")

    def close(self) -> None:
        """Ends the connection."""
        client, self._client = self._client, None
        self._begun.clear()
        if client is not None:
            with suppress(OSError, TimeoutError, RuntimeError):
                client.close(timeout=1)


def door_of(settings: ClusterSettings) -> DaskDoor:
    """The door to the cluster of some settings."""
    assert settings.home is not None
    return DaskDoor(settings.home, settings.tls)


async def _known(client: Client) -> list[DaskWorker]:
    """The workers that the scheduler knows now, in order of their names."""
    assert client.scheduler is not None
    # not `scheduler_info`, whose answer the client's own thread replaces by one without workers
    answer = await asyncio.wait_for(client.scheduler.identity(n_workers=-1), CONNECT)
    workers = (DaskWorker(str(each["name"]), at, int(each["nthreads"])) for at, each in answer["workers"].items())
    return sorted(workers, key=lambda worker: worker.name)


async def _over(waiting: Collection[asyncio.Task[Any]]) -> set[asyncio.Task[Any]]:
    """Those that have ended, after a moment at most."""
    if not waiting:
        await asyncio.sleep(_LOOK)
        return set()
    return (await asyncio.wait(waiting, timeout=_LOOK, return_when=asyncio.FIRST_COMPLETED))[0]


def _is_lost(attempt: asyncio.Task[Any]) -> bool:
    """Whether an answer could not be fetched: its worker was lost, or the scheduler."""
    return attempt.cancelled() or isinstance(attempt.exception(), OSError | TimeoutError | CancelledError)


async def _answer(client: Client, task: WorkerTask, worker: DaskWorker) -> Any:  # noqa: ANN401
    """The result of a task on one worker; waits for ever if that one is lost."""
    future = _submitted(client, task, worker)
    try:
        return await future
    except (OSError, TimeoutError, CancelledError):
        raise
    except Exception as error:  # noqa: BLE001 any fault becomes one sentence
        raise _failed(error) from None


def _submitted(client: Client, task: WorkerTask, worker: DaskWorker, priority: int = 0) -> Future:
    """The task as Dask has it: on this worker alone."""
    return client.submit(
        task.function,
        task.request,
        task.worker.threads,
        key=f"{_PREFIX}-{uuid4().hex}",
        workers=[worker.address],
        allow_other_workers=False,
        priority=priority,
        pure=False,
    )


def _failed(error: Exception) -> ClusterError:
    """A task that Dask could not run: its worker was lost again and again, or cannot load foreart."""
    kind = type(error).__name__
    if kind == "KilledWorker":
        return ClusterError(_POISON)
    if isinstance(error, ImportError | AttributeError):
        return ClusterError(
            "a worker cannot load this version of foreart: install `foreart[cluster]` where the scheduler and the "
            "workers run"
        )
    return ClusterError(f"a worker failed ({kind}): its log says more")
