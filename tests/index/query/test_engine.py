"""Scores from postings, compared with the rows of the features in double precision."""

from __future__ import annotations

import numpy as np
import pytest

from foreart.features import Features
from foreart.features.bm25 import Bm25
from foreart.features.counting.count_rows import Counts
from foreart.features.tfidf import Tfidf
from foreart.index.query import engine as engines
from foreart.index.query.engine import Engine
from foreart.index.scoring.blocks import lengths
from foreart.index.storage.weighting import Weighting
from index.random_snapshots import RandomSnapshot, random_snapshot

FEATURES: list[Features] = [
    *(Tfidf(tf=tf, idf=idf) for tf in ("count", "binary", "log") for idf in (True, False)),
    Tfidf(tf="log", norm="max"),
    Bm25(),
    Bm25(k1=0.9, b=0.3, query="binary"),
    Bm25(k1=0.0, query="saturated", k3=2.0),
]  # fmt: skip
NAMES = [f"{each.name} {each.parameters}" for each in FEATURES]


@pytest.fixture(scope="module")
def drawn() -> RandomSnapshot:
    return random_snapshot(1)


def expected(features: Features, drawn: RandomSnapshot, words: dict[str, int]) -> np.ndarray:
    """The score of every row by matrix products."""
    from scipy.sparse import csr_array

    known = [word for word in words if word in drawn.counts.terms]
    columns = [drawn.counts.terms.index(word) for word in known]
    counts = csr_array(
        ([words[word] for word in known], ([0] * len(known), columns)), shape=(1, len(drawn.counts.terms))
    )
    counts.sort_indices()
    documents = features.fit_counts(drawn.counts).encode_counts(drawn.counts)  # type: ignore[attr-defined]
    query = features.encode_query_counts(Counts(drawn.counts.terms, counts))  # type: ignore[attr-defined]
    products = (documents @ query.T).toarray().ravel()
    if features.measure == "linear":
        return products
    lengths = np.sqrt(documents.multiply(documents).sum(axis=1))
    scale = lengths * np.sqrt(query.multiply(query).sum())
    return np.divide(products, scale, out=np.zeros(len(products)), where=scale > 0)


def ranked(drawn: RandomSnapshot, scores: np.ndarray) -> list[int]:
    order = sorted(range(len(scores)), key=lambda row: (-round(scores[row], 12), drawn.ids[row]))
    return [row for row in order if scores[row] > 1e-12]


@pytest.mark.parametrize("features", FEATURES, ids=NAMES)
def test_scores_and_ranking_equal_those_of_the_features(features: Features, drawn: RandomSnapshot) -> None:
    weighting = Weighting.of(features.name, features.parameters)
    engine = Engine(drawn.snapshot, weighting)
    for row in (0, 5, 60, 100):
        words = drawn.words(row) | {"unknown": 3}
        true = expected(features, drawn, words)
        query = engine.query(words)
        np.testing.assert_allclose(engine.scores(query), true, rtol=3e-6, atol=1e-12)
        np.testing.assert_allclose(engine.scores(query, exact=True), true, rtol=1e-12, atol=1e-14)
        order = ranked(drawn, true)
        for k in (1, 10, 1000):
            rows, scores = engine.top(query, k, exact=True)
            np.testing.assert_allclose(scores, true[rows], rtol=1e-12)
            assert rows.tolist() == order[:k]


@pytest.mark.parametrize("weighting", [Weighting(tf="log"), Weighting(), Weighting("bm25")], ids=str)
def test_results_do_not_depend_on_threads_and_segments(weighting: Weighting, monkeypatch: pytest.MonkeyPatch) -> None:
    """One segment or four, one thread or three: bit for bit the same."""
    monkeypatch.setattr(engines, "threads_for", lambda _, threads: threads)
    one, four = (random_snapshot(3, sizes=sizes, dead=0.0) for sizes in ((7000,), (2500, 1, 2400, 2099)))
    assert one.ids == four.ids
    single, several = Engine(one.snapshot, weighting), Engine(four.snapshot, weighting)
    for row in (0, 5, 3000):
        words = one.words(row)
        rows, scores = single.top(single.query(words), 50, exact=True, threads=1)
        for engine in (single, several):
            for threads in (1, 3):
                found, values = engine.top(engine.query(words), 50, exact=True, threads=threads)
                assert found.tolist() == rows.tolist()
                assert values.tolist() == scores.tolist()


