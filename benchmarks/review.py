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
import pickle
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from environment import RESULTS, SHARED, environment, save
from foreart.evaluation import Collection, corpus_queries, ranker_scorer, read_qrels
from foreart.evaluation.protocol import relevant_rows
from foreart.learning.review_cases import ReviewCase
from foreart.learning.simulated_reviews import PlayedCase, played
from foreart.library import Library
from foreart.review.feedback import (
    POOL,
    FeedbackWeights,
    GivenJudgements,
    family_names,
    first_of_families,
    interleaved,
    moved,
    nearness,
    reranked,
)
from foreart.review.queue import FILE, TEXTS, default_review, load_review
from foreart.review.stopping import (
    FEWEST,
    STEP,
    RecentFinds,
    StoppingModel,
    holds,
    unread_interval,
)
from foreart.search.ranker import Ranker
from foreart.search.ranking import (
    MIN_RELEVANT,
    CitationGraph,
    FusedRanker,
    Siblings,
    default_weights,
    open_inputs,
    ranking_inputs_of,
    ranking_path,
)

DEPTH = 250
# The order is refreshed after every document at first, then after every fifth and tenth; `foreart` does it after each.
MOMENTS = (*range(1, 10), *range(10, 100, 5), *range(100, DEPTH + 1, 10))
COARSE = tuple(range(10, DEPTH + 1, 10))
NOT_REACHED = DEPTH + 1
RECALLS = (0.8, 0.95)
IN_A_ROW = (20, 50)
SLIDER = (0.0, 0.25, 0.5, 1.0)
BARE = "without citations"
PARTS = ("cold", "warm", "slider", BARE)
SAMPLES, SEED = 10_000, 0
# Rocchio's weights of relevant and other documents, and of the whole beside the ranking (DESK: more made it worse).
BETA, GAMMA, ROCCHIO = 1.0, 1.0, 10.0
ALPHA = 0.05
# Ordered unread places from the places read and their labels.
Scorer = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True, slots=True, eq=False)
class TargetCase:
    """One target as a review; a cold one without siblings is the warm one."""

    target: str
    cold: bool
    case: ReviewCase


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """What a simulated reader found: places in the order of reading, whether each was relevant, and the total."""

    target: str
    places: np.ndarray
    finds: np.ndarray
    total: int

    def needed(self, recall: float) -> int:
        """How many documents were read for a recall; one more than all if it was not reached."""
        reached = np.flatnonzero(np.cumsum(self.finds) >= np.ceil(recall * self.total - 1e-9))
        return int(reached[0]) + 1 if len(reached) else NOT_REACHED

    def recall(self, read: int) -> float:
        """The share found among the first."""
        return float(self.finds[:read].sum()) / max(1, self.total)


def target_cases(ranker: Ranker, library: Library) -> list[TargetCase]:
    """The candidates of every target, warm and cold, with scores of what did not learn from it."""
    qrels = read_qrels(SHARED / "ultrasound.qrels")
    collection = Collection(ranker.view, library.corpus)
    siblings = Siblings(CitationGraph(ranker.view))
    scorer, found = ranker_scorer(ranker), []
    for query in corpus_queries(library.corpus, qrels).queries:
        scope = collection.scope(query)
        relevant = np.concatenate([np.empty(0, np.int64), *relevant_rows(query, qrels, collection)])
        relevant = relevant[scope.known[relevant]]
        hidden = siblings.of(relevant, scope.own.rows)
        known = scope.known.copy()
        known[hidden] = False
        left = np.setdiff1d(relevant, hidden)
        kinds = [(len(hidden) == 0, scope, relevant)]
        if len(hidden) and len(left) >= MIN_RELEVANT:
            kinds.append((True, replace(scope, known=known), left))
        row = int(collection.rows(query.id)[0])
        for cold, what, wanted in kinds:
            compared = scorer(replace(query, document=query.blind), what)
            rows = compared.candidates(what.known)
            found.append(
                TargetCase(query.id, cold, _case(row, rows, compared.scores_of(rows), wanted, what.known, ranker))
            )
        print(query.id, file=sys.stderr, flush=True)
    return found


