"""What each word adds to a likeness of topics, without turning every word into topics first."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from foreart.features.topics.projection import Linear
from foreart.features.topics.reduction import ReducedFeatures
from foreart.index import Explanation, Index
from foreart.index.index import greatest_first
from foreart.index.row_index import RowIndex


def explanation_of(index: Index, text: str) -> Explanation:
    """Ready to say why documents score as they do: the index's own explanation, or the same in a tenth of the time."""
    if isinstance(index, RowIndex) and isinstance(index.features, ReducedFeatures):
        projection = index.features._projection_
        if isinstance(projection, Linear) and index.rows.groups is None and index.features.measure == "cosine":
            return _TopicExplanation(index, index.features, projection, text)
    return index.explanation(text)


class _TopicExplanation(Explanation):
    """A document's row is turned back into words once: x·(Xᵀ·left)·row is x·(Xᵀ·(left·row))."""

    def __init__(self, index: RowIndex, features: ReducedFeatures, projection: Linear, text: str) -> None:
        self._index, self._features, self._projection = index, features, projection
        self._row = features._weights_.encode_counts(features._count([text]))

    @cached_property
    def _length(self) -> float:
        """Of the whole text in topics."""
        return float(np.linalg.norm(self._projection.apply(self._row)))

    def of(self, number: str) -> tuple[tuple[str, float], ...]:
        """What each word of the query adds to the score of a document."""
        rows = self._index.rows
        document = np.asarray(rows.data[self._index.row_of(number)], dtype=np.float64)
        length = float(np.linalg.norm(document)) * self._length
        if not length:
            return ()
        shares = self._row.data * self._products(document) / length
        terms = self._features._vocabulary_.terms
        words = [terms[column] for column in self._row.indices.tolist()]
        constant = -float(self._projection.offset @ document) / length
        if constant:
            return greatest_first([*words, ""], [*shares.tolist(), constant])
        return greatest_first(words, shares.tolist())

    def _products(self, document: np.ndarray) -> np.ndarray:
        """The product of each word's vector with the document's."""
        columns, projection = self._row.indices, self._projection
        places = projection.places[columns]
        folded = places >= 0
        found = np.empty(len(columns))
        found[folded] = projection.right[places[folded]].astype(np.float64) @ document
        found[~folded] = projection.texts[:, columns[~folded]].T @ (projection.left @ document)
        return found
