"""The first look at dense rows: estimates of their scores by blocked matrix products, in threads where that helps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from foreart.index.dense.candidates import Candidates
from foreart.index.dense.row_codes import Codes, Multiply, multiplier, products, whole_products
from foreart.parallel import cores, side_by_side

# Estimates of one step, and the rows of the first step, after which most rows can be left out at once.
_ESTIMATES = 2**18
_FIRST = 1024
# Rows that are worth the start of a thread.
PART = 32768


@dataclass(frozen=True, slots=True)
class Look:
    """Codes of rows; by `factors` a product with a unit query becomes an estimate, wrong by `margins` at most."""

    codes: Codes
    factors: np.ndarray
    margins: np.ndarray
    groups: np.ndarray | None

    def candidates(
        self, queries: np.ndarray, k: int, *, masks: np.ndarray | None, survivors: np.ndarray | None
    ) -> Candidates:
        """The rows that may be among the k best of each query (a row of length 1).

        `masks` says which rows count, a line for each query or one for all; if `survivors` are given, only these are
        looked at. One query is compared in threads of ours, many in those of BLAS.
        """
        number = len(self.factors) if survivors is None else len(survivors)
        alone = len(queries) == 1 and number >= PART
        multiply = multiplier() if alone and self.codes.codes.dtype == np.int8 else None

        def look(part: slice) -> Candidates:
            found = Candidates(k, queries, self.groups)
            for here in _growing(part, max(4 * _FIRST, _ESTIMATES // len(queries))):
                rows = np.arange(here.start, here.stop) if survivors is None else survivors[here]
                place = here if survivors is None else rows
                margins = self.margins[place]
                highest = self._highest(place, margins, queries, multiply)
                found.add(rows, highest, margins, None if masks is None else masks[:, place])
            return found

        parts = parted(number, max(PART, -(-number // cores())) if alone else number)
        return Candidates(k, queries, self.groups).join(side_by_side(look, parts, cores()))

    def _highest(
        self, place: slice | np.ndarray, margins: np.ndarray, queries: np.ndarray, multiply: Multiply | None
    ) -> np.ndarray:
        """The most each row may have with each query."""
        codes = self.codes.codes[place]
        found = products(codes, queries) if multiply is None else whole_products(codes, queries[0], multiply)
        found *= self.factors[place, np.newaxis]
        found += margins[:, np.newaxis]
        return found


def parted(number: int, size: int) -> list[slice]:
    """0 … number in slices of a size."""
    return [slice(start, min(start + size, number)) for start in range(0, number, max(1, size))]


def _growing(part: slice, greatest: int) -> Iterator[slice]:
    """Steps that begin small and double."""
    start, size = part.start, min(_FIRST, greatest)
    while start < part.stop:
        yield slice(start, min(start + size, part.stop))
        start, size = start + size, min(2 * size, greatest)
