"""A build on real Dask workers gives the same bytes as a build on one machine, whatever is killed meanwhile."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from threading import Event, Thread

import pytest

import foreart as fa
from dask_processes import SOURCE, DaskProcesses, dask_processes
from extras import needs
from foreart.cluster.cluster_settings import ClusterSettings, keep_settings
from foreart.cluster.spread import dask_pool
from foreart.cluster.spread.dask_pool import DaskPool
from foreart.document.draft import Draft
from foreart.errors import BadFile, ClusterError, ForeartError, IndexingError
from foreart.library import Library
from foreart.part_files import PARTS, PartTask
from foreart.sources import read
from library_files import library_files
from part_pools import EndingTask
from random_patents import fill

pytestmark = needs("distributed")

# Three batches of 512, so that a build can be interrupted between them.
DOCUMENTS = 1100
KINDS = ("log-tfidf", "topics")
# Runs a build that kills itself when so many documents were reported in all.
KILLED = """
import os, signal, sys
from foreart.library import Library
from foreart.part_files import PARTS, PartTask
left = int(sys.argv[3])
def progress(done, total):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
if __name__ == "__main__":
    with Library(sys.argv[1], on=sys.argv[2]) as library:
        library.build(*sys.argv[4:], progress=progress)
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library without indexes."""
    folder = tmp_path_factory.mktemp("loaded") / "library"
    with Library(folder) as library:
        fill(library.corpus, range(DOCUMENTS), seed=1)
    return folder


@pytest.fixture(scope="module")
def here(loaded: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, built on this machine."""
    folder = shutil.copytree(loaded, tmp_path_factory.mktemp("here") / "library")
    with Library(folder) as library:
        library.build(*KINDS)
    return folder


@pytest.fixture
def fresh(loaded: Path, tmp_path: Path) -> Path:
    return shutil.copytree(loaded, tmp_path / "library")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskProcesses]:
    with dask_processes(tmp_path_factory.mktemp("dask") / "cluster", workers=1) as started:
        yield started


def built(folder: Path, address: str, *, progress: Callable[[int, int], None] | None = None) -> None:
    with Library(folder, on=address) as library:
        library.build(*KINDS, progress=progress)


def left(folder: Path) -> dict[Path, int]:
    """The parts of an interrupted build, and when each was written."""
    parts = folder / "building"
    return {path.relative_to(folder): path.stat().st_mtime_ns for path in parts.glob("*.*") if path.is_file()}


def found(folder: Path) -> list[tuple[str, float]]:
    """What a search on this machine finds."""
    draft = Draft(abstract="w1 w2 schraube knochenschraube often")
    with Library(folder, on="here") as library:
        return [(hit.id, hit.score) for hit in library.search(draft, index="log-tfidf", cutoff="2030-01-01")]


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_same_bytes_on_any_number_of_workers(workers: int, here: Path, fresh: Path, cluster: DaskProcesses) -> None:
    cluster.start_workers(workers - len(cluster.workers))
    steps: list[tuple[int, int]] = []
    built(fresh, cluster.address, progress=lambda *step: steps.append(step))
    assert library_files(fresh) == library_files(here)
    assert not (fresh / "building").exists()
    assert {total for _, total in steps} == {DOCUMENTS}
    assert [done for done, _ in steps if done == DOCUMENTS]