def _case(
    row: int, rows: np.ndarray, scores: np.ndarray, relevant: np.ndarray, known: np.ndarray, ranker: Ranker
) -> ReviewCase:
    families = ranker.view.families
    order = np.lexsort((rows, -scores))
    order = order[first_of_families(rows[order], families)][:POOL]
    cited = relevant[first_of_families(relevant, families)]
    mask = np.isin(family_names(rows[order], families), family_names(cited, families))
    outside = len(cited) - int(mask.sum())
    count = int(np.count_nonzero(known))
    return ReviewCase(row, rows[order], scores[order], mask, outside, count, np.packbits(known), warm=False, fold=-1)


def read_by(item: PlayedCase, scorer: Scorer, moments: Sequence[int]) -> Iterator[np.ndarray]:
    """The places read, at each moment."""
    read = np.empty(0, dtype=np.int64)
    for moment in moments:
        order = scorer(read, item.relevant[read].astype(np.float64))
        read = np.concatenate([read, order[: moment - len(read)]])
        yield read
        if len(read) == len(item.relevant):
            return


def feedback(item: PlayedCase, weights: FeedbackWeights, *, elsewhere: float = 0.0, one_in_ten: bool = False) -> Scorer:
    """The order of `Reviewing.order`."""
    pool, near, seen = item.pool(), np.zeros(len(item.relevant)), 0

    def order(read: np.ndarray, labels: np.ndarray) -> np.ndarray:
        nonlocal seen
        ascending = np.argsort(read)
        now = reranked(pool, GivenJudgements(read[ascending], labels[ascending]), weights)
        unread = _unread(read, len(near))
        if elsewhere or one_in_ten:
            np.maximum(near, nearness(pool.topics, read[seen:]), out=near)
            seen = len(read)
        found = _best(moved(now.logits, near, elsewhere), unread)
        if not one_in_ten or not len(read):
            return found
        return interleaved(found, _best(moved(now.logits, near, 1.0), unread), len(read))[0]

    return order


def rocchio(item: PlayedCase) -> Scorer:
    """The ranking plus the cosine with the mean of relevant documents less that of the others."""
    topics = item.pool().topics

    def order(read: np.ndarray, labels: np.ndarray) -> np.ndarray:
        scores = item.scores
        if labels.any():
            centre = BETA * topics[read[labels > 0]].mean(axis=0)
            if (labels == 0).any():
                centre = centre - GAMMA * topics[read[labels == 0]].mean(axis=0)
            scores = scores + ROCCHIO * (topics @ centre) * SCALE
        return _best(scores, _unread(read, len(scores)))

    return order


# Rocchio's weight was measured for log-odds; the scores of the learned ranking are steeper by about this factor.
SCALE = 0.7


def _unread(read: np.ndarray, count: int) -> np.ndarray:
    mask = np.ones(count, dtype=bool)
    mask[read] = False
    return np.flatnonzero(mask)


def _best(scores: np.ndarray, places: np.ndarray) -> np.ndarray:
    return places[np.argsort(-scores[places], kind="stable")]


def simulated(
    cases: Sequence[TargetCase],
    items: Sequence[PlayedCase],
    make: Callable[[PlayedCase], Scorer],
    moments: Sequence[int],
) -> list[Played]:
    """Every case read in one way."""
    found = []
    for case, item in zip(cases, items, strict=True):
        *_, read = read_by(item, make(item), moments)
        found.append(Played(case.target, read, item.relevant[read], item.case.total))
    return found


def plain(cases: Sequence[TargetCase], items: Sequence[PlayedCase]) -> list[Played]:
    """Every case read in the order of the ranking."""
    return [
        Played(case.target, item.order[:DEPTH], item.relevant[item.order[:DEPTH]], item.case.total)
        for case, item in zip(cases, items, strict=True)
    ]


