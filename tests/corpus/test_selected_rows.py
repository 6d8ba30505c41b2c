"""A selection gives the same documents on a view as in SQL."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from foreart.corpus import Corpus, Selection
from foreart.corpus.views import CorpusView, read_view, selected_rows
from hand_views import hand_view
from random_patents import APPLICANTS, CLASSES, DATES, fill, made


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Corpus, CorpusView]:
    """A corpus that was changed, and its view, updated from the one before."""
    with made(tmp_path_factory.mktemp("selections") / "corpus.db", 150, seed=8) as corpus:
        before = read_view(corpus)
        corpus.remove(random.Random(8).sample(corpus.ids(), 12))
        fill(corpus, range(500, 540), seed=9)
        yield corpus, read_view(corpus, before)


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
def test_rows_are_those_of_the_corpus(both: tuple[Corpus, CorpusView], selection: Selection) -> None:
    corpus, view = both
    mask = selected_rows(view, selection)
    assert mask.shape == (len(view),)
    assert np.array(list(view.ids))[mask].tolist() == corpus.ids(selection)


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
def test_some_selections_match_some_documents(both: tuple[Corpus, CorpusView], selection: Selection) -> None:
    """Otherwise the comparison above would be of empty results."""
    corpus, view = both
    chosen = int(selected_rows(view, selection).sum())
    assert 5 < chosen <= (len(corpus) if selection == Selection() else len(corpus) - 5)


def test_an_empty_corpus_matches_nothing() -> None:
    nothing = hand_view([])
    assert selected_rows(nothing, Selection()).shape == (0,)
    assert selected_rows(nothing, Selection(classes=("A",), applicants=("a",), published_to="2004")).shape == (0,)
