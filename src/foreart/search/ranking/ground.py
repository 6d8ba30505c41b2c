"""What a ranking stands on: the bibliography of a corpus and the indexes of its channels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from foreart.errors import IndexingError, StaleIndex
from foreart.index import Index
from foreart.search.ranking.bibliography import Bibliography
from foreart.search.ranking.neighbours import Compared, Neighbours, compared, plain_weights
from foreart.search.ranking.question import Question
from foreart.search.ranking.signals import Signals, signals
from foreart.search.ranking.texts import NEEDED, TEXT_CHANNELS, Asked, Texts


@dataclass(frozen=True, eq=False)
class Ground:
    """One state of a corpus. `left_out` are optional indexes of another state of it."""

    bibliography: Bibliography
    texts: Texts
    left_out: tuple[str, ...] = ()

    def beside(self, asked: Asked, question: Question, known: np.ndarray, day: int) -> Compared:
        """A draft beside all documents, by text, people and numbers."""
        return compared(asked.scores(), question, known, day, self.bibliography)

    def signals(
        self,
        found: Compared,
        question: Question,
        neighbours: Neighbours | None = None,
        hubs: np.ndarray | None = None,
    ) -> Signals:
        """All that channels say; neighbours weigh by likeness where nothing was learned of them."""
        weigh = plain_weights if neighbours is None else neighbours.weights
        return signals(found, question, weigh(found, self.bibliography), self.bibliography, hubs)

    def earlier_than(self, row: int) -> np.ndarray:
        """What was known when a document of the corpus was a draft: earlier documents, not its family."""
        known: np.ndarray = self.bibliography.days < self.bibliography.days[row]
        known[self.bibliography.relatives(row)] = False
        return known


def ground_of(bibliography: Bibliography, indexes: Mapping[str, Index]) -> Ground:
    """The ground of indexes by name, all of the corpus of the bibliography; optional ones of another are left out."""
    needed = {channel.index for channel in TEXT_CHANNELS if channel.name in NEEDED}
    missing = sorted(needed - set(indexes))
    if missing:
        raise IndexingError(f"there is no index {', '.join(missing)}: `foreart build` makes all that a ranking needs")
    stale = {name for name, index in indexes.items() if index.description.corpus != bibliography.corpus}
    if stale & needed:
        raise StaleIndex(
            f"the index {', '.join(sorted(stale & needed))} is of another state of the corpus: `foreart build`"
        )
    kept = {name: index for name, index in indexes.items() if name not in stale}
    return Ground(bibliography, Texts(kept, bibliography.ids), tuple(sorted(stale)))
