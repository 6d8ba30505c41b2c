"""An index whose rows are scored by the workers of a cluster; all else is read from the shared folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from foreart.cluster.asked_index import AskedIndex
from foreart.cluster.spread.shard_asking import Rows, Shards, merged_nearest, merged_scores
from foreart.cluster.spread.shard_requests import Answer, ShardQuestion, ShardVerb
from foreart.index import Index, Question


class SpreadIndex(AskedIndex):
    """Queries are made here, once, from the statistics of all documents; shards answer what concerns many rows."""

    def __init__(self, name: str, whole: Index, shards: Callable[[], Shards]) -> None:
        super().__init__(whole)
        self.name, self._shards = name, shards

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

    def scores(self, query: Any) -> np.ndarray:  # noqa: ANN401
        """The score of every document, in row order."""
        (found,) = self._asked([self._question("scores", query)], [(None, None)])
        return merged_scores(found, self.name, np.arange(len(self)))

    def nearest(
        self,
        query: Any,  # noqa: ANN401
        k: int,
        *,
        allowed: np.ndarray | None = None,
        exact: bool | None = None,
    ) -> Answer:
        """The k best allowed documents; always exact, so that the number of shards changes nothing."""
        if self.has_few(Question(self, "nearest", query, k=k, allowed=allowed)):
            return self._whole.nearest(query, k, allowed=allowed, exact=True)
        (found,) = self._asked([self._question("nearest", query, k)], [(None, allowed)])
        return merged_nearest(found, self.ids, k)

    def answers(self, questions: Sequence[Question]) -> list[np.ndarray]:
        """The answers to questions to this index and others of its state, in one round trip."""
        indexes = [cast(SpreadIndex, question.index) for question in questions]
        if all(index.has_few(question) for index, question in zip(indexes, questions, strict=True)):
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

    @property
    def row_table(self) -> np.ndarray | None:
        """The dense row of each document, mapped."""
        return self._whole.row_table