def figures(played_: Sequence[Played], base: Sequence[Played] | None) -> dict[str, Any]:
    """Recall by documents read, documents for a recall, and what was saved against the plain list."""
    found: dict[str, Any] = {
        "recall": {
            str(read): round(float(np.mean([item.recall(read) for item in played_])), 4) for read in (20, 50, 100, 200)
        }
    }
    for recall in RECALLS:
        needed = np.array([item.needed(recall) for item in played_])
        record = {
            "median": float(np.median(needed)),
            "mean": round(float(needed.mean()), 1),
            "not_reached": round(float((needed == NOT_REACHED).mean()), 3),
        }
        if base is not None:
            saved = np.array([item.needed(recall) for item in base]) - needed
            record |= {
                "saved": round(float(saved.mean()), 1),
                "interval_95": bootstrap(saved),
                "better": int((saved > 0).sum()),
                "equal": int((saved == 0).sum()),
                "worse": int((saved < 0).sum()),
            }
        found[f"to_{recall:.0%}"] = record
    return found


def bootstrap(values: np.ndarray) -> list[float]:
    """The 95 % interval of a mean over targets."""
    random = np.random.default_rng(SEED)
    means = [values[random.integers(0, len(values), len(values))].mean() for _ in range(SAMPLES)]
    return [round(float(value), 1) for value in np.quantile(means, (0.025, 0.975))]


@dataclass(frozen=True, slots=True)
class Moment:
    """One look at the estimate of a simulated review."""

    read: int
    found: int
    left: int
    low: int
    high: int
    middle: int


def looks(
    item: PlayedCase, reader: Played, weights: FeedbackWeights, model: StoppingModel, confidence: float
) -> list[Moment]:
    """The estimate after every tenth document that a reader read."""
    pool, moments, recent, done = item.pool(), [], RecentFinds(), 0
    chances = model.before.chances(item.scores)
    for count in range(STEP, min(len(reader.places), len(item.relevant) - 1) + 1, STEP):
        read, latest = np.sort(reader.places[:count]), reader.places[done:count]
        recent = recent.then(float(item.relevant[latest].sum()), float(chances[latest].sum()), len(latest))
        done = count
        now = reranked(pool, GivenJudgements(read, item.relevant[read].astype(np.float64)), weights)
        chances = model.after.chances(now.logits, count)
        unread = np.sort(chances[_unread(read, len(chances))])[::-1]
        found = int(item.relevant[read].sum())
        said = unread_interval(model, recent, unread, confidence)
        moments.append(Moment(count, found, item.case.total - found, said.low, said.high, said.left))
    return moments


def coverage(reviews: Sequence[Sequence[Moment]]) -> dict[str, Any]:
    """How often the interval held the truth; where fewer than 3 were found nothing is said."""
    found = {}
    for name, at in (("all looks", None), *((str(read), read) for read in (20, 50, 100, 150, 200, 250))):
        said = [item for looked in reviews for item in looked if item.found >= FEWEST and at in (None, item.read)]
        if said:
            found[name] = {
                "looks": len(said),
                "held": round(float(np.mean([item.low <= item.left <= item.high for item in said])), 3),
                "truth_above": round(float(np.mean([item.left > item.high for item in said])), 3),
                "truth_below": round(float(np.mean([item.left < item.low for item in said])), 3),
                "recall_said": round(
                    float(np.mean([item.found / max(1, item.found + item.middle) for item in said])), 3
                ),
                "recall_true": round(float(np.mean([item.found / max(1, item.found + item.left) for item in said])), 3),
            }
    return found


def rule(reviews: Sequence[Sequence[Moment]], target: float) -> dict[str, Any]:
    """How often the rule fired within the depth, when, and how often it was right: it holds at two looks, ten apart."""
    at, right = [], []
    for looked in reviews:
        held = [holds(item.found, item.high, target) for item in looked]
        fired = next((place for place in range(1, len(held)) if held[place] and held[place - 1]), None)
        if fired is not None:
            item = looked[fired]
            at.append(item.read)
            right.append(item.found / (item.found + item.left) >= target)
    return {
        "fired": len(at),
        "of": len(reviews),
        "median_read": float(np.median(at)) if at else None,
        "right": round(float(np.mean(right)), 3) if right else None,
        "could_not": sum(unreachable(looked, target) for looked in reviews),
    }


