"""Learns the weights of channels from the citations of a corpus, with past patents as training queries."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version

import numpy as np

from foreart.corpus import Corpus
from foreart.errors import ForeartError
from foreart.learning.examples import Examples
from foreart.learning.hubs import Hubs, hubs_of
from foreart.learning.judging import Judgement, judged
from foreart.learning.trainer import PENALTY, Trainer
from foreart.learning.training_queries import TrainingQueries, folds, training_queries
from foreart.search.ranking import (
    CHANNELS,
    CitationGraph,
    Fold,
    Learned,
    NeighbourExample,
    Neighbours,
    RankingInputs,
    Weighted,
    calibrate,
    neighbour_example,
)

# With fewer training queries nothing is learned.
_FEWEST = 10

Progress = Callable[[str, int, int], None]


def learn(
    corpus: Corpus,
    inputs: RankingInputs,
    *,
    labels: CitationGraph | None = None,
    without: Sequence[str] = (),
    channels: Iterable[str] = tuple(CHANNELS),
    seed: int = 0,
    progress: Progress | None = None,
) -> Learned:
    """Learns the weights of channels and neighbours; its metrics are those of held-out folds.

    `without` are documents that must not be trained on, because they will be used to evaluate; `channels` are those
    that get a weight. What is to be predicted are the citations of the inputs, or those of `labels`.
    """
    graph = labels or inputs.graph
    if graph.from_texts:  # what the draft names would stand in the draft
        raise ForeartError(
            "no document of the corpus has citations, so there is nothing to learn from. Searches use the default "
            "weights for such a corpus"
        )
    queries = training_queries(graph, without=without, seed=seed)
    if len(queries.ranked) < _FEWEST:
        raise ForeartError(
            f"only {len(queries.ranked)} documents of the corpus cite earlier ones of it: too few to learn from. "
            "Searches use the default weights"
        )
    ranked = set(queries.ranked)
    parts = folds(queries.ranked, graph, others=sorted(set(queries.listed) - ranked))
    if len([part for part in parts if ranked.intersection(part)]) < 2:
        raise ForeartError(
            f"the {len(queries.ranked)} documents to learn from are one family: too few to learn from. Searches use "
            "the default weights"
        )
    tell = progress or (lambda step, done, total: None)
    examples = Examples(corpus, inputs, graph)
    neighbour_examples = neighbour_examples_of(examples, queries, tell)
    hubs = hubs_of(examples, queries.ranked)
    trainer = Trainer(examples, queries, neighbour_examples, hubs.column, frozenset(channels), seed)
    found: list[Judgement] = []
    made: list[Fold] = []
    for number, part in enumerate(parts, start=1):
        neighbours, weights = trainer.fit(set(part))
        found += [judged(trainer.scored(row, neighbours, weights)) for row in part if row in ranked]
        made.append(Fold(tuple(inputs.view.ids[row] for row in part), weights.weights, neighbours))
        tell("judging", number, len(parts))
    whole = trainer.fit(set())
    return _learned(inputs, queries, tuple(made), found, hubs, whole, without=without, seed=seed)


def neighbour_examples_of(
    examples: Examples, queries: TrainingQueries, tell: Progress | None = None
) -> dict[int, NeighbourExample]:
    """The neighbours of each training query that has any, by row."""
    found = {}
    for done, row in enumerate(queries.listed, start=1):
        found[row] = neighbour_example(examples[row].features, row, examples.inputs.graph, examples.labels)
        if tell is not None:
            tell("comparing", done, len(queries.listed))
    return {row: item for row, item in found.items() if len(item.cosine)}


def _learned(
    inputs: RankingInputs,
    queries: TrainingQueries,
    made: tuple[Fold, ...],
    found: list[Judgement],
    hubs: Hubs,
    whole: tuple[Neighbours | None, Weighted],
    *,
    without: Sequence[str],
    seed: int,
) -> Learned:
    scores, cited = (np.concatenate([getattr(one, name) for one in found]) for name in ("scores", "cited"))
    means = {name: float(np.mean([one.metrics[name] for one in found])) for name in found[0].metrics}
    return Learned(
        weights=dict(whole[1].weights),
        neighbours=whole[0],
        calibration=calibrate(scores, cited),
        corpus=inputs.view.corpus,
        hubs=hubs.greatest(inputs.view.ids),
        hub_mean=hubs.mean,
        folds=made,
        training={
            "documents": len(inputs.view),
            "queries": len(queries.ranked),
            "least_citations": queries.least,
            "neighbour_queries": len(queries.listed),
            "without": list(without),
            "penalty": PENALTY,
            "seed": seed,
        },
        metrics={"judged": len(found), "how": f"{len(made)} folds, each held out in turn", **means},
        indexes={name: index.description.fingerprint for name, index in inputs.texts.indexes.items()},
        versions={
            "python": platform.python_version(),
            **{name: version(name) for name in ("foreart", "numpy", "scipy")},
        },
    )
