"""The ranking of the product: its order, its indexes and their states, the same in every process."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from foreart import index
from foreart.document.draft import draft_of_patent
from foreart.document.patent import Patent
from foreart.errors import IndexingError, NotInCorpus, StaleIndex
from foreart.features import make
from foreart.index import Index
from foreart.index.published_state import published_state
from foreart.library import Library
from foreart.search import Scope
from foreart.search.ranking import (
    DEPTH,
    NEEDED,
    RRF,
    TEXT_CHANNELS,
    CitationGraph,
    FusedComparison,
    FusedRanker,
    RankingInputs,
    TextIndexes,
    default_weights,
    open_ranker,
    ranking_inputs_of,
)
from foreart.text import section_text
from ranking_world import Town, all_scores, all_signals, forms, graph, hand_query, library_of, town


@pytest.fixture
def ranker(by_words: Town) -> FusedRanker:
    return FusedRanker(by_words.inputs, default_weights(by_words.inputs.graph), name="default-weights")


def compared(ranker: FusedRanker, by_words: Town, place: int = 50) -> FusedComparison:
    return ranker.compare(draft_of_patent(by_words.patents[place]), by_words.scope(place))


@pytest.mark.parametrize("learned", [True, False])
def test_contributions_sum_to_the_score_of_every_row(by_words: Town, ranker: FusedRanker, learned: bool) -> None:
    found = compared(ranker if learned else FusedRanker(by_words.inputs, None), by_words)
    scores = all_scores(found)
    for row in range(len(by_words.ids)):
        assert sum(found.contributions(row).values()) == pytest.approx(scores[row], abs=1e-9)
        assert sum(part.contribution for part in found.parts(row)) == pytest.approx(scores[row], abs=1e-9)


def test_words_sum_to_their_channel(by_words: Town, ranker: FusedRanker) -> None:
    found = compared(ranker, by_words)
    for channel in by_words.inputs.texts.channels:
        if channel.name == "topics":
            continue
        shares = found.channel_words(channel.name, 44)
        assert shares is not None
        assert sum(share for _, share in shares) == pytest.approx(
            all_signals(found).columns[channel.name][44], abs=1e-6
        )
        assert [share for _, share in shares] == sorted((share for _, share in shares), reverse=True)


def test_equal_scores_stand_in_order_of_id() -> None:
    ids = ("US9B1", "US10B1", "EP5A1", "US1B1", "DE7C1")
    links = graph(dict.fromkeys(ids, ()))
    inputs = RankingInputs(links, TextIndexes({}, ids))
    query = hand_query(links, [1.0, 1.0, 2.0, 1.0, 0.5], [True] * 5, forms())
    found = FusedComparison(
        FusedRanker(inputs, replace(default_weights(inputs.graph), weights={"words": 1.0})),
        None,  # type: ignore[arg-type]
        inputs.neighbourhood(query, depth=DEPTH),
    )
    everything = np.ones(5, bool)
    expected = [("EP5A1", 2.0), ("US10B1", 1.0), ("US1B1", 1.0), ("US9B1", 1.0), ("DE7C1", 0.5)]
    for k in range(7):
        assert [(ids[row], score) for row, score in found.top(k, everything)] == expected[:k]
    allowed = np.array([True, False, False, True, True])
    assert [ids[row] for row, _ in found.top(2, allowed)] == ["US1B1", "US9B1"]
    assert found.top(3, np.zeros(5, bool)) == []


def test_the_best_are_those_of_a_full_sort(by_words: Town, ranker: FusedRanker) -> None:
    found = compared(ranker, by_words)
    allowed, scores = found.near.query.known, all_scores(found)
    order = sorted(np.flatnonzero(allowed), key=lambda row: (-scores[row], by_words.ids[row]))
    for k in (1, 3, 17, 49, 500):
        assert [row for row, _ in found.top(k, allowed)] == order[:k]


def test_rows_and_numbers(by_words: Town, ranker: FusedRanker) -> None:
    assert [ranker.row_of(number) for number in by_words.ids[:3]] == [0, 1, 2]
    with pytest.raises(NotInCorpus, match="US1B1 is not in the index"):
        ranker.row_of("US1B1")


def test_the_record_names_the_fusion(by_words: Town, ranker: FusedRanker) -> None:
    assert ranker.ranking.name == "default-weights"
    assert ranker.learned is not None
    assert ranker.ranking.fingerprint == ranker.learned.fingerprint
    plain = FusedRanker(by_words.inputs, None, name="rrf").ranking
    assert plain.fingerprint == FusedRanker(by_words.inputs, None).ranking.fingerprint != ranker.ranking.fingerprint


def test_reciprocal_ranks_use_signals_that_there_are(by_words: Town, ranker: FusedRanker) -> None:
    assert set(RRF.channels) <= set(compared(ranker, by_words).known.columns)


def test_known_documents_only_play_neighbours(by_words: Town, ranker: FusedRanker) -> None:
    """Nothing is known: no citation counts, and no document is near."""
    nothing = ranker.compare(
        draft_of_patent(by_words.patents[50]), Scope(np.zeros(len(by_words.ids), bool), by_words.scope(50).day)
    )
    for name in ("cited by near, sum", "cited by nearest", "cites near", "co-cited", "often cited", "words, relative"):
        assert not all_signals(nothing).columns[name].any(), name


def reordered(made: Index, folder: Path, by_words: Town) -> Index:
    """The topics of the same documents, read backwards."""
    texts = {patent.id: section_text(patent, "full") for patent in reversed(by_words.patents)}
    rows = np.asarray(made.features.encode(texts.values()))
    return index.write(folder, rows, list(texts), made.features, sections="full", corpus=made.description.corpus)


def test_rows_of_an_index_in_another_order_are_aligned(by_words: Town, tmp_path: Path, ranker: FusedRanker) -> None:
    indexes = dict(by_words.inputs.texts.indexes)
    backwards = reordered(indexes["topics"], tmp_path / "topics", by_words)
    assert list(backwards.ids) == list(reversed(by_words.ids))
    inputs = ranking_inputs_of(by_words.inputs.graph, {**indexes, "topics": backwards})
    one = compared(ranker, by_words)
    other = compared(FusedRanker(inputs, ranker.learned), by_words)
    assert all_signals(other).columns["topics"] == pytest.approx(all_signals(one).columns["topics"], abs=1e-6)
    assert all_scores(other) == pytest.approx(all_scores(one), abs=1e-5)


def test_an_optional_index_of_an_older_state_is_left_out_with_a_note(by_words: Town, tmp_path: Path) -> None:
    features = make("lsa", {"dimensions": 4})
    texts = [section_text(patent, "full") for patent in by_words.patents]
    old = index.write(
        tmp_path, np.asarray(features.fit_encode(texts)), list(by_words.ids), features, sections="full", corpus="old"
    )
    indexes = {**by_words.inputs.texts.indexes, "ppmi": old}
    inputs = ranking_inputs_of(by_words.inputs.graph, indexes)
    assert inputs.left_out == ("ppmi",)
    ranker = FusedRanker(inputs, None)
    assert ranker.notes == ("the index ppmi is of another state of the corpus and was left out: build it again",)
    assert "word vectors" not in compared(ranker, by_words).known.columns
    assert (
        all_scores(compared(ranker, by_words)).tolist()
        == all_scores(compared(FusedRanker(by_words.inputs, None), by_words)).tolist()
    )
    assert FusedRanker(by_words.inputs, None).notes == ()


def test_a_needed_index_that_is_not_there_or_old_names_the_command(by_words: Town) -> None:
    indexes = dict(by_words.inputs.texts.indexes)
    for name in sorted({channel.index for channel in TEXT_CHANNELS if channel.name in NEEDED}):
        rest = {other: made for other, made in indexes.items() if other != name}
        with pytest.raises(IndexingError, match=rf"no index {name}: `foreart build` makes"):
            ranking_inputs_of(by_words.inputs.graph, rest)
    with pytest.raises(StaleIndex, match=r"bm25, .* is of another state of the corpus: `foreart build`"):
        ranking_inputs_of(CitationGraph(replace(by_words.inputs.view, corpus="new")), indexes)
    without = {name: made for name, made in indexes.items() if name != "topics"}
    assert ranking_inputs_of(by_words.inputs.graph, without).left_out == ()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with library_of(tmp_path_factory.mktemp("library"), town("words", documents=24)) as made:
        yield made


def test_a_library_opens_what_is_asked_for(library: Library) -> None:
    state = published_state(library.folder)
    assert [open_ranker(state, name).name for name in ("auto", "default-weights", "rrf")] == [
        "default-weights",
        "default-weights",
        "rrf",
    ]
    with pytest.raises(IndexingError, match=r"nothing was learned in .*: `foreart learn` does it"):
        open_ranker(state, "learned")
    with pytest.raises(IndexingError, match="'best' is not a ranking; there are auto"):
        open_ranker(state, "best")


SCORES = """
import sys
from hashlib import sha256
from foreart.document.draft import draft_of_patent
from foreart.library import Library
library = Library(sys.argv[1])
for ranking in ("default-weights", "rrf"):
    found = library.search(draft_of_patent(library.corpus[sys.argv[2]]), k=99, ranking=ranking, passages=False)
    print(sha256(repr([(hit.id, hit.score, hit.parts, hit.words) for hit in found.hits]).encode()).hexdigest())
