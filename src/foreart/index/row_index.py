"""An index of dense rows: LSA, word vectors or a sentence encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from foreart.features import Features, QueryParts, RowArray
from foreart.index.dense.dense_rows import DenseRows
from foreart.index.index import Description, Explanation, Index, largest_first


@dataclass(frozen=True)
class RowIndex(Index):
    """The rows, their features, the description, and the hashes of the documents."""

    rows: DenseRows
    features: Features
    description: Description
    model: str = ""
    contents: np.ndarray | None = None

    @property
    def ids(self) -> Sequence[str]:
        """The id of each row."""
        return self.rows.ids

    def has_rows(self, ids: Sequence[str]) -> bool:
        """Whether the rows have these ids, in this order; compares bytes without decoding strings."""
        return self._table == ids

    def words(self, text: str) -> list[str]:
        """The words of a text, split as by the features."""
        return self.features.words(text)

    def encode(self, text: str) -> RowArray:
        """The row of a query."""
        return self.features.encode_queries([text])

    def scores(self, query: RowArray) -> np.ndarray:
        """The score of every document, in row order."""
        return self.rows.scores(query, measure=self.features.measure)

    def scores_of(self, query: RowArray, rows: np.ndarray) -> np.ndarray:
        """The scores of some documents."""
        return self.rows.scores_of(query, rows, measure=self.features.measure)

    def nearest(
        self, query: RowArray, k: int, *, allowed: np.ndarray | None = None, exact: bool | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The k best documents; always exact."""
        return self._nearest(query, k, self.features.measure, allowed)

    def _nearest(
        self, query: RowArray, k: int, measure: str, allowed: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray]:
        (found,) = self.rows.nearest(np.asarray(query).reshape(1, -1), k, measure=measure, allowed=allowed)
        return found

    def between(self, first: int, last: int) -> RowIndex:
        """The documents from `first` to before `last` alone."""
        contents = None if self.contents is None else self.contents[first:last]
        about = replace(self.description, documents=last - first)
        return replace(self, rows=self.rows.between(first, last), description=about, contents=contents)

    def explanation(self, text: str, query: RowArray | None = None) -> Explanation:
        """Explains the scores of documents, where the row of a query is a sum over its words."""
        return RowExplanation(self, self.features.parts(text))

    @property
    def row_table(self) -> np.ndarray | None:
        """The dense row of each document; None if documents have several."""
        return self.rows.data if self.rows.groups is None else None

    @property
    def row_measure(self) -> str:
        """That of the features."""
        return self.features.measure

    def products(self, vector: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The dot products of some documents' rows with a vector."""
        return self.rows.scores_of(vector, rows, measure="linear")

    def nearest_products(self, vector: np.ndarray, k: int, *, allowed: np.ndarray | None = None) -> np.ndarray:
        """The k allowed documents with the largest products above 0, largest first."""
        return self._nearest(vector, k, "linear", allowed)[0]

    @property
    def word_vectors(self) -> Features | None:
        """The features, if they have word vectors."""
        return None if self.features.word_columns is None else self.features


@dataclass(frozen=True)
class RowExplanation(Explanation):
    """A query split by word, if its row is a sum over words."""

    index: RowIndex
    parts: QueryParts | None

    def of(self, number: str) -> tuple[tuple[str, float], ...]:
        """The contribution of each query word to the score of a document."""
        if self.parts is None:
            return ()
        rows = self.index.rows
        shares = rows.shares(self.parts, self.index.row_of(number), measure=self.index.features.measure)
        return largest_first(self.parts.words, shares.tolist())

    def mapped(self, number: str, matrix: np.ndarray) -> tuple[tuple[str, float], ...]:
        """The contribution of each query word to the product of the query's row, a matrix and the document's row."""
        if self.parts is None or self.index.row_table is None:
            return ()
        length = float(np.linalg.norm(self.parts.total))
        vector = matrix.astype(np.float64) @ self.index.row_table[self.index.row_of(number)].astype(np.float64)
        shares = self.parts.products(vector) / length if length > 0 else np.zeros(len(self.parts.words))
        return largest_first(self.parts.words, shares.tolist())
