"""What a ranking computes with: the view of a corpus, its citation graph, and the indexes of the text channels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from foreart.corpus.views import CorpusView
from foreart.errors import IndexingError, StaleIndex
from foreart.index import Index
from foreart.search.ranking.citation_graph import CitationGraph
from foreart.search.ranking.neighbours import DraftFeatures, Neighbours, plain_weights
from foreart.search.ranking.query_forms import QueryForms
from foreart.search.ranking.signals import Signals, signals
from foreart.search.ranking.text_channels import NEEDED, TEXT_CHANNELS, TextIndexes


@dataclass(frozen=True, eq=False)
class RankingInputs:
    """One state of a corpus. `left_out` are optional indexes of another state of it."""

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
        """The signals of all channels; without a learned model neighbours weigh by the likeness of texts."""
        weigh = plain_weights if neighbours is None else neighbours.weights
        return signals(features, forms, weigh(features, self.graph), self.graph, hubs)


def ranking_inputs_of(graph: CitationGraph, indexes: Mapping[str, Index]) -> RankingInputs:
    """The inputs with indexes by name, all of the corpus of the graph; optional ones of another are left out."""
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