"""


def test_the_same_ranking_bit_for_bit_in_two_processes(library: Library) -> None:
    number = library.corpus.ids()[20]
    told = [
        subprocess.run(
            [sys.executable, "-c", SCORES, str(library.folder), number],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout.split()
        for seed in ("1", "2")
    ]
    assert told[0] == told[1]
    here = []
    for ranking in ("default-weights", "rrf"):
        hits = library.search(draft_of_patent(library.corpus[number]), k=99, ranking=ranking, passages=False).hits
        here.append(
            hashlib.sha256(repr([(hit.id, hit.score, hit.parts, hit.words) for hit in hits]).encode()).hexdigest()
        )
    assert here == told[0]


def test_after_a_change_of_the_corpus_searches_go_on_and_a_build_updates_every_index(tmp_path: Path) -> None:
    with library_of(tmp_path, town("words", documents=16)) as library:
        library.build("topics", name="passages", parameters={"dimensions": 3})
        library.corpus.add([Patent("US9999999B2", title="new", published="2001-01-01")])
        draft = draft_of_patent(library.corpus[library.corpus.ids()[12]])
        assert "1 document was added since and is not searched yet: `foreart build`" in library.search(draft).notes
        library.build()
        assert {len(library.index(name)) for name in library.indexes} == {17}
        assert not any("build" in note for note in library.search(draft, k=3, passages=False).notes)
