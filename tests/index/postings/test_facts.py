"""A selection means the same documents to the arrays as to the SQL of the corpus."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from foreart.corpus import Corpus, Selection, scanning
from foreart.index.build.document_rows import DocumentRows
from foreart.index.build.snapshot_updating import update
from foreart.index.storage import store
from foreart.index.storage.fact_arrays import fact_arrays, gathered
from foreart.index.storage.facts import Facts
from foreart.index.storage.snapshot import Snapshot
from random_patents import APPLICANTS, CLASSES, DATES, fill, made


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Corpus, Snapshot]:
    """A corpus that was changed several times, and its postings, with dead documents in several segments."""
    folder = tmp_path_factory.mktemp("facts")
    with made(folder / "corpus.db", 150, seed=8) as corpus:
        rng = random.Random(8)
        update(folder / "abstract", corpus, DocumentRows("abstract", size=64))
        corpus.remove(rng.sample(corpus.ids(), 12))
        fill(corpus, range(500, 540), seed=9)
        update(folder / "abstract", corpus, DocumentRows("abstract", size=64))
        yield corpus, store.load(folder / "abstract")


def several(values: list[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(values), max_size=3).map(tuple)


PARTS = sorted({name[start:end] for name in APPLICANTS for start in range(0, 9, 2) for end in (start, start + 3, 30)})
PREFIXES = sorted({symbol[:length] for symbol in CLASSES for length in range(11)})
SELECTIONS = st.builds(
    Selection,
    published_from=st.sampled_from(["", *DATES, "2", "2004-1", "1999-12-30", "9999", "x"]),
    published_to=st.sampled_from(["", *DATES, "1", "2004-0", "2004-02-28", "0", "~"]),
    classes=several([*PREFIXES, "a61b17/70", "A61B17", "a61 b", "?", "A*", "[A]"]),
    countries=several(["US", "us", "EP", "DE", "FR", ""]),
    kinds=several(["A", "b", "B2", "A1", "C", "", "B?", "*"]),
    languages=several(["en", "EN", "de", "fr", "", "xx"]),
    applicants=several([*PARTS, "anchor", "MÜLLER", "müller", "%", "_", "\\", "ltdm"]),
    depths=several(["full", "abstract", "title", "empty"]),
)


@given(SELECTIONS)
@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_masks_are_those_of_the_corpus(both: tuple[Corpus, Snapshot], selection: Selection) -> None:
    corpus, snapshot = both
    ids = np.array(list(snapshot.ids))
    mask = snapshot.facts.mask(selection)
    assert mask.shape == (len(snapshot),)
    assert sorted(ids[mask]) == sorted(corpus.ids(selection))
    masks = snapshot.facts.masks(selection)
    living = [each if alive is None else each[alive] for each, alive in zip(masks, snapshot.alive, strict=True)]
    assert np.array_equal(np.concatenate(living), mask)
    assert sum(int(each.sum()) for each in masks) == mask.sum()


def test_there_are_dead_documents_to_be_left_out(both: tuple[Corpus, Snapshot]) -> None:
    _, snapshot = both
    assert any(mask is not None for mask in snapshot.alive)
    assert len(snapshot.segments) > 1


@pytest.mark.parametrize(
    "selection",
    [
        Selection(),
        Selection(published_to="2004"),
        Selection(published_from="1999-12", published_to="2004-02"),
        Selection(classes=("A61B",)),
        Selection(kinds=("B",), applicants=("anchor",)),
    ],
)
def test_some_selections_choose_some_documents(both: tuple[Corpus, Snapshot], selection: Selection) -> None:
    """So that the comparison above is not one of nothing with nothing."""
    corpus, snapshot = both
    chosen = int(snapshot.facts.mask(selection).sum())
    assert chosen == len(corpus.ids(selection))
    assert 5 < chosen <= (len(corpus) if selection == Selection() else len(corpus) - 5)


def test_sets_of_ids(both: tuple[Corpus, Snapshot]) -> None:
    corpus, snapshot = both
    some = random.Random(3).sample(corpus.ids(), 20)
    mask = snapshot.mask([*some, "US1A"])
    assert sorted(np.array(list(snapshot.ids))[mask]) == sorted(some)
    assert not snapshot.mask([]).any()


def test_dates_are_numbers(both: tuple[Corpus, Snapshot]) -> None:
    corpus, snapshot = both
    dates = {number: published for number, published, *_ in corpus.overview()}
    expected = [int(dates[number].replace("-", "").ljust(8, "0")) for number in snapshot.ids]
    assert snapshot.facts.published().tolist() == expected
    assert {0, 19990000, 19991200, 20040229} <= set(expected)
    assert snapshot.facts.values("country") == ["DE", "EP", "US"]


def test_gathered_facts_are_those_made_at_once(tmp_path: Path) -> None:
    with made(tmp_path / "corpus.db", 80, seed=2) as corpus:
        serials = [serial for serial, _, _ in scanning.contents(corpus)]
        whole = list(scanning.facts(corpus, serials))
        parts = [fact_arrays(whole[:30]), fact_arrays(whole[30:31]), fact_arrays(whole[31:])]
        rng = np.random.default_rng(1)
        order = rng.permutation(80)[:60]
        sources = np.searchsorted([30, 31, 80], order, side="right")
        documents = order - np.array([0, 30, 31])[sources]
        found = gathered(parts, sources, documents).named()
        for name, expected in fact_arrays([whole[place] for place in order]).named().items():
            assert np.array_equal(found[name], expected), name
            assert found[name].dtype == expected.dtype


def test_no_facts_at_all() -> None:
    assert Facts([], []).mask(Selection()).shape == (0,)
    assert Facts([fact_arrays([])], [None]).mask(Selection(classes=("A",), published_to="2004")).shape == (0,)
