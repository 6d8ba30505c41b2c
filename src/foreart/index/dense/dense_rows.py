"""Dense rows in order of likeness: exact, by a quick look at all of them and a second one at those that may be best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from foreart.errors import IndexingError
from foreart.features import QueryParts, RowArray
from foreart.index.dense.candidates import best, documents_of, firsts, kth
from foreart.index.dense.estimates import PART, Look, parted
from foreart.index.dense.row_codes import Codes, not_less
from foreart.index.dense.row_storage import CODES, STORAGES, belong_together, lengths_of, ordinary, storage_for, stored
from foreart.parallel import cores, side_by_side

__all__ = ["STORAGES", "DenseRows", "belong_together", "storage_for", "stored"]

# Rows of one step in double precision: they stay in the cache of a core.
_STEP = 1024
# If no more than this many times k rows are left, a first look does not pay.
_FEW = 8
# If fewer than one in so many rows survive a filter, only these are looked at.
_SELECTIVE = 4


class DenseRows:
    """A matrix. Where a document has several rows (passages), `groups` says where each begins; the best one counts."""

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
        self._looks: dict[bool, Look] = {}

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def of(cls, ids: Sequence[str], arrays: Mapping[str, np.ndarray]) -> DenseRows:
        """Rows from the arrays that `stored` gave, which may lie in files."""
        codes = Codes(*(np.asarray(arrays[name]) for name in CODES)) if "codes" in arrays else None
        return cls(ids, arrays["data"], arrays.get("groups"), codes=codes, lengths=arrays.get("lengths"))

    @cached_property
    def lengths(self) -> np.ndarray:
        """The length (L2) of each row of the matrix."""
        return lengths_of(self.data) if self._known_lengths is None else np.asarray(self._known_lengths)

    @property
    def storage(self) -> str:
        """What the first look is at."""
        return "float32" if self._coded is None else self._coded.codes.dtype.name

    def scores(self, query: RowArray, *, measure: str = "cosine") -> np.ndarray:
        """The products of a query row with every row, divided by both lengths if the measure is cosine."""
        asked = np.asarray(query, dtype=np.float64).ravel()
        found = self._exact(None, asked, measure)
        if self.groups is None:
            return found
        scores = np.zeros(len(self))
        sizes = np.diff(self.groups)
        scores[sizes > 0] = best(np.repeat(np.arange(len(self)), sizes), found)
        return scores

    def top(
        self, query: RowArray, k: int, *, measure: str = "cosine", allowed: np.ndarray | None = None
    ) -> list[tuple[str, float]]:
        """The ids and scores of the k nearest documents, or of the k nearest of those that are allowed."""
        asked = np.asarray(query).reshape(1, -1)
        ((documents, scores),) = self.nearest(asked, k, measure=measure, allowed=allowed)
        return [(self.ids[row], score) for row, score in zip(documents.tolist(), scores.tolist(), strict=True)]

    def nearest(
        self, queries: np.ndarray, k: int, *, measure: str = "cosine", allowed: np.ndarray | None = None
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """The places and scores of the k documents nearest to each query, bit for bit those that `scores` gives.

        `allowed` is a mask of documents, or one for each query: the others might as well not be there.
        """
        asked = np.asarray(queries, dtype=np.float64)
        masks = None if allowed is None else self._masks(np.atleast_2d(np.asarray(allowed, dtype=bool)), len(asked))
        if k < 1 or not len(self.data) or not len(asked):
            return [(np.empty(0, dtype=np.int64), np.empty(0))] * len(asked)
        found = self._candidates(asked, k, measure, masks)
        return [self._best(query, rows, most, k, measure) for query, (rows, most) in zip(asked, found, strict=True)]

    def shares(self, parts: QueryParts, row: int, *, measure: str = "cosine") -> np.ndarray:
        """Products of each part with the document's row, or with the best of its rows."""
        whole = parts.whole
        first, end = (row, row + 1) if self.groups is None else (self.groups[row], self.groups[row + 1])
        rows = np.asarray(self.data[first:end], dtype=np.float64)
        if not len(rows):
            return np.zeros(len(parts.words))
        lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(whole) if measure != "linear" else np.ones(len(rows))
        nearest = int(np.argmax(_quotients(rows @ whole, lengths)))
        return _quotients(parts.products(rows[nearest]), np.full(len(parts.words), lengths[nearest]))

    def _exact(self, rows: np.ndarray | None, query: np.ndarray, measure: str) -> np.ndarray:
        """The scores of some rows, or all, by sums in one order: equal rows score the same to the last bit."""
        found = np.empty(len(self.data) if rows is None else len(rows))
        data, length = np.asarray(self.data), float(np.linalg.norm(query))
        lengths = None if measure == "linear" else self.lengths

        def fill(part: slice) -> None:
            for step in parted(part.stop - part.start, _STEP):
                here = slice(part.start + step.start, part.start + step.stop)
                place = here if rows is None else rows[here]
                products = np.einsum("ij,j->i", data[place].astype(np.float64), query)
                found[here] = products if lengths is None else _quotients(products, lengths[place] * length)

        side_by_side(fill, parted(len(found), PART), cores())
        return found

    def _candidates(
        self, queries: np.ndarray, k: int, measure: str, masks: np.ndarray | None
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """For each query the rows that may be among the best, and the most each may score, greatest first."""
        survivors = None if masks is None else np.flatnonzero(masks.any(axis=0))
        left = len(self.data) if survivors is None else len(survivors)
        if left <= _FEW * k or not self._estimable:
            return [(rows, np.full(len(rows), np.inf)) for rows in self._all(masks, len(queries))]
        if left * _SELECTIVE > len(self.data):
            survivors = None
        look = self._look(measure)
        asked = queries * look.codes.weights
        sizes = np.linalg.norm(asked, axis=1)
        units = _quotients(asked, sizes[:, np.newaxis]).astype(np.float32)
        found = look.candidates(units, k, masks=masks, survivors=survivors).each()
        scale = sizes if measure == "linear" else _quotients(sizes, np.linalg.norm(queries, axis=1))
        return [(rows, most.astype(np.float64) * one) for (rows, most), one in zip(found, scale.tolist(), strict=True)]

    def _best(
        self, query: np.ndarray, rows: np.ndarray, most: np.ndarray, k: int, measure: str
    ) -> tuple[np.ndarray, np.ndarray]:
        """The second look: exact scores of the rows, until the others cannot reach the k-th best document."""
        scores = np.empty(len(rows))
        done, step, least = 0, max(2 * k, 256), 0.0
        while done < len(rows) and most[done] >= least:
            here = slice(done, done + step)
            scores[here] = self._exact(rows[here], query, measure)
            done, step = min(done + step, len(rows)), 2 * step
            documents, found = self._of_documents(rows[:done], scores[:done])
            least = max(0.0, kth(found, k, otherwise=0.0))
        if not done:
            return np.empty(0, dtype=np.int64), np.empty(0)
        kept = np.flatnonzero((found >= least) & (found > 0))
        ids = (self.ids[row] for row in documents[kept].tolist())
        order = [place for _, _, place in sorted(zip((-found[kept]).tolist(), ids, kept.tolist(), strict=True))[:k]]
        return documents[order], found[order]

    def _of_documents(self, rows: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The documents of some rows, and their best scores."""
        if self.groups is None:
            return rows, scores
        order = np.argsort(rows)
        documents = documents_of(rows[order], np.asarray(self.groups))
        return documents[firsts(documents)], best(documents, scores[order])

    def _masks(self, masks: np.ndarray, queries: int) -> np.ndarray:
        """Masks of rows, from masks of documents."""
        if masks.shape not in ((1, len(self)), (queries, len(self))):
            raise IndexingError(f"a filter for {masks.shape[1]} documents was given to an index of {len(self)}")
        return masks if self.groups is None else np.repeat(masks, np.diff(self.groups), axis=1)

    def _all(self, masks: np.ndarray | None, queries: int) -> list[np.ndarray]:
        """The rows that count for each query."""
        if masks is None or len(masks) == 1:
            return [np.arange(len(self.data)) if masks is None else np.flatnonzero(masks[0])] * queries
        return [np.flatnonzero(mask) for mask in masks]

    @cached_property
    def _estimable(self) -> bool:
        return ordinary(self.lengths)

    def _look(self, measure: str) -> Look:
        """How to look at the rows; made once for each measure."""
        linear = measure == "linear"
        if linear not in self._looks:
            codes = self._coded or Codes.plain(self.data, self.lengths)
            share = np.ones(len(self.data)) if linear else _quotients(np.ones(len(self.data)), self.lengths)
            factors = (codes.scales * share).astype(np.float32)
            margins = not_less((codes.errors + codes.slack * codes.sizes) * share)
            groups = None if self.groups is None else np.asarray(self.groups)
            self._looks[linear] = Look(codes, factors, margins, groups)
        return self._looks[linear]


def _quotients(numbers: np.ndarray, divisors: np.ndarray) -> np.ndarray:
    """0 where a divisor is 0."""
    found: np.ndarray = np.divide(numbers, divisors, out=np.zeros(numbers.shape), where=divisors > 0)
    return found
