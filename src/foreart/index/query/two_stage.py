"""Two-stage search: some words of a query find candidates, all words score as many of them as necessary.

The first stage uses the words in at most 1 % of the documents, which cost little, and of the others those that add most
energy (squared weight) per cost of their postings: until they have a share of the energy of the query, and further
while the time budget allows. The recall is measured (`recall`) with documents of the same index as queries.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from foreart.index.query.completing import completed
from foreart.index.query.costs import rows_cost, sums_cost, term_costs
from foreart.index.query.exact import Blocks, Ranked, margin, rescored
from foreart.index.query.splitting import Segments, Split
from foreart.index.scoring.allowed import Allowed
from foreart.index.scoring.blocks import RARE
from foreart.index.scoring.prior import Prior
from foreart.index.scoring.query_terms import Query
from foreart.index.storage.weighting import Weighting

# The k to which `candidates` refers; a larger k has more.
_K = 100
# If less than this share of documents is allowed, the first stage gets more time and fewer candidates.
_HALF, _MORE, _FEWER = 0.5, 1.1, 0.45
# More energy than this share does not change the ranking.
_ENOUGH = 0.98


@dataclass(frozen=True, slots=True)
class Stages:
    """The limits of the first stage.

    Its words have at least the share `energy` of the energy, without rare words, and more while they cost less than
    `spend` nanoseconds per document. At most `candidates` documents enter the second stage for the best 100, and only
    those that could gain enough from the other words: the mean gain plus `sure` standard deviations.
    """

    energy: float
    spend: float
    candidates: int
    sure: float = 2.5

    def among(self, allowed: Allowed | None) -> Stages:
        """The limits for a filter.

        Among few documents the best stand out less, so that more would be candidates; words cost less, because many
        postings are skipped.
        """
        if allowed is None or allowed.share > _HALF:
            return self
        return replace(self, spend=_MORE * self.spend, candidates=int(_FEWER * self.candidates))


def default_stages(weighting: Weighting) -> Stages | None:
    """Limits that keep recall@100 above .999 on 9,015 real patents; None if two stages are not useful.

    Without idf all words have similar weights, and a few of them find no good candidates.
    """
    if weighting.saturating:
        return Stages(0.5, 5.0, 1200, 3.0)
    if not weighting.idf:
        return None
    limits = {
        "count": Stages(0.3, 3.6, 1000, 3.5),
        "log": Stages(0.3, 3.3, 2000, 2.5),
        "binary": Stages(0.5, 8.0, 1500, 2.5),
    }
    return limits[weighting.tf]


def chosen(query: Query, stages: Stages, documents: int, *, saturating: bool = False) -> np.ndarray:
    """The mask of the words of the first stage; the idf of BM25 is in the factors of the query."""
    rare = query.df * RARE <= documents
    energies = np.where(rare, 0.0, (query.factors if saturating else query.weights) ** 2)
    costs = term_costs(query, documents)
    order = np.argsort(-energies / np.sqrt(costs), kind="stable")
    held, spent = np.cumsum(energies[order]), np.cumsum(np.where(rare, 0.0, costs)[order])
    if not len(held) or held[-1] == 0.0:
        return np.ones(len(query), dtype=bool)
    minimum, enough = np.searchsorted(held, np.array([stages.energy, _ENOUGH]) * held[-1]) + 1
    allowed = np.searchsorted(spent, stages.spend * documents)
    taken = rare.copy()
    taken[order[: max(minimum, min(allowed, enough))]] = True
    return taken


def staged(
    blocks: Blocks,
    query: Query,
    k: int,
    stages: Stages,
    taken: np.ndarray,
    *,
    allowed: Allowed | None = None,
    threads: int = 1,
) -> Ranked:
    """The rows and exact scores of the k best candidates, best first; `taken` are the words of the first stage."""
    segments: Segments = blocks.cached("segments", lambda: _segments(blocks))
    share, limit = margin(blocks, query), candidate_limit(stages, k)
    with blocks.buffer("rest", segments.buffer) as buffer:
        split = Split(segments, query, taken, buffer)
        near = blocks.sums.nearest(split.terms, limit, allowed=allowed, threads=threads, prior=split.prior)
        positions = completed(blocks.sums, split, near, k, limit=limit, sure=stages.sure, share=share, threads=threads)
        split.clear()
    return rescored(blocks, query, k, positions, threads=threads)


def _segments(blocks: Blocks) -> Segments:
    priors = None if blocks.weighting.saturating else [Prior(block, blocks.snapshot) for block in blocks.blocks]
    return Segments(blocks.blocks, priors)


def candidate_limit(stages: Stages, k: int) -> int:
    """The maximum number of candidates of the first stage."""
    return max(stages.candidates, stages.candidates * k // _K)


def staged_cost(blocks: Blocks, query: Query, k: int, stages: Stages, taken: np.ndarray) -> float:
    """An upper bound of the cost of both stages, including exact scores of the best."""
    documents = len(blocks.snapshot)
    rows = rows_cost(blocks, min(candidate_limit(stages, k), documents), exact=False) + rows_cost(
        blocks, min(k, documents)
    )
    return sums_cost(blocks, query, taken) + rows