def unreachable(looked: Sequence[Moment], target: float) -> bool:
    """Whether the recall was not reached at all, or too late for two looks."""
    reached = [item.found / (item.found + item.left) >= target for item in looked if item.found >= FEWEST]
    return sum(reached) < 2


def in_a_row(played_: Sequence[Played], number: int) -> dict[str, Any]:
    """Stopping after so many irrelevant documents in a row."""
    return _stopped(played_, lambda item: _row_end(item.finds, number))


def _row_end(finds: np.ndarray, number: int) -> int | None:
    misses = 0
    for place, hit in enumerate(finds.tolist(), start=1):
        misses = 0 if hit else misses + 1
        if misses == number:
            return place
    return None


def hypergeometric(played_: Sequence[Played], items: Sequence[PlayedCase], target: float) -> dict[str, Any]:
    """buscarpy: stop when some last n would rarely hold so few relevant ones, were the target missed."""
    sizes = {id(item): case.case.documents for item, case in zip(played_, items, strict=True)}
    return _stopped(played_, lambda item: _hypergeometric_end(item.finds, sizes[id(item)], target), target)


def _hypergeometric_end(finds: np.ndarray, documents: int, target: float) -> int | None:
    found = np.cumsum(finds)
    for read in range(1, len(finds) + 1):
        total = int(found[read - 1])
        missed = int(total / target) + 1
        if not total:
            continue
        sizes = np.arange(1, read + 1)
        before = np.concatenate([[0], found])[read - sizes]
        chances = _at_most(total - before, documents - (read - sizes), missed - before, sizes)
        if chances.min() < ALPHA:
            return read
    return None


