"""Answers questions to the fields of one index: in one request, or in stages where queries are too long for that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foreart.cluster.opensearch.asking.field_queries import (
    WeightedWords,
    nearest_by_product,
    nearest_by_words,
    product_bound,
    products_of,
    sums_of_words,
)
from foreart.cluster.opensearch.asking.multi_search import Found, MultiSearch
from foreart.cluster.opensearch.asking.row_filters import row_filter
from foreart.cluster.opensearch.opensearch_faults import TooManyWords
from foreart.cluster.opensearch.stored_fields import WINDOW, StoredField
from foreart.errors import BadRequest
from foreart.index.scoring.best_first import best_first

# From this number of documents on, some words find candidates, which all words then score.
LARGE = 1_000_000
_FIRST_WORDS, _CANDIDATES = 256, 4
# How many words at once a cluster allows that was not told otherwise.
_FEW_WORDS = 1_000
# How many documents are scored in one search.
_ROWS = 10_000


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FieldQuestion:
    """A question to a field: `words` or a `vector`, and either `rows` to score or the `k` nearest of `allowed` ones."""

    field: StoredField
    words: WeightedWords | None = None
    vector: np.ndarray | None = None
    cosine: bool = False
    rows: np.ndarray | None = None
    k: int = 0
    allowed: np.ndarray | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing can be found."""
        empty = len(self.words) == 0 if self.words is not None else self.vector is None or not self.vector.any()
        return empty or (self.k < 1 if self.rows is None else not len(self.rows))


class FieldAsker:
    """The fields of one index; `days` and `ids` are those of its documents by row."""

    def __init__(self, search: MultiSearch, days: np.ndarray, ids: Sequence[str]) -> None:
        self._search, self._days, self._ids = search, days, ids
        self._most_words = 0

    def answers(self, questions: Sequence[FieldQuestion]) -> list[Found]:
        """For each question the nearest rows with scores, best first, or the rows that were named with theirs."""
        try:
            return self._answered(questions)
        except TooManyWords:
            if self._most_words:
                raise
            self._most_words = _FEW_WORDS
            return self._answered(questions)

    def _answered(self, questions: Sequence[FieldQuestion]) -> list[Found]:
        """Everything in one request, and in a second one the candidates of those that need two stages."""
        plans = [self._first(question) for question in questions]
        found = iter(self._search.found([body for plan in plans for body in plan]) if any(plans) else [])
        parts = [[next(found) for _ in plan] for plan in plans]
        firsts = [self._joined(question, part) for question, part in zip(questions, parts, strict=True)]
        staged = [number for number, question in enumerate(questions) if self._in_stages(question)]
        again = [
            FieldQuestion(questions[number].field, questions[number].words, rows=np.sort(firsts[number][0]))
            for number in staged
        ]
        scored = self._answered(again) if staged else []
        for number, (rows, scores) in zip(staged, scored, strict=True):
            firsts[number] = rows, scores
        return [
            answer if question.rows is not None else self._best(answer, question.k)
            for question, answer in zip(questions, firsts, strict=True)
        ]

    def _in_stages(self, question: FieldQuestion) -> bool:
        """Whether only some words of a query find candidates."""
        words = question.words
        return question.rows is None and words is not None and not question.is_empty and len(words) > self._stage(words)

    def _stage(self, words: WeightedWords) -> int:
        """How many words find candidates."""
        if len(self._days) >= LARGE:
            return _FIRST_WORDS
        return self._most_words or len(words)

    def _first(self, question: FieldQuestion) -> list[dict[str, Any]]:
        """The searches of a question, or of its first stage."""
        if question.is_empty:
            return []
        if question.rows is not None:
            return self._of_rows(question, question.rows)
        among = row_filter(question.allowed, self._days)
        k = self._window(question)
        if question.words is None:
            assert question.vector is not None
            return [nearest_by_product(question.field, question.vector, k, among, cosine=question.cosine)]
        first = question.words.parts(self._stage(question.words))[0]
        return [nearest_by_words(question.field, first, k, among)]

    def _window(self, question: FieldQuestion) -> int:
        allowed = len(self._days) if question.allowed is None else int(np.count_nonzero(question.allowed))
        k = min(question.k * (_CANDIDATES if self._in_stages(question) else 1), allowed)
        if min(question.k, allowed) > WINDOW:
            raise BadRequest(f"an OpenSearch cluster gives at most {WINDOW:,} documents of a search: ask for fewer")
        return max(1, min(k, WINDOW))

    def _of_rows(self, question: FieldQuestion, rows: np.ndarray) -> list[dict[str, Any]]:
        """Searches that score some rows, so many at once, by all words, so many at once."""
        rows = np.unique(rows)
        slices = [rows[start : start + _ROWS] for start in range(0, len(rows), _ROWS)]
        if question.words is not None:
            parts = question.words.parts(self._most_words or len(question.words))
            return [sums_of_words(question.field, part, some) for part in parts for some in slices]
        assert question.vector is not None
        return [products_of(question.field, question.vector, some, cosine=question.cosine) for some in slices]

    def _joined(self, question: FieldQuestion, parts: Sequence[Found]) -> Found:
        """The answers of a question's searches together: sums of words add up."""
        if question.rows is None:
            return parts[0] if parts else (np.empty(0, dtype=np.int64), np.empty(0))
        wanted, places = np.unique(question.rows, return_inverse=True)
        scores = np.zeros(len(wanted))
        for rows, values in parts:
            known = values
            if question.words is None:
                assert question.vector is not None
                known = (values - 1.0) * product_bound(question.field, question.vector, cosine=question.cosine)
            scores[np.searchsorted(wanted, rows)] += known
        return question.rows, scores[places]

    def _best(self, answer: Found, k: int) -> Found:
        """The k best, ties by id."""
        rows, scores = answer
        order = best_first(rows, scores, self._ids, k)
        return rows[order], scores[order]
