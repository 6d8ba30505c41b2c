"""Which documents are compared at all: filters apply before anything is ranked, and count what they remove."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from string import ascii_uppercase

import numpy as np

from foreart.corpus import EVERYTHING, Corpus, Selection
from foreart.corpus.stored_texts import stored, unpack_texts
from foreart.corpus.views import CorpusView, selected_rows
from foreart.search.full_text import HasWord
from foreart.search.request import Filters
from foreart.search.term_filters import Term, rows_of, terms_of
from foreart.text import section_text


@dataclass(frozen=True, slots=True, eq=False)
class Filtered:
    """The rows that are left, and how many each filter removed of those that the filters before it had left.

    `unknown` are those among the removed that lack the date, class, applicant, language or kind in question.
    """

    allowed: np.ndarray
    removed: dict[str, int]
    unknown: dict[str, int]


def filtered(filters: Filters, view: CorpusView, corpus: Corpus, words: HasWord | None = None) -> Filtered:
    """Applies the filters, cheap ones first; `words` spare reading the texts."""
    allowed = np.ones(len(view), dtype=bool)
    removed: dict[str, int] = {}
    unknown: dict[str, int] = {}
    for name, alone in filters.selection.conditions():
        mask = selected_rows(view, alone)
        gone = allowed & ~mask
        removed[name] = int(gone.sum())
        lacking = gone & _lacking(alone, view)
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
    """Name and mask of each filter by numbers and terms; `allowed` is what is left when the next one is asked for."""
    for name, items in (("ignore list", filters.ignore), ("only new", filters.only_new)):
        if items:  # a family is one hit: whoever has seen one member has seen it
            yield name, _all_but(view.members(_rows(items, view, corpus)), len(view))
    must, without = list(terms_of(filters.must)), list(terms_of(filters.without))

    def having(term: Term) -> np.ndarray:
        return rows_of(term, allowed, words, lambda row: _text(row, view, corpus))

    for term in must:
        yield f"must have {term}", having(term)
    for term in without:
        yield f"without {term}", ~having(term)


def _lacking(alone: Selection, view: CorpusView) -> np.ndarray:
    """Which rows lack the field of a condition: they are those that no value of it selects."""
    if alone.languages:
        return selected_rows(view, Selection(languages=("",)))
    anything = EVERYTHING
    if alone.published_from or alone.published_to:
        anything = Selection(published_from="0")
    elif alone.classes:
        anything = Selection(classes=("",))
    elif alone.applicants:
        anything = Selection(applicants=("",))
    elif alone.kinds:
        anything = Selection(kinds=tuple(ascii_uppercase))
    return ~selected_rows(view, anything)


def _text(row: int, view: CorpusView, corpus: Corpus) -> str:
    """The full text of a row."""
    return "\n".join(section_text(unpack_texts(blob)) for _, blob in stored(corpus, [int(view.serials[row])]))


def _rows(items: Iterable[str], view: CorpusView, corpus: Corpus) -> np.ndarray:
    """The rows of the numbers; one without its kind code stands for all that have it."""
    found = {match for number in items for match in ([number] if number in view.ids else corpus.find(number))}
    rows = map(view.ids.row, found)
    return np.array(sorted(row for row in rows if row is not None), dtype=np.int64)


def _all_but(rows: np.ndarray, count: int) -> np.ndarray:
    mask = np.ones(count, dtype=bool)
    mask[rows] = False
    return mask
