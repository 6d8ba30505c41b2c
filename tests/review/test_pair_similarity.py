"""Cosine and Jaccard of documents, from an index of words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from foreart.errors import IndexingError, NotInCorpus
from foreart.index import Index
from foreart.review.pair_similarity import pair_similarity
from index.few_patents import row_index, word_index


def small(folder: Path, texts: Sequence[str], ids: Sequence[str]) -> Index:
    return word_index(folder, texts=dict(zip(ids, texts, strict=True)))


def test_pair_similarity_is_cosine_and_jaccard_of_the_rows(tmp_path: Path) -> None:
    """The golden values of the paper's three small texts."""
    texts = ["the cat sat on the mat", "the cat ate the rat", "a dog sat on a log 42 17", "", "the cat sat on the mat"]
    index = small(tmp_path / "few", texts[:3], "abc")
    cosine, jaccard = pair_similarity(index, "a", ["b", "a", "b"])
    np.testing.assert_allclose(cosine, [0.2975972243, 1, 0.2975972243], rtol=1e-6)
    np.testing.assert_allclose(jaccard, [0.2076004721, 1, 0.2076004721], rtol=1e-6)
    empty = small(tmp_path / "more", texts, "abcde")
    cosine, jaccard = pair_similarity(empty, "d", ["a", "d"])
    assert (cosine.tolist(), jaccard.tolist()) == ([0, 0], [0, 0])
    with pytest.raises(NotInCorpus, match="z is not in the index"):
        pair_similarity(index, "a", ["z"])


def test_pair_similarity_needs_an_index_of_words(tmp_path: Path) -> None:
    with pytest.raises(IndexingError, match="need an index of words"):
        pair_similarity(row_index(tmp_path), "US1B1", ["US1B1"])
