"""An index whose rows are scored by the workers of a cluster; all else is read from the shared folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from scipy.sparse import csr_array

from foreart.cluster.spread.shard_asking import Rows, Shards, merged_nearest, merged_scores
from foreart.cluster.spread.shard_requests import Answer, ShardQuestion, ShardVerb
from foreart.features import Features
from foreart.index import Explanation, Index, QueryTerm, Question
from foreart.index.storage.snapshot import Snapshot
from foreart.text import QueryText

# A question about so few rows, and no more than this share of all, is answered here: that takes less than asking.
_FEW_SCORED, _FEW_SEARCHED, _SHARE = 300, 1_000, 10


class SpreadIndex(Index):
    """Queries are made here, once, from the statistics of all documents; shards answer what concerns many rows."""

    def __init__(self, name: str, whole: Index, shards: Callable[[], Shards]) -> None:
        self.name = name
        self.description = whole.description
        self._whole, self._shards = whole, shards

    @property
    def ids(self) -> Sequence[str]:
        """The id of each row."""
        return self._whole.ids

    def has_rows(self, ids: Sequence[str]) -> bool:
        """Whether the rows have these ids, in this order."""
        return self._whole.has_rows(ids)

    def rows_of(self, ids: Sequence[str]) -> np.ndarray:
        """The row of each id, -1 where there is none."""
        return self._whole.rows_of(ids)

    def row_of(self, number: str) -> int:
        """The row of an id."""
        return self._whole.row_of(number)

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

    def scores(self, query: Any) -> np.ndarray:  # noqa: ANN401
        """The score of every document, in row order."""
        (found,) = self._asked([self._question("scores", query)], [(None, None)])
        return merged_scores(found, self.name, np.arange(len(self)))

    def scores_of(self, query: Any, rows: np.ndarray) -> np.ndarray:  # noqa: ANN401
        """The exact scores of some documents."""
        (found,) = self.answers([Question(self, "scores_of", query, rows=rows)])
        return found

    def nearest(
        self,
        query: Any,  # noqa: ANN401
        k: int,
        *,
        allowed: np.ndarray | None = None,
        exact: bool | None = None,
    ) -> Answer:
        """The k best allowed documents; always exact, so that the number of shards changes nothing."""
        if self._few(_FEW_SEARCHED, allowed):
            return self._whole.nearest(query, k, allowed=allowed, exact=True)
        (found,) = self._asked([self._question("nearest", query, k)], [(None, allowed)])
        return merged_nearest(found, self.ids, k)

    def products(self, vector: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The dot products of some documents' rows with a vector."""
        (found,) = self.answers([Question(self, "products", vector, rows=rows)])
        return found

    def nearest_products(self, vector: np.ndarray, k: int, *, allowed: np.ndarray | None = None) -> np.ndarray:
        """The k allowed documents with the largest products above 0, largest first."""
        (found,) = self.answers([Question(self, "nearest_products", vector, k=k, allowed=allowed)])
        return found

    def answers(self, questions: Sequence[Question]) -> list[np.ndarray]:
        """The answers to questions to this index and others of its state, in one round trip."""
        indexes = [cast(SpreadIndex, question.index) for question in questions]
        if all(index._has_few(question) for index, question in zip(indexes, questions, strict=True)):
            return [index._here(question) for index, question in zip(indexes, questions, strict=True)]
        asked = [
            index._question(question.verb, question.query, question.k)
            for index, question in zip(indexes, questions, strict=True)
        ]
        found = self._asked(asked, [(question.rows, question.allowed) for question in questions])
        return [
            merged_nearest(each, index.ids, question.k)[0]
            if question.rows is None
            else merged_scores(each, index.name, question.rows)
            for index, question, each in zip(indexes, questions, found, strict=True)
        ]

    def _has_few(self, question: Question) -> bool:
        if question.rows is not None:
            return len(question.rows) <= min(_FEW_SCORED, len(self) // _SHARE)
        return self._few(_FEW_SEARCHED, question.allowed)

    def _few(self, most: int, allowed: np.ndarray | None) -> bool:
        return allowed is not None and int(np.count_nonzero(allowed)) <= min(most, len(self) // _SHARE)

    def _here(self, question: Question) -> np.ndarray:
        """The answer by the files that this machine has too, exact as those of workers are."""
        if question.verb == "nearest":
            return self._whole.nearest(question.query, question.k, allowed=question.allowed, exact=True)[0]
        return replace(question, index=self._whole).asked()

    def _asked(self, questions: Sequence[ShardQuestion], rows: Sequence[Rows]) -> list[Any]:
        return self._shards().answers(questions, rows)

    def _question(self, verb: ShardVerb, query: Any, k: int = 0) -> ShardQuestion:  # noqa: ANN401
        sent = query if verb in ("products", "nearest_products") else self._whole.outgoing(query)
        return ShardQuestion(self.name, self.description.fingerprint, verb, sent, k)

    def between(self, first: int, last: int) -> Index:
        """Some rows, here."""
        return self._whole.between(first, last)

    def explanation(self, text: str, query: Any = None) -> Explanation:  # noqa: ANN401
        """Explains the scores of documents: each is read from the shared folder."""
        return self._whole.explanation(text, query)

    def weighted(self, ids: Iterable[str]) -> csr_array:
        """The weighted rows of some documents, over the words they contain."""
        return self._whole.weighted(ids)

    def near(self, threshold: float) -> Iterator[tuple[str, str, float]]:
        """All pairs of documents with a cosine of at least `threshold`, as they are found."""
        return self._whole.near(threshold)

    @property
    def row_table(self) -> np.ndarray | None:
        """The dense row of each document, mapped."""
        return self._whole.row_table

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
