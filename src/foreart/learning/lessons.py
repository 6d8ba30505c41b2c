"""What one document teaches when it plays the draft: scores of texts are kept, all else is computed when asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from foreart.corpus import Corpus
from foreart.learning.teachers import relevant
from foreart.search.ranking import Compared, Ground, Neighbours, Question, Signals, compared, question_of

# Texts of so many numbers are kept in memory; beyond that they are scored again.
_KEPT = 250_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """A draft of the past: what was known then, and which documents it came to cite."""

    row: int
    question: Question
    beside: Compared
    relevant: np.ndarray


class Lessons:
    """Lessons by row. A teacher's own citations, its family and what came later are hidden from it."""

    def __init__(self, corpus: Corpus, ground: Ground, labels: Ground) -> None:
        self._corpus, self.ground, self.labels = corpus, ground, labels
        self._questions: dict[int, Question] = {}
        self._texts: dict[int, dict[str, np.ndarray]] = {}
        self._room = _KEPT

    def __getitem__(self, row: int) -> Lesson:
        if row not in self._questions:
            read = self.ground.bibliography
            named = read.numbers[read.named.row(row)]
            self._questions[row] = question_of(self._corpus[read.ids[row]], named=named)
        texts = {name: values.astype(np.float64) for name, values in self._scores(row).items()}
        question = self._questions[row]
        known = self.ground.earlier_than(row)
        found = compared(texts, question, known, int(self.ground.bibliography.days[row]), self.ground.bibliography)
        return Lesson(row, question, found, relevant(self.labels, row))

    def signals(self, lesson: Lesson, neighbours: Neighbours | None, hubs: np.ndarray | None) -> Signals:
        """The signals of a lesson under some weights of neighbours."""
        return self.ground.signals(lesson.beside, lesson.question, neighbours, hubs)

    def _scores(self, row: int) -> dict[str, np.ndarray]:
        kept = self._texts.get(row)
        if kept is not None:
            return kept
        made = {
            name: values.astype(np.float32) for name, values in self.ground.texts.scores(self._questions[row]).items()
        }
        size = sum(len(values) for values in made.values())
        if size <= self._room:
            self._texts[row] = made
            self._room -= size
            self._questions[row] = replace(self._questions[row], texts={})
        return made
