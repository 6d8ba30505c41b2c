"""A library stored in OpenSearch and searched there, by a cluster in memory."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_opensearch import FakeOpenSearch

from foreart.cluster.cluster_settings import ClusterSettings
from foreart.cluster.home_address import home_address
from foreart.cluster.opensearch.asking.stored_states import ClusterStates
from foreart.cluster.opensearch.opensearch_door import OpenSearchDoor
from foreart.cluster.opensearch.storing.state_storing import store_state
from foreart.errors import ClusterError
from foreart.library import SAMPLE, Library

pytest.importorskip("opensearchpy")
ADDRESS = "http://127.0.0.1:9200"
DRAFTS = sorted((SAMPLE / "drafts").glob("*.*"))


@pytest.fixture(scope="module")
def library(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Library:
    return Library(built)


def door(cluster: FakeOpenSearch) -> OpenSearchDoor:
    return OpenSearchDoor(home_address(ADDRESS), ClusterSettings(ADDRESS).tls, lambda home, tls: cluster.perform)


def test_the_same_list_and_scores(library: Library) -> None:
    cluster = FakeOpenSearch()
    settings = ClusterSettings(ADDRESS)
    done = store_state(library.folder, library.corpus, settings, door=door(cluster))
    assert (done.sent, done.there) == (50, 0)
    again = store_state(library.folder, library.corpus, settings, door=door(cluster))
    assert (again.sent, again.there) == (0, 50)
    away = Library(library.folder, on="here")
    away._states = ClusterStates(settings, door(cluster))
    for path in DRAFTS:
        expected, found = (each.search(each.draft(path), k=50) for each in (library, away))
        assert [hit.id for hit in found] == [hit.id for hit in expected] and len(found) > 5
        assert [hit.score for hit in found] == pytest.approx([hit.score for hit in expected], abs=1e-6)
    assert cluster.searches


def test_another_library_does_not_take_the_name(library: Library, tmp_path: Path) -> None:
    cluster = FakeOpenSearch()
    store_state(library.folder, library.corpus, ClusterSettings(ADDRESS), door=door(cluster))
    with Library(tmp_path / "other") as other:
        other.add([SAMPLE / "patents.jsonl"])
        other.build("tfidf")
        with pytest.raises(ClusterError, match="belongs to another library: choose another name"):
            store_state(other.folder, other.corpus, ClusterSettings(ADDRESS), door=door(cluster))
        store_state(other.folder, other.corpus, ClusterSettings(ADDRESS, name="other"), door=door(cluster))
    assert len(cluster.indexes) == 2
