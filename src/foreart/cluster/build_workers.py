"""The workers of a cluster that build a library, if its settings, or `--on`, name one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from foreart.cluster.cluster_settings import cluster_settings
from foreart.part_files import TaskPool


@contextmanager
def build_pool(library: Path, on: str = "") -> Iterator[TaskPool | None]:
    """The workers that build a library; None if it is built on this machine."""
    settings = cluster_settings(library, on)
    if settings.home is None or settings.home.kind != "dask":
        yield None
        return
    from foreart.cluster.spread.dask_pool import DaskPool

    pool = DaskPool(settings)
    try:
        yield pool
    finally:
        pool.close()
