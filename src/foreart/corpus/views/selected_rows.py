"""Which rows of a view a selection means: the same documents as its SQL, without the database."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator

import numpy as np

from foreart.corpus.selection import Selection, class_beginnings
from foreart.corpus.views.view import CorpusView
from foreart.corpus.views.view_columns import Inverted

# Follows every string with the same beginning: no text in UTF-8 has this byte.
_BEHIND = b"\xff"
_LOWER = np.arange(256, dtype=np.uint8)
_LOWER[ord("A") : ord("Z") + 1] += ord("a") - ord("A")


def selected_rows(view: CorpusView, selection: Selection) -> np.ndarray:
    """For each row whether all conditions hold."""
    mask = np.ones(len(view), dtype=bool)
    for condition in _conditions(view, selection):
        mask &= condition
    return mask


def _conditions(view: CorpusView, selection: Selection) -> Iterator[np.ndarray]:
    if selection.published_from or selection.published_to:
        yield _published(view, selection.published_from.encode(), selection.published_to.encode())
    kinds = tuple(_encoded(selection.kinds, str.upper))
    if kinds:
        yield view.kinds.mask(lambda value: value.startswith(kinds))
    for column, wanted in (
        (view.countries, _encoded(selection.countries, str.upper)),
        (view.languages, _encoded(selection.languages, str.lower)),
        (view.depths, _encoded(selection.depths, str)),
    ):
        if wanted:
            yield column.mask(wanted.__contains__)
    if selection.classes:
        yield np.logical_or.reduce([_classified(view, *class_beginnings(symbol)) for symbol in selection.classes])
    if selection.applicants:
        yield np.logical_or.reduce([_containing(view.applicants, name, len(view)) for name in selection.applicants])


def _encoded(values: tuple[str, ...], spelled: Callable[[str], str]) -> set[bytes]:
    return {spelled(value).encode("utf-8", "replace") for value in values}


def _published(view: CorpusView, first: bytes, last: bytes) -> np.ndarray:
    """Texts compare as in SQL: in byte order. An unknown date, the first of all, is not before another."""
    low = max(bisect_left(view.dates, first), int(bool(last)))
    high = bisect_left(view.dates, last + b"~") if last else len(view.dates)
    inside: np.ndarray = (view.published >= low) & (view.published < high)
    return inside


def _classified(view: CorpusView, prefix: str, alone: str) -> np.ndarray:
    """The rows with a symbol that begins so, or is one of its own."""
    table, first = view.classes.values, prefix.encode()
    mask = view.classes.mask(bisect_left(table, first), bisect_left(table, first + _BEHIND), len(view))
    place = bisect_left(table, alone.encode())
    if alone and place < len(table) and table[place] == alone.encode():
        mask |= view.classes.mask(place, place + 1, len(view))
    return mask


def _containing(names: Inverted, wanted: str, count: int) -> np.ndarray:
    """The rows that have a name in which a text stands, compared as LIKE does: capitals of ASCII count as small."""
    part = _LOWER[np.frombuffer(wanted.encode("utf-8", "replace"), dtype=np.uint8)].tobytes()
    letters, ends = _LOWER[names.values.letters].tobytes(), names.values.ends
    if not part:
        return names.mask(0, len(names.values), count)
    places = []
    place = letters.find(part)
    while place >= 0:
        places.append(place)
        place = letters.find(part, place + 1)
    starts = np.array(places, dtype=np.int64)
    found = np.searchsorted(ends, starts, side="right") - 1
    mask = np.zeros(count, dtype=bool)
    for number in np.unique(found[starts + len(part) <= ends[found + 1]]).tolist():
        mask[names.rows[names.starts[number] : names.starts[number + 1]]] = True
    return mask