def test_new_documents_alone_are_read(
    here: Path, tmp_path: Path, cluster: DaskProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [shutil.copytree(here, tmp_path / name) for name in ("alone", "spread")]
    steps: list[tuple[int, int]] = []
    for folder, address in zip(folders, ("here", cluster.address), strict=True):
        with Library(folder, on=address) as library:
            fill(library.corpus, range(5000, 5012), seed=2)
            steps.clear()
            library.build(*KINDS, progress=lambda *step: steps.append(step))
    assert {total for _, total in steps} == {12}
    assert library_files(folders[0]) == library_files(folders[1])


def test_a_worker_killed_in_the_middle(here: Path, fresh: Path, tmp_path: Path) -> None:
    with dask_processes(tmp_path / "cluster", workers=2) as own:

        def progress(done: int, total: int) -> None:
            if len(own.workers) == 2:
                own.kill_worker()

        built(fresh, own.address, progress=progress)
        assert len(own.workers) == 1
    assert library_files(fresh) == library_files(here)


# The steps are: three counted parts of the full text, two batches of topics, three of facts.
@pytest.mark.parametrize("steps", [2, 4, 7])
def test_the_asking_process_killed_in_the_middle(
    steps: int, here: Path, fresh: Path, tmp_path: Path, cluster: DaskProcesses
) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    command = [sys.executable, str(script), str(fresh), cluster.address, str(steps), *KINDS]
    killed = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(SOURCE)}, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not (fresh / "published.json").exists()
    before = left(fresh)
    assert before
    seen: dict[Path, int] = {}
    built(fresh, cluster.address, progress=lambda *_: seen.update(left(fresh)))
    again = [path for path in before if seen.get(path, before[path]) != before[path]]
    assert again == []
    assert library_files(fresh) == library_files(here)
    assert not (fresh / "building").exists()


def test_a_build_that_was_killed_on_a_cluster_continues_here(
    here: Path, fresh: Path, tmp_path: Path, cluster: DaskProcesses
) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    command = [sys.executable, str(script), str(fresh), cluster.address, "2", *KINDS]
    assert subprocess.run(command, env={**os.environ, "PYTHONPATH": str(SOURCE)}, check=False).returncode < 0
    with Library(fresh, on="here") as library:
        library.build(*KINDS)
    assert library_files(fresh) == library_files(here)
    assert not (fresh / "building").exists()


def test_the_scheduler_is_lost(here: Path, tmp_path: Path, cluster: DaskProcesses) -> None:
    folder = shutil.copytree(here, tmp_path / "library")
    before = found(folder)
    assert len(before) > 5
    with Library(folder) as library:
        fill(library.corpus, range(6000, 6600), seed=3)
    with dask_processes(tmp_path / "cluster", workers=1) as own:
        with pytest.raises(ClusterError) as lost:
            built(folder, own.address, progress=lambda *_: own.kill_scheduler())
        assert str(lost.value) == (
            f"the scheduler {own.address} was lost during a build: start it; parts that are finished are kept: run "
            "the same command again to continue"
        )
    assert found(folder) == before
    built(folder, cluster.address)
    assert library_files(folder) != library_files(here)
    assert found(folder)


@pytest.mark.slow
def test_no_search_fails_in_forty_switches(tmp_path: Path, cluster: DaskProcesses) -> None:
    """Searches here and on the cluster, each over the state before or after, while every document is published."""
    folder = tmp_path / "library"
    patents = list(read(fa.SAMPLE / "patents.jsonl"))
    draft = fa.read_draft(fa.SAMPLE / "drafts" / "insulin-pump.txt")
    with Library(folder) as library:
        library.corpus.add(patents[:10])
        library.build("log-tfidf")
    over, failed = Event(), []
    lists: dict[str, set[tuple[str, ...]]] = {"here": set(), cluster.address: set()}

    def searching(on: str) -> None:
        with Library(folder, on=on) as own:
            while not over.is_set():
                try:
                    result = own.search(draft, index="log-tfidf", k=60, cutoff="2030-01-01")
                except Exception as error:  # noqa: BLE001 whatever it is, it must not happen
                    failed.append(f"{on}: {type(error).__name__}: {error}")
                else:
                    lists[on].add(tuple(sorted(hit.id for hit in result)))

    threads = [Thread(target=searching, args=(on,)) for on in lists]
    for thread in threads:
        thread.start()
    try:
        for patent in patents[10:]:
            with Library(folder, on=cluster.address) as library:
                library.corpus.add([patent])
                library.build("log-tfidf")
    finally:
        over.set()
        for thread in threads:
            thread.join()
    assert failed == []
    # Searches did run between the switches.
    assert all(len(found) > 5 for found in lists.values())


