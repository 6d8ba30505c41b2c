"""Training examples: past patents of the corpus as queries. Text scores are cached, all else is computed on demand."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from foreart.corpus import Corpus
from foreart.identifiers.date_spans import iso
from foreart.learning.training_queries import relevant
from foreart.search.law.date_arrays import DateArrays
from foreart.search.law.own_family import OwnFamily
from foreart.search.law.priority import Cutoff
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
from foreart.search.scope import Scope, known_before, scope_of

# The number of text scores to cache; other texts are scored again.
_CACHED = 250_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A past patent as a query: its features against the documents known at its date, and those it cites."""

    row: int
    forms: QueryForms
    features: DraftFeatures
    relevant: np.ndarray


class Examples:
    """Examples by row. A query's own citations, its family and later documents are hidden from it."""

    def __init__(self, corpus: Corpus, inputs: RankingInputs, labels: CitationGraph) -> None:
        self._corpus, self.inputs, self.labels = corpus, inputs, labels
        self._dates = DateArrays.of(inputs.view)
        self._own: dict[int, OwnFamily] = {}
        self._forms: dict[int, QueryForms] = {}
        self._texts: dict[int, dict[str, np.ndarray]] = {}
        self._cache_left = _CACHED

    def __getitem__(self, row: int) -> Example:
        view = self.inputs.view
        if row not in self._forms:
            named = view.numbers[view.named.row(row)]
            self._forms[row] = query_forms_of(self._corpus[view.ids[row]], named=named)
        texts = {name: values.astype(np.float64) for name, values in self._scores(row).items()}
        forms, scope = self._forms[row], self._scope(row)
        features = draft_features(texts, forms, scope.known, scope.day, self.inputs.graph)
        return Example(row, forms, features, self.relevant(row))

    def relevant(self, row: int) -> np.ndarray:
        """The documents that a query cites and may know."""
        cited = relevant(self.labels, row)
        known: np.ndarray = cited[self._scope(row).known[cited]]
        return known

    def _scope(self, row: int) -> Scope:
        """What was known when a document of the corpus was a draft; its family is looked for once."""
        view = self.inputs.view
        cutoff = Cutoff(iso(int(view.days[row])), "of the training query")
        if row not in self._own:
            document = self._corpus[view.ids[row]]
            self._own[row] = known_before(document, cutoff, view, self._corpus, dates=self._dates).own
        return scope_of(self._dates, cutoff, self._own[row])

    def signals(self, example: Example, neighbours: Neighbours | None, hubs: np.ndarray | None) -> Signals:
        """The signals of an example under a model of neighbours."""
        return self.inputs.signals(example.features, example.forms, neighbours, hubs)

    def _scores(self, row: int) -> dict[str, np.ndarray]:
        cached = self._texts.get(row)
        if cached is not None:
            return cached
        scores = self.inputs.texts.queries(self._forms[row]).scores()
        compact = {name: values.astype(np.float32) for name, values in scores.items()}
        size = sum(len(values) for values in compact.values())
        if size <= self._cache_left:
            self._texts[row] = compact
            self._cache_left -= size
            self._forms[row] = replace(self._forms[row], texts={})
        return compact