def test_equal_documents_are_in_order_of_id(drawn: RandomSnapshot) -> None:
    engine = Engine(drawn.snapshot, Weighting(tf="log"))
    twins = [row for row in range(len(drawn.ids)) if drawn.words(row) == drawn.words(twin_row(drawn))]
    assert len(twins) == 2
    rows, scores = engine.top(engine.query(drawn.words(twins[0])), 2)
    assert rows.tolist() == sorted(twins, key=lambda row: drawn.ids[row])
    assert scores.tolist() == pytest.approx([1.0, 1.0], abs=1e-12)
    assert scores[0] == scores[1]
    assert engine.top(engine.query(drawn.words(twins[0])), 1)[0].tolist() == rows[:1].tolist()


def twin_row(drawn: RandomSnapshot) -> int:
    """A row that has a duplicate."""
    seen: dict[tuple[tuple[str, int], ...], int] = {}
    for row in range(len(drawn.ids)):
        words = tuple(drawn.words(row).items())
        if words and words in seen:
            return row
        seen[words] = row
    raise AssertionError


def test_query_without_known_words_finds_nothing(drawn: RandomSnapshot) -> None:
    engine = Engine(drawn.snapshot, Weighting())
    for words in ([], ["unknown", "words"], {"unknown": 2}):
        query = engine.query(words)
        assert len(query) == 0
        assert engine.top(query, 10)[0].tolist() == []
        assert not engine.scores(query).any()
        assert not engine.scores(query, exact=True).any()


def test_query_from_words_or_counts(drawn: RandomSnapshot) -> None:
    engine = Engine(drawn.snapshot, Weighting())
    counts = dict(list(drawn.words(0).items())[:9])
    one, other = engine.query(counts), engine.query([word for word, number in counts.items() for _ in range(number)])
    assert one.words == other.words == tuple(sorted(one.words))
    assert one.counts.tolist() == other.counts.tolist()
    df = np.bincount(drawn.counts.rows.indices, minlength=len(drawn.counts.terms))
    assert one.df.tolist() == [int(df[drawn.counts.terms.index(word)]) for word in one.words]
    assert float(one.weights @ one.weights) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("weighting", [Weighting(tf="log"), Weighting("bm25")], ids=str)
def test_shares_sum_to_the_score(weighting: Weighting, drawn: RandomSnapshot) -> None:
    engine = Engine(drawn.snapshot, weighting)
    query = engine.query(drawn.words(60))
    rows, scores = engine.top(query, 20, exact=True)
    for row, score in zip(rows.tolist(), scores.tolist(), strict=True):
        shares = engine.shares(query, row)
        assert shares.sum() == pytest.approx(score, rel=1e-13)
        words = drawn.words(row)
        assert {query.words[place] for place in np.flatnonzero(shares)} == set(query.words) & set(words)


def test_levels_of_log_tf_are_within_their_error() -> None:
    weighting = Weighting(tf="log")
    assert weighting.uses_levels
    assert weighting.level_error < 0.004
    counts = np.arange(1, 256)
    off = weighting.levels[1:] * weighting.step / (1.0 + np.log(counts)) - 1.0
    assert np.abs(off).max() <= weighting.level_error
    assert np.abs(off[:4]).max() < 0.002


def test_lengths_equal_those_of_the_rows(drawn: RandomSnapshot) -> None:
    raw = drawn.counts.rows.copy().astype(float)
    df = np.bincount(raw.indices, minlength=raw.shape[1])
    raw.data = (1.0 + np.log(raw.data)) * np.log(len(drawn.ids) / df)[raw.indices]
    arrays = lengths(drawn.snapshot, Weighting(tf="log"), threads=2)
    pairs = zip(arrays, drawn.snapshot.alive, strict=True)
    found = np.concatenate([array if mask is None else array[mask] for array, mask in pairs])
    np.testing.assert_allclose(found, np.sqrt(raw.multiply(raw).sum(axis=1)), rtol=1e-14)


@pytest.mark.parametrize("dead", [0.0, 0.2])
def test_has_rows_compares_ids(dead: float) -> None:
    drawn = random_snapshot(dead=dead)
    ids, snapshot = drawn.ids, drawn.snapshot
    assert snapshot.has_rows(ids)
    assert snapshot.has_rows(tuple(ids))
    assert not snapshot.has_rows(ids[:-1])
    assert not snapshot.has_rows([*ids, "US1"])
    assert not snapshot.has_rows([ids[1], ids[0], *ids[2:]])
    # The same bytes with other boundaries.
    assert not snapshot.has_rows([ids[0] + ids[1][:1], ids[1][1:], *ids[2:]])
    assert not snapshot.has_rows([*ids[:-1], ids[-1][:-1] + "x"])
