"""A build on real Dask workers gives the same bytes as a build on one machine, whatever is killed meanwhile."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dask_processes import SOURCE, DaskProcesses, dask_processes
from extras import needs
from foreart.cluster.cluster_settings import ClusterSettings
from foreart.document.draft import Draft
from foreart.errors import ClusterError, IndexingError
from foreart.library import Library
from library_files import library_files
from random_patents import fill

pytestmark = needs("distributed")

# Three batches of 512, so that a build can be interrupted between them.
DOCUMENTS = 1100
KINDS = ("log-tfidf", "topics")
# Runs a build that kills itself when so many documents were reported in all.
KILLED = """
import os, signal, sys
from foreart.library import Library
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
def test_same_bytes_on_any_number_of_workers(
    workers: int, here: Path, fresh: Path, cluster: DaskProcesses
) -> None:
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
    from foreart.cluster.cluster_settings import keep_settings

    keep_settings(fresh, ClusterSettings(cluster.address, folder=str(tmp_path / "elsewhere")))
    with pytest.raises(ClusterError, match=r"does not see .*elsewhere: all machines share the folder of the library"):
        built(fresh, "")
    # The same folder under another path is fine.
    (tmp_path / "elsewhere").symlink_to(fresh)
    built(fresh, "")


def test_no_cluster_there(fresh: Path) -> None:
    with pytest.raises(ClusterError, match="no Dask scheduler answers at dask://127.0.0.1:9"):
        built(fresh, "dask://127.0.0.1:9")
