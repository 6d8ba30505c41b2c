"""A library of the sample corpus, and a real cluster: a scheduler and worker processes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

import house
from foreart.library import SAMPLE, Library
from local_clusters import local_opensearch
from opensearch_cluster import LocalCluster, free_ports
from opensearch_home import lacking

MISSING = "Dask is missing: pip install 'foreart[cluster]'"
needs_dask = pytest.mark.skipif(find_spec("distributed") is None, reason=MISSING)


@dataclass(frozen=True)
class RunningCluster:
    """The address of a cluster and the process that started it."""

    address: str
    process: subprocess.Popen[bytes]

    @property
    def workers(self) -> list[int]:
        """The processes of its workers."""
        found = []
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rpartition(")")[2].split()
                command = (path.parent / "cmdline").read_bytes()
            except OSError:
                continue
            if int(fields[1]) == self.process.pid and b"spawn_main" in command:
                found.append(int(path.parent.name))
        return found


@contextmanager
def running_cluster(folder: Path, *options: str, workers: int = 3) -> Iterator[RunningCluster]:
    """`foreart cluster start` on a free port, until the block ends."""
    words = ["cluster", "start", "--workers", str(workers), "--port", "0", "--json", "-l", str(folder), *options]
    environment = {**os.environ, "PYTHONPATH": str(house.SOURCE.parent)}
    process = subprocess.Popen(
        [sys.executable, "-m", "foreart", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    try:
        assert process.stdout is not None and process.stderr is not None
        line = process.stdout.readline()
        if not line:
            raise AssertionError(process.stderr.read().decode())
        yield RunningCluster(json.loads(line)["address"], process)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with every kind of index that needs no download, learned."""
    with Library(tmp_path_factory.mktemp("spread") / "library") as library:
        library.add([SAMPLE / "patents.jsonl"])
        library.build()
        library.build("ppmi", parameters={"dimensions": 8})
        library.build("passages", parameters={"words": 60})
        library.learn()
        return library.folder


@pytest.fixture
def folder(built: Path, tmp_path: Path) -> Path:
    """A copy of the library, to be changed."""
    return Path(shutil.copytree(built, tmp_path / "library"))


@pytest.fixture(scope="session")
def cluster(built: Path) -> Iterator[RunningCluster]:
    """One cluster of three workers for all tests that harm none of them."""
    if find_spec("distributed") is None:
        pytest.skip(MISSING)
    with running_cluster(built) as running:
        yield running


@pytest.fixture(scope="session")
def opensearch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    """Three nodes: those of `make cluster` if they run, else some that end with the tests."""
    if reason := lacking():
        pytest.skip(reason)
    standing = local_opensearch()
    if len(standing.running()) == standing.nodes:
        standing.await_green()
        yield standing
        return
    own = LocalCluster(tmp_path_factory.mktemp("opensearch"), port=free_ports(standing.nodes), fast_start=True)
    try:
        own.start()
        yield own
    finally:
        own.stop()


@pytest.fixture
def nodes(opensearch: LocalCluster) -> Iterator[LocalCluster]:
    """The same; whatever the test does to nodes and settings is undone, and the indexes that it made are deleted."""
    before = set(opensearch.ask("/_all/_settings"))
    yield opensearch
    for number in opensearch.numbers:
        opensearch.resume(number)
    opensearch.start()
    nothing = {"persistent": {"cluster.*": None}, "transient": {"*": None}}
    opensearch.ask("/_cluster/settings", method="PUT", body=nothing)
    for name in set(opensearch.ask("/_all/_settings")) - before:
        opensearch.ask(f"/{name}", method="DELETE")
