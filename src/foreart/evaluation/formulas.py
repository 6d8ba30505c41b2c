"""Retrieval metrics over one judged ranking, as trec_eval computes them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRanking:
    """A ranking with judgements: the grade at each rank (0 if not relevant), and the grades of all relevant documents.

    `relevant` is descending and never empty: a query without relevant documents is not evaluated.
    """

    grades: np.ndarray
    relevant: np.ndarray

    def ranks(self, k: int | None) -> np.ndarray:
        """The ranks, from 1, at which the first k documents are relevant."""
        return np.flatnonzero(self.grades[:k] > 0) + 1


def average_precision(judged: JudgedRanking, k: int | None) -> float:
    """Mean over all relevant documents of the precision at their ranks; 0 for those not found."""
    ranks = judged.ranks(k)
    return float(np.sum(np.arange(1, len(ranks) + 1) / ranks)) / len(judged.relevant)


def reciprocal_rank(judged: JudgedRanking, k: int | None) -> float:
    """One divided by the rank of the first relevant document."""
    ranks = judged.ranks(k)
    return 1.0 / float(ranks[0]) if len(ranks) else 0.0


def ndcg(judged: JudgedRanking, k: int | None) -> float:
    """Grades discounted by log2(rank + 1), relative to the ideal order (Järvelin & Kekäläinen)."""
    return _gain(judged.grades[:k]) / _gain(judged.relevant[:k])


def precision(judged: JudgedRanking, k: int | None) -> float:
    """The share of relevant documents among the first k, even if fewer are ranked."""
    assert k is not None
    return len(judged.ranks(k)) / k


def recall(judged: JudgedRanking, k: int | None) -> float:
    """The share of the relevant documents that are among the first k."""
    return len(judged.ranks(k)) / len(judged.relevant)


def r_precision(judged: JudgedRanking, k: int | None) -> float:
    """Precision among the first R, where R documents are relevant."""
    return recall(judged, len(judged.relevant))


def success(judged: JudgedRanking, k: int | None) -> float:
    """1 if any of the first k is relevant."""
    return float(len(judged.ranks(k)) > 0)


def pres(judged: JudgedRanking, k: int | None) -> float:
    """The Patent Retrieval Evaluation Score of Magdy & Jones (2010) with Nmax = k.

    1 − (mean rank − (n + 1) / 2) / Nmax over the n relevant documents. The i-th of them counts as ranked Nmax + i if
    it is not among the first Nmax, so that finding none gives 0 and finding all first gives 1.
    """
    assert k is not None
    ranks_found = judged.ranks(k)
    n = len(judged.relevant)
    missing = k + np.arange(len(ranks_found) + 1, n + 1)
    return 1.0 - (float(ranks_found.sum() + missing.sum()) / n - (n + 1) / 2) / k


def _gain(grades: np.ndarray) -> float:
    return float(np.sum(grades / np.log2(np.arange(2, len(grades) + 2))))
