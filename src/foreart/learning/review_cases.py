"""Past patents as invented reviews: the candidates of each held-out training query, best first, and which it cites."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foreart.learning.trainer import Neighboured
from foreart.review.feedback import POOL, family_names, first_of_families
from foreart.search.ranking import CitationGraph, Signals, Weighted


@dataclass(frozen=True, slots=True, eq=False)
class ReviewCase:
    """A review with known answers: candidates best first, a family once, their scores, and which are relevant.

    `row` is the query, `scores` come from weights that did not see it. `outside` relevant documents are not among the
    candidates, `documents` may be known in all; `packed` is the mask of these, one bit each. `warm` says that siblings
    of the query are among them, `fold` which weights these are.
    """

    row: int
    rows: np.ndarray
    scores: np.ndarray
    relevant: np.ndarray
    outside: int
    documents: int
    packed: np.ndarray
    warm: bool
    fold: int

    def known(self, count: int) -> np.ndarray:
        """The mask of the documents that may be known, of `count` in all."""
        return np.unpackbits(self.packed, count=count).astype(bool)

    @property
    def total(self) -> int:
        """How many relevant families there are."""
        return int(self.relevant.sum()) + self.outside


def review_case(
    item: Neighboured, candidates: Signals, weights: Weighted, graph: CitationGraph, *, fold: int
) -> ReviewCase:
    """The review of one example, with the scores of weights that were learned without it."""
    example, families = item.example, graph.view.families
    scores = weights.scores(candidates, candidates)
    order = np.argsort(-scores, kind="stable")
    order = order[first_of_families(candidates.rows[order], families)][:POOL]
    rows = candidates.rows[order]
    cited = example.relevant[first_of_families(example.relevant, families)]
    relevant = np.isin(family_names(rows, families), family_names(cited, families))
    known = example.query.known
    return ReviewCase(
        row=example.row,
        rows=rows,
        scores=scores[order],
        relevant=relevant,
        outside=len(cited) - int(relevant.sum()),
        documents=int(np.count_nonzero(known)),
        packed=np.packbits(known),
        warm=example.siblings,
        fold=fold,
    )
