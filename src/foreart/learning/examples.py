"""Training examples: past patents of the corpus as queries. Text scores are cached, all else is computed on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from foreart.corpus import Corpus
from foreart.identifiers.date_spans import iso
from foreart.learning.training_queries import with_families
from foreart.search.law.date_arrays import DateArrays
from foreart.search.law.own_family import OwnFamily
from foreart.search.law.priority import Cutoff
from foreart.search.ranking import (
    MIN_RELEVANT,
    CitationGraph,
    DraftFeatures,
    QueryForms,
    RankingInputs,
    Siblings,
    draft_features,
    query_forms_of,
)
from foreart.search.scope import Scope, known_before, scope_of

# The number of text scores to cache; other texts are scored again.
_CACHED = 250_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A past patent as a query: its features against the documents known at its date, and those it cites.

    `weight` is that of the example in training. `siblings` says that earlier siblings of it are known.
    """

    row: int
    forms: QueryForms
    features: DraftFeatures
    relevant: np.ndarray
    weight: float = 1.0
    siblings: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Texts:
    """Forms of a query without their texts, and the scores and rows of its text channels."""

    forms: QueryForms
    scores: dict[str, np.ndarray]
    rows: dict[str, np.ndarray]


class Examples:
    """Examples by row. A query's own citations, its family and later documents are hidden from it.

    An example is warm, with all known documents, or cold, without its siblings. The citations of documents in `without`
    make no siblings of others.
    """

    def __init__(
        self, corpus: Corpus, inputs: RankingInputs, labels: CitationGraph, *, without: Sequence[str] = ()
    ) -> None:
        self._corpus, self.inputs, self.labels = corpus, inputs, labels
        self._dates = DateArrays.of(inputs.view)
        self._siblings = Siblings(labels, without=with_families(labels.view, without))
        self._own: dict[int, OwnFamily] = {}
        self._texts: dict[int, _Texts] = {}
        self._cache_left = _CACHED

    def __getitem__(self, row: int) -> Example:
        """The warm example of a row."""
        return self._example(row, self._scope(row), self.relevant(row))

    def both(self, row: int) -> tuple[Example, ...]:
        """The warm example, and the cold one if earlier siblings are known and enough relevant documents remain.

        A query without earlier siblings is cold as it is, and counts twice.
        """
        warm, hidden = self[row], self.siblings(row)
        if not len(hidden):
            return (replace(warm, weight=2.0),)
        warm = replace(warm, siblings=True)
        relevant = np.setdiff1d(warm.relevant, hidden)
        if len(relevant) < MIN_RELEVANT:
            return (warm,)
        scope = self._scope(row)
        scope.known[hidden] = False
        return warm, self._example(row, scope, relevant)

    def relevant(self, row: int) -> np.ndarray:
        """The documents that a query cites and may know."""
        lists = self.labels.relevant
        cited = lists.indices[lists.indptr[row] : lists.indptr[row + 1]]
        known: np.ndarray = cited[self._scope(row).known[cited]]
        return known

    def known(self, row: int) -> np.ndarray:
        """The documents that a query may know."""
        return self._scope(row).known

    def siblings(self, row: int) -> np.ndarray:
        """The known siblings of a query, with their families."""
        scope = self._scope(row)
        hidden = self._siblings.of(self.relevant(row), scope.own.rows)
        known: np.ndarray = hidden[scope.known[hidden]]
        return known

    def _scope(self, row: int) -> Scope:
        """What was known when a document of the corpus was a draft; its family is looked for once."""
        view = self.inputs.view
        cutoff = Cutoff(iso(int(view.days[row])), "of the training query")
        if row not in self._own:
            document = self._corpus[view.ids[row]]
            self._own[row] = known_before(document, cutoff, view, self._corpus, dates=self._dates).own
        return scope_of(self._dates, cutoff, self._own[row])

    def _example(self, row: int, scope: Scope, relevant: np.ndarray) -> Example:
        found = self._scored(row)
        texts = {name: values.astype(np.float64) for name, values in found.scores.items()}
        features = draft_features(texts, found.forms, scope.known, scope.day, self.inputs.graph, found.rows)
        return Example(row, found.forms, features, relevant)

    def _scored(self, row: int) -> _Texts:
        if row in self._texts:
            return self._texts[row]
        view = self.inputs.view
        named = view.numbers[view.named.row(row)]
        forms = query_forms_of(self._corpus[view.ids[row]], named=named)
        queries = self.inputs.texts.queries(forms)
        scores = {name: values.astype(np.float32) for name, values in queries.scores().items()}
        found = _Texts(replace(forms, texts={}), scores, queries.rows())
        size = sum(len(values) for values in scores.values())
        if size <= self._cache_left:
            self._texts[row] = found
            self._cache_left -= size
        return found
