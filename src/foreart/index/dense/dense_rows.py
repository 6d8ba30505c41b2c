"""Exact nearest neighbours of dense rows: estimates of all scores, then exact scores of the candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from foreart.errors import IndexingError
from foreart.features import QueryParts, RowArray
from foreart.index.dense.candidates import best, documents_of, firsts, kth
from foreart.index.dense.estimates import PART, Estimator, slices
from foreart.index.dense.row_codes import Codes, rounded_up
from foreart.index.dense.row_storage import (
    CODES,
    STORAGES,
    belong_together,
    lengths_of,
    safe_lengths,
    storage_for,
    stored,
)
from foreart.index.scoring.best_first import best_first
from foreart.parallel import cores, parallel_map

__all__ = ["STORAGES", "DenseRows", "belong_together", "storage_for", "stored"]

# Rows per step in double precision: they fit into the cache of a core.
_STEP = 1024
# With at most this many times k rows, all are scored without estimates.
_FEW = 8
# If fewer than one in this many rows pass a filter, only these are estimated.
_SELECTIVE = 4


class DenseRows:
    """A matrix of rows. If documents have several rows (passages), `groups` are their offsets, and the best counts."""

    def __init__(
        self,
        ids: Sequence[str],
        data: np.ndarray,
        groups: np.ndarray | None = None,
        *,
        codes: Codes | None = None,
        lengths: np.ndarray | None = None,
    ) -> None:
        self.ids = ids
        self.data = data
        self.groups = groups
        self._coded = codes
        self._known_lengths = lengths
        self._estimators: dict[bool, Estimator] = {}

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def of(cls, ids: Sequence[str], arrays: Mapping[str, np.ndarray]) -> DenseRows:
        """Rows from the arrays of `stored`, which may be memory-mapped."""
        codes = Codes(*(np.asarray(arrays[name]) for name in CODES)) if "codes" in arrays else None
        return cls(ids, arrays["data"], arrays.get("groups"), codes=codes, lengths=arrays.get("lengths"))

    def between(self, first: int, last: int) -> DenseRows:
        """The documents from `first` to before `last` alone."""
        here, groups = slice(first, last), None
        if self.groups is not None:
            here, groups = slice(*map(int, self.groups[[first, last]])), np.asarray(self.groups[first : last + 1])
            groups = groups - groups[0]
        codes = None if self._coded is None else self._coded.between(here)
        lengths = None if self._known_lengths is None else self._known_lengths[here]
        ids = _RowIds(self.ids, first, last)
        return DenseRows(ids, self.data[here], groups, codes=codes, lengths=lengths)

    @cached_property
    def lengths(self) -> np.ndarray:
        """The length (L2) of each row of the matrix."""
        return lengths_of(self.data) if self._known_lengths is None else np.asarray(self._known_lengths)

    @property
    def storage(self) -> str:
        """The type of the codes used for estimates."""
        return "float32" if self._coded is None else self._coded.codes.dtype.name

    def scores(self, query: RowArray, *, measure: str = "cosine") -> np.ndarray:
        """The products of a query row with every row, divided by both lengths if the measure is cosine."""
        row = np.asarray(query, dtype=np.float64).ravel()
        found = self._exact(None, row, measure)
        if self.groups is None:
            return found
        scores = np.zeros(len(self))
        sizes = np.diff(self.groups)
        scores[sizes > 0] = best(np.repeat(np.arange(len(self)), sizes), found)
        return scores

    def scores_of(self, query: RowArray, documents: np.ndarray, *, measure: str = "cosine") -> np.ndarray:
        """The scores of some documents, bit for bit as in `scores`."""
        row = np.asarray(query, dtype=np.float64).ravel()
        if self.groups is None:
            return self._exact(documents, row, measure)
        groups = np.asarray(self.groups)
        firsts, sizes = groups[documents], groups[documents + 1] - groups[documents]
        owners = np.repeat(np.arange(len(documents)), sizes)
        offsets = np.arange(len(owners)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        scores = np.zeros(len(documents))
        scores[sizes > 0] = best(owners, self._exact(firsts[owners] + offsets, row, measure))
        return scores

    def nearest(
        self, queries: np.ndarray, k: int, *, measure: str = "cosine", allowed: np.ndarray | None = None
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """The document indices and scores of the k nearest documents of each query, bit for bit as in `scores`.

        `allowed` is a mask of documents, or one per query.
        """
        exact = np.asarray(queries, dtype=np.float64)
        masks = None if allowed is None else self._masks(np.atleast_2d(np.asarray(allowed, dtype=bool)), len(exact))
        if k < 1 or not len(self.data) or not len(exact):
            return [(np.empty(0, dtype=np.int64), np.empty(0))] * len(exact)
        found = self._candidates(exact, k, measure, masks)
        return [self._best(query, rows, upper, k, measure) for query, (rows, upper) in zip(exact, found, strict=True)]

    def shares(self, parts: QueryParts, row: int, *, measure: str = "cosine") -> np.ndarray:
        """The contribution of each part to the score of a document, by its best row."""
        total = parts.total
        first, end = (row, row + 1) if self.groups is None else (self.groups[row], self.groups[row + 1])
        rows = np.asarray(self.data[first:end], dtype=np.float64)
        if not len(rows):
            return np.zeros(len(parts.words))
        lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(total) if measure != "linear" else np.ones(len(rows))
        nearest = int(np.argmax(_quotients(rows @ total, lengths)))
        return _quotients(parts.products(rows[nearest]), np.full(len(parts.words), lengths[nearest]))

    def _exact(self, rows: np.ndarray | None, query: np.ndarray, measure: str) -> np.ndarray:
        """The exact scores of some rows, or all, summed in a fixed order: equal rows have bit-for-bit equal scores."""
        found = np.empty(len(self.data) if rows is None else len(rows))
        data, length = np.asarray(self.data), float(np.linalg.norm(query))
        lengths = None if measure == "linear" else self.lengths

        def fill(part: slice) -> None:
            for step in slices(part.stop - part.start, _STEP):
                here = slice(part.start + step.start, part.start + step.stop)
                chosen = here if rows is None else rows[here]
                products = np.einsum("ij,j->i", data[chosen].astype(np.float64), query)
                found[here] = products if lengths is None else _quotients(products, lengths[chosen] * length)

        parallel_map(fill, slices(len(found), PART), cores())
        return found

    def _candidates(
        self, queries: np.ndarray, k: int, measure: str, masks: np.ndarray | None
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """The candidate rows of each query with their upper bounds, largest first."""
        survivors = None if masks is None else np.flatnonzero(masks.any(axis=0))
        left = len(self.data) if survivors is None else len(survivors)
        if left <= _FEW * k or not self._estimable:
            return [(rows, np.full(len(rows), np.inf)) for rows in self._all(masks, len(queries))]
        if left * _SELECTIVE > len(self.data):
            survivors = None
        estimator = self._estimator(measure)
        weighted = queries * estimator.codes.weights
        sizes = np.linalg.norm(weighted, axis=1)
        units = _quotients(weighted, sizes[:, np.newaxis]).astype(np.float32)
        found = estimator.candidates(units, k, masks=masks, survivors=survivors).each()
        scale = sizes if measure == "linear" else _quotients(sizes, np.linalg.norm(queries, axis=1))
        return [
            (rows, upper.astype(np.float64) * factor)
            for (rows, upper), factor in zip(found, scale.tolist(), strict=True)
        ]

    def _best(
        self, query: np.ndarray, rows: np.ndarray, upper: np.ndarray, k: int, measure: str
    ) -> tuple[np.ndarray, np.ndarray]:
        """The exact scores of candidates, until the others cannot reach the k-th best document."""
        scores = np.empty(len(rows))
        done, step, threshold = 0, max(2 * k, 256), 0.0
        while done < len(rows) and upper[done] >= threshold:
            here = slice(done, done + step)
            scores[here] = self._exact(rows[here], query, measure)
            done, step = min(done + step, len(rows)), 2 * step
            documents, found = self._of_documents(rows[:done], scores[:done])
            threshold = max(0.0, kth(found, k, otherwise=0.0))
        if not done:
            return np.empty(0, dtype=np.int64), np.empty(0)
        order = best_first(documents, found, self.ids, k)
        return documents[order], found[order]

    def _of_documents(self, rows: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The documents of some rows, and their best scores."""
        if self.groups is None:
            return rows, scores
        order = np.argsort(rows)
        documents = documents_of(rows[order], np.asarray(self.groups))
        return documents[firsts(documents)], best(documents, scores[order])

    def _masks(self, masks: np.ndarray, queries: int) -> np.ndarray:
        """Expands masks of documents to masks of rows."""
        if masks.shape not in ((1, len(self)), (queries, len(self))):
            raise IndexingError(f"a filter for {masks.shape[1]} documents does not fit an index of {len(self)}")
        return masks if self.groups is None else np.repeat(masks, np.diff(self.groups), axis=1)

    def _all(self, masks: np.ndarray | None, queries: int) -> list[np.ndarray]:
        """The allowed rows of each query."""
        if masks is None or len(masks) == 1:
            return [np.arange(len(self.data)) if masks is None else np.flatnonzero(masks[0])] * queries
        return [np.flatnonzero(mask) for mask in masks]

    @cached_property
    def _estimable(self) -> bool:
        return safe_lengths(self.lengths)

    def _estimator(self, measure: str) -> Estimator:
        """The estimator of a measure, created once."""
        linear = measure == "linear"
        if linear not in self._estimators:
            codes = self._coded or Codes.plain(self.data, self.lengths)
            share = np.ones(len(self.data)) if linear else _quotients(np.ones(len(self.data)), self.lengths)
            factors = (codes.scales * share).astype(np.float32)
            margins = rounded_up((codes.errors + codes.slack * codes.sizes) * share)
            groups = None if self.groups is None else np.asarray(self.groups)
            self._estimators[linear] = Estimator(codes, factors, margins, groups)
        return self._estimators[linear]


class _RowIds(Sequence[str]):
    """The ids of some consecutive rows; they are read on access."""

    def __init__(self, ids: Sequence[str], first: int, last: int) -> None:
        self._ids, self._rows = ids, range(first, last)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, row: int) -> str:  # type: ignore[override] # one at a time: a slice would be a copy
        return self._ids[self._rows[row]]


def _quotients(numbers: np.ndarray, divisors: np.ndarray) -> np.ndarray:
    """Quotients, 0 if the divisor is 0."""
    quotients: np.ndarray = np.divide(numbers, divisors, out=np.zeros(numbers.shape), where=divisors > 0)
    return quotients
