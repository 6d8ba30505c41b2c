"""Applies a selection to a view: the same documents as its SQL, without the database."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator

import numpy as np

from foreart.corpus.selection import Selection, class_prefixes
from foreart.corpus.views.view import CorpusView
from foreart.corpus.views.view_columns import Inverted

# Sorts after every continuation of a prefix: this byte does not occur in UTF-8.
_AFTER = b"\xff"
_LOWER = np.arange(256, dtype=np.uint8)
_LOWER[ord("A") : ord("Z") + 1] += ord("a") - ord("A")


def selected_rows(view: CorpusView, selection: Selection) -> np.ndarray:
    """A mask of the rows for which all conditions hold."""
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
        yield np.logical_or.reduce([_classified(view, *class_prefixes(symbol)) for symbol in selection.classes])
    if selection.applicants:
        yield np.logical_or.reduce([_containing(view.applicants, name, len(view)) for name in selection.applicants])


def _encoded(values: tuple[str, ...], normalise: Callable[[str], str]) -> set[bytes]:
    return {normalise(value).encode("utf-8", "replace") for value in values}


def _published(view: CorpusView, first: bytes, last: bytes) -> np.ndarray:
    """Dates compare as in SQL, in byte order. Unknown dates, which sort first, never match an upper bound."""
    low = max(bisect_left(view.dates, first), int(bool(last)))
    high = bisect_left(view.dates, last + b"~") if last else len(view.dates)
    inside: np.ndarray = (view.published >= low) & (view.published < high)
    return inside


def _classified(view: CorpusView, prefix: str, alone: str) -> np.ndarray:
    """The rows with a symbol that has the prefix, or that is `alone`."""
    table, first = view.classes.values, prefix.encode()
    mask = view.classes.mask(bisect_left(table, first), bisect_left(table, first + _AFTER), len(view))
    position = bisect_left(table, alone.encode())
    if alone and position < len(table) and table[position] == alone.encode():
        mask |= view.classes.mask(position, position + 1, len(view))
    return mask


def _containing(names: Inverted, wanted: str, count: int) -> np.ndarray:
    """The rows with a name that contains a text, compared as LIKE does: without case in ASCII."""
    part = _LOWER[np.frombuffer(wanted.encode("utf-8", "replace"), dtype=np.uint8)].tobytes()
    letters, ends = _LOWER[names.values.letters].tobytes(), names.values.ends
    if not part:
        return names.mask(0, len(names.values), count)
    offsets = []
    offset = letters.find(part)
    while offset >= 0:
        offsets.append(offset)
        offset = letters.find(part, offset + 1)
    starts = np.array(offsets, dtype=np.int64)
    name_codes = np.searchsorted(ends, starts, side="right") - 1
    mask = np.zeros(count, dtype=bool)
    for code in np.unique(name_codes[starts + len(part) <= ends[name_codes + 1]]).tolist():
        mask[names.rows[names.starts[code] : names.starts[code + 1]]] = True
    return mask
