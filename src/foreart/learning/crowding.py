"""What the ranking of a past draft would be today, when its subject is more crowded.

A past patent was ranked among the documents of its day, often a few hundred, where a hundred places are many. A draft
of today meets all documents, of which as many times more are near it, and as many times more are relevant: later drafts
cite later documents too. So precision stays as it was, and a hundred places hold a smaller share of what is relevant.
"""

from __future__ import annotations

import numpy as np

from foreart.search.ranking import ChannelQueries

# The nearest documents that tell how crowded a subject is: as many as recall@100 looks at.
_NEAREST, _CHANNEL = 100, ("words",)


def crowding_of(queries: ChannelQueries, known: np.ndarray, present: np.ndarray) -> float:
    """How many documents near a query there are today for each one that it knew.

    `known` marks the documents that it knew, `present` these and the later ones.
    """
    nearest = queries.nearest(_NEAREST, present, _CHANNEL)
    return (len(nearest) + 1) / (int(np.count_nonzero(known[nearest])) + 1)


def crowded(relevant: np.ndarray, total: int, crowding: float) -> tuple[np.ndarray, int]:
    """A ranking of today, marks of relevant documents by rank, and how many relevant ones there are in all.

    Each document of the past ranking stands for `crowding` documents of its kind.
    """
    ends = np.rint(crowding * np.arange(len(relevant) + 1)).astype(np.int64)
    marks = np.repeat(relevant, np.diff(ends))
    return marks, max(round(total * crowding), int(np.count_nonzero(marks)))
