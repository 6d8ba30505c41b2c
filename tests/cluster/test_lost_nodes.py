"""Three real OpenSearch nodes are killed, hang, are full or emptied: nothing is lost, nothing is silently partial."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

import pytest

import house
from cluster.searching import Searching
from extras import needs
from foreart.cluster.cluster_settings import HERE, ClusterSettings, keep_settings
from foreart.document.draft import Draft
from foreart.errors import ClusterError, ForeartError, StaleIndex
from foreart.library import SAMPLE, Library
from foreart.sources import read
from opensearch_cluster import LocalCluster

# All are slow: a cluster takes its time to notice what is lost, and minutes to copy it again.
pytestmark = [pytest.mark.cluster, pytest.mark.slow, needs("opensearchpy")]
DRAFT = SAMPLE / "drafts" / "insulin-pump.txt"
# One kind of index: the battery of all homes looks at the whole ranking.
KIND = "log-tfidf"
# Stores a library five documents at once, and kills itself when so many are there.
KILLED = """
import os, signal, sys
from foreart.cluster.opensearch.storing import bulk_sending
from foreart.library import Library
bulk_sending._DOCUMENTS = 5
def progress(done, total):
    if done >= int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
with Library(sys.argv[1]) as library:
    library.build("log-tfidf", progress=progress)
"""


@dataclass(frozen=True)
class Stored:
    """A library, the nodes that it is stored on, and the alias that it has there."""

    folder: Path
    nodes: LocalCluster
    name: str

    @property
    def index(self) -> str:
        """The index behind the alias."""
        return next(iter(self.nodes.ask(f"/{self.name}/_mapping", number=self.nodes.running()[0])))

    def draft(self) -> Draft:
        with Library(self.folder) as library:
            return library.draft(DRAFT)

    def searched(self, *, on: str = "") -> list[tuple[str, float]]:
        with Library(self.folder, on=on) as library:
            found = library.search(library.draft(DRAFT), index=KIND, k=50, passages=False)
            return [(hit.id, hit.score) for hit in found]

    def stored(self, progress: Callable[[int, int], None] | None = None) -> None:
        """`foreart build`, which stores what is not there."""
        with Library(self.folder) as library:
            library.build(KIND, progress=progress)

    def told(self, act: Callable[[], object]) -> str:
        """The one sentence of what fails."""
        with pytest.raises(ForeartError) as error:
            act()
        text = str(error.value)
        assert "\n" not in text and len(text) < 300, text
        return text

    def is_whole(self) -> bool:
        """Whether every copy of a shard has every document once, and searches find what one machine finds."""
        self.nodes.await_green()
        (about,) = self.nodes.ask(f"/{self.name}/_stats/docs?level=shards")["indices"].values()
        copies = [sorted(copy["docs"]["count"] for copy in shard) for shard in about["shards"].values()]
        assert all(copy[0] == copy[-1] for copy in copies), copies
        assert sum(copy[0] for copy in copies) == 50
        here, there = self.searched(on=HERE), self.searched()
        assert [number for number, _ in there] == [number for number, _ in here]
        assert [score for _, score in there] == pytest.approx([score for _, score in here], abs=1e-6)
        return True


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that is stored nowhere."""
    with Library(tmp_path_factory.mktemp("indexed") / "library") as library:
        library.add([SAMPLE / "patents.jsonl"])
        library.build(KIND)
        return library.folder


@pytest.fixture
def fresh(indexed: Path, tmp_path: Path, nodes: LocalCluster) -> Stored:
    """A library that is to be stored; the node that the client asks first, the third, names all others."""
    folder = Path(shutil.copytree(indexed, tmp_path / "library"))
    name = f"lost-{token_hex(4)}"
    keep_settings(folder, ClusterSettings(nodes.address(3), name=name))
    return Stored(folder, nodes, name)


@pytest.fixture
def stored(fresh: Stored) -> Stored:
    """The same, stored."""
    fresh.stored()
    return fresh


