"""Compares answers of a cluster with those of one process: targets of the qrels, asked in several ways, by shards."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from cluster_running import Running
from environment import SHARED
from foreart.cluster.cluster_settings import ClusterSettings, keep_settings
from foreart.evaluation import EvaluationOptions, evaluate
from foreart.index.published_state import PublishedState
from foreart.library import Library
from foreart.report.exports.chart_json import chart_record
from foreart.report.exports.explain_json import reasons_record
from foreart.report.exports.result_json import result_record
from foreart.search import Ranker, SearchRequest
from foreart.search.law.priority import cutoff_of
from foreart.search.listing import Listing
from foreart.search.retrieval import compared_rows, searched_corpus
from million_steps import Steps

QRELS = SHARED / "ultrasound.qrels"
SHARDS = (1, 2, 3, 7)
# Ways of asking, and of which targets: of every one, every third, every ninth.
WAYS: dict[str, dict[str, Any]] = {
    "default": {},
    "filters": {"published_from": "1995", "classes": ("A61B",), "kinds": ("A1", "A", "B2")},
    "exact": {"exact": True},
    "terms": {"must": ("ultraso*",), "without": ("catheter",)},
    "law of the EPO, before 2005": {"cutoff": "2005-01-01", "regime": "epc"},
    "reciprocal ranks": {"ranking": "rrf"},
    "bm25 alone": {"index": "bm25"},
    "topics alone": {"index": "topics"},
}
_STEPS = {"default": 1, "filters": 3, "exact": 3, "evaluate": 3, "explain and chart": 15}
_FEW = 9
_K, _SHOWN, _RECORDS, _SAMPLES = 100, 20, 5, 200


def targets() -> list[str]:
    """The publications that the qrels judge for."""
    return sorted({line.split()[0] for line in QRELS.read_text().splitlines()})


def compared(steps: Steps, library: Path, cluster: Running) -> dict[str, Any]:
    """For each way of asking and each number of shards: how many answers differ, and which."""
    found: dict[str, Any] = {}
    for way, make in _ways().items():
        wanted = _answers(steps, library, way, make, "one process", ClusterSettings())
        found[way] = {}
        for shards in SHARDS:
            settings = ClusterSettings(cluster.address, shards=shards)
            answers = _answers(steps, library, way, make, f"{shards} shards", settings)
            different = sorted(key for key in wanted if answers[key] != wanted[key])
            found[way][f"{shards} shards"] = {"answers": len(wanted), "different": different}
            print(f"{way}, {shards} shards: {len(different)} of {len(wanted)} differ", file=sys.stderr, flush=True)
    each = [numbers for shards in found.values() for numbers in shards.values()]
    return {
        "targets": len(targets()),
        "k": _K,
        "options": {way: {name: str(value) for name, value in options.items()} for way, options in WAYS.items()},
        "answers": sum(numbers["answers"] for numbers in each),
        "different": sum(len(numbers["different"]) for numbers in each),
        "ways": found,
    }


Answers = Callable[[Library], dict[str, Any]]


def _ways() -> dict[str, Answers]:
    """The answers of a library to all targets, or a part of them, by way of asking."""
    every = targets()
    made: dict[str, Answers] = {
        way: partial(_searched, names=every[:: _STEPS.get(way, _FEW)], options=options) for way, options in WAYS.items()
    }
    names = {way: every[:: _STEPS[way]] for way in ("evaluate", "explain and chart")}
    more: dict[str, Answers] = {
        "evaluate": partial(_evaluated, names=names["evaluate"]),
        "explain and chart": partial(_explained, names=names["explain and chart"]),
    }
    first = ("default", "filters", "exact")
    return {way: made[way] for way in first} | more | made


def _answers(
    steps: Steps, folder: Path, way: str, make: Answers, home: str, settings: ClusterSettings
) -> dict[str, str]:
    """A hash of every answer, with all its scores in full, by target."""

    def made() -> dict[str, Any]:
        keep_settings(folder, settings)
        try:
            with Library(folder) as library:
                return make(library)
        finally:
            keep_settings(folder, ClusterSettings())

    return steps.once(f"equality, {way}, {home}", made)


def _searched(library: Library, *, names: Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    """The best hundred of each target and the scores of all its candidates; of one in five all that a user sees."""
    found = {}
    for number, name in enumerate(names):
        request = SearchRequest.of(library.draft(name), k=_K, **options)
        found[name] = _hash(library.answer(request, partial(_listed, request=request, library=library)))
        if number % _RECORDS == 0:
            found[f"{name}, record"] = _hash(result_record(library.search(request, k=_SHOWN)))
    return found


def _listed(state: PublishedState, ranker: Ranker, *, request: SearchRequest, library: Library) -> list[Any]:
    """As `foreart.search.search` does it, without the texts of hits."""
    corpus = searched_corpus(library.corpus, ranker)
    ranking = ranker.requested(request)
    remaining = compared_rows(request, ranking, corpus, postings=state.full_text_if_built)
    cutoff = cutoff_of(request.draft, request.cutoff)
    listing = Listing(request.draft, ranking, corpus, cutoff=cutoff, regime=request.regime, selected=remaining.allowed)
    return [listing.families(request.k), listing.candidate_scores().tolist()]


def _explained(library: Library, *, names: Sequence[str]) -> dict[str, Any]:
    """The reasons of the three best, and a chart of them, passages included."""
    found = {}
    for name in names:
        draft = library.draft(name)
        if not draft.claims:  # there is nothing to chart
            continue
        best = [hit.id for hit in library.search(draft, k=3)]
        reasons = reasons_record([library.explain(draft, number) for number in best])
        found[name] = _hash([reasons, chart_record(library.chart(draft, best))])
    return found


def _evaluated(library: Library, *, names: Sequence[str]) -> dict[str, Any]:
    """Every metric, and its value for every query."""
    lines = [line for line in QRELS.read_text().splitlines() if line.split()[0] in names]
    qrels = library.folder / "part.qrels"  # one name: it stands in the record
    qrels.write_text("\n".join(lines) + "\n", encoding="utf-8")
    evaluation = evaluate(library, qrels, conditions=EvaluationOptions(random=100), samples=_SAMPLES)
    return {f"{len(names)} queries": _hash(evaluation.to_record(per_query=True))}


def _hash(record: Any) -> str:  # noqa: ANN401
    return hashlib.blake2b(json.dumps(record, sort_keys=True).encode(), digest_size=12).hexdigest()
