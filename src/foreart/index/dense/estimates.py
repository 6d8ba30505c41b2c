"""Estimates the scores of dense rows by blocked matrix products, in threads if useful."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from foreart.index.dense.candidates import Candidates
from foreart.index.dense.row_codes import Codes, Multiply, integer_products, multiplier, products
from foreart.parallel import cores, parallel_map

# Estimates per step, and rows of the first step, which gives a threshold that excludes most rows.
_ESTIMATES = 2**18
_FIRST = 1024
# The smallest number of rows per thread.
PART = 32768


@dataclass(frozen=True, slots=True)
class Estimator:
    """Codes of rows; `factors` times the product with a unit query is an estimate, within `margins` of the score."""

    codes: Codes
    factors: np.ndarray
    margins: np.ndarray
    groups: np.ndarray | None

    def candidates(
        self, queries: np.ndarray, k: int, *, masks: np.ndarray | None, survivors: np.ndarray | None
    ) -> Candidates:
        """The rows that may be among the k best of each query (a row of length 1).

        `masks` has the allowed rows of each query, or of all; if `survivors` are given, only these rows are estimated.
        One query runs in our threads, many in those of BLAS.
        """
        total = len(self.factors) if survivors is None else len(survivors)
        single = len(queries) == 1 and total >= PART
        multiply = multiplier() if single and self.codes.codes.dtype == np.int8 else None

        def estimate(part: slice) -> Candidates:
            found = Candidates(k, queries, self.groups)
            for here in _growing(part, max(4 * _FIRST, _ESTIMATES // len(queries))):
                rows = np.arange(here.start, here.stop) if survivors is None else survivors[here]
                chosen = here if survivors is None else rows
                margins = self.margins[chosen]
                upper_bounds = self._upper_bounds(chosen, margins, queries, multiply)
                found.add(rows, upper_bounds, margins, None if masks is None else masks[:, chosen])
            return found

        parts = slices(total, max(PART, -(-total // cores())) if single else total)
        return Candidates(k, queries, self.groups).join(parallel_map(estimate, parts, cores()))

    def _upper_bounds(
        self, chosen: slice | np.ndarray, margins: np.ndarray, queries: np.ndarray, multiply: Multiply | None
    ) -> np.ndarray:
        """The upper bound of the score of each row for each query."""
        codes = self.codes.codes[chosen]
        bounds = products(codes, queries) if multiply is None else integer_products(codes, queries[0], multiply)
        bounds *= self.factors[chosen, np.newaxis]
        bounds += margins[:, np.newaxis]
        return bounds


def slices(total: int, size: int) -> list[slice]:
    """Divides range(total) into slices of a size."""
    return [slice(start, min(start + size, total)) for start in range(0, total, max(1, size))]


def _growing(part: slice, limit: int) -> Iterator[slice]:
    """Steps that start small and double in size."""
    start, size = part.start, min(_FIRST, limit)
    while start < part.stop:
        yield slice(start, min(start + size, part.stop))
        start, size = start + size, min(2 * size, limit)
