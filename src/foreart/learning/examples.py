"""Training examples: past patents of the corpus as queries. Text scores are cached, all else is computed on demand."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from foreart.corpus import Corpus
from foreart.learning.training_queries import relevant
from foreart.search.ranking import (
    CitationGraph,
    DraftFeatures,
    Neighbours,
    QueryForms,
    RankingInputs,
    Signals,
    draft_features,
    query_forms_of,
)
from foreart.search.scope import earlier_than

# How many text scores are cached; beyond that texts are scored again.
_CACHED = 250_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A past patent as a query: its features among what was known then, and the documents it came to cite."""

    row: int
    forms: QueryForms
    features: DraftFeatures
    relevant: np.ndarray


class Examples:
    """Examples by row. A query's own citations, its family and later documents are hidden from it."""

    def __init__(self, corpus: Corpus, inputs: RankingInputs, labels: CitationGraph) -> None:
        self._corpus, self.inputs, self.labels = corpus, inputs, labels
        self._forms: dict[int, QueryForms] = {}
        self._texts: dict[int, dict[str, np.ndarray]] = {}
        self._room = _CACHED

    def __getitem__(self, row: int) -> Example:
        view = self.inputs.view
        if row not in self._forms:
            named = view.numbers[view.named.row(row)]
            self._forms[row] = query_forms_of(self._corpus[view.ids[row]], named=named)
        texts = {name: values.astype(np.float64) for name, values in self._scores(row).items()}
        forms, scope = self._forms[row], earlier_than(view, row)
        features = draft_features(texts, forms, scope.known, scope.day, self.inputs.graph)
        return Example(row, forms, features, relevant(self.labels, row))

    def signals(self, example: Example, neighbours: Neighbours | None, hubs: np.ndarray | None) -> Signals:
        """The signals of an example under a model of neighbours."""
        return self.inputs.signals(example.features, example.forms, neighbours, hubs)

    def _scores(self, row: int) -> dict[str, np.ndarray]:
        cached = self._texts.get(row)
        if cached is not None:
            return cached
        scores = self.inputs.texts.queries(self._forms[row]).scores()
        made = {name: values.astype(np.float32) for name, values in scores.items()}
        size = sum(len(values) for values in made.values())
        if size <= self._room:
            self._texts[row] = made
            self._room -= size
            self._forms[row] = replace(self._forms[row], texts={})
        return made
