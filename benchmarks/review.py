"""How much reading do judgements save, and is the estimate of what is unread right?

Simulated reviews of the 179 targets, whose citations are the relevant documents: a target is read one document after
the other, in the order of the ranking alone, of feedback, and of Rocchio's. Ranking, feedback and the model of the
unread are learned without the targets (`foreart learn --without`). Warm is the corpus as it is, cold hides siblings
(docs/evaluating.md); the same without any citations has the weights that come with foreart. Beside the stopping rule
stand ASReview's "n irrelevant in a row" and the hypergeometric rule of buscarpy (Callaghan and Müller-Hansen 2020),
written out here. Candidates with their scores are kept in a cache folder, since they take most of the time. `--part`
measures some parts only, and leaves the others in results/review.json as they are; the plot needs warm and cold.
"""

from __future__ import annotations

import os

# Small systems are solved by the thousand: threads of BLAS only get in each other's way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from environment import RESULTS, environment, save
from foreart.learning.simulated_reviews import PlayedCase, played
from foreart.library import Library
from foreart.review.feedback import FeedbackWeights
from foreart.review.queue import FILE, TEXTS, LearnedReview, default_review, load_review
from foreart.review.stopping import StoppingModel
from foreart.search.ranking import (
    CitationGraph,
    FusedRanker,
    default_weights,
    open_inputs,
    ranking_inputs_of,
    ranking_path,
)
from review_looks import Moment, coverage, looks, rule
from review_peers import IN_A_ROW, hypergeometric, in_a_row
from review_plot import plotted
from review_readers import COARSE, DEPTH, MOMENTS, RECALLS, Played, Scorer, feedback, figures, plain, rocchio, simulated
from review_targets import TargetCase, cached, target_cases, warm_cases

SLIDER = (0.0, 0.25, 0.5, 1.0)
BARE = "without citations"
EARLY = "early intervals"
PARTS = ("cold", "warm", "slider", BARE, EARLY)


def measured(
    cases: Sequence[TargetCase],
    graph: CitationGraph,
    topics: np.ndarray | None,
    weights: FeedbackWeights,
) -> tuple[dict[str, Any], dict[str, list[Played]], list[PlayedCase]]:
    """All ways to read the cases of one kind."""
    items = [played(case.case, graph, topics) for case in cases]
    ways: dict[str, list[Played]] = {"plain list": plain(cases, items)}
    base = ways["plain list"]
    makers: dict[str, tuple[Callable[[PlayedCase], Scorer], Sequence[int]]] = {
        "Rocchio": (rocchio, MOMENTS),
        "feedback": (lambda item: feedback(item, weights), MOMENTS),
        "feedback, one in ten from elsewhere": (lambda item: feedback(item, weights, one_in_ten=True), MOMENTS),
    }
    for name, (make, moments) in makers.items():
        ways[name] = simulated(cases, items, make, moments)
    return {name: figures(read, None if read is base else base) for name, read in ways.items()}, ways, items


def slid(
    cases: Sequence[TargetCase], graph: CitationGraph, topics: np.ndarray | None, weights: FeedbackWeights
) -> dict[str, Any]:
    """What "more like these / look elsewhere" costs: documents saved at places of the slider."""
    items = [played(case.case, graph, topics) for case in cases]
    base = plain(cases, items)
    return {
        f"slider at {value}": figures(
            simulated(cases, items, lambda item, value=value: feedback(item, weights, elsewhere=value), COARSE), base
        )
        for value in SLIDER
    }


def stopping_figures(
    items: Sequence[PlayedCase], ways: dict[str, list[Played]], weights: FeedbackWeights, model: StoppingModel
) -> tuple[dict[str, Any], list[list[Moment]]]:
    """The estimate and the rule, beside others."""
    ordered = ways["feedback, one in ten from elsewhere"]
    reviews = [looks(item, reader, weights, model, 0.9) for item, reader in zip(items, ordered, strict=True)]
    return {
        "coverage_of_90_percent": coverage(reviews),
        "rule": {f"{target:.0%}": rule(reviews, target) for target in RECALLS},
        "irrelevant_in_a_row": {str(number): in_a_row(ordered, number) for number in IN_A_ROW},
        "hypergeometric": {f"{target:.0%}": hypergeometric(ordered, items, target) for target in RECALLS},
    }, reviews


