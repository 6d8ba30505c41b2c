"""Which documents are compared at all: each filter is answered before anything is ranked, and says what it removed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from string import ascii_uppercase

import numpy as np

from foreart.corpus import EVERYTHING, Corpus, Selection
from foreart.corpus.stored_texts import stored, unpack_texts
from foreart.search.full_text import FullText
from foreart.search.request import Filters
from foreart.search.standing import Standing
from foreart.search.term_filters import Term, rows_of, terms_of
from foreart.text import section_text


@dataclass(frozen=True, slots=True, eq=False)
class Filtered:
    """The rows that are left, and how many each filter removed of those that the filters before it had left.

    `unknown` are those among the removed that have no date, class, applicant, language or kind to judge them by.
    """

    allowed: np.ndarray
    removed: dict[str, int]
    unknown: dict[str, int]


def filtered(filters: Filters, standing: Standing, corpus: Corpus, words: FullText | None = None) -> Filtered:
    """Applies the filters, cheap ones first; `words` spare reading the texts."""
    allowed = np.ones(len(standing), dtype=bool)
    removed: dict[str, int] = {}
    unknown: dict[str, int] = {}
    for name, alone in filters.selection.conditions():
        mask = _selected(alone, standing, corpus, words)
        gone = allowed & ~mask
        removed[name] = int(gone.sum())
        lacking = gone & _lacking(alone, lambda asked: _selected(asked, standing, corpus, words))
        if lacking.any():
            unknown[name] = int(lacking.sum())
        allowed &= mask
    for name, mask in _masks(filters, standing, corpus, words, allowed):
        removed[name] = removed.get(name, 0) + int((allowed & ~mask).sum())
        allowed &= mask
    return Filtered(allowed, removed, unknown)


def _masks(
    filters: Filters, standing: Standing, corpus: Corpus, words: FullText | None, allowed: np.ndarray
) -> Iterator[tuple[str, np.ndarray]]:
    """Name and mask of each filter by numbers and terms; `allowed` is what is left when the next one is asked for."""
    for name, items in (("ignore list", filters.ignore), ("only new", filters.only_new)):
        if items:  # a family is one hit: whoever has seen one member has seen it
            yield name, _all_but(standing.families.members(_rows(items, standing, corpus)), len(standing))
    must, without = list(terms_of(filters.must)), list(terms_of(filters.without))

    def having(term: Term) -> np.ndarray:
        return rows_of(term, allowed, words.having if words else None, lambda row: _text(row, standing, corpus))

    for term in must:
        yield f"must have {term}", having(term)
    for term in without:
        yield f"without {term}", ~having(term)


def _lacking(alone: Selection, select: Callable[[Selection], np.ndarray]) -> np.ndarray:
    """Which rows have nothing that a condition could be judged by: only those without it fail to meet any value."""
    if alone.languages:
        return select(Selection(languages=("",)))
    anything = EVERYTHING
    if alone.published_from or alone.published_to:
        anything = Selection(published_from="0")
    elif alone.classes:
        anything = Selection(classes=("",))
    elif alone.applicants:
        anything = Selection(applicants=("",))
    elif alone.kinds:
        anything = Selection(kinds=tuple(ascii_uppercase))
    return ~select(anything)


def _text(row: int, standing: Standing, corpus: Corpus) -> str:
    """The full text of a row."""
    return "\n".join(section_text(unpack_texts(blob)) for _, blob in stored(corpus, [int(standing.serials[row])]))


def _selected(selection: Selection, standing: Standing, corpus: Corpus, words: FullText | None) -> np.ndarray:
    if words is not None:
        return words.selected(selection)
    rows = [standing.row[number] for number in corpus.ids(selection) if number in standing.row]
    return ~_all_but(np.array(rows, dtype=np.int64), len(standing))


def _rows(items: Iterable[str], standing: Standing, corpus: Corpus) -> np.ndarray:
    """The rows of the numbers; one without its kind code stands for all that have it."""
    found = {match for number in items for match in _found(number, standing, corpus)}
    return np.array(sorted(standing.row[match] for match in found if match in standing.row), dtype=np.int64)


def _found(number: str, standing: Standing, corpus: Corpus) -> list[str]:
    return [number] if number in standing.row else corpus.find(number)


def _all_but(rows: np.ndarray, count: int) -> np.ndarray:
    mask = np.ones(count, dtype=bool)
    mask[rows] = False
    return mask
