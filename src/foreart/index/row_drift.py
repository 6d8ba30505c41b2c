"""How well learned features still fit a corpus that has grown since they were learned."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from foreart.features import CountedFeatures, make
from foreart.index.index import Index
from foreart.index.kept_rows import KeptRows
from foreart.index.query.snapshot_counts import counts_of, frequencies
from foreart.index.storage.snapshot import Snapshot

# Documents compared, queries among them, and the nearest that both should find.
_SAMPLE = 2000
_QUERIES = 100
_NEAREST = 20
# Documents of which the unknown weight is measured at each build.
_WEIGHED = 500
# The recall is measured again when this share of the documents is new since: it costs as much as learning.
_GROWTH = 0.1


@dataclass(frozen=True, slots=True)
class Drift:
    """`learned_from` documents were there when the features were learned, `encoded` were encoded since.

    `unknown` is the share of the idf-weighted words of these that the features do not know. `recall` is the share of
    the nearest 20 by features learned again that are nearest by these rows too, on a sample of `recall_at` documents.
    """

    learned_from: int = 0
    encoded: int = 0
    unknown: float | None = None
    recall: float | None = None
    recall_at: int = 0

    @classmethod
    def of(cls, index: Index) -> Drift:
        """That of an index; without figures if an older foreart wrote it."""
        return cls(**{"learned_from": index.description.documents, **index.description.drift})

    @property
    def note(self) -> str:
        """One line for whoever decides whether to learn again; `""` if nothing was measured.

        Without the unknown share: features know only some of the words of the documents they learned from, too.
        """
        if self.unknown is None:
            return ""
        told = f"learned from {self.learned_from:,} documents, {self.encoded:,} encoded since"
        if self.recall is not None:
            told += f"; {self.recall:.0%} of the nearest {_NEAREST} are those that learning again gives"
        return f"{told} (`--refresh`)"

    def to_record(self) -> dict[str, Any]:
        """As a JSON object."""
        return asdict(self)


def drift_of(features: CountedFeatures, snapshot: Snapshot, kept: KeptRows, rows: np.ndarray) -> Drift:
    """The drift after encoding new documents; the recall is measured when a tenth of the documents is new."""
    before = Drift.of(kept.index)
    if not len(kept.here) or not len(kept.new):
        return before
    encoded = before.encoded + len(kept.new)
    share = unknown_weight(features, snapshot, kept.new[:: max(1, len(kept.new) // _WEIGHED)])
    weight = len(kept.new) / encoded
    unknown = share if before.unknown is None else before.unknown * (1 - weight) + share * weight
    found = replace(before, encoded=encoded, unknown=round(unknown, 4))
    if len(rows) - max(before.recall_at, before.learned_from) < _GROWTH * len(rows):
        return found
    return replace(found, recall=fresh_recall(features, snapshot, rows, kept.new), recall_at=len(rows))


def unknown_weight(features: CountedFeatures, snapshot: Snapshot, rows: np.ndarray) -> float:
    """The share of words, weighted by idf, that the features do not know."""
    counts = counts_of(snapshot, rows)
    idf = np.log(len(snapshot) / np.maximum(frequencies(snapshot, counts.terms), 1))
    weights = np.asarray(counts.rows.sum(axis=0)).ravel() * idf
    known = set(features.vocabulary)
    unknown = np.fromiter((term not in known for term in counts.terms), bool, len(counts.terms))
    total = float(weights.sum())
    return float(weights[unknown].sum()) / total if total > 0 else 0.0


def fresh_recall(features: CountedFeatures, snapshot: Snapshot, rows: np.ndarray, new: np.ndarray) -> float:
    """The share of the nearest documents by features learned again that are nearest by the given rows too."""
    fresh = make(features.name, features.parameters).from_counts()
    assert fresh is not None
    fresh.fit_counts(counts_of(snapshot, fresh.learns_from(len(snapshot))))
    queries = new[:: max(1, len(new) // _QUERIES)][:_QUERIES]
    spread = np.arange(min(_SAMPLE, len(rows))) * len(rows) // min(_SAMPLE, len(rows))
    sample = np.setdiff1d(spread, queries)
    both = np.concatenate([sample, queries])
    encoded = np.asarray(fresh.encode_counts(counts_of(snapshot, both)))
    best = _nearest(encoded[len(sample) :], encoded[: len(sample)])
    found = _nearest(rows[queries], rows[sample])
    shared = [len(np.intersect1d(*pair)) for pair in zip(best, found, strict=True)]
    return round(sum(shared) / max(1, best.size), 4)


def _nearest(queries: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The rows with the largest cosines; the rows of topics have length 1."""
    scores = queries.astype(np.float64) @ rows.astype(np.float64).T
    order: np.ndarray = np.argsort(-scores, axis=1, kind="stable")[:, :_NEAREST]
    return order
