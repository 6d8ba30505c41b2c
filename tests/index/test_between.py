"""Parts of an index: their best documents, merged, are those of the whole, bit for bit."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foreart.index import Index
from foreart.index.scoring.best_first import best_first
from foreart.library import SAMPLE, Library

QUERIES = ("a spinal rod with a pedicle screw and a locking cap", "bicycle chain lubricant", "the", "")
PARTS = (1, 2, 3, 7, 50)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """All kinds of index of the sample corpus, in two segments, one with replaced and removed documents."""
    library = Library(tmp_path_factory.mktemp("between"))
    lines = (SAMPLE / "patents.jsonl").read_text("utf-8").splitlines(keepends=True)
    half = library.folder / "half.jsonl"
    half.write_text("".join(lines[:30]), "utf-8")
    library.add([half])
    library.build()
    library.build("passages", parameters={"words": 40})
    library.build("passages", name="mean", parameters={"words": 40, "aggregate": "mean", "query": 4})
    library.build("ppmi", parameters={"dimensions": 8})
    library.add([SAMPLE / "patents.jsonl"])
    library.corpus.remove([library.index("bm25").ids[4], library.index("bm25").ids[17]])
    library.build()
    return library


@pytest.fixture(
    scope="module", params=["log-tfidf", "tfidf", "bm25", "log-tfidf-claims", "topics", "ppmi", "passages", "mean"]
)
def whole(request: pytest.FixtureRequest, library: Library) -> Index:
    return library.index(request.param)


def cut(index: Index, parts: int) -> list[tuple[int, Index]]:
    bounds = [len(index) * part // parts for part in range(parts + 1)]
    return [(first, index.between(first, last)) for first, last in pairwise(bounds) if first < last]


def sent(whole: Index, part: Index, query: Any) -> Any:
    return part.incoming(whole.outgoing(query))


@pytest.mark.parametrize("parts", PARTS)
@pytest.mark.parametrize("allowed", ["all", "some", "few", "none"])
def test_the_best_of_parts_are_the_best_of_the_whole(whole: Index, parts: int, allowed: str) -> None:
    share = {"all": 2.0, "some": 0.5, "few": 0.1, "none": 0.0}[allowed]
    mask = None if allowed == "all" else np.random.default_rng(3).random(len(whole)) < share
    for text in QUERIES:
        query = whole.encode(text)
        for k in (1, 3, 10, 100):
            rows, scores = whole.nearest(query, k, allowed=mask, exact=True)
            found = [
                (first + near, values)
                for first, part in cut(whole, parts)
                for near, values in [
                    part.nearest(
                        sent(whole, part, query), k, exact=True,
                        allowed=None if mask is None else mask[first : first + len(part.ids)],
                    )
                ]
            ]  # fmt: skip
            every, values = (np.concatenate(column) for column in zip(*found, strict=True))
            order = best_first(every, values, whole.ids, k)
            assert every[order].tolist() == rows.tolist()
            assert values[order].tolist() == scores.tolist()


@pytest.mark.parametrize("parts", PARTS)
def test_scores_of_parts_are_those_of_the_whole(whole: Index, parts: int) -> None:
    for text in QUERIES:
        query = whole.encode(text)
        everything, rows = whole.scores(query), whole.scores_of(query, np.arange(len(whole)))
        for first, part in cut(whole, parts):
            own, last = sent(whole, part, query), first + len(part.ids)
            assert part.scores(own).tolist() == everything[first:last].tolist()
            assert part.scores_of(own, np.arange(last - first)[::-1]).tolist() == rows[first:last][::-1].tolist()
            assert list(part.ids) == list(whole.ids)[first:last]


def test_products_of_parts_are_those_of_the_whole(library: Library) -> None:
    topics = library.index("topics")
    vector = np.random.default_rng(1).standard_normal(topics.row_table.shape[1])
    products = topics.products(vector, np.arange(len(topics)))
    for first, part in cut(topics, 7):
        last = first + len(part.ids)
        assert part.products(vector, np.arange(last - first)).tolist() == products[first:last].tolist()
        near = part.nearest_products(vector, 5)
        assert near.tolist() == [
            row for row in np.argsort(-products[first:last], kind="stable")[:5] if products[first + row] > 0
        ]


def test_a_query_travels_without_the_numbers_of_segments(whole: Index, tmp_path: Path) -> None:
    import pickle

    text = QUERIES[0]
    assert len(pickle.dumps(whole.outgoing(whole.encode(text)))) <= len(pickle.dumps(whole.encode(text)))
