"""The fusion of a ranking: learned weights, or reciprocal ranks, and what else was learned for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from foreart.corpus.views import CorpusView
from foreart.search.ranking.fusion import Fusion, ReciprocalRanks, Weighted
from foreart.search.ranking.near.sparse_columns import column_of
from foreart.search.ranking.signals import Hubs
from foreart.search.ranking.weights.learned import Learned
from foreart.search.request import Emphasis

# Signals of reciprocal rank fusion: one of each channel that can rank alone.
_RANKED = """
words, relative | brief | topics | claims | claims in text | abstract | named in draft | named by near
| cited by near, sum | cited by nearest | co-cited
"""
# Minimum weight of the channel `classes` when classes are emphasised, in log-odds like all weights.
_CLASSES = 1.0
RRF = ReciprocalRanks(tuple(name.strip() for name in _RANKED.split("|")), citations=2.0)


def fusion_of(learned: Learned | None, emphasis: Emphasis) -> Fusion:
    """The learned weights, or reciprocal ranks; emphasised classes always count."""
    if learned is None:
        return replace(RRF, channels=(*RRF.channels, "classes")) if emphasis.classes else RRF
    raised = {"classes": max(_CLASSES, learned.weights.get("classes", 0.0))} if emphasis.classes else {}
    return Weighted({**learned.weights, **raised})


def learned_hubs(learned: Learned, view: CorpusView) -> Hubs:
    """The hubs of a ranking that are in a view."""
    found = {row: value for number, value in learned.hubs.items() if (row := view.ids.row(number)) is not None}
    return Hubs(column_of(np.array([*found], dtype=np.int64), np.array([*found.values()])), learned.hub_mean)
