"""What the ranking of a past draft would be today: more documents compete, and more of its list is in the corpus.

A past patent was ranked among the documents of its day, often a few hundred, where a hundred places are many. A draft
of today meets all documents. Near the past patent there are `crowding` times as many today as it knew. As many times
more are relevant, because later drafts cite later documents too, but never more than a whole list of citations has.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foreart.search.ranking import ChannelQueries

# The nearest documents that tell how crowded a subject is: as many as recall@100 looks at.
_NEAREST, _CHANNEL = 100, ("words",)


@dataclass(frozen=True, slots=True)
class Growth:
    """How many documents near a query, and how many relevant ones, there are today for each one that it knew."""

    crowding: float = 1.0
    relevant: float = 1.0


def growth_of(queries: ChannelQueries, known: np.ndarray, present: np.ndarray, *, listed: int, relevant: int) -> Growth:
    """The growth since a query, whose list cites `listed` documents, of which it knew `relevant`.

    `known` marks the documents that it knew, `present` these and the later ones.
    """
    nearest = queries.nearest(_NEAREST, present, _CHANNEL)
    crowding = (len(nearest) + 1) / (int(np.count_nonzero(known[nearest])) + 1)
    return Growth(crowding, min(crowding, max(1.0, listed / max(1, relevant))))


def grown(relevant: np.ndarray, total: int, growth: Growth) -> tuple[np.ndarray, int]:
    """A ranking of today, marks of relevant documents by rank, and how many relevant ones there are in all.

    Each document of the past ranking stands for as many of its kind as the growth says.
    """
    ends = np.rint(np.cumsum(np.where(relevant, growth.relevant, growth.crowding))).astype(np.int64)
    marks = np.repeat(relevant, np.diff(ends, prepend=0))
    return marks, max(round(total * growth.relevant), int(np.count_nonzero(marks)))
