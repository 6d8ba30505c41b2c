"""The pairs of documents to compare, and their scores for feature rows of any kind."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from foreart.evaluation.pairs.pairs import LABELS, Pairs
from foreart.features import RowArray
from foreart.index.measures.measure_scores import pair_scores

# The label of pairs that an expert judged and that are not in the first data set.
JUDGED_ONLY = len(LABELS)


@dataclass(frozen=True)
class Comparisons:
    """Pairs as positions in two lists of corpus rows, sorted by `left`, so that pairs of one target are adjacent."""

    targets: np.ndarray
    documents: np.ndarray
    left: np.ndarray
    right: np.ndarray
    labels: np.ndarray

    def __len__(self) -> int:
        return len(self.labels)

    @cached_property
    def fingerprint(self) -> str:
        """One hash of all pairs, independent of other documents in the corpus."""
        digest = hashlib.blake2b(digest_size=16)
        for part in (self.targets, self.documents, self.left, self.right, self.labels):
            digest.update(np.ascontiguousarray(part, dtype=np.int64).tobytes() + b"|")
        return digest.hexdigest()

    @cached_property
    def cited_or_random(self) -> np.ndarray:
        """The positions of cited and random pairs, which AUC and AP compare."""
        return np.flatnonzero(self.labels < 2)

    def of(self, label: str) -> np.ndarray:
        """The positions of the pairs with a label."""
        return np.flatnonzero(self.labels == LABELS.index(label))

    def positions(self, ids: Sequence[str], wanted: Iterable[tuple[str, str]]) -> np.ndarray:
        """The positions of some pairs; −1 for pairs that are not compared."""
        rows = {number: row for row, number in enumerate(ids)}
        known = {pair: position for position, pair in enumerate(self._rows())}
        return np.array(
            [known.get((rows.get(target, -1), rows.get(document, -1)), -1) for target, document in wanted],
            dtype=np.int64,
        )

    def _rows(self) -> Iterable[tuple[int, int]]:
        return zip(self.targets[self.left].tolist(), self.documents[self.right].tolist(), strict=True)


def comparisons(pairs: Pairs, ids: Sequence[str], judged: Iterable[tuple[str, str]] = ()) -> Comparisons:
    """All pairs of the first data set, and the judged pairs of corpus documents that are not among them."""
    rows = pairs.rows(ids)
    row = {number: row for row, number in enumerate(ids)}
    known = set(zip(rows.targets.tolist(), rows.documents.tolist(), strict=True))
    judged_rows = {(row[target], row[document]) for target, document in judged if target in row and document in row}
    more = np.array(sorted(judged_rows - known), dtype=np.int64).reshape(-1, 2)
    left = np.concatenate([rows.targets.astype(np.int64), more[:, 0]])
    right = np.concatenate([rows.documents.astype(np.int64), more[:, 1]])
    labels = np.concatenate([rows.labels.astype(np.int8), np.full(len(more), JUDGED_ONLY, np.int8)])
    targets, left = np.unique(left, return_inverse=True)
    documents, right = np.unique(right, return_inverse=True)
    order = np.argsort(left, kind="stable")
    return Comparisons(targets, documents, left[order], right[order], labels[order])


def scores(queries: RowArray, documents: RowArray, pairs: Comparisons, *, measure: str = "cosine") -> np.ndarray:
    """The similarity of each pair of rows."""
    return pair_scores(queries, documents, (pairs.left, pairs.right), measures=[measure])[measure]
