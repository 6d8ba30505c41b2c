"""A Dask cluster on one machine: a scheduler, and worker processes that end with it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from foreart.cluster.cluster_settings import NO_TLS, TlsFiles
from foreart.cluster.home_address import DASK_PORT, HomeAddress
from foreart.cluster.spread.dask_connection import FEW_MESSAGES, security_of
from foreart.errors import BadRequest, ClusterError, MissingExtra
from foreart.parallel import cores

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class LocalSettings:
    """Where the scheduler listens, and how many workers there are; `dashboard` is the port of Dask's pages, or 0."""

    workers: int
    host: str = LOOPBACK
    port: int = DASK_PORT
    tls: TlsFiles = NO_TLS
    dashboard: int = 0


@contextmanager
def local_cluster(settings: LocalSettings) -> Iterator[HomeAddress]:
    """A running cluster, stopped when the block ends; its workers end too when this process is killed.

    Whoever can connect to a scheduler can run code as its user, so beyond this machine it needs certificates.
    """
    try:
        from distributed import LocalCluster
    except ImportError:
        raise MissingExtra("`foreart cluster start`", "cluster") from None
    if settings.host not in (LOOPBACK, "localhost", "::1") and not settings.tls:
        raise BadRequest(
            f"{settings.host} can be reached by other machines, which could run code here: give --tls-ca, --tls-cert "
            "and --tls-key too"
        )
    import dask

    logging.getLogger("distributed").setLevel(logging.ERROR)
    dask.config.set(FEW_MESSAGES)
    if not settings.dashboard:  # the pages show what runs, to every user of this machine
        dask.config.set({f"distributed.{role}.http.routes": _routes(role) for role in ("scheduler", "worker")})
    try:
        cluster = LocalCluster(
            n_workers=settings.workers,
            threads_per_worker=max(1, cores() // settings.workers),
            processes=True,
            host=settings.host,
            scheduler_port=settings.port,
            protocol="tls://" if settings.tls else "tcp://",
            security=security_of(settings.tls.checked()) if settings.tls else None,
            dashboard_address=f"{LOOPBACK}:{settings.dashboard}" if settings.dashboard else None,
            # else 8787 for health and figures, and a warning if another scheduler has that port
            scheduler_kwargs={"dashboard_address": f"{LOOPBACK}:{settings.dashboard}"},
            memory_limit=0,  # Dask counts mapped files as memory, and would restart workers that have many
        )
    except (OSError, RuntimeError) as error:
        place = f"{settings.host}:{settings.port}"
        raise ClusterError(f"no scheduler can listen at {place} ({_reason(error)}): is another one running?") from None
    with cluster:
        port = int(cluster.scheduler_address.rpartition(":")[2])
        yield HomeAddress("dask", settings.host, port, bool(settings.tls))


def _routes(role: str) -> list[str]:
    """What is served over HTTP without a dashboard: whether a process runs, and its figures."""
    return ["distributed.http.health", f"distributed.http.{role}.prometheus"]


def _reason(error: BaseException) -> str:
    """The innermost cause in a few words."""
    while error.__cause__ is not None:
        error = error.__cause__
    return getattr(error, "strerror", None) or type(error).__name__
