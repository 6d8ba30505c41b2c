"""Training examples: past patents of the corpus as queries. Text scores are cached, the rest is computed on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from foreart.corpus import Corpus
from foreart.identifiers.date_spans import iso
from foreart.learning.crowding import crowding_of
from foreart.learning.training_queries import with_families
from foreart.search.law.date_arrays import DateArrays
from foreart.search.law.priority import Cutoff
from foreart.search.ranking import (
    DEPTH,
    MIN_RELEVANT,
    ChannelQueries,
    CitationGraph,
    DraftQuery,
    QueryForms,
    RankingInputs,
    Siblings,
    nearest_known,
    query_forms_of,
)
from foreart.search.scope import known_before, scope_of

# The number of text scores to cache; other texts are scored again.
_CACHED = 250_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A past patent as a query among the documents known at its date, and those it cites.

    `weight` is that of the example in training. `siblings` says that earlier siblings of it are known. `crowding` is
    how many near documents there are today for each one that was known, without siblings.
    """

    row: int
    query: DraftQuery
    relevant: np.ndarray
    crowding: float
    weight: float = 1.0
    siblings: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """What a query may know: the mask of documents, one bit each, which of them it cites, and its siblings.

    Siblings come with their families. `day` is the date of the query; `hidden` are its family and its siblings,
    earlier and later ones.
    """

    packed: np.ndarray
    day: int
    relevant: np.ndarray
    siblings: np.ndarray
    hidden: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class _Texts:
    """Forms of a query without their texts, its text channels, the nearest known documents by these, its crowding."""

    forms: QueryForms
    queries: ChannelQueries
    rows: np.ndarray
    crowding: float


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
        self._known: dict[int, _Known] = {}
        self._texts: dict[int, _Texts] = {}
        self._cache_left = _CACHED

    def __getitem__(self, row: int) -> Example:
        """The warm example of a row."""
        return self._example(row, self.known(row), self.relevant(row))

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
        known = self.known(row)
        known[hidden] = False
        return warm, self._example(row, known, relevant)

    def relevant(self, row: int) -> np.ndarray:
        """The documents that a query cites and may know."""
        return self._known_by(row).relevant

    def known(self, row: int) -> np.ndarray:
        """The documents that a query may know."""
        return np.unpackbits(self._known_by(row).packed, count=len(self.inputs.view)).astype(bool)

    def siblings(self, row: int) -> np.ndarray:
        """The known siblings of a query, with their families."""
        return self._known_by(row).siblings

    def _known_by(self, row: int) -> _Known:
        """What was known when a document of the corpus was a draft, found once."""
        if row not in self._known:
            view, lists = self.inputs.view, self.labels.relevant
            cutoff = Cutoff(iso(int(view.days[row])), "of the training query")
            document = self._corpus[view.ids[row]]
            own = known_before(document, cutoff, view, self._corpus, dates=self._dates).own
            scope = scope_of(self._dates, cutoff, own)
            cited = lists.indices[lists.indptr[row] : lists.indptr[row + 1]]
            relevant = cited[scope.known[cited]]
            alike = self._siblings.of(relevant, own.rows)
            self._known[row] = _Known(
                np.packbits(scope.known),
                scope.day,
                relevant,
                alike[scope.known[alike]],
                np.concatenate([[row], own.rows, alike]).astype(np.int64),
            )
        return self._known[row]

    def _example(self, row: int, known: np.ndarray, relevant: np.ndarray) -> Example:
        found = self._compared(row)
        query = DraftQuery(
            found.queries, found.forms, self.inputs.graph, known, self._known_by(row).day, found.rows[known[found.rows]]
        )
        return Example(row, query, relevant, found.crowding)

    def _compared(self, row: int) -> _Texts:
        """The texts of a query; as many are kept as fit into memory."""
        if row in self._texts:
            return self._texts[row]
        view = self.inputs.view
        named = view.numbers[view.named.row(row)]
        forms = query_forms_of(self._corpus[view.ids[row]], named=named)
        queries = self.inputs.texts.queries(forms)
        rows = nearest_known(queries, self.inputs.graph, self.known(row), DEPTH)
        queries.scores_of(rows)
        crowding = self._crowding(row, queries)
        queries.forget_terms()
        found = _Texts(replace(forms, texts={}), queries, rows, crowding)
        if queries.scored <= self._cache_left:
            self._texts[row] = found
            self._cache_left -= queries.scored
        return found

    def _crowding(self, row: int, queries: ChannelQueries) -> float:
        """How crowded the subject of a query has become; its siblings and its family do not count."""
        known, hidden = self.known(row), self._known_by(row).hidden
        present = np.ones(len(known), dtype=bool)
        known[hidden] = present[hidden] = False
        return crowding_of(queries, known, present)
