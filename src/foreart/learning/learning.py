"""Earlier patents of a corpus play the draft, and their citations teach how much each channel is worth."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from foreart.corpus import Corpus
from foreart.errors import ForeartError
from foreart.learning.hubs import Hubs, hubs_of
from foreart.learning.judging import Judgement, judged
from foreart.learning.lessons import Lesson, Lessons
from foreart.learning.teachers import FOLDS, Teachers, folds, teachers
from foreart.search.ranking import (
    CHANNELS,
    Example,
    Fold,
    Ground,
    Learned,
    Neighbours,
    Signals,
    Weighted,
    calibrate,
    example,
    fit_logistic,
    fit_neighbours,
)

# The strongest penalty that still ranked best on documents that were not learned from.
PENALTY = 0.03
# Beside cited documents those are learned from that a channel would put first, and some at random.
_FIRST, _RANDOM = 100, 150
_LEADING = ("cited by near, sum", "cites near")
_FEWEST = 10

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Rows of signals, a column a name, and which of them were cited."""

    names: tuple[str, ...]
    signs: tuple[int, ...]
    values: np.ndarray
    cited: np.ndarray


def learn(
    corpus: Corpus,
    ground: Ground,
    *,
    labels: Ground | None = None,
    without: Sequence[str] = (),
    channels: Iterable[str] = tuple(CHANNELS),
    seed: int = 0,
    progress: Progress | None = None,
) -> Learned:
    """Learns the weights of channels and neighbours; how good they are is told of documents in the fold left out.

    `without` are documents that shall not teach, because they will be used to judge; `channels` those that get a
    weight. The citations that teach are those of the ground, unless `labels` has others.
    """
    taught_by = labels or ground
    teach = teachers(taught_by, without=without, seed=seed)
    if len(teach.ranked) < _FEWEST:
        raise ForeartError(
            f"only {len(teach.ranked)} documents of the corpus cite earlier ones of it: too few to learn from. "
            "Searches take the weights that foreart brings along"
        )
    tell = progress or (lambda step, done, total: None)
    lessons = Lessons(corpus, ground, taught_by)
    examples = _examples(lessons, teach, tell)
    hubs = hubs_of(lessons, teach.ranked)
    school = _School(lessons, teach, examples, hubs.column, frozenset(channels), seed)
    parts = folds(teach.ranked, taught_by.bibliography)
    found: list[Judgement] = []
    made: list[Fold] = []
    for number, part in enumerate(parts, start=1):
        neighbours, weights = school.taught(set(part))
        found += [judged(school.scored(row, neighbours, weights)) for row in part]
        made.append(Fold(tuple(ground.bibliography.ids[row] for row in part), weights.weights, neighbours))
        tell("judging", number, len(parts))
    whole = school.taught(set())
    return _learned(ground, teach, tuple(made), found, hubs, whole, without=without, seed=seed)


def _examples(lessons: Lessons, teach: Teachers, tell: Progress) -> dict[int, Example]:
    found = {}
    for done, row in enumerate(teach.listed, start=1):
        found[row] = example(lessons[row].beside, row, lessons.ground.bibliography, lessons.labels.bibliography)
        tell("comparing", done, len(teach.listed))
    return {row: item for row, item in found.items() if len(item.cosine)}


class _School:
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

    def taught(self, absent: set[int]) -> tuple[Neighbours, Weighted]:
        """What the others teach."""
        neighbours = fit_neighbours([item for row, item in self._examples.items() if row not in absent])
        tables = [self._table(row, neighbours) for row in self._teach.ranked if row not in absent]
        values, cited = np.concatenate([one.values for one in tables]), np.concatenate([one.cited for one in tables])
        names, signs = tables[0].names, tables[0].signs
        fitted = fit_logistic(values, cited.astype(float), names, signs=signs, penalty=PENALTY)
        return neighbours, Weighted(dict(zip(names, fitted.weights.tolist(), strict=True)))

    def scored(self, row: int, neighbours: Neighbours, weights: Weighted) -> tuple[Lesson, np.ndarray]:
        """A lesson and the scores of all documents."""
        lesson = self._lessons[row]
        signals = self._lessons.signals(lesson, neighbours, self._hubs)
        return lesson, weights.scores(signals, lesson.beside.known)

    def _table(self, row: int, neighbours: Neighbours) -> _Table:
        lesson = self._lessons[row]
        signals = self._lessons.signals(lesson, neighbours, self._hubs)
        rows = self._learned_from(lesson, signals)
        names = tuple(name for name, channel in signals.channels.items() if channel in self._channels)
        signs = tuple(CHANNELS[signals.channels[name]].sign for name in names)
        values = np.stack([signals.columns[name][rows] for name in names], axis=1)
        return _Table(names, signs, values, np.isin(rows, lesson.relevant))

    def _learned_from(self, lesson: Lesson, signals: Signals) -> np.ndarray:
        """The cited documents, those that texts or citations would put first, and some of the others."""
        others = np.setdiff1d(np.flatnonzero(lesson.beside.known), lesson.relevant)
        leading = [lesson.beside.near, *(signals.columns[name] for name in _LEADING)]
        first = [others[np.argsort(-values[others], kind="stable")[:_FIRST]] for values in leading]
        random = np.random.default_rng([self._seed, lesson.row])
        drawn = random.choice(others, min(len(others), _RANDOM), replace=False)
        return np.unique(np.concatenate([lesson.relevant, *first, drawn]))


def _learned(
    ground: Ground,
    teach: Teachers,
    made: tuple[Fold, ...],
    found: list[Judgement],
    hubs: Hubs,
    whole: tuple[Neighbours, Weighted],
    *,
    without: Sequence[str],
    seed: int,
) -> Learned:
    ids = ground.bibliography.ids
    scores, cited = (np.concatenate([getattr(one, name) for one in found]) for name in ("scores", "cited"))
    means = {name: float(np.mean([one.metrics[name] for one in found])) for name in found[0].metrics}
    return Learned(
        weights=dict(whole[1].weights),
        neighbours=whole[0],
        calibration=calibrate(scores, cited),
        corpus=ground.bibliography.corpus,
        hubs=hubs.greatest(ids),
        hub_mean=hubs.mean,
        folds=made,
        training={
            "teachers": len(teach.ranked),
            "least_citations": teach.least,
            "teachers_of_neighbours": len(teach.listed),
            "without": list(without),
            "penalty": PENALTY,
            "seed": seed,
        },
        metrics={"judged": len(found), "how": f"{FOLDS} folds, each judged by what the others teach", **means},
        indexes={name: index.description.fingerprint for name, index in ground.texts.indexes.items()},
        versions={
            "python": platform.python_version(),
            **{name: version(name) for name in ("foreart", "numpy", "scipy")},
        },
    )
