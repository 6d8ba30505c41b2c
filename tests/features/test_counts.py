"""Counts against Python's Counter."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.features import Counts, count
from foreart.features.counting.count_rows import count_known

_WORDS = st.sampled_from(["the", "cat", "sat", "on", "a", "mat", "größe", "骨"])
_TEXTS = st.lists(st.lists(_WORDS, max_size=12), max_size=8)


def dictionaries(counts: Counts) -> list[dict[str, int]]:
    """Rows as dictionaries, checked to be well formed."""
    rows = counts.rows
    assert rows.shape == (len(counts), len(counts.terms))
    assert rows.has_sorted_indices
    assert (rows.data > 0).all()
    return [
        {counts.terms[column]: int(rows[row, column]) for column in rows[[row]].indices} for row in range(len(counts))
    ]


@settings(deadline=None)
@given(_TEXTS)
def test_every_word_is_counted(texts: list[list[str]]) -> None:
    counts = count((" ".join(text) for text in texts), str.split)
    assert dictionaries(counts) == [Counter(text) for text in texts]
    assert list(counts.terms) == sorted({word for text in texts for word in text})
    df = Counter(word for text in texts for word in set(text))
    assert counts.document_frequencies.tolist() == [df[term] for term in counts.terms]


@settings(deadline=None)
@given(_TEXTS, st.sets(st.sampled_from(["cat", "mat", "on", "zebra"])))
def test_other_words_are_dropped(texts: list[list[str]], known: set[str]) -> None:
    terms = sorted(known)
    columns = {term: column for column, term in enumerate(terms)}
    expected = [Counter(word for word in text if word in known) for text in texts]
    sources = [" ".join(text) for text in texts]
    assert dictionaries(count_known(sources, str.split, terms, columns)) == expected
    counts = count(sources, str.split)
    assert dictionaries(Counts(terms, counts.over(terms, columns))) == expected


@settings(deadline=None)
@given(_TEXTS, st.data())
def test_take_and_narrowed(texts: list[list[str]], data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(range(len(texts))), max_size=6) if texts else st.just([]))
    counts = count([" ".join(text) for text in texts], str.split)
    some = counts.take(chosen)
    assert some.terms is counts.terms
    assert dictionaries(some) == dictionaries(some.narrowed()) == [Counter(texts[row]) for row in chosen]
    assert list(some.narrowed().terms) == sorted({word for row in chosen for word in texts[row]})


def test_onto_keeps_the_chosen_columns() -> None:
    counts = count(["the cat sat", "a cat", ""], str.split)
    assert list(counts.terms) == ["a", "cat", "sat", "the"]
    assert counts.onto(np.array([1, 3])).toarray().tolist() == [[1, 1], [1, 0], [0, 0]]


def test_same_terms_need_no_mapping() -> None:
    counts = count(["the cat"], str.split)
    assert counts.over(counts.terms, {}) is counts.rows


def test_no_texts_give_no_rows() -> None:
    counts = count([], str.split)
    assert (len(counts), counts.rows.shape, list(counts.terms)) == (0, (0, 0), [])
    assert dictionaries(count(["", " "], str.split)) == [{}, {}]
