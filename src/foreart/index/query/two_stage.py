"""Two stages: some words of a query find candidates, all its words score as many of them as it takes.

The words of the first stage are those that one document in a hundred has or fewer, which cost next to nothing, and of
the others those that add most to the energy of the query (its squared length) for what their lists cost: until they
hold a share of the energy, and further while the time of a query allows. What is missed is measured (`recall`), on
documents of the very index that is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from foreart.index.query.completing import completed
from foreart.index.query.costs import rows_cost, sums_cost, term_costs
from foreart.index.query.exact import Blocks, Found, margin, rescored
from foreart.index.query.splitting import Segments, Split
from foreart.index.scoring.allowed import Allowed
from foreart.index.scoring.blocks import RARE
from foreart.index.scoring.prior import Prior
from foreart.index.scoring.query_terms import Query
from foreart.index.storage.weighting import Weighting

# The k that `candidates` are meant for; for more, there are more.
_K = 100
# Where less than this share of documents is allowed, more of the time is better spent on the first stage.
_HALF, _MORE, _FEWER = 0.5, 1.1, 0.45
# What is left above this share of the energy cannot be seen in the ranking.
_ENOUGH = 0.98


@dataclass(frozen=True, slots=True)
class Fast:
    """How the stages are cut.

    `energy` is the share of the energy, rare words aside, that the words of the first hold at least; up to `spend`
    nanoseconds a document they hold more. It hands on `candidates` documents at most, for the best 100, and no more
    than may gain enough by the other words: the usual, and `sure` times the usual spread.
    """

    energy: float
    spend: float
    candidates: int
    sure: float = 2.5

    def among(self, allowed: Allowed | None) -> Fast:
        """For those that are allowed.

        Among few, the best are less far above the others: more of them would be candidates. Words are cheaper then,
        for many postings are passed over.
        """
        if allowed is None or allowed.share > _HALF:
            return self
        return replace(self, spend=_MORE * self.spend, candidates=int(_FEWER * self.candidates))


def fast_of(weighting: Weighting) -> Fast | None:
    """What keeps recall@100 above .999 on 9,015 real patents; None where there is no such choice.

    Without idf all words weigh alike, and few of them say little.
    """
    if weighting.saturating:
        return Fast(0.5, 5.0, 1200, 3.0)
    if not weighting.idf:
        return None
    ways = {"count": Fast(0.3, 3.6, 1000, 3.5), "log": Fast(0.3, 3.3, 2000, 2.5), "binary": Fast(0.5, 8.0, 1500, 2.5)}
    return ways[weighting.tf]


def chosen(query: Query, fast: Fast, documents: int, *, saturating: bool = False) -> np.ndarray:
    """Which words are those of the first stage; BM25's query has its idf in the factors."""
    rare = query.df * RARE <= documents
    energies = np.where(rare, 0.0, (query.factors if saturating else query.weights) ** 2)
    costs = term_costs(query, documents)
    order = np.argsort(-energies / np.sqrt(costs), kind="stable")
    held, spent = np.cumsum(energies[order]), np.cumsum(np.where(rare, 0.0, costs)[order])
    if not len(held) or held[-1] == 0.0:
        return np.ones(len(query), dtype=bool)
    least, enough = np.searchsorted(held, np.array([fast.energy, _ENOUGH]) * held[-1]) + 1
    allowed = np.searchsorted(spent, fast.spend * documents)
    taken = rare.copy()
    taken[order[: max(least, min(allowed, enough))]] = True
    return taken


def fast_top(
    blocks: Blocks, query: Query, k: int, fast: Fast, *, allowed: Allowed | None = None, threads: int = 1
) -> Found:
    """The rows and exact scores of what may be the k best documents, best first."""
    own = fast.among(allowed)
    taken = chosen(query, own, len(blocks.snapshot), saturating=blocks.weighting.saturating)
    return staged(blocks, query, k, own, taken, allowed=allowed, threads=threads)


def staged(
    blocks: Blocks,
    query: Query,
    k: int,
    fast: Fast,
    taken: np.ndarray,
    *,
    allowed: Allowed | None = None,
    threads: int = 1,
) -> Found:
    """As `fast_top`, with the words that the first stage takes."""
    segments: Segments = blocks.kept("segments", lambda: _segments(blocks))
    share, number = margin(blocks, query), most(fast, k)
    with blocks.room("rest", segments.room) as room:
        split = Split(segments, query, taken, room)
        near = blocks.sums.nearest(split.terms, number, allowed=allowed, threads=threads, usual=split.usual)
        places = completed(blocks.sums, split, near, k, most=number, sure=fast.sure, share=share, threads=threads)
        split.clear()
    return rescored(blocks, query, k, places, threads=threads)


def _segments(blocks: Blocks) -> Segments:
    priors = None if blocks.weighting.saturating else [Prior(block, blocks.snapshot) for block in blocks.blocks]
    return Segments(blocks.blocks, priors)


def most(fast: Fast, k: int) -> int:
    """How many documents the first stage hands on at most."""
    return max(fast.candidates, fast.candidates * k // _K)


def fast_cost(blocks: Blocks, query: Query, k: int, fast: Fast, taken: np.ndarray) -> float:
    """What both stages cost at most, and the exact scores of the best."""
    documents = len(blocks.snapshot)
    rows = rows_cost(blocks, min(most(fast, k), documents), exact=False) + rows_cost(blocks, min(k, documents))
    return sums_cost(blocks, query, taken) + rows
