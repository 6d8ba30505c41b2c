"""Filters of the documents to compare: applied before ranking, with counts of what each removes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from string import ascii_uppercase

import numpy as np

from foreart.corpus import EVERYTHING, Corpus, Selection
from foreart.corpus.views import CorpusView, selected_rows
from foreart.search.full_text import HasWord
from foreart.search.request import Filters
from foreart.search.term_filters import Term, rows_of, terms_of
from foreart.text import section_text


@dataclass(frozen=True, slots=True, eq=False)
class Filtered:
    """The remaining rows, and how many each filter removed of those that the filters before it had left.

    `unknown` counts the removed rows that lack the date, class, applicant, language or kind in question.
    """

    allowed: np.ndarray
    removed: dict[str, int]
    unknown: dict[str, int]


def filtered(filters: Filters, view: CorpusView, corpus: Corpus, words: HasWord | None = None) -> Filtered:
    """Applies the filters, cheap ones first; `words` avoids reading the texts."""
    allowed = np.ones(len(view), dtype=bool)
    removed: dict[str, int] = {}
    unknown: dict[str, int] = {}
    for name, condition in filters.selection.conditions():
        mask = selected_rows(view, condition)
        excluded = allowed & ~mask
        removed[name] = int(excluded.sum())
        lacking = excluded & _lacking(condition, view)
        if lacking.any():
            unknown[name] = int(lacking.sum())
        allowed &= mask
    for name, mask in _masks(filters, view, corpus, words, allowed):
        removed[name] = removed.get(name, 0) + int((allowed & ~mask).sum())
        allowed &= mask
    return Filtered(allowed, removed, unknown)


def _masks(
    filters: Filters, view: CorpusView, corpus: Corpus, words: HasWord | None, allowed: np.ndarray
) -> Iterator[tuple[str, np.ndarray]]:
    """Name and mask of each filter by numbers and terms; `allowed` is updated by the caller between them."""
    for name, items in (("ignore list", filters.ignore), ("only new", filters.only_new)):
        if items:  # a family is one hit, so any member of it counts as seen
            yield name, _mask_without(view.members(_rows(items, view, corpus)), len(view))
    must, without = list(terms_of(filters.must)), list(terms_of(filters.without))

    def rows_having(term: Term) -> np.ndarray:
        return rows_of(term, allowed, words, lambda row: _text(row, view, corpus))

    for term in must:
        yield f"must have {term}", rows_having(term)
    for term in without:
        yield f"without {term}", ~rows_having(term)


def _lacking(condition: Selection, view: CorpusView) -> np.ndarray:
    """Rows that lack the field of a condition, which no value of it selects."""
    if condition.languages:
        return selected_rows(view, Selection(languages=("",)))
    anything = EVERYTHING
    if condition.published_from or condition.published_to:
        anything = Selection(published_from="0")
    elif condition.classes:
        anything = Selection(classes=("",))
    elif condition.applicants:
        anything = Selection(applicants=("",))
    elif condition.kinds:
        anything = Selection(kinds=tuple(ascii_uppercase))
    return ~selected_rows(view, anything)


def _text(row: int, view: CorpusView, corpus: Corpus) -> str:
    """The full text of a row."""
    return section_text(corpus[view.ids[row]])


def _rows(items: Iterable[str], view: CorpusView, corpus: Corpus) -> np.ndarray:
    """The rows of the numbers; a number without kind code matches all its publications."""
    matches = {match for number in items for match in ([number] if number in view.ids else corpus.find(number))}
    rows = map(view.ids.row, matches)
    return np.array(sorted(row for row in rows if row is not None), dtype=np.int64)


def _mask_without(rows: np.ndarray, count: int) -> np.ndarray:
    mask = np.ones(count, dtype=bool)
    mask[rows] = False
    return mask
