"""Earlier patents of a corpus play the draft, and their citations teach how much each channel is worth."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version

import numpy as np

from foreart.corpus import Corpus
from foreart.errors import ForeartError
from foreart.learning.hubs import Hubs, hubs_of
from foreart.learning.judging import Judgement, judged
from foreart.learning.lessons import Lessons
from foreart.learning.school import PENALTY, School
from foreart.learning.teachers import Teachers, folds, teachers
from foreart.search.ranking import (
    CHANNELS,
    Example,
    Fold,
    Ground,
    Learned,
    Neighbours,
    Weighted,
    calibrate,
    example,
)

# Fewer teachers teach nothing.
_FEWEST = 10

Progress = Callable[[str, int, int], None]


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
    if taught_by.bibliography.from_texts:  # what the draft names would stand in the draft
        raise ForeartError(
            "no document of the corpus has citations, so there is nothing to learn from. Searches take the weights "
            "that foreart brings along for such a corpus"
        )
    teach = teachers(taught_by, without=without, seed=seed)
    if len(teach.ranked) < _FEWEST:
        raise ForeartError(
            f"only {len(teach.ranked)} documents of the corpus cite earlier ones of it: too few to learn from. "
            "Searches take the weights that foreart brings along"
        )
    tell = progress or (lambda step, done, total: None)
    lessons = Lessons(corpus, ground, taught_by)
    examples = examples_of(lessons, teach, tell)
    hubs = hubs_of(lessons, teach.ranked)
    school = School(lessons, teach, examples, hubs.column, frozenset(channels), seed)
    ranked = set(teach.ranked)
    parts = folds(teach.ranked, taught_by.bibliography, others=sorted(set(teach.listed) - ranked))
    if len([part for part in parts if ranked.intersection(part)]) < 2:
        raise ForeartError(
            f"the {len(teach.ranked)} documents that could teach are one family: too few to learn from. Searches take "
            "the weights that foreart brings along"
        )
    found: list[Judgement] = []
    made: list[Fold] = []
    for number, part in enumerate(parts, start=1):
        neighbours, weights = school.taught(set(part))
        found += [judged(school.scored(row, neighbours, weights)) for row in part if row in ranked]
        made.append(Fold(tuple(ground.bibliography.ids[row] for row in part), weights.weights, neighbours))
        tell("judging", number, len(parts))
    whole = school.taught(set())
    return _learned(ground, teach, tuple(made), found, hubs, whole, without=without, seed=seed)


def examples_of(lessons: Lessons, teach: Teachers, tell: Progress | None = None) -> dict[int, Example]:
    """What each teacher has to say of neighbours, by row."""
    found = {}
    for done, row in enumerate(teach.listed, start=1):
        found[row] = example(lessons[row].beside, row, lessons.ground.bibliography, lessons.labels.bibliography)
        if tell is not None:
            tell("comparing", done, len(teach.listed))
    return {row: item for row, item in found.items() if len(item.cosine)}


def _learned(
    ground: Ground,
    teach: Teachers,
    made: tuple[Fold, ...],
    found: list[Judgement],
    hubs: Hubs,
    whole: tuple[Neighbours | None, Weighted],
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
            "documents": len(ids),
            "teachers": len(teach.ranked),
            "least_citations": teach.least,
            "teachers_of_neighbours": len(teach.listed),
            "without": list(without),
            "penalty": PENALTY,
            "seed": seed,
        },
        metrics={"judged": len(found), "how": f"{len(made)} folds, each judged by what the others teach", **means},
        indexes={name: index.description.fingerprint for name, index in ground.texts.indexes.items()},
        versions={
            "python": platform.python_version(),
            **{name: version(name) for name in ("foreart", "numpy", "scipy")},
        },
    )