def test_two_builders_at_once(fresh: Path, cluster: DaskProcesses) -> None:
    refused: list[str] = []

    def progress(done: int, total: int) -> None:
        if not refused:
            with pytest.raises(IndexingError) as error:
                built(fresh, cluster.address)
            refused.append(str(error.value))

    built(fresh, cluster.address, progress=progress)
    assert refused == [
        f"{fresh} is being written by another foreart process: wait until it has finished, then run this again"
    ]


def test_workers_that_do_not_see_the_folder(fresh: Path, cluster: DaskProcesses, tmp_path: Path) -> None:
    keep_settings(fresh, ClusterSettings(cluster.address, folder=str(tmp_path / "elsewhere")))
    with pytest.raises(ClusterError, match=r"does not see .*elsewhere: all machines share the folder of the library"):
        built(fresh, "")
    # The same folder under another path is fine.
    (tmp_path / "elsewhere").symlink_to(fresh)
    built(fresh, "")


def test_all_workers_are_lost(fresh: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_pool, "_WITHOUT_WORKERS", 1.0)
    with dask_processes(tmp_path / "cluster", workers=1) as own:

        def progress(done: int, total: int) -> None:
            if own.workers:
                own.kill_worker()

        with pytest.raises(ClusterError, match="has had no worker for 1 seconds: start some; parts that are finished"):
            built(fresh, own.address, progress=progress)
        assert left(fresh)
        # As soon as there is one, the same command continues.
        own.start_workers(1)
        built(fresh, own.address)


def test_a_part_that_ends_its_workers(fresh: Path, tmp_path: Path) -> None:
    """As the kernel ends a process that has taken all memory. Dask gives up after some workers, here after one."""
    settings = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
    with dask_processes(tmp_path / "cluster", workers=2, settings=settings) as own:
        pool = DaskPool(ClusterSettings(own.address))
        (fresh / PARTS).mkdir()
        with pytest.raises(ClusterError, match="several workers were lost at the same part: have they enough memory"):
            list(pool.completed([EndingTask(PARTS / "a")], fresh))
        pool.close()


@dataclass(frozen=True)
class FailingTask(PartTask):
    path: Path
    documents: int
    error: Exception

    def is_written(self, root: Path) -> bool:
        return False

    def write(self, root: Path) -> None:
        raise self.error


def test_workers_that_cannot_load_a_task(fresh: Path, cluster: DaskProcesses) -> None:
    (fresh / PARTS).mkdir()
    pool = DaskPool(ClusterSettings(cluster.address))
    with pytest.raises(ClusterError, match=r"cannot load this version of foreart: install `foreart.cluster.` there"):
        list(pool.completed([FailingTask(PARTS / "a", 1, OSError())], fresh))  # this module is not on their path
    pool.close()


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.ENOSPC, "full"), r"the disk of worker \S+ is full"),
        (MemoryError(), "has not enough memory for a part; parts that are finished are kept"),
        (BadFile("/models/one: no model"), "^/models/one: no model$"),
        (ValueError("the text of a patent"), r"worker \S+ failed: ValueError at test_build_on_dask.py:\d+; parts that"),
    ],
)
def test_what_a_worker_says(error: Exception, sentence: str, tmp_path: Path) -> None:
    (tmp_path / PARTS).mkdir()
    outcome = dask_pool.written(FailingTask(PARTS / "a", 1, error), str(tmp_path), version("foreart"))
    with pytest.raises((ForeartError, OSError), match=sentence):
        dask_pool.checked(outcome)


def test_a_worker_of_another_version_refuses(tmp_path: Path) -> None:
    outcome = dask_pool.written(EndingTask(PARTS / "a"), str(tmp_path), "0.0.1")
    with pytest.raises(ClusterError, match=r"runs foreart \S+ and this process 0\.0\.1: install the same version"):
        dask_pool.checked(outcome)


def test_no_cluster_there(fresh: Path) -> None:
    with pytest.raises(ClusterError, match=r"no Dask scheduler answers at dask://127\.0\.0\.1:9"):
        built(fresh, "dask://127.0.0.1:9")
