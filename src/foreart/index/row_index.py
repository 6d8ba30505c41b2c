"""An index of dense rows: what texts become by LSA, word vectors or a sentence encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from foreart.features import Features, QueryParts, RowArray
from foreart.index.dense.dense_rows import DenseRows
from foreart.index.index import Description, Explanation, Index, greatest_first


@dataclass(frozen=True)
class RowIndex(Index):
    """The rows, the features that made them, and the description of both."""

    rows: DenseRows
    features: Features
    description: Description

    @property
    def ids(self) -> Sequence[str]:
        """The id of each row."""
        return self.rows.ids

    def words(self, text: str) -> list[str]:
        """A text cut as the features cut it."""
        return self.features.words(text)

    def encode(self, text: str) -> RowArray:
        """The row of a query, comparable with the rows here."""
        return self.features.encode_queries([text])

    def scores(self, query: RowArray) -> np.ndarray:
        """The score of every document, in the order of rows."""
        return self.rows.scores(query, measure=self.features.measure)

    def top(
        self, query: RowArray, k: int, *, allowed: np.ndarray | None = None, exact: bool | None = None
    ) -> list[tuple[str, float]]:
        """The k best documents; always exact."""
        return self.rows.top(query, k, measure=self.features.measure, allowed=allowed)

    def explanation(self, text: str) -> Explanation:
        """Ready to say why documents score as they do for a query text."""
        return RowExplanation(self, self.features.parts(text))

    @property
    def word_vectors(self) -> Features | None:
        """The features, where they have vectors of words."""
        return None if self.features.word_columns is None else self.features


@dataclass(frozen=True)
class RowExplanation(Explanation):
    """A query in its words, if its row is a sum over them."""

    index: RowIndex
    parts: QueryParts | None

    def of(self, number: str) -> tuple[tuple[str, float], ...]:
        """What each word of the query adds to the score of a document."""
        if self.parts is None:
            return ()
        rows = self.index.rows
        shares = rows.shares(self.parts, self.index.row_of(number), measure=self.index.features.measure)
        return greatest_first(self.parts.words, shares.tolist())
