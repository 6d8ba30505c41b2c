"""Look-ups of a view, computed when it is written: the rows of a number, a family or a sketch, links both ways, days.

A search reads the pages that it needs of them; nothing is sorted or inverted when a view is opened.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foreart.corpus.views.day_columns import DayColumns
from foreart.corpus.views.view_columns import Inverted, Ragged, inverted_lists, offsets
from foreart.corpus.views.view_links import Links, links_between

ALONE = -1
# A band is two bytes of a sketch. Sketches of 64 bytes of which at least 39 agree differ in at most 25 bytes, so at
# least one of 26 bands is the same in both: no such sketch is missed.
BANDS = 26


@dataclass(frozen=True, slots=True, eq=False)
class RowLookup:
    """The rows that have a value: `keys` are the values in increasing order, `rows` the row of each."""

    keys: np.ndarray
    rows: np.ndarray  # int32

    @classmethod
    def of(cls, values: np.ndarray, rows: np.ndarray | None = None) -> RowLookup:
        """The look-up of a column, or of some of its rows."""
        chosen = np.arange(len(values)) if rows is None else rows
        order = chosen[np.argsort(values[chosen], kind="stable")]
        return cls(values[order], order.astype(np.int32))

    def rows_with(self, wanted: np.ndarray) -> np.ndarray:
        """The rows that have one of the wanted values."""
        firsts, lasts = (np.searchsorted(self.keys, wanted, side=side).tolist() for side in ("left", "right"))
        parts = [self.rows[first:last] for first, last in zip(firsts, lasts, strict=True)]
        return np.concatenate([np.empty(0, np.int64), *parts])


@dataclass(frozen=True, slots=True, eq=False)
class ClassGroups:
    """Main groups by document: `hashes` in increasing order, how many documents have each, and positions by row."""

    hashes: np.ndarray  # uint64
    counts: np.ndarray  # int32
    of_rows: Ragged

    @classmethod
    def of(cls, classes: Inverted, count: int) -> ClassGroups:
        """The main groups of a column of classes."""
        hashes, groups = np.unique(classes.hashes, return_inverse=True)
        width = max(1, len(hashes))
        pairs = np.unique(classes.rows.astype(np.int64) * width + groups[classes.codes])
        rows, columns = np.divmod(pairs, width)
        starts = offsets(np.searchsorted(rows, np.arange(count + 1)))
        counts = np.bincount(columns, minlength=len(hashes)).astype(np.int32)
        return cls(hashes, counts, Ragged(starts, columns.astype(np.int32)))


@dataclass(frozen=True, slots=True, eq=False)
class Lookups:
    """`citing` and `naming` have the rows that cite or name each number; `citations` and `mentions` link documents.

    `bands` has, for each band of the sketches, all rows in the order of its two bytes.
    """

    by_family: RowLookup
    by_number: RowLookup
    citing: Ragged
    naming: Ragged
    citations: Links
    mentions: Links
    groups: ClassGroups
    days: DayColumns
    bands: np.ndarray  # int32

    @classmethod
    def of(
        cls,
        *,
        families: np.ndarray,
        own: np.ndarray,
        numbers: np.ndarray,
        cited: Ragged,
        named: Ragged,
        classes: Inverted,
        sketches: np.ndarray,
        days: DayColumns,
    ) -> Lookups:
        """The look-ups of these columns of a view."""
        by_number = RowLookup.of(own)
        return cls(
            by_family=RowLookup.of(families, np.flatnonzero(families != ALONE)),
            by_number=by_number,
            citing=inverted_lists(cited, len(numbers)),
            naming=inverted_lists(named, len(numbers)),
            citations=links_between(cited, by_number.keys, by_number.rows, len(numbers)),
            mentions=links_between(named, by_number.keys, by_number.rows, len(numbers)),
            groups=ClassGroups.of(classes, len(own)),
            days=days,
            bands=_bands(sketches),
        )

    def sharing_a_band(self, sketches: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        """The rows of which a band of the sketch is that of a wanted sketch, in order."""
        parts = [np.empty(0, np.int32)]
        for band, rows in enumerate(self.bands):
            two = slice(2 * band, 2 * band + 2)
            key = bytes(wanted[two])
            first = _first(rows, sketches[:, two], key, after=False)
            parts.append(rows[first : _first(rows, sketches[:, two], key, after=True)])
        return np.unique(np.concatenate(parts))


def _bands(sketches: np.ndarray) -> np.ndarray:
    keys = np.ascontiguousarray(sketches[:, : 2 * BANDS]).view(">u2").astype(np.uint16)
    return np.argsort(keys.T, axis=1, kind="stable").astype(np.int32).reshape(BANDS, len(sketches))


def _first(rows: np.ndarray, keys: np.ndarray, key: bytes, *, after: bool) -> int:
    """The first offset in sorted rows whose key is not below `key`, or is above it; looks at few of them."""
    low, high = 0, len(rows)
    while low < high:
        middle = (low + high) // 2
        there = bytes(keys[rows[middle]])
        if there < key or (after and there == key):
            low = middle + 1
        else:
            high = middle
    return low
