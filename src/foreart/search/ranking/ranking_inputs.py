"""The inputs of a ranking: the view of a corpus, its citation graph, and the indexes of the text channels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from foreart.corpus.views import CorpusView
from foreart.errors import IndexingError, StaleIndex
from foreart.index import Index
from foreart.search.ranking.citation_graph import CitationGraph
from foreart.search.ranking.neighbourhood import Neighbourhood
from foreart.search.ranking.neighbours import DraftFeatures, Neighbours, plain_weights
from foreart.search.ranking.query_forms import QueryForms
from foreart.search.ranking.signals import Signals, signals
from foreart.search.ranking.text_channels import NEEDED, TEXT_CHANNELS, TextIndexes


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

    def signals(
        self,
        features: DraftFeatures,
        forms: QueryForms,
        neighbours: Neighbours | None = None,
        hubs: np.ndarray | None = None,
    ) -> Signals:
        """The signals of all channels."""
        return signals(self.neighbourhood(features, neighbours), forms, hubs)

    def neighbourhood(self, features: DraftFeatures, neighbours: Neighbours | None = None) -> Neighbourhood:
        """The documents near a draft; without a learned model they are weighted by the similarity of texts."""
        weigh = plain_weights if neighbours is None else neighbours.weights
        return Neighbourhood(features, self.graph, *weigh(features, self.graph))


def ranking_inputs_of(graph: CitationGraph, indexes: Mapping[str, Index]) -> RankingInputs:
    """Checks that all needed indexes are there and match the corpus of the graph; leaves out stale optional ones."""
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
    return RankingInputs(graph, TextIndexes(kept, graph.view.ids), tuple(sorted(stale)))
