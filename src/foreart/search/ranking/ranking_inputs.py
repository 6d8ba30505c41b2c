"""The inputs of a ranking: the view of a corpus, its citation graph, and the indexes of the text channels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from foreart.corpus.views import CorpusView
from foreart.errors import IndexingError, StaleIndex
from foreart.index import Index
from foreart.index.storage.row_alignment import Alignment
from foreart.search.ranking.near.citation_graph import CitationGraph
from foreart.search.ranking.near.draft_query import DraftQuery
from foreart.search.ranking.near.neighbourhood import Neighbourhood
from foreart.search.ranking.near.neighbours import Neighbours, plain_weights
from foreart.search.ranking.text_channels import (
    LEARNED_CHANNELS,
    NEEDED,
    NO_ALIGNMENTS,
    TEXT_CHANNELS,
    TextIndexes,
)


@dataclass(frozen=True, slots=True, eq=False)
class SignalModels:
    """What signals are computed with besides the corpus: a model of neighbours, and matrices of learned similarity.

    The similarity of a draft and a document is the product of its row, the matrix and the document's row.
    """

    neighbours: Neighbours | None = None
    similarity: Mapping[str, np.ndarray] = field(default_factory=dict)


NO_MODELS = SignalModels()


@dataclass(frozen=True, eq=False)
class RankingInputs:
    """One state of a corpus. `left_out` are optional indexes that were built from another state."""

    graph: CitationGraph
    texts: TextIndexes
    left_out: tuple[str, ...] = ()

    @property
    def view(self) -> CorpusView:
        """The documents."""
        return self.graph.view

    def neighbourhood(self, query: DraftQuery, models: SignalModels = NO_MODELS, *, depth: int) -> Neighbourhood:
        """The documents near a draft; without a learned model they are weighted by the similarity of texts."""
        weigh = plain_weights if models.neighbours is None else models.neighbours.weights
        rows = query.texts.vectors() if models.similarity else {}
        vectors = {
            channel: rows[LEARNED_CHANNELS[channel]] @ matrix
            for channel, matrix in models.similarity.items()
            if LEARNED_CHANNELS[channel] in rows
        }
        return Neighbourhood(query, *weigh(query.listed, self.graph), vectors, depth)


def ranking_inputs_of(
    graph: CitationGraph,
    indexes: Mapping[str, Index],
    alignments: Mapping[str, Alignment | None] = NO_ALIGNMENTS,
) -> RankingInputs:
    """Checks that all needed indexes are there and match the corpus of the graph; leaves out stale optional ones.

    `alignments` of their rows and those of the view are those that are known already.
    """
    needed = {channel.index for channel in TEXT_CHANNELS if channel.name in NEEDED}
    missing = sorted(needed - set(indexes))
    if missing:
        raise IndexingError(f"there is no index {', '.join(missing)}: `foreart build` makes all that a ranking needs")
    stale = {name for name, index in indexes.items() if index.description.corpus != graph.view.corpus}
    if stale & needed:
        raise StaleIndex(
            f"the index {', '.join(sorted(stale & needed))} is of another state of the corpus: `foreart build`"
        )
    kept = {name: index for name, index in indexes.items() if name not in stale}
    return RankingInputs(graph, TextIndexes(kept, graph.view.ids, alignments), tuple(sorted(stale)))
