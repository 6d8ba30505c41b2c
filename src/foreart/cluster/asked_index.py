"""An index whose many rows a cluster scores; queries are made and explained with this machine's files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from foreart.features import Features
from foreart.index import Explanation, Index, QueryTerm, Question
from foreart.index.storage.snapshot import Snapshot
from foreart.text import QueryText

# A question about so few rows, and no more than this share of all, is answered here: that takes less than asking.
_FEW_SCORED, _FEW_SEARCHED, _SHARE = 300, 1_000, 10


class AskedIndex(Index):
    """What every home has in common: `whole` is the index in the folder of the library."""

    def __init__(self, whole: Index) -> None:
        self.description = whole.description
        self._whole = whole

    def words(self, text: str) -> list[str]:
        """The words of a text, split as in the index."""
        return self._whole.words(text)

    def encode(self, text: str) -> Any:  # noqa: ANN401 as the index
        """The query of a text."""
        return self._whole.encode(text)

    def encode_draft(self, text: QueryText) -> Any:  # noqa: ANN401
        """The query of a draft."""
        return self._whole.encode_draft(text)

    def query_terms(self, query: Any) -> tuple[QueryTerm, ...]:  # noqa: ANN401
        """The words of a query with their weights."""
        return self._whole.query_terms(query)

    def scores_of(self, query: Any, rows: np.ndarray) -> np.ndarray:  # noqa: ANN401
        """The scores of some documents."""
        return self.answers([Question(self, "scores_of", query, rows=rows)])[0]

    def products(self, vector: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The dot products of some documents' rows with a vector."""
        return self.answers([Question(self, "products", vector, rows=rows)])[0]

    def nearest_products(self, vector: np.ndarray, k: int, *, allowed: np.ndarray | None = None) -> np.ndarray:
        """The k allowed documents with the largest products above 0, largest first."""
        return self.answers([Question(self, "nearest_products", vector, k=k, allowed=allowed)])[0]

    def has_few(self, question: Question) -> bool:
        """Whether a question is of so few rows that this machine answers it."""
        if question.rows is not None:
            return len(question.rows) <= min(_FEW_SCORED, len(self) // _SHARE)
        few = min(_FEW_SEARCHED, len(self) // _SHARE)
        return question.allowed is not None and int(np.count_nonzero(question.allowed)) <= few

    def between(self, first: int, last: int) -> Index:
        """Some rows, here."""
        return self._whole.between(first, last)

    def explanation(self, text: str, query: Any = None) -> Explanation:  # noqa: ANN401
        """Explains the scores of documents."""
        return self._whole.explanation(text, query)

    def weighted(self, ids: Iterable[str]) -> csr_array:
        """The weighted rows of some documents, over the words they contain."""
        return self._whole.weighted(ids)

    def near(self, threshold: float) -> Iterator[tuple[str, str, float]]:
        """All pairs of documents with a cosine of at least `threshold`, as they are found."""
        return self._whole.near(threshold)

    @property
    def model(self) -> str:
        """A fingerprint of what the features learned."""
        return self._whole.model

    @property
    def word_vectors(self) -> Features | None:
        """The features, if they have word vectors."""
        return self._whole.word_vectors

    @property
    def postings(self) -> Snapshot | None:
        """The postings of the full text with the default tokenizer, if this index has them, mapped."""
        return self._whole.postings