@pytest.fixture
def in_small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five documents in each request, so that something can happen between two."""
    monkeypatch.setattr("foreart.cluster.opensearch.storing.bulk_sending._DOCUMENTS", 5)


def once(act: Callable[[], object]) -> Callable[[int, int], None]:
    """A progress that does something after the first documents."""
    done: list[object] = []

    def progress(number: int, total: int) -> None:
        if 5 <= number < total and not done:
            done.append(act())

    return progress


def role(nodes: LocalCluster, name: str) -> int:
    """The node that manages the cluster, the one that is asked, or one that does neither."""
    manager = nodes.manager()
    return {"manager": manager, "asked": 3, "data": next(n for n in nodes.numbers if n not in (manager, 3))}[name]


@pytest.mark.parametrize("name", ["manager", "data", "asked"])
def test_a_node_killed_during_searches(stored: Stored, name: str) -> None:
    with Searching(stored.folder, "", stored.draft(), index=KIND) as searching:
        searching.wait_for(2)
        lost = role(stored.nodes, name)
        stored.nodes.kill(lost)
        searching.wait_for(4)
        stored.nodes.start([lost])
        searching.wait_for(2)
    assert len(set(searching.results)) == 1
    assert stored.is_whole()


@pytest.mark.parametrize("name", ["manager", "data"])
def test_a_node_killed_while_documents_are_stored(fresh: Stored, name: str, in_small_steps: None) -> None:
    lost = role(fresh.nodes, name)
    fresh.stored(once(lambda: fresh.nodes.kill(lost)))
    assert fresh.nodes.process(lost) is None
    fresh.nodes.start([lost])
    assert fresh.is_whole()


def test_the_command_killed_while_it_stores(fresh: Stored, tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    environment = {**os.environ, "PYTHONPATH": os.environ.get("PYTHONPATH") or str(house.SOURCE.parent)}
    done = subprocess.run([sys.executable, str(script), str(fresh.folder), "20"], env=environment)
    assert done.returncode == -signal.SIGKILL
    assert "nothing was stored" in fresh.told(fresh.searched)
    steps: list[int] = []
    fresh.stored(lambda number, total: steps.append(number))
    assert fresh.is_whole()


def test_all_nodes_restarted(stored: Stored) -> None:
    stored.nodes.stop()
    assert "no OpenSearch node answers at http://127.0.0.1" in stored.told(stored.searched)
    stored.nodes.start()
    assert stored.is_whole()


def test_a_shard_without_a_copy(stored: Stored) -> None:
    only = {"index": {"auto_expand_replicas": "false", "number_of_replicas": 0}}
    stored.nodes.ask(f"/{stored.index}/_settings", method="PUT", body=only)
    stored.nodes.await_green()
    lost = role(stored.nodes, "data")
    stored.nodes.kill(lost)
    told = stored.told(stored.searched)
    assert "try again when it is healthy" in told, told
    assert "healthy" in stored.told(stored.stored)
    stored.nodes.start([lost])
    assert stored.is_whole()


def test_two_of_three_nodes_lost(stored: Stored) -> None:
    for lost in (1, 2):
        stored.nodes.kill(lost)
    told = stored.told(stored.searched)
    assert "try again when it is healthy" in told, told
    stored.nodes.start([1, 2])
    assert stored.is_whole()


def test_the_index_deleted_behind_our_back(stored: Stored) -> None:
    with Library(stored.folder) as library:
        draft = library.draft(DRAFT)
        library.search(draft, index=KIND)
        stored.nodes.ask(f"/{stored.index}", method="DELETE")
        with pytest.raises((StaleIndex, ClusterError), match="`foreart build --on http:"):
            library.search(draft, index=KIND)
    assert "`foreart build --on http://127.0.0.1" in stored.told(stored.searched)
    stored.stored()
    assert stored.is_whole()


def test_the_index_deleted_while_documents_are_stored(fresh: Stored, in_small_steps: None) -> None:
    def delete() -> None:
        (index,) = fresh.nodes.ask(f"/{fresh.name}-*/_mapping")
        fresh.nodes.ask(f"/{index}", method="DELETE")

    assert "was deleted: `foreart build --on" in fresh.told(lambda: fresh.stored(once(delete)))
    assert fresh.nodes.ask(f"/{fresh.name}-*/_mapping") == {}  # none was made with guessed fields
    fresh.stored()
    assert fresh.is_whole()


def watermarks(nodes: LocalCluster, share: str | None) -> None:
    """Disks are full from this share on; with None as in a cluster that nobody has told anything, but at once."""
    disk = "cluster.routing.allocation.disk"
    marks = {f"{disk}.watermark.{name}": share for name in ("low", "high", "flood_stage")}
    own = {f"{disk}.threshold_enabled": True, "cluster.info.update.interval": "10s", **marks}
    nodes.ask("/_cluster/settings", method="PUT", body={"persistent": own})


def is_blocked(nodes: LocalCluster, name: str) -> bool:
    (about,) = nodes.ask(f"/{name}-*/_settings?flat_settings=true").values()
    return about["settings"].get("index.blocks.read_only_allow_delete") == "true"


def until(happened: Callable[[], bool], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_the_disks_are_full(fresh: Stored, in_small_steps: None) -> None:
    def fill() -> None:
        watermarks(fresh.nodes, "1%")
        until(lambda: is_blocked(fresh.nodes, fresh.name))

    told = fresh.told(lambda: fresh.stored(once(fill)))
    assert told.startswith(f"the disks of {fresh.nodes.address(3)} are too full, so that it takes no more documents"), (
        told
    )
    watermarks(fresh.nodes, None)
    until(lambda: not is_blocked(fresh.nodes, fresh.name))
    fresh.stored()
    assert fresh.is_whole()


def test_a_node_that_hangs(stored: Stored) -> None:
    """Not the one that is asked: the cluster itself notices after half a minute that the other does not answer."""
    with Searching(stored.folder, "", stored.draft(), index=KIND) as searching:
        searching.wait_for(2)
        hanging = role(stored.nodes, "data")
        stored.nodes.pause(hanging)
        searching.wait_for(4)
        stored.nodes.resume(hanging)
        searching.wait_for(2)
    assert len(set(searching.results)) == 1
    assert stored.is_whole()


def test_two_machines_store_the_same_state(fresh: Stored, tmp_path: Path, in_small_steps: None) -> None:
    """Each with a copy of the library; what one has sent the other does not send."""
    (fresh.folder / "library-id").write_text("0123456789abcdef\n")
    other = Stored(Path(shutil.copytree(fresh.folder, tmp_path / "other")), fresh.nodes, fresh.name)
    fresh.stored(once(other.stored))
    assert other.is_whole()
    assert fresh.is_whole()


def test_two_builders_in_one_library(fresh: Stored, in_small_steps: None) -> None:
    told: list[str] = []
    fresh.stored(once(lambda: told.append(fresh.told(fresh.stored))))
    assert len(told) == 1 and "is being written by another foreart process: wait until it has finished" in told[0]
    assert fresh.is_whole()


@pytest.fixture
def searching(stored: Stored) -> Iterator[Searching]:
    """Searches that never stop."""
    with Searching(stored.folder, "", stored.draft(), index=KIND) as begun:
        begun.wait_for(2)
        yield begun


@pytest.mark.slow
def test_no_search_fails_in_forty_switches(nodes: LocalCluster, tmp_path: Path) -> None:
    """Forty documents more, one after the other, each a new index behind the alias."""
    patents = list(read(SAMPLE / "patents.jsonl"))
    switched = Stored(tmp_path / "library", nodes, f"switched-{token_hex(4)}")
    with Library(switched.folder, on=HERE) as library:
        library.corpus.add(patents[:10])
        library.build(KIND)
    keep_settings(switched.folder, ClusterSettings(nodes.address(3), name=switched.name))
    switched.stored()
    with Searching(switched.folder, "", switched.draft(), index=KIND) as searching:
        searching.wait_for(2)
        with Library(switched.folder) as library:
            for patent in patents[10:]:
                library.corpus.add([patent])
                library.build(KIND)
                assert searching.errors == []
        searching.wait_for(2)
    assert len(set(searching.results)) > 5
    assert switched.is_whole()


@pytest.mark.slow
def test_no_search_fails_in_twenty_kills(stored: Stored, searching: Searching) -> None:
    for number in range(20):
        lost = number % 3 + 1
        stored.nodes.kill(lost)
        searching.wait_for(1)
        stored.nodes.start([lost])
        searching.wait_for(1)
    assert len(set(searching.results)) == 1
    assert stored.is_whole()
