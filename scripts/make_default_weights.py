"""Learns the default weights of rankings and reviews from a library of ../shared/data.

    foreart add ../shared/data/*.jsonl.gz -l LIBRARY && foreart build -l LIBRARY
    python scripts/make_default_weights.py LIBRARY

They are search/ranking/weights/default_weights.json and review/queue/default_review.json. The 179 targets are not
learned from, so that figures on them stay honest. Of the corpus only the weights are kept.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from foreart.learning import learn, learn_review
from foreart.learning.review_cases import ReviewCase
from foreart.library import Library
from foreart.review.queue import CITATIONS, PLACES, TEXTS, LearnedReview
from foreart.search.ranking import (
    CitationGraph,
    HeldOut,
    Learned,
    RankingInputs,
    SignalModels,
    open_inputs,
    ranking_inputs_of,
)

PLACE = Path(__file__).parents[1] / "src/foreart/search/ranking/weights/default_weights.json"
REVIEW_PLACE = Path(__file__).parents[1] / "src/foreart/review/queue/default_review.json"
QRELS = Path(__file__).parents[2] / "shared/data/ultrasound.qrels"


def main(folder: str) -> None:
    """Writes both sets of weights: for corpora with citations, and for those without."""
    targets = sorted({line.split()[0] for line in QRELS.read_text("utf-8").splitlines()})
    with Library(folder) as library:
        inputs = open_inputs(Path(folder))
        texts = ranking_inputs_of(CitationGraph(inputs.view, from_texts=True), inputs.texts.indexes)
        cases: dict[str, list[ReviewCase]] = {CITATIONS: [], TEXTS: []}
        made = {
            CITATIONS: learn(library.corpus, inputs, without=targets, observe=cases[CITATIONS].append),
            TEXTS: learn(library.corpus, texts, labels=inputs.graph, without=targets, observe=cases[TEXTS].append),
        }
        reviews = {
            CITATIONS: _review(cases[CITATIONS], inputs),
            PLACES: _review([_by_place(case) for case in cases[CITATIONS]], inputs),
            TEXTS: _review(cases[TEXTS], texts),
        }
    REVIEW_PLACE.write_text(json.dumps(reviews, indent=1) + "\n", "utf-8")
    PLACE.write_text(json.dumps({name: _bare(learned) for name, learned in made.items()}, indent=1) + "\n", "utf-8")
    for name, learned in made.items():
        sys.stdout.write(f"{name}: {dict(learned.metrics)}\n")


def _review(cases: list[ReviewCase], inputs: RankingInputs) -> dict[str, object]:
    """Weights of feedback only: chances are those of one corpus."""
    learned = learn_review(cases, inputs)
    if learned is None:
        raise SystemExit("no simulated review has a relevant candidate")
    training = {**learned.training, "without": "the 179 targets"}
    return LearnedReview(learned.weights, training=training, versions=learned.versions).to_record()


def _by_place(case: ReviewCase) -> ReviewCase:
    """With minus the logarithm of places in place of scores, for rankings that are not learned."""
    return replace(case, scores=-np.log1p(np.arange(len(case.scores))))


def _bare(learned: Learned) -> dict[str, object]:
    """Weights only: documents, topics and chances are those of another corpus."""
    plain = learned.plain
    held_out = learned.held_out if plain is None else plain.held_out
    record = replace(
        learned,
        weights=learned.weights if plain is None else plain.weights,
        models=SignalModels(learned.models.neighbours),
        held_out=HeldOut(held_out.metrics, held_out.cold),
        hubs={},
        hub_mean=0.0,
        folds=(),
        topics={},
        plain=None,
        training={**learned.training, "without": "the 179 targets"},
    )
    return record.to_record()


if __name__ == "__main__":
    main(sys.argv[1])
