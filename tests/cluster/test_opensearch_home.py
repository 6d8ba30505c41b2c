"""A library stored in OpenSearch and searched there, by a cluster in memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from fake_opensearch import FakeOpenSearch, passes

from foreart.cli.app import app
from foreart.cluster import asked_index
from foreart.cluster.cluster_settings import ClusterSettings, cluster_settings
from foreart.cluster.home_address import home_address
from foreart.cluster.opensearch import opensearch_door
from foreart.cluster.opensearch.asking import row_filters, stored_index
from foreart.cluster.opensearch.asking.stored_states import ClusterStates
from foreart.cluster.opensearch.opensearch_door import OpenSearchDoor
from foreart.cluster.opensearch.stored_fields import stored_words
from foreart.cluster.opensearch.storing.state_storing import store_state
from foreart.document.draft import Draft
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


@pytest.fixture(scope="module")
def cluster(library: Library) -> FakeOpenSearch:
    made = FakeOpenSearch()
    store_state(library.folder, library.corpus, ClusterSettings(ADDRESS), door=door(made))
    return made


@pytest.fixture
def away(library: Library, cluster: FakeOpenSearch) -> Library:
    found = Library(library.folder, on="here")
    found._states = ClusterStates(ClusterSettings(ADDRESS), door(cluster))
    return found


@pytest.mark.parametrize(
    "options",
    [
        {"k": 1},
        {"k": 500},
        {"classes": ["A61"]},
        {"published_to": "2004"},
        {"must": ["tube*"]},
        {"exact": True},
        {"index": "bm25"},
        {"index": "tfidf"},
        {"index": "topics"},
        {"index": "passages"},
        {"ranking": "rrf"},
    ],
    ids=str,
)
def test_options_give_the_same_list(library: Library, away: Library, options: dict[str, Any]) -> None:
    for path in DRAFTS[:2]:
        expected, found = (each.search(each.draft(path), **options) for each in (library, away))
        assert [hit.id for hit in found] == [hit.id for hit in expected]
        largest = max((abs(hit.score) for hit in expected), default=1.0)
        assert [hit.score for hit in found] == pytest.approx([hit.score for hit in expected], abs=1e-6 * largest)
        assert (found.removed, found.compared, found.notes) == (expected.removed, expected.compared, expected.notes)


def test_a_draft_without_words_finds_nothing_and_asks_nothing(away: Library, cluster: FakeOpenSearch) -> None:
    cluster.searches.clear()
    assert len(away.search(Draft(description=()), index="log-tfidf")) == 0
    assert cluster.searches == []


def test_explanations_and_charts_are_those_of_this_machine(library: Library, away: Library) -> None:
    draft = library.draft(DRAFTS[0])
    number = library.search(draft, k=1).hits[0].id
    expected, found = library.explain(draft, number), away.explain(draft, number)
    assert found.rank == expected.rank and found.score == pytest.approx(expected.score, abs=1e-6)
    assert [(each.word, round(each.contribution, 5)) for each in found.words] == [
        (each.word, round(each.contribution, 5)) for each in expected.words
    ]
    assert sum(channel.contribution for channel in found.channels) == pytest.approx(found.score, abs=1e-6)
    assert away.chart(draft, [number]) == library.chart(draft, [number])


@pytest.mark.parametrize("here", [False, True], ids=["all asked", "all here"])
def test_rows_are_those_of_the_view_whatever_the_order_of_an_index(
    tmp_path: Path, here: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Library(tmp_path / "library") as library:
        library.add([SAMPLE / "patents.jsonl"])
        library.build("log-tfidf", "topics")
        patents = [library.corpus[number] for number in library.corpus.ids()[:3]]
        library.corpus.remove([patent.id for patent in patents])
        library.build()
        library.corpus.add(patents)
        library.build()
        monkeypatch.setattr(asked_index, "_SHARE", 1 if here else 10_000)
        monkeypatch.setattr(stored_index, "_SCORED_HERE", 20_000 if here else 0)
        made = FakeOpenSearch()
        store_state(library.folder, library.corpus, ClusterSettings(ADDRESS), door=door(made))
        away = Library(library.folder, on="here")
        away._states = ClusterStates(ClusterSettings(ADDRESS), door(made))
        for number in (patents[0].id, library.corpus.ids()[7]):
            expected, found = (each.similar(number, k=50) for each in (library, away))
            assert [hit.id for hit in found] == [hit.id for hit in expected]
            assert [hit.score for hit in found] == pytest.approx([hit.score for hit in expected], abs=1e-6)
        assert bool(made.searches) is not here
        orders = {name: library.index(name).has_rows(away.index(name).ids) for name in library.indexes}
        assert not all(orders.values()), "no index has another order: this tests nothing"


@pytest.mark.parametrize("share", [0.0, 0.02, 0.3, 0.9, 1.0])
@pytest.mark.parametrize("named", [0, 10, 10_000])
def test_every_form_of_a_filter_lets_the_same_documents_pass(
    share: float, named: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_filters, "NAMED", named)
    random = np.random.default_rng(3)
    days = random.integers(10_000, 12_000, 500)
    for allowed in (random.random(500) < share, days < 11_000, (days < 11_000) & (random.random(500) < 0.99)):
        clauses = row_filters.row_filter(allowed, days).every
        passed = [all(passes({"row": row, "day": day}, each) for each in clauses) for row, day in enumerate(days)]
        assert passed == allowed.tolist()


def test_words_are_stored_so_that_weights_can_be_told_from_them() -> None:
    words = ["tube", "a|b", "two words", "x" * 300, "größe", "", "a\u2028b"]
    kept = stored_words(words)
    assert kept[0] == "tube" and kept[4] == "größe" and len(set(kept)) == len(words)
    assert all(word.isalnum() or word.startswith("~") for word in kept)
    assert all("|" not in word and not any(map(str.isspace, word)) and len(word) <= 100 for word in kept)


def test_weights_keep_their_sum_below_what_lucene_counts(library: Library, cluster: FakeOpenSearch) -> None:
    ((_, about),) = cluster.indexes.items()
    fields = about["body"]["mappings"]["_meta"]["foreart"]["fields"]
    for field in fields:
        if field["kind"] == "words":
            texts = [document[field["field"]].split() for document in about["documents"].values()]
            sums = [sum(int(pair.rpartition("|")[2]) for pair in text) for text in texts]
            assert max(sums) < 2**31 and max(sums) > 2**20
            assert field["scale"] == 2**22


def test_status_and_use(library: Library, cluster: FakeOpenSearch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opensearch_door, "_client", lambda home, tls: cluster.perform)
    shown = CliRunner().invoke(app, ["cluster", "status", "--on", ADDRESS, "-l", str(library.folder), "--json"])
    found = json.loads(shown.output)
    assert shown.exit_code == 0 and found["stored"] == found["documents"] == 50 and found["newest"] is True
    cluster.shards = {"total": 3, "successful": 2}
    shown = CliRunner().invoke(app, ["cluster", "status", "--on", ADDRESS, "-l", str(library.folder)])
    assert shown.exit_code == 1 and "1 of 3 shards" in shown.output
    cluster.shards = {"total": 3, "successful": 3}
    for name, wrong in (("patents", False), ("Patents", True), ("a*", True)):
        used = CliRunner().invoke(app, ["cluster", "use", ADDRESS, "--name", name, "-l", str(library.folder), "--json"])
        assert (used.exit_code != 0) == wrong, used.output
        if not wrong:
            assert cluster_settings(library.folder).name == name
    CliRunner().invoke(app, ["cluster", "use", "here", "-l", str(library.folder)])
