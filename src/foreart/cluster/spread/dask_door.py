"""The door to a Dask cluster: who works there, one task for each worker, and what to say if nobody answers.

Dask schedules, keeps the workers, and repeats a task elsewhere when its worker is lost; it never gets more than the
request and the answer, and keeps neither.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from foreart.cluster.cluster_settings import ClusterSettings, TlsFiles
from foreart.cluster.home_address import HomeAddress
from foreart.errors import BadRequest, ClusterError, MissingExtra

if TYPE_CHECKING:
    from distributed import Client, Future, Security

# Seconds to reach the scheduler, between two looks at its state, until a second worker is asked, and to answer.
_CONNECT, _LOOK, PATIENCE, LIMIT = 10.0, 0.25, 10.0, 300.0
# Seconds for which the list of workers is used again, and for which a cluster without any may start one again.
_FRESH, _RESTART = 1.0, 15.0
# One prefix for all tasks, so that the scheduler keeps one statistic of them.
_PREFIX = "foreart"


@dataclass(frozen=True, slots=True)
class DaskWorker:
    """A worker: a name that survives a restart, the address that tasks are sent to, and the threads it may use."""

    name: str
    address: str
    threads: int


@dataclass(frozen=True, slots=True, eq=False)
class WorkerTask:
    """A function and its request for one worker; `others` may run it if that one is slow, any other if it is lost.

    With `alone`, nobody else may.
    """

    function: Callable[[Any, int], Any]
    request: Any
    worker: DaskWorker
    others: tuple[DaskWorker, ...] = ()
    alone: bool = False


class DaskDoor:
    """A connection that is opened when it is first needed, and again after it was lost."""

    def __init__(self, home: HomeAddress, tls: TlsFiles) -> None:
        self._home, self._tls = home, tls
        self._client: Client | None = None
        self._workers: list[DaskWorker] = []
        self._seen = 0.0

    def workers(self) -> list[DaskWorker]:
        """The workers, in order of their names, as they were a moment ago; ClusterError if there is none."""
        now = time.monotonic()
        if self._client is None or self._client.status != "running" or now > self._seen + _FRESH:
            self._workers, self._seen = self._found(now + _RESTART), now
        return self._workers

    def _found(self, deadline: float) -> list[DaskWorker]:
        """The workers that the scheduler knows; waits for those that it starts again."""
        while True:
            client = self._connected()
            assert client.scheduler is not None
            try:  # not `scheduler_info`, whose answer the client's own thread replaces by one without workers
                known = client.sync(client.scheduler.identity, n_workers=-1)["workers"]
            except (OSError, TimeoutError) as error:
                raise self._lost() from error
            workers = [DaskWorker(str(each["name"]), address, int(each["nthreads"])) for address, each in known.items()]
            if workers:
                return sorted(workers, key=lambda worker: worker.name)
            if time.monotonic() > deadline:
                raise ClusterError(f"{self._home} has no worker: start some, as with `foreart cluster start`")
            time.sleep(_LOOK)

    def ask(self, tasks: Sequence[WorkerTask]) -> list[Any]:
        """The results of all tasks, in order. A task is repeated on another worker when its own is lost or slow."""
        client = self._connected()
        started = [[_submitted(client, task, (task.worker, *task.others))] for task in tasks]
        deadline, hurry = time.monotonic() + LIMIT, time.monotonic() + PATIENCE
        while any(_first(futures) is None for futures in started):
            self._await([future for futures in started if _first(futures) is None for future in futures])
            now = time.monotonic()
            if now > deadline:
                late = {
                    task.worker.address for task, futures in zip(tasks, started, strict=True) if not _first(futures)
                }
                raise ClusterError(f"no answer of {', '.join(sorted(late))} within {LIMIT:.0f} seconds")
            if now > hurry:
                hurry = deadline
                for task, futures in zip(tasks, started, strict=True):
                    if _first(futures) is None and task.others:
                        futures.append(_submitted(client, task, task.others))
        finished = [_first(futures) for futures in started]
        return self._results(client, [future for future in finished if future is not None])

    def begin(self, tasks: Iterable[WorkerTask]) -> None:
        """Starts tasks whose results nobody waits for."""
        from distributed import fire_and_forget

        client = self._connected()
        for task in tasks:
            fire_and_forget(_submitted(client, task, (task.worker,)))

    def _connected(self) -> Client:
        if self._client is None or self._client.status != "running":
            self.close()
            self._client = connected_client(self._home, self._tls)
        return self._client

    def _await(self, futures: list[Future]) -> None:
        """Waits until one of some tasks is over, or a moment; ClusterError if the scheduler is lost meanwhile."""
        from distributed import wait

        client = self._connected()
        with client.as_current(), suppress(TimeoutError):
            wait(futures, timeout=_LOOK, return_when="FIRST_COMPLETED")
        if client.status != "running":
            raise self._lost()
        for future in futures:
            if future.status in ("cancelled", "lost"):
                raise self._lost()
            if future.status == "error":
                raise _failed(future)

    def _results(self, client: Client, futures: list[Future]) -> list[Any]:
        try:
            results: list[Any] = client.gather(futures)
        except (OSError, TimeoutError) as error:
            raise self._lost() from error
        return results

    def _lost(self) -> ClusterError:
        self.close()
        return ClusterError(f"the scheduler {self._home} was lost during a search: start it and search again")

    def close(self) -> None:
        """Ends the connection."""
        client, self._client = self._client, None
        if client is not None:
            with suppress(OSError, TimeoutError, RuntimeError):
                client.close(timeout=1)


def door_of(settings: ClusterSettings) -> DaskDoor:
    """The door to the cluster of some settings."""
    assert settings.home is not None
    return DaskDoor(settings.home, settings.tls)


def _submitted(client: Client, task: WorkerTask, workers: Sequence[DaskWorker]) -> Future:
    """The task as Dask has it: on one of these workers, or on any other if all of them are lost."""
    return client.submit(
        task.function,
        task.request,
        task.worker.threads,
        key=f"{_PREFIX}-{uuid4().hex}",
        workers=[worker.address for worker in workers[:1]],
        allow_other_workers=not task.alone,
        pure=False,
    )


def _first(futures: Sequence[Future]) -> Future | None:
    """The task that is finished, of some that do the same."""
    return next((future for future in futures if future.status == "finished"), None)


def _failed(future: Future) -> ClusterError:
    """A task that Dask could not run: its worker was lost again and again, or cannot load foreart."""
    error = future.exception()
    kind = type(error).__name__
    if kind == "KilledWorker":
        return ClusterError("several workers were lost at the same question: have they enough memory?")
    if isinstance(error, ImportError | AttributeError):
        return ClusterError(
            "a worker cannot load this version of foreart: install `foreart[cluster]` where the scheduler and the "
            "workers run"
        )
    return ClusterError(f"a worker failed ({kind}): its log says more")


def connected_client(home: HomeAddress, tls: TlsFiles) -> Client:
    """A connection to a scheduler; ClusterError if there is none."""
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtra(f"{home}", "cluster") from None
    # What Dask would print about lost connections is said in one sentence here.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    logging.getLogger("tornado").setLevel(logging.CRITICAL)
    try:
        return Client(home.endpoint, timeout=_CONNECT, security=_security(home, tls), set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError) as error:
        raise ClusterError(_unreachable(home, error)) from None


def _unreachable(home: HomeAddress, error: Exception) -> str:
    text = f"{error} {error.__cause__ or ''}"
    if "expired" in text:
        return f"the certificate of {home} has expired: its keeper must renew it"
    if "certificate verify failed" in text or "CERTIFICATE" in text:
        return f"{home} shows a certificate that --tls-ca does not vouch for"
    if home.encrypted and isinstance(error, TypeError | ValueError):
        return f"{home} needs certificates: `foreart cluster use` with --tls-ca, --tls-cert and --tls-key"
    return (
        f"no Dask scheduler answers at {home}: is it started (`foreart cluster start`), and is the address right, with "
        f"{'tls' if home.encrypted else 'tls:// if it is encrypted, else with dask'}://?"
    )


def _security(home: HomeAddress, tls: TlsFiles) -> Security | None:
    """The certificates of this side; without any, those of Dask's own configuration."""
    if not home.encrypted:
        return None
    from distributed import Security

    if not tls:
        return Security(require_encryption=True)
    tls.checked()
    return security_of(tls)


def security_of(tls: TlsFiles) -> Security:
    """The certificates as Dask takes them, for every role."""
    from distributed import Security

    if not tls:
        raise BadRequest("an encrypted cluster needs --tls-ca, --tls-cert and --tls-key")
    roles: Mapping[str, str] = {
        f"tls_{role}_{what}": path
        for role in ("client", "scheduler", "worker")
        for what, path in (("cert", tls.cert), ("key", tls.key))
    }
    return Security(tls_ca_file=tls.ca, require_encryption=True, **roles)
