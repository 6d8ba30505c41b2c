"""What may be known for a draft: earlier documents that are not of its family."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foreart.corpus.views import CorpusView


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """What a ranker may use, by row: `known` documents are earlier than the draft and not of its family.

    `day` is that of the draft, as `date_spans.day` counts; 0 stands for the day after all that is known.
    """

    known: np.ndarray
    day: int = 0


def earlier_than(view: CorpusView, row: int) -> Scope:
    """What was known when a document of the corpus was a draft."""
    known: np.ndarray = view.days < view.days[row]
    known[view.members([row])] = False
    return Scope(known, int(view.days[row]))
