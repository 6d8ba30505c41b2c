"""Both clusters that foreart can search on, on this machine: three OpenSearch nodes and three Dask workers.

usage: scripts/local_clusters.py start|stop      (`make cluster`, `make stop-cluster`)

OpenSearch answers at http://127.0.0.1:9200, Dask at dask://127.0.0.1:8786. Where Maven or Java is missing, Dask runs
alone, and a sentence says so.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from foreart.library import SAMPLE, Library
from opensearch_cluster import LocalCluster, opened
from opensearch_home import Unavailable, cache

DASK_PORT, WORKERS = 8786, 3


def local_opensearch() -> LocalCluster:
    """The three nodes of this machine, which tests use too: those that run, wherever they were told to listen."""
    folder = cache() / "cluster"
    if (folder / "cluster.json").exists() and (found := opened(folder)).running():
        return found
    return LocalCluster(folder, fast_start=True)


def start() -> None:
    """Starts what does not run."""
    try:
        nodes = local_opensearch()
        nodes.start()
        _say(f"OpenSearch: {nodes.address()} ({nodes.nodes} nodes)")
    except Unavailable as reason:
        _say(f"no OpenSearch: {reason}")
    if _dask() is None:
        folder = cache() / "dask"
        folder.mkdir(parents=True, exist_ok=True)
        with Library(folder / "library") as library:  # the command wants one; workers open any
            library.add([SAMPLE / "patents.jsonl"])
        command = [sys.executable, "-m", "foreart", "cluster", "start", "--workers", str(WORKERS)]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(  # noqa: S603
                [*command, "--port", str(DASK_PORT), "--json", "-l", str(folder / "library")],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                cwd=folder,
                start_new_session=True,
            )
        (folder / "pid").write_text(str(process.pid))
        while "address" not in (folder / "log").read_text():
            if process.poll() is not None:
                raise SystemExit((folder / "log").read_text())
            time.sleep(0.1)
    _say(f"Dask: dask://127.0.0.1:{DASK_PORT} ({WORKERS} workers)")


def stop() -> None:
    """Ends both."""
    local_opensearch().stop()
    while process := _dask():
        os.kill(process, signal.SIGTERM)
        time.sleep(0.5)


def _dask() -> int | None:
    """The process of the Dask cluster, if it runs."""
    try:
        found = int((cache() / "dask" / "pid").read_text())
        words = Path(f"/proc/{found}/cmdline").read_bytes()
    except (OSError, ValueError):
        return None
    return found if b"cluster\0start" in words else None


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


if __name__ == "__main__":
    if sys.argv[1:] not in (["start"], ["stop"]):
        raise SystemExit(__doc__)
    start() if sys.argv[1] == "start" else stop()