def early_figures(
    cases: Sequence[TargetCase], graph: CitationGraph, topics: np.ndarray | None, review: LearnedReview
) -> dict[str, Any]:
    """The 90 % interval with the levels of early moments, and without them: how often it held, and how wide it is."""
    assert review.stopping is not None
    items = [played(case.case, graph, topics) for case in cases]
    ordered = simulated(cases, items, lambda item: feedback(item, review.weights, one_in_ten=True), MOMENTS)
    found: dict[str, Any] = {"targets": len(cases)}
    for name, model in (("with", review.stopping), ("without", replace(review.stopping, early=()))):
        looked = [looks(item, reader, review.weights, model, 0.9) for item, reader in zip(items, ordered, strict=True)]
        found[name] = {"coverage_of_90_percent": coverage(looked), "rule": {"80%": rule(looked, RECALLS[0])}}
    return found


def main() -> None:
    """Writes results/review.json and its plot."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, required=True, help="the real documents, learned --without the targets")
    parser.add_argument("--cache", type=Path, required=True, help="where candidates are kept between runs")
    parser.add_argument("--part", choices=PARTS, action="append", help="measure only this (may be repeated)")
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    asked, began = options.part or list(PARTS), time.monotonic()
    path = RESULTS / "review.json"
    result: dict[str, Any] = json.loads(path.read_text("utf-8")) if options.part else {}
    with Library(options.library) as library:
        inputs, review = open_inputs(options.library), load_review(ranking_path(options.library) / FILE)
        texts = ranking_inputs_of(CitationGraph(inputs.view, from_texts=True), inputs.texts.indexes)
        named = FusedRanker(texts, default_weights(texts.graph), name="default-weights")
        cited = cached(options.cache / "cited.pickle", lambda: target_cases(library.ranker(ranking="learned"), library))
        with_siblings = {case.target for case in cited if not case.cold}
        kinds = {"warm": warm_cases(cited, with_siblings), "cold": [case for case in cited if case.cold]}
        topics = inputs.texts.table("topics")
        result |= {
            "question": __doc__.splitlines()[0],
            **environment("numpy", "scipy", "numba"),
            "corpus": library.corpus.fingerprint,
            "documents": len(library.corpus),
            "depth": DEPTH,
        }
        if asked != [EARLY]:  # that part names the ranking itself
            learned = review.to_record()["weights"] | {"training": dict(review.training)}
            result |= {"ranking": review.ranking, "learned": learned}
        curves, looked = {}, {}
        assert review.stopping is not None
        for kind in (kind for kind in kinds if kind in asked):
            found, curves[kind], items = measured(kinds[kind], inputs.graph, topics, review.weights)
            stopped, looked[kind] = stopping_figures(items, curves[kind], review.weights, review.stopping)
            result[kind] = {"targets": len(kinds[kind]), "reading": found, "stopping": stopped}
            print(json.dumps(result[kind]), file=sys.stderr, flush=True)
        if "slider" in asked:
            result["slider"] = slid(kinds["warm"], inputs.graph, topics, review.weights)
        if EARLY in asked:
            parts = {kind: early_figures(cases, inputs.graph, topics, review) for kind, cases in kinds.items()}
            result[EARLY] = {"ranking": review.ranking, **parts}
        if BARE in asked:
            bare = warm_cases(
                cached(options.cache / "texts.pickle", lambda: target_cases(named, library)), with_siblings
            )
            found, _, _ = measured(bare, texts.graph, topics, default_review(TEXTS).weights)
            result[BARE] = {"targets": len(bare), "reading": found}
    if asked != [EARLY]:
        result["seconds"] = round(time.monotonic() - began)
    if len(curves) == len(kinds):
        plotted(curves, looked)
    save("review", result)


if __name__ == "__main__":
    main()
