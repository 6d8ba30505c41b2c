"""Learns the weights of channels from the citations of a corpus, with past patents as training queries."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Any

from foreart.corpus import Corpus
from foreart.errors import ForeartError
from foreart.learning.examples import Examples
from foreart.learning.hubs import hub_values, hubs_of
from foreart.learning.judging import Judgement, held_out, judged
from foreart.learning.review_cases import ReviewCase, review_case
from foreart.learning.similarity_training import SimilarityPool
from foreart.learning.trainer import PENALTY, Trainer, fit_weights
from foreart.learning.training_queries import TrainingQueries, folds, groups, training_queries
from foreart.search.ranking import (
    CHANNELS,
    DEPTH,
    LEARNED_CHANNELS,
    CitationGraph,
    Fold,
    Learned,
    NeighbourExample,
    RankingInputs,
    SignalModels,
    Weighted,
    WeightSet,
    fit_neighbours,
    neighbour_example,
)

# The minimum number of training queries.
_MIN_QUERIES = 10

Progress = Callable[[str, int, int], None]
Observe = Callable[[ReviewCase], None]


def learn(
    corpus: Corpus,
    inputs: RankingInputs,
    *,
    labels: CitationGraph | None = None,
    without: Sequence[str] = (),
    channels: Iterable[str] = tuple(CHANNELS),
    seed: int = 0,
    progress: Progress | None = None,
    observe: Observe | None = None,
) -> Learned:
    """Learns the weights of channels and neighbours; its metrics are those of held-out folds.

    `without` are documents that must not be trained on because they are used to evaluate; `channels` are those that get
    a weight. The labels are the citations of the inputs, or of `labels`. `observe` gets each held-out training query
    with its candidates, from which `learn_review` learns.
    """
    graph = labels or inputs.graph
    if graph.from_texts:  # the labels would be in the text of the draft
        raise ForeartError(
            "no document of the corpus has citations, so there is nothing to learn from. Searches use the default "
            "weights for such a corpus"
        )
    examples = Examples(corpus, inputs, graph, without=without)
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
    neighbours = neighbour_examples_of(examples, queries, report)
    hubs = hubs_of(examples, queries.ranked)
    pools = similarity_pools(examples, queries.listed, seed)
    trainer = Trainer(examples, hubs, tuple(channels), seed)
    models = []
    for number, part in enumerate(parts, start=1):
        models.append(fit_models(neighbours, pools, set(part)))
        report("training", number, len(parts))
    rows = [[row for row in part if row in ranked] for part in parts]
    group_of = {row: group for group, members in enumerate(groups(queries.ranked, graph)) for row in members}
    learned, plain = _cross_validated(trainer, rows, group_of, models, report, observe)
    return Learned(
        weights=learned.weights,
        models=fit_models(neighbours, pools, set()),
        held_out=learned.held_out,
        corpus=inputs.view.corpus,
        hubs=hub_values(hubs, inputs.view.ids),
        hub_mean=hubs.mean,
        folds=tuple(
            Fold(tuple(inputs.view.ids[row] for row in part), weights, made)
            for part, weights, made in zip(parts, learned.fold_weights, models, strict=True)
        ),
        topics=inputs.texts.models(),
        plain=plain if pools else None,
        training=_training(inputs, queries, without, seed),
        indexes={name: index.description.fingerprint for name, index in inputs.texts.indexes.items()},
        versions={
            "python": platform.python_version(),
            **{name: version(name) for name in ("foreart", "numpy", "scipy")},
        },
    )


def _cross_validated(
    trainer: Trainer,
    rows: Sequence[Sequence[int]],
    group_of: Mapping[int, int],
    models: Sequence[SignalModels],
    report: Progress,
    observe: Observe | None,
) -> tuple[WeightSet, WeightSet]:
    """Weights with learned similarity and without, judged on each fold by those that the others gave.

    `rows` are the queries of each fold, `group_of` says who are siblings, `models` were learned without the fold.
    """
    tables = [
        [trainer.rows(item) for row in part for item in trainer.neighboured(row, made)]
        for part, made in zip(rows, models, strict=True)
    ]
    kinds = (True, False)
    weights: dict[bool, list[Weighted]] = {kind: [] for kind in kinds}
    judgements: dict[bool, list[list[Judgement]]] = {kind: [] for kind in kinds}
    for place, (part, made) in enumerate(zip(rows, models, strict=True)):
        others = [table for other, found in enumerate(tables) if other != place for table in found]
        for kind in kinds:
            weights[kind].append(fit_weights(others, similarity=kind))
        for row in part:
            items = [(item, trainer.candidates(item)) for item in trainer.neighboured(row, made)]
            for kind in kinds:
                judgements[kind].append([judged(*item, weights[kind][place]) for item in items])
            if observe is not None:
                for item in items:
                    observe(review_case(*item, weights[True][place], trainer.labels, fold=place))
        report("judging", place + 1, len(rows))
    every = [table for found in tables for table in found]
    learned, plain = (
        WeightSet(
            fit_weights(every, similarity=kind).weights,
            tuple(item.weights for item in weights[kind]),
            held_out(judgements[kind], [group_of[row] for part in rows for row in part], len(rows)),
        )
        for kind in kinds
    )
    return learned, plain


def neighbour_examples_of(
    examples: Examples, queries: TrainingQueries, report: Progress | None = None
) -> dict[int, list[NeighbourExample]]:
    """The neighbours of each training query that has any, warm and cold, by row."""
    found: dict[int, list[NeighbourExample]] = {}
    for done, row in enumerate(queries.listed, start=1):
        made = [
            neighbour_example(item.query.listed, row, examples.inputs.graph, examples.labels, weight=item.weight)
            for item in examples.both(row)
        ]
        found[row] = [item for item in made if len(item.cosine)]
        if report is not None:
            report("comparing", done, len(queries.listed))
    return {row: items for row, items in found.items() if items}


def similarity_pools(examples: Examples, rows: Sequence[int], seed: int) -> dict[str, SimilarityPool]:
    """What the similarity of each channel is learned from; nothing for channels whose index was not built.

    Without citations in the corpus there is no similarity: its matrices are of no use to another corpus.
    """
    if examples.inputs.graph.from_texts:
        return {}
    tables = {channel: examples.inputs.texts.table(text) for channel, text in LEARNED_CHANNELS.items()}
    return {
        channel: SimilarityPool(examples, LEARNED_CHANNELS[channel], table, rows, seed=seed)
        for channel, table in tables.items()
        if table is not None and len(table)
    }


def fit_models(
    neighbours: Mapping[int, list[NeighbourExample]], pools: Mapping[str, SimilarityPool], held_out: set[int]
) -> SignalModels:
    """The models of neighbours and similarity, learned without some queries; none of neighbours if there are none."""
    known = [item for row, items in neighbours.items() if row not in held_out for item in items]
    similarity = {channel: pool.fit(held_out) for channel, pool in pools.items()}
    return SignalModels(fit_neighbours(known) if known else None, similarity)


def _training(inputs: RankingInputs, queries: TrainingQueries, without: Sequence[str], seed: int) -> dict[str, Any]:
    return {
        "documents": len(inputs.view),
        "queries": len(queries.ranked),
        "least_citations": queries.min_citations,
        "neighbour_queries": len(queries.listed),
        "without": list(without),
        "penalty": PENALTY,
        "candidates": DEPTH,
        "seed": seed,
    }
