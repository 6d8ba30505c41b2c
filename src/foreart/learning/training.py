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

# The minimum number of training queries.
_MIN_QUERIES = 10

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

    `without` are documents that must not be trained on because they are used to evaluate; `channels` are those that get
    a weight. The labels are the citations of the inputs, or of `labels`.
    """
    graph = labels or inputs.graph
    if graph.from_texts:  # the labels would be in the text of the draft
        raise ForeartError(
            "no document of the corpus has citations, so there is nothing to learn from. Searches use the default "
            "weights for such a corpus"
        )
    examples = Examples(corpus, inputs, graph)
    queries = training_queries(graph, without=without, seed=seed).only(lambda row: len(examples.relevant(row)) > 0)
    if len(queries.ranked) < _MIN_QUERIES:
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
    report = progress or (lambda step, done, total: None)
    neighbour_examples = neighbour_examples_of(examples, queries, report)
    hubs = hubs_of(examples, queries.ranked)
    trainer = Trainer(examples, queries, neighbour_examples, hubs.column, frozenset(channels), seed)
    judgements: list[Judgement] = []
    made: list[Fold] = []
    for number, part in enumerate(parts, start=1):
        neighbours, weights = trainer.fit(set(part))
        judgements += [judged(trainer.scored(row, neighbours, weights)) for row in part if row in ranked]
        made.append(Fold(tuple(inputs.view.ids[row] for row in part), weights.weights, neighbours))
        report("judging", number, len(parts))
    final = trainer.fit(set())
    return _learned(inputs, queries, tuple(made), judgements, hubs, final, without=without, seed=seed)


def neighbour_examples_of(
    examples: Examples, queries: TrainingQueries, report: Progress | None = None
) -> dict[int, NeighbourExample]:
    """The neighbours of each training query that has any, by row."""
    found = {}
    for done, row in enumerate(queries.listed, start=1):
        found[row] = neighbour_example(examples[row].features, row, examples.inputs.graph, examples.labels)
        if report is not None:
            report("comparing", done, len(queries.listed))
    return {row: item for row, item in found.items() if len(item.cosine)}


def _learned(
    inputs: RankingInputs,
    queries: TrainingQueries,
    made: tuple[Fold, ...],
    judgements: list[Judgement],
    hubs: Hubs,
    final: tuple[Neighbours | None, Weighted],
    *,
    without: Sequence[str],
    seed: int,
) -> Learned:
    scores, cited = (np.concatenate([getattr(item, name) for item in judgements]) for name in ("scores", "cited"))
    means = {name: float(np.mean([item.metrics[name] for item in judgements])) for name in judgements[0].metrics}
    return Learned(
        weights=dict(final[1].weights),
        neighbours=final[0],
        calibration=calibrate(scores, cited),
        corpus=inputs.view.corpus,
        hubs=hubs.largest(inputs.view.ids),
        hub_mean=hubs.mean,
        folds=made,
        training={
            "documents": len(inputs.view),
            "queries": len(queries.ranked),
            "least_citations": queries.min_citations,
            "neighbour_queries": len(queries.listed),
            "without": list(without),
            "penalty": PENALTY,
            "seed": seed,
        },
        metrics={"judged": len(judgements), "how": f"{len(made)} folds, each held out in turn", **means},
        indexes={name: index.description.fingerprint for name, index in inputs.texts.indexes.items()},
        versions={
            "python": platform.python_version(),
            **{name: version(name) for name in ("foreart", "numpy", "scipy")},
        },
    )
