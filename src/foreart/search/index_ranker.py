"""The ranking by one index alone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from foreart.corpus.views import CorpusView
from foreart.document.draft import Draft
from foreart.index import Description, Explanation, Index, QueryTerm
from foreart.search.ranker import Comparison, Ranker
from foreart.search.scope import Scope
from foreart.search.score_parts import Shares
from foreart.text import section_text


class IndexRanker(Ranker):
    """Ranks by one index alone."""

    def __init__(
        self,
        index: Index,
        view: CorpusView,
        *,
        name: str = "",
        notes: tuple[str, ...] = (),
        exact: bool = False,
    ) -> None:
        self.index = index
        self._view = view if index.has_rows(view.ids) else view.aligned(index.ids)
        self._name, self._notes, self._exact = name, notes, exact

    @property
    def indexes(self) -> Mapping[str, Index]:
        """The one index."""
        return {self._name: self.index}

    def words(self, text: str) -> list[str]:
        """A text tokenized as in the index."""
        return self.index.words(text)

    @property
    def notes(self) -> tuple[str, ...]:
        """As given."""
        return self._notes

    @property
    def view(self) -> CorpusView:
        """The documents, in the order of the index."""
        return self._view

    @property
    def description(self) -> Description:
        """That of the index."""
        return self.index.description

    def exactly(self) -> IndexRanker:
        """Without the two stages of a large index."""
        return IndexRanker(self.index, self._view, name=self._name, notes=self._notes, exact=True)

    def compare(self, draft: Draft, scope: Scope) -> Comparison:
        """The draft compared with every document."""
        return _IndexComparison(self.index, section_text(draft, self.index.sections), exact=self._exact)


class _IndexComparison(Comparison):
    def __init__(self, index: Index, text: str, *, exact: bool) -> None:
        self._index = index
        self._text, self._exact = text, exact
        self._query = index.encode(text)

    def top(self, k: int, allowed: np.ndarray) -> list[tuple[int, float]]:
        rows, scores = self._index.nearest(self._query, k, allowed=allowed, exact=self._exact or None)
        return list(zip(rows.tolist(), scores.tolist(), strict=True))

    def candidates(self, allowed: np.ndarray, k: int = 0) -> np.ndarray:
        return np.flatnonzero(allowed)

    def scores_of(self, rows: np.ndarray) -> np.ndarray:
        scores: np.ndarray = self._scores[rows]
        return scores

    @cached_property
    def _scores(self) -> np.ndarray:
        return self._index.scores(self._query)

    def query_terms(self) -> tuple[QueryTerm, ...]:
        return self._index.query_terms(self._query)

    @cached_property
    def _explanation(self) -> Explanation:
        return self._index.explanation(self._text, self._query)

    def words(self, row: int) -> Shares:
        return tuple(self._explanation.of(self._index.ids[row]))