def _at_most(count: np.ndarray, documents: np.ndarray, relevant: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """The hypergeometric distribution function; scipy.stats sums the same, a hundred times slower."""
    some = np.arange(int(count.max()) + 1)[:, None]
    possible = (some <= np.minimum(count, np.minimum(relevant, drawn))) & (drawn - some <= documents - relevant)
    some = np.where(possible, some, np.maximum(0, drawn - (documents - relevant)))
    logs = _choose(relevant, some) + _choose(documents - relevant, drawn - some) - _choose(documents, drawn)
    sums: np.ndarray = np.where(possible, np.exp(logs), 0.0).sum(axis=0)
    return sums


def _choose(whole: np.ndarray, part: np.ndarray) -> np.ndarray:
    from scipy.special import gammaln

    logs: np.ndarray = gammaln(whole + 1.0) - gammaln(part + 1.0) - gammaln(whole - part + 1.0)
    return logs


def _stopped(played_: Sequence[Played], end: Callable[[Played], int | None], target: float = 0.8) -> dict[str, Any]:
    ends = [(item, end(item)) for item in played_]
    stopped = [(item, read) for item, read in ends if read is not None]
    recalls = [item.recall(read) for item, read in stopped]
    return {
        "fired": len(stopped),
        "of": len(ends),
        "median_read": float(np.median([read for _, read in stopped])) if stopped else None,
        "mean_recall": round(float(np.mean(recalls)), 3) if recalls else None,
        "right": round(float(np.mean([recall >= target for recall in recalls])), 3) if recalls else None,
    }


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


def cached(path: Path, make: Callable[[], list[TargetCase]]) -> list[TargetCase]:
    """Cases from the cache folder, made if they are not there."""
    if not path.exists():
        path.write_bytes(pickle.dumps([(item.target, item.cold, item.case) for item in make()]))
    found = [TargetCase(*item) for item in pickle.loads(path.read_bytes())]
    return found


def plotted(curves: dict[str, dict[str, list[Played]]], reviews: dict[str, list[list[Moment]]]) -> None:
    """Recall by documents read, and the recall that the estimate says beside the true one."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    shown = ("plain list", "Rocchio", "feedback")
    for kind, style in (("warm", "-"), ("cold", "--")):
        for name, colour in zip(shown, ("#777777", "#c07020", "#2060a0"), strict=True):
            values = [np.mean([item.recall(read) for item in curves[kind][name]]) for read in range(1, DEPTH + 1)]
            axes[0].plot(range(1, DEPTH + 1), values, style, color=colour, label=f"{name}, {kind}")
        found = [
            [item for looked in reviews[kind] for item in looked if item.read == read] for read in range(10, DEPTH, 10)
        ]
        for what, colour in (("left", "#222222"), ("middle", "#2060a0"), ("low", "#9ab8d8"), ("high", "#9ab8d8")):
            recalls = [
                np.mean([item.found / max(1, item.found + getattr(item, what)) for item in said]) for said in found
            ]
            titles = {"left": f"true, {kind}", "middle": f"estimate, {kind}", "low": f"90 % interval, {kind}"}
            axes[1].plot(range(10, DEPTH, 10), recalls, style, color=colour, label=titles.get(what))
    axes[0].set(xlabel="documents read", ylabel="mean recall", ylim=(0, 1))
    axes[1].set(xlabel="documents read", ylabel="recall: true and estimated, means", ylim=(0, 1))
    for axis in axes:
        axis.legend(fontsize=7)
    for form in ("svg", "png"):
        figure.savefig(RESULTS / f"review.{form}", dpi=120)


def main() -> None:
    """Writes results/review.json and its plot."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, required=True, help="the real documents, learned --without the targets")
    parser.add_argument("--cache", type=Path, required=True, help="where candidates are kept between runs")
    parser.add_argument("--part", choices=PARTS, action="append", help="measure only this (may be repeated)")
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    asked, began = options.part or PARTS, time.monotonic()
    path = RESULTS / "review.json"
    result: dict[str, Any] = json.loads(path.read_text("utf-8")) if options.part else {}
    with Library(options.library) as library:
        inputs, review = open_inputs(options.library), load_review(ranking_path(options.library) / FILE)
        texts = ranking_inputs_of(CitationGraph(inputs.view, from_texts=True), inputs.texts.indexes)
        named = FusedRanker(texts, default_weights(texts.graph), name="default-weights")
        cited = cached(options.cache / "cited.pickle", lambda: target_cases(library.ranker(ranking="learned"), library))
        with_siblings = {case.target for case in cited if not case.cold}
        kinds = {"warm": _warm(cited, with_siblings), "cold": [case for case in cited if case.cold]}
        topics = inputs.texts.table("topics")
        result |= {
            "question": __doc__.splitlines()[0],
            **environment("numpy", "scipy", "numba"),
            "corpus": library.corpus.fingerprint,
            "documents": len(library.corpus),
            "ranking": review.ranking,
            "learned": review.to_record()["weights"] | {"training": dict(review.training)},
            "depth": DEPTH,
        }
        curves, looked = {}, {}
        assert review.stopping is not None
        for kind in (kind for kind in kinds if kind in asked):
            found, curves[kind], items = measured(kinds[kind], inputs.graph, topics, review.weights)
            stopped, looked[kind] = stopping_figures(items, curves[kind], review.weights, review.stopping)
            result[kind] = {"targets": len(kinds[kind]), "reading": found, "stopping": stopped}
            print(json.dumps(result[kind]), file=sys.stderr, flush=True)
        if "slider" in asked:
            result["slider"] = slid(kinds["warm"], inputs.graph, topics, review.weights)
        if BARE in asked:
            bare = _warm(cached(options.cache / "texts.pickle", lambda: target_cases(named, library)), with_siblings)
            found, _, _ = measured(bare, texts.graph, topics, default_review(TEXTS).weights)
            result[BARE] = {"targets": len(bare), "reading": found}
    result["seconds"] = round(time.monotonic() - began)
    if len(curves) == len(kinds):
        plotted(curves, looked)
    save("review", result)


def _warm(cases: Sequence[TargetCase], with_siblings: set[str]) -> list[TargetCase]:
    """Every target once, with its siblings if it has any."""
    return [case for case in cases if not case.cold or case.target not in with_siblings]


if __name__ == "__main__":
    main()
