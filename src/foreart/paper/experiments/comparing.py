"""The compared pairs of documents, and their scores for rows of any kind."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from foreart.evaluation.pairs.pairs import LABELS, Pairs
from foreart.features import RowArray
from foreart.index.measures.measure_scores import pair_scores

# The label of pairs that an expert judged and that are no pairs of the first data set.
JUDGED_ONLY = len(LABELS)


@dataclass(frozen=True)
class Comparisons:
    """Pairs as places in two lists of corpus rows. Pairs of one target lie together, and `left` never falls."""

    targets: np.ndarray
    documents: np.ndarray
    left: np.ndarray
    right: np.ndarray
    labels: np.ndarray

    def __len__(self) -> int:
        return len(self.labels)

    @cached_property
    def fingerprint(self) -> str:
        """One hash of all pairs, whatever other documents the corpus has."""
        digest = hashlib.blake2b(digest_size=16)
        for part in (self.targets, self.documents, self.left, self.right, self.labels):
            digest.update(np.ascontiguousarray(part, dtype=np.int64).tobytes() + b"|")
        return digest.hexdigest()

    @cached_property
    def told_apart(self) -> np.ndarray:
        """The places of cited and random pairs: those of AUC and AP."""
        return np.flatnonzero(self.labels < 2)

    def of(self, label: str) -> np.ndarray:
        """The places of the pairs with a label."""
        return np.flatnonzero(self.labels == LABELS.index(label))

    def places(self, ids: Sequence[str], wanted: Iterable[tuple[str, str]]) -> np.ndarray:
        """Where given pairs stand; −1 for those that do not."""
        row = {number: place for place, number in enumerate(ids)}
        stands = {pair: place for place, pair in enumerate(self._rows())}
        return np.array(
            [stands.get((row.get(one, -1), row.get(other, -1)), -1) for one, other in wanted], dtype=np.int64
        )

    def _rows(self) -> Iterable[tuple[int, int]]:
        return zip(self.targets[self.left].tolist(), self.documents[self.right].tolist(), strict=True)


def comparisons(pairs: Pairs, ids: Sequence[str], judged: Iterable[tuple[str, str]] = ()) -> Comparisons:
    """All pairs of the first data set, and those judged pairs of documents of the corpus that are not among them."""
    rows = pairs.rows(ids)
    place = {number: row for row, number in enumerate(ids)}
    known = set(zip(rows.targets.tolist(), rows.documents.tolist(), strict=True))
    asked = {(place[one], place[other]) for one, other in judged if one in place and other in place}
    more = np.array(sorted(asked - known), dtype=np.int64).reshape(-1, 2)
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
