"""What users see when a worker, the scheduler or a version is not as it should be: nothing, or one clear sentence."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import house
from cluster.certificates import Certificates, authority
from cluster.conftest import RunningCluster, needs_dask, running_cluster
from cluster.searching import Searching
from foreart.cluster.cluster_settings import ClusterSettings, TlsFiles, keep_settings
from foreart.cluster.spread import spread_state
from foreart.errors import ClusterError, StaleIndex
from foreart.library import SAMPLE, Library

pytestmark = needs_dask
DRAFT = SAMPLE / "drafts" / "insulin-pump.txt"


def command(*words: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(house.SOURCE.parent)}
    return subprocess.run(
        [sys.executable, "-m", "foreart", *map(str, words)],
        env=environment,
        text=True,
        capture_output=True,
        timeout=240,
    )


def one_sentence(done: subprocess.CompletedProcess[str]) -> str:
    """The last line of a command that failed; it is the only one but for the name of the cluster, and no traceback."""
    lines = [line for line in done.stderr.strip().splitlines() if "`foreart cluster use` set" not in line]
    assert (done.returncode, len(lines), lines[0].startswith("Error: ")) == (1, 1, True), done.stderr
    return lines[0]


@pytest.fixture
def own(folder: Path) -> Iterator[RunningCluster]:
    """A cluster of this test alone."""
    with running_cluster(folder) as running:
        yield running


def test_no_search_fails_when_workers_are_killed(folder: Path, own: RunningCluster) -> None:
    with Library(folder, on=own.address) as library, Searching(folder, own.address, library.draft(DRAFT)) as searching:
        searching.wait_for(2)
        for _ in range(3):
            os.kill(own.workers[0], signal.SIGKILL)
            searching.wait_for(3)
    assert len(set(searching.results)) == 1


def test_no_search_fails_when_all_workers_are_killed_at_once(folder: Path, own: RunningCluster) -> None:
    with Library(folder, on=own.address) as library, Searching(folder, own.address, library.draft(DRAFT)) as searching:
        searching.wait_for(2)
        for worker in own.workers:
            os.kill(worker, signal.SIGKILL)
        searching.wait_for(3)
    assert len(set(searching.results)) == 1


def test_a_worker_that_hangs_is_replaced_by_another(folder: Path, own: RunningCluster) -> None:
    with Library(folder, on=own.address) as library:
        draft = library.draft(DRAFT)
        before = [(hit.id, hit.score) for hit in library.search(draft)]
        hanging = own.workers[0]
        os.kill(hanging, signal.SIGSTOP)
        try:
            assert [(hit.id, hit.score) for hit in library.search(draft)] == before
        finally:
            os.kill(hanging, signal.SIGCONT)


def test_an_index_deleted_behind_our_back(folder: Path, own: RunningCluster) -> None:
    """What is open stays open; opening it afterwards is an error."""
    with Library(folder, on=own.address) as library:
        before = [(hit.id, hit.score) for hit in library.search(library.draft(DRAFT))]
        shutil.rmtree(folder / "indexes" / "topics")
        assert [(hit.id, hit.score) for hit in library.search(library.draft(DRAFT))] == before
    assert "foreart build" in one_sentence(command("search", DRAFT, "-l", folder, "--on", own.address))


@pytest.mark.slow
def test_no_search_fails_in_twenty_kills(folder: Path, own: RunningCluster) -> None:
    with Library(folder, on=own.address) as library, Searching(folder, own.address, library.draft(DRAFT)) as searching:
        searching.wait_for(2)
        for _ in range(20):
            os.kill(own.workers[0], signal.SIGKILL)
            searching.wait_for(2)
    assert len(set(searching.results)) == 1


def test_a_lost_scheduler_is_told_in_one_sentence_and_found_again(folder: Path) -> None:
    with running_cluster(folder) as running, Library(folder, on=running.address) as library:
        draft = library.draft(DRAFT)
        library.search(draft)
        running.process.kill()
        running.process.wait()
        with pytest.raises(ClusterError, match=r"scheduler (.* was lost|answers)"):
            library.search(draft)
        done = command("search", DRAFT, "-l", folder, "--on", running.address)
        assert "no Dask scheduler answers at dask://127.0.0.1" in one_sentence(done)
        port = running.address.rpartition(":")[2]
        with running_cluster(folder, "--port", port):
            assert library.search(draft).hits


def test_addresses_where_no_scheduler_is(folder: Path, cluster: RunningCluster) -> None:
    for address, sentence in (
        ("dask://127.0.0.1:9", "no Dask scheduler answers at dask://127.0.0.1:9"),
        ("tls://127.0.0.1:9", "tls://127.0.0.1:9 needs certificates"),
        (cluster.address.replace("dask", "tls"), "tls://"),
        ("node7:8786", "is not the address of a cluster"),
    ):
        assert sentence in one_sentence(command("search", DRAFT, "-l", folder, "--on", address))


def test_workers_of_another_version_refuse(
    folder: Path, cluster: RunningCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spread_state, "version", lambda name: "99.1")
    with Library(folder, on=cluster.address) as library, pytest.raises(ClusterError) as refused:
        library.search(library.draft(DRAFT))
    assert str(refused.value).startswith("a worker runs foreart ")
    assert str(refused.value).endswith("this process 99.1: install the same version on all machines")


def test_workers_with_another_library_refuse(folder: Path, cluster: RunningCluster, tmp_path: Path) -> None:
    other = Path(shutil.copytree(folder, tmp_path / "other"))
    with Library(other, on="here") as library:
        library.corpus.remove([library.index().ids[0]])
        library.build()
        library.corpus.remove([library.index().ids[0]])
        library.build()
    keep_settings(folder, ClusterSettings(cluster.address, folder=str(other)))
    with Library(folder) as library, pytest.raises(StaleIndex, match=r"cannot open this state of .*other"):
        library.search(library.draft(DRAFT))
    status = command("cluster", "status", "-l", folder, "--json")
    assert status.returncode == 1, status.stderr
    assert status.stdout, status.stderr
    assert all("cannot open this state" in worker["problem"] for worker in json.loads(status.stdout)["workers"])


def test_a_cluster_needs_no_address_after_use(folder: Path, cluster: RunningCluster) -> None:
    plain = command("search", DRAFT, "-l", folder, "--json")
    assert command("cluster", "use", cluster.address, "--shards", 2, "-l", folder).returncode == 0
    status = json.loads(command("cluster", "status", "-l", folder, "--json").stdout)
    assert (status["shards"], len(status["workers"]), status["documents"]) == (2, 3, 50)
    assert sorted(number for worker in status["workers"] for number in worker["shards"]) == [0, 1]
    assert sorted(number for worker in status["workers"] for number in worker["copies"]) == [0, 1]
    there = command("search", DRAFT, "-l", folder, "--json")
    assert there.stdout == plain.stdout
    assert f"on {cluster.address}, which `foreart cluster use` set" in there.stderr
    assert command("cluster", "use", "here", "-l", folder).returncode == 0
    assert "name a cluster with --on" in one_sentence(command("cluster", "status", "-l", folder))


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return authority(tmp_path_factory.mktemp("ours"))


def tls(files: TlsFiles) -> list[str]:
    return ["--tls-ca", files.ca, "--tls-cert", files.cert, "--tls-key", files.key]


def test_an_encrypted_cluster_answers_those_with_a_certificate(
    folder: Path, certificates: Certificates, tmp_path: Path
) -> None:
    plain = command("search", DRAFT, "-l", folder, "--json").stdout
    stranger = authority(tmp_path / "theirs").files
    with running_cluster(folder, *tls(certificates.files), workers=2) as running:
        assert running.address.startswith("tls://")
        keep_settings(folder, ClusterSettings(running.address, tls=certificates.files))
        assert command("search", DRAFT, "-l", folder, "--json").stdout == plain
        keep_settings(folder, ClusterSettings(running.address, tls=stranger))
        assert "--tls-ca" in one_sentence(command("search", DRAFT, "-l", folder))
        keep_settings(folder, ClusterSettings())
        without = one_sentence(command("search", DRAFT, "-l", folder, "--on", running.address))
        assert "certificates" in without or "tls" in without
        unencrypted = running.address.replace("tls", "dask")
        assert "tls://" in one_sentence(command("search", DRAFT, "-l", folder, "--on", unencrypted))


def test_a_cluster_for_other_machines_needs_certificates(folder: Path) -> None:
    done = command("cluster", "start", "-l", folder, "--address", "0.0.0.0", "--port", 0)
    assert "could run code here: give --tls-ca" in one_sentence(done)


def test_all_processes_end_with_the_one_that_started_them(folder: Path) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        with running_cluster(folder, workers=2) as running:
            workers = running.workers
            assert len(workers) == 2
            running.process.send_signal(number)
            running.process.wait(60)
            deadline = time.monotonic() + 60
            while any(Path(f"/proc/{worker}/cmdline").exists() for worker in workers) and time.monotonic() < deadline:
                time.sleep(0.1)
            assert not any(Path(f"/proc/{worker}/cmdline").exists() for worker in workers)


@pytest.mark.slow
def test_no_search_fails_while_other_states_are_published(folder: Path, own: RunningCluster) -> None:
    with Library(folder, on=own.address) as library, Library(folder, on="here") as writing:
        draft, ids = library.draft(DRAFT), list(writing.index().ids)
        with Searching(folder, own.address, draft) as searching:
            for number in range(40):
                writing.corpus.remove([ids[number]]) if number < 20 else writing.add([SAMPLE / "patents.jsonl"])
                writing.build()
                assert searching.errors == []
            searching.wait_for(2)
    assert len(searching.results) > 40
