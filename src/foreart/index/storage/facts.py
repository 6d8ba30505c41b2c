"""Which rows a selection means, told from arrays and without the corpus: the same as its SQL, in milliseconds."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from foreart.corpus import Selection
from foreart.corpus.selection import class_beginnings
from foreart.index.storage.fact_arrays import COLUMNS, FactArrays, Table, table_of

# Behind every string that begins with something: no text in UTF-8 has this byte.
_BEHIND = b"\xff"
_LOWER = np.arange(256, dtype=np.uint8)
_LOWER[ord("A") : ord("Z") + 1] += ord("a") - ord("A")


class Facts:
    """The facts of the documents of all segments."""

    def __init__(self, parts: Sequence[FactArrays], alive: Sequence[np.ndarray | None]) -> None:
        self._parts, self._alive = tuple(parts), tuple(alive)

    def mask(self, selection: Selection) -> np.ndarray:
        """For each row (living document, in the order of segments) whether it is selected."""
        chosen = [
            mask if alive is None else mask[alive]
            for mask, alive in zip(map(_Choosing(selection).mask, self._parts), self._alive, strict=True)
        ]
        return np.concatenate([np.zeros(0, dtype=bool), *chosen])

    def masks(self, selection: Selection) -> list[np.ndarray]:
        """For each document of each segment whether it is selected and lives."""
        choosing = _Choosing(selection)
        return [
            choosing.mask(part) if alive is None else choosing.mask(part) & alive
            for part, alive in zip(self._parts, self._alive, strict=True)
        ]

    def published(self) -> np.ndarray:
        """The date of each row as a number, 20071120; parts that are not known are 0, as in 20071100 and 0."""
        found = [np.zeros(0, dtype=np.int32)]
        for part, alive in zip(self._parts, self._alive, strict=True):
            numbers = np.array([_date(text) for text in table_of(part, 0)], dtype=np.int32)
            dates = numbers[part.column_codes[0]]
            found.append(dates if alive is None else dates[alive])
        return np.concatenate(found)

    def values(self, column: str) -> list[str]:
        """The different values of a column (`country`, `kind`, …) in order."""
        number = COLUMNS.index(column)
        return sorted({value.decode() for part in self._parts for value in table_of(part, number)})


class _Choosing:
    """A selection in the form that tables and lists are asked with."""

    def __init__(self, selection: Selection) -> None:
        self._from, self._to = selection.published_from.encode(), selection.published_to.encode()
        countries, languages = _upper(selection.countries), {value.lower().encode() for value in selection.languages}
        depths = {value.encode() for value in selection.depths}
        kinds = tuple(_upper(selection.kinds))
        self._columns: dict[str, Callable[[bytes], bool]] = {}
        for name, wanted in (("country", countries), ("language", languages), ("depth", depths)):
            if wanted:
                self._columns[name] = wanted.__contains__
        if kinds:
            self._columns["kind"] = lambda value: value.startswith(kinds)
        self._classes = [class_beginnings(symbol) for symbol in selection.classes]
        self._applicants = [_lowered(name.encode("utf-8", "replace")) for name in selection.applicants]

    def mask(self, part: FactArrays) -> np.ndarray:
        """For each document whether all conditions hold."""
        mask = np.ones(part.column_codes.shape[1], dtype=bool)
        for condition in self._conditions(part):
            mask &= condition
        return mask

    def _conditions(self, part: FactArrays) -> Iterator[np.ndarray]:
        if self._from or self._to:
            yield self._dates(part)
        for name, wanted in self._columns.items():
            column = COLUMNS.index(name)
            yield np.array([wanted(value) for value in table_of(part, column)], dtype=bool)[part.column_codes[column]]
        if self._classes:
            yield self._classified(part)
        if self._applicants:
            yield self._applied(part)

    def _dates(self, part: FactArrays) -> np.ndarray:
        """Texts compare as in the SQL of `corpus.selection`: in order of their bytes."""
        table, codes = table_of(part, 0), part.column_codes[0]
        first = bisect_left(table, self._from)
        last = len(table)
        if self._to:
            first = max(first, int(bool(len(table)) and not table[0]))  # an unknown date is not before another
            last = bisect_left(table, self._to + b"~")
        inside: np.ndarray = (codes >= first) & (codes < last)
        return inside

    def _classified(self, part: FactArrays) -> np.ndarray:
        table = Table(part.class_letters, part.class_ends)
        mask = np.zeros(part.column_codes.shape[1], dtype=bool)
        for prefix, alone in self._classes:
            first, last = bisect_left(table, prefix.encode()), bisect_left(table, prefix.encode() + _BEHIND)
            mask[part.class_docs[part.class_starts[first] : part.class_starts[last]]] = True
            place = bisect_left(table, alone.encode())
            if alone and place < len(table) and table[place] == alone.encode():
                mask[part.class_docs[part.class_starts[place] : part.class_starts[place + 1]]] = True
        return mask

    def _applied(self, part: FactArrays) -> np.ndarray:
        mask = np.zeros(part.column_codes.shape[1], dtype=bool)
        letters = _LOWER[part.applicant_letters].tobytes()
        ends = np.asarray(part.applicant_ends)
        for name in self._applicants:
            for number in _containing(letters, ends, name):
                mask[part.applicant_docs[part.applicant_starts[number] : part.applicant_starts[number + 1]]] = True
        return mask


def _containing(letters: bytes, ends: np.ndarray, wanted: bytes) -> Iterable[int]:
    """The numbers of the strings in which a text stands."""
    if not wanted:
        return range(len(ends) - 1)
    places = []
    place = letters.find(wanted)
    while place >= 0:
        places.append(place)
        place = letters.find(wanted, place + 1)
    starts = np.array(places, dtype=np.int64)
    numbers = np.searchsorted(ends, starts, side="right") - 1
    inside = starts + len(wanted) <= ends[numbers + 1]
    return [int(number) for number in np.unique(numbers[inside])]


def _lowered(text: bytes) -> bytes:
    """As LIKE of SQLite compares: capitals of ASCII only."""
    return _LOWER[np.frombuffer(text, dtype=np.uint8)].tobytes()


def _upper(values: Iterable[str]) -> set[bytes]:
    return {value.upper().encode() for value in values}


def _date(text: bytes) -> int:
    """2007-11-20 as 20071120; 0 for what is no date."""
    digits = text.replace(b"-", b"")
    return int(digits.ljust(8, b"0")) if digits.isdigit() and len(digits) in (4, 6, 8) else 0
