"""Rows of a corpus, made of its postings some documents at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from foreart.corpus import Corpus
from foreart.features import make
from foreart.index import row_encoding
from foreart.index.building import build
from foreart.index.query.snapshot_counts import counts_of, known_counts
from foreart.index.row_index import RowIndex
from foreart.text import section_text
from index.random_snapshots import random_snapshot
from random_patents import made


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with made(tmp_path / "corpus.db", 60) as opened:
        yield opened


def rows(corpus: Corpus, folder: Path, **parameters: object) -> np.ndarray:
    found = build(corpus, folder, features=make("lsa", {"dimensions": 6, **parameters}))
    assert isinstance(found, RowIndex)
    assert list(found.ids) == corpus.ids()
    return np.array(found.rows.data)


def test_rows_are_those_of_all_texts_at_once(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [section_text(corpus[number]) for number in corpus.ids()]
    expected = make("lsa", {"dimensions": 6, "sample": 20}).fit_encode(texts)
    np.testing.assert_allclose(rows(corpus, tmp_path / "a" / "index", sample=20), expected, atol=1e-6)
    before = rows(corpus, tmp_path / "a" / "index", sample=20)
    # A few at a time, and in a file.
    monkeypatch.setattr(row_encoding, "_BATCH", 7)
    monkeypatch.setattr(row_encoding, "_IN_MEMORY", 10)
    told: list[tuple[int, int]] = []
    folder = tmp_path / "b" / "index"
    build(corpus, folder, features=make("lsa", {"dimensions": 6, "sample": 20}), progress=lambda *at: told.append(at))
    np.testing.assert_array_equal(rows(corpus, folder, sample=20), before)
    assert told[-9:] == [(min(done, 60), 60) for done in range(7, 64, 7)]
    assert sorted(path.name for path in folder.parent.iterdir()) == ["index", "postings"]


@pytest.mark.parametrize("at_once", [1, 16, 1000])
def test_counts_of_known_words_are_those_of_all_words(at_once: int) -> None:
    drawn = random_snapshot()
    counts = counts_of(drawn.snapshot)
    terms = [*counts.terms[::3], "zzz nowhere"]
    parts = list(known_counts(drawn.snapshot, terms, at_once=at_once))
    assert all(len(part) <= at_once and part.terms is terms for part in parts)
    found = np.concatenate([part.rows.toarray() for part in parts])
    np.testing.assert_array_equal(found[:, :-1], counts.rows.toarray()[:, ::3])
    assert not found[:, -1].any()
