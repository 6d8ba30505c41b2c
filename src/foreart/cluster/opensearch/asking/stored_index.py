"""An index whose documents are scored by an OpenSearch cluster; queries are made and explained here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np

from foreart.cluster.asked_index import AskedIndex
from foreart.cluster.opensearch.asking.field_asking import FieldAsker, FieldQuestion
from foreart.cluster.opensearch.asking.field_queries import WeightedWords
from foreart.cluster.opensearch.stored_fields import StoredField
from foreart.corpus.views.view_columns import inverse
from foreart.index import Index, Question
from foreart.index.scoring.best_first import best_first

Answer = tuple[np.ndarray, np.ndarray]

# So many documents are scored with this machine's files, exactly: the cluster has rounded weights, and finds them.
_SCORED_HERE = 20_000


class StoredIndex(AskedIndex):
    """Rows are those of the view, which the cluster stores with each document; `whole` has the statistics.

    Without a `field` the cluster does not have the index, and this machine answers.
    """

    def __init__(self, whole: Index, field: StoredField | None, asker: FieldAsker, ids: Sequence[str]) -> None:
        super().__init__(whole)
        self._field, self._asker, self._ids = field, asker, ids if field else whole.ids

    @property
    def ids(self) -> Sequence[str]:
        """The id of each row."""
        return self._ids

    def has_rows(self, ids: Sequence[str]) -> bool:
        """Whether the rows have these ids, in this order."""
        return self._ids is ids or (self._whole.has_rows(ids) if self._field is None else super().has_rows(ids))

    def scores(self, query: Any) -> np.ndarray:  # noqa: ANN401
        """The score of every document, in row order."""
        if self._field is not None and len(self) > _SCORED_HERE:
            return self.scores_of(query, np.arange(len(self)))
        scores = self._whole.scores(query)
        return scores if self._places is None else scores[self._places]

    def nearest(
        self,
        query: Any,  # noqa: ANN401
        k: int,
        *,
        allowed: np.ndarray | None = None,
        exact: bool | None = None,
    ) -> Answer:
        """The k best allowed documents, by all words below a million documents, with exact scores."""
        question = Question(self, "nearest", query, k=k, allowed=allowed)
        if self._is_here(question):
            return self._nearest_here(question, exact=None if self._field is None else True)
        ((rows, _),) = self._asker.answers([self._asked(question)])
        scores = self.here(Question(self, "scores_of", query, rows=rows))
        order = best_first(rows, scores, self._ids, k)
        return rows[order], scores[order]

    def answers(self, questions: Sequence[Question]) -> list[np.ndarray]:
        """The answers to questions to indexes of this state: those that the cluster has, in one request."""
        indexes = [cast(StoredIndex, question.index) for question in questions]
        asked = [index.cluster_question(each) for index, each in zip(indexes, questions, strict=True)]
        found = iter(self._asker.answers([each for each in asked if each is not None]))
        return [
            index.here(question) if each is None else next(found)[0 if question.rows is None else 1]
            for index, question, each in zip(indexes, questions, asked, strict=True)
        ]

    def cluster_question(self, question: Question) -> FieldQuestion | None:
        """The question as the cluster is asked; None if this machine answers it."""
        return None if self._is_here(question) else self._asked(question)

    def _is_here(self, question: Question) -> bool:
        """Whether this machine answers: the cluster does not have the index, or few documents are to be scored."""
        scored = question.rows is not None and len(question.rows) <= _SCORED_HERE
        return self._field is None or scored or self.has_few(question)

    def here(self, question: Question) -> np.ndarray:
        """The answer of this machine, exactly."""
        if question.verb == "nearest":
            return self._nearest_here(question, exact=None if self._field is None else True)[0]
        rows, allowed = self._own(question.rows), self._own_mask(question)
        found = Question(self._whole, question.verb, question.query, rows, question.k, allowed).asked()
        return found if question.rows is not None else self._of_view(found)

    def _nearest_here(self, question: Question, *, exact: bool | None) -> Answer:
        mask = self._own_mask(question)
        rows, scores = self._whole.nearest(question.query, question.k, allowed=mask, exact=exact)
        return self._of_view(rows), scores

    @cached_property
    def _places(self) -> np.ndarray | None:
        """For each row that of this machine's files; None where they are the same."""
        if self._field is None or self._whole.has_rows(self._ids):
            return None
        rows = {number: row for row, number in enumerate(self._whole.ids)}
        return np.array([rows[number] for number in self._ids], dtype=np.int64)

    def _own(self, rows: np.ndarray | None) -> np.ndarray | None:
        return rows if rows is None or self._places is None else self._places[rows]

    def _own_mask(self, question: Question) -> np.ndarray | None:
        if question.allowed is None or self._places is None:
            return question.allowed
        mask = np.zeros(len(self), dtype=bool)
        mask[self._places] = question.allowed
        return mask

    def _of_view(self, rows: np.ndarray) -> np.ndarray:
        return rows if self._places is None else inverse(self._places)[rows]

    def _asked(self, question: Question) -> FieldQuestion:
        assert self._field is not None
        how: dict[str, Any] = {"rows": question.rows, "k": question.k, "allowed": question.allowed}
        if self._field.kind == "words":
            return FieldQuestion(
                self._field, WeightedWords.of(*self._whole.query_weights(question.query), self._field), **how
            )
        vector = np.asarray(question.query, dtype=np.float64).ravel()
        cosine = question.verb in ("nearest", "scores_of") and self._field.measure == "cosine"
        length = float(np.linalg.norm(vector))
        return FieldQuestion(self._field, vector=vector / length if cosine and length else vector, cosine=cosine, **how)

    @property
    def row_table(self) -> np.ndarray | None:
        """The dense row of each document."""
        table = self._whole.row_table
        return table if table is None or self._places is None else table[self._places]
