"""All measures straight from postings, held to those of weighted rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from foreart.features.counts import Counts
from foreart.features.tfidf import Tfidf
from foreart.index import MEASURES, Parameters, query_scores
from foreart.index.postings.engine import Engine
from foreart.index.postings.weighting import Weighting
from index.postings.drawn import Drawn, drawn_snapshot

WEIGHTINGS = [
    Tfidf(tf=tf, idf=idf, norm=norm)
    for tf, idf, norm in (
        ("count", True, "length"), ("binary", True, "length"), ("log", True, "length"), ("log", False, "max"),
        ("count", True, "max"),
    )
]  # fmt: skip


@pytest.fixture(scope="module")
def drawn() -> Drawn:
    return drawn_snapshot(4, sizes=(60, 1, 70), words=400)


def expected(features: Tfidf, drawn: Drawn, words: dict[str, int], parameters: Parameters) -> dict[str, np.ndarray]:
    places = [drawn.counts.terms.index(word) for word in words]
    asked = csr_array((list(words.values()), ([0] * len(places), places)), shape=(1, len(drawn.counts.terms)))
    rows = features.fit_counts(drawn.counts).encode_counts(drawn.counts)
    query = features.encode_query_counts(Counts(drawn.counts.terms, asked))
    return query_scores(query, rows, parameters=parameters)


@pytest.mark.parametrize("features", WEIGHTINGS, ids=lambda each: f"{each.tf} {each.idf} {each.norm}")
@pytest.mark.parametrize("parameters", [Parameters(), Parameters(theta=0.3, degree=3, sigma=2.0, power=2.5)])
def test_every_measure_is_that_of_the_rows(features: Tfidf, drawn: Drawn, parameters: Parameters) -> None:
    engine = Engine(drawn.snapshot, Weighting.of(features.name, features.parameters))
    for row in (0, 5, 80):
        words = drawn.words(row)
        true = expected(features, drawn, words, parameters)
        found = engine.measures(engine.query(words), parameters=parameters)
        assert list(found) == list(MEASURES)
        for name, scores in found.items():
            np.testing.assert_allclose(scores, true[name], rtol=1e-6, atol=5e-8, err_msg=name)
