"""All there is to learn from, and what is learned of it when some teachers stay away."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foreart.learning.lessons import Lesson, Lessons
from foreart.learning.teachers import Teachers
from foreart.search.ranking import (
    CHANNELS,
    Example,
    Neighbours,
    Signals,
    Weighted,
    fit_logistic,
    fit_neighbours,
)

# The strongest penalty that still ranked best on documents that were not learned from.
PENALTY = 0.03
# Beside cited documents those are learned from that a channel would put first, and some at random.
_FIRST, _RANDOM = 100, 150
_LEADING = ("cited by near, sum", "cites near")


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Rows of signals, a column a name, and which of them were cited."""

    names: tuple[str, ...]
    signs: tuple[int, ...]
    values: np.ndarray
    cited: np.ndarray


class School:
    """All there is to learn from; what is asked for is learned without some of the teachers."""

    def __init__(
        self,
        lessons: Lessons,
        teach: Teachers,
        examples: dict[int, Example],
        hubs: np.ndarray,
        channels: frozenset[str],
        seed: int,
    ) -> None:
        self._lessons, self._teach, self._examples, self._hubs = lessons, teach, examples, hubs
        self._channels, self._seed = channels, seed

    def taught(self, absent: set[int]) -> tuple[Neighbours | None, Weighted]:
        """What the others teach; nothing of neighbours, if none of them had any."""
        examples = [item for row, item in self._examples.items() if row not in absent]
        neighbours = fit_neighbours(examples) if examples else None
        tables = [self.table(row, neighbours) for row in self._teach.ranked if row not in absent]
        values, cited = np.concatenate([one.values for one in tables]), np.concatenate([one.cited for one in tables])
        names, signs = tables[0].names, tables[0].signs
        fitted = fit_logistic(values, cited.astype(float), names, signs=signs, penalty=PENALTY)
        return neighbours, Weighted(dict(zip(names, fitted.weights.tolist(), strict=True)))

    def scored(self, row: int, neighbours: Neighbours | None, weights: Weighted) -> tuple[Lesson, np.ndarray]:
        """A lesson and the scores of all documents."""
        lesson = self._lessons[row]
        signals = self._lessons.signals(lesson, neighbours, self._hubs)
        return lesson, weights.scores(signals, lesson.beside.known)

    def table(self, row: int, neighbours: Neighbours | None) -> Table:
        """What one teacher has to say of channels."""
        lesson = self._lessons[row]
        signals = self._lessons.signals(lesson, neighbours, self._hubs)
        rows = self._rows(lesson, signals)
        names = tuple(name for name, channel in signals.channels.items() if channel in self._channels)
        signs = tuple(CHANNELS[signals.channels[name]].sign for name in names)
        values = np.stack([signals.columns[name][rows] for name in names], axis=1)
        return Table(names, signs, values, np.isin(rows, lesson.relevant))

    def _rows(self, lesson: Lesson, signals: Signals) -> np.ndarray:
        """The cited documents, those that texts or citations would put first, and some of the others."""
        others = np.setdiff1d(np.flatnonzero(lesson.beside.known), lesson.relevant)
        leading = [lesson.beside.near, *(signals.columns[name] for name in _LEADING)]
        first = [others[np.argsort(-values[others], kind="stable")[:_FIRST]] for values in leading]
        random = np.random.default_rng([self._seed, lesson.row])
        drawn = random.choice(others, min(len(others), _RANDOM), replace=False)
        return np.unique(np.concatenate([lesson.relevant, *first, drawn]))
