"""How good the ranking of a library is: what learning measured of itself, and evaluations against judgements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from foreart.corpus.fronts import fronts_of
from foreart.errors import BadRequest
from foreart.evaluation import METRICS, Qrels, evaluate, qrels_of
from foreart.evaluation.metrics import DEFAULT_METRICS, parse_metrics
from foreart.index.published_state import published_state
from foreart.library import Library
from foreart.search.ranking import LEARNED, load_learned, outgrown, ranking_path
from foreart.server.work.citing_patents import drawn_citing
from foreart.server.work.jobs import Report
from foreart.server.work.search_tasks import require_corpus

# A query must cite as many earlier documents of the corpus, so that its metrics say something.
LEAST_CITED = 3


def ranking_task(library: Library) -> dict[str, Any]:
    """What `foreart learn` measured on held-out folds, warm and cold; `learned` is null with default weights."""
    require_corpus(library)
    path = ranking_path(library.folder) / LEARNED
    if not path.exists():
        return {"learned": None, "metrics": _described(DEFAULT_METRICS)}
    learned = load_learned(path)
    figures = [name for name in learned.metrics if _is_metric(name)]
    return {
        "learned": {
            "warm": dict(learned.metrics),
            "cold": dict(learned.cold),
            "training": dict(learned.training),
            "weights": dict(learned.weights),
            "outgrown": outgrown(learned, library.corpus),
        },
        "metrics": _described((*figures, *DEFAULT_METRICS)),
    }


def evaluate_job(
    library: Library, report: Report, judgements: Mapping[str, Mapping[str, int]], citing: int, seed: int
) -> dict[str, Any]:
    """The metrics of the default ranking, as `foreart evaluate --per-query --json` prints them, with titles.

    The judgements are those given, or the citations of `citing` patents that are drawn from the corpus.
    """
    require_corpus(library)
    if bool(judgements) == bool(citing):
        raise BadRequest("give either `judgements`, or with `citing` how many patents of the corpus to draw")
    qrels = _drawn(library, citing, seed) if citing else _given(judgements)
    found = evaluate(library, qrels, progress=lambda system, done, total: report(f"ranking, {system}", done, total))
    record = found.to_record(per_query=True)
    known = fronts_of(library.corpus, list(record["per_query"]))
    titles = {query: known[query].title for query in record["per_query"] if query in known}
    return {**record, "titles": titles, "described": _described(found.values), "source": _source(citing, seed)}


def _drawn(library: Library, number: int, seed: int) -> Qrels:
    found = drawn_citing(published_state(library.folder).view, number, seed, least=LEAST_CITED, fewer=True)
    return Qrels({query: dict.fromkeys(cited, 1) for query, cited in found.items()})


def _given(judgements: Mapping[str, Mapping[str, int]]) -> Qrels:
    return qrels_of((query, document, grade) for query, held in judgements.items() for document, grade in held.items())


def _source(citing: int, seed: int) -> dict[str, Any]:
    return {"kind": "citations", "seed": seed, "least_cited": LEAST_CITED} if citing else {"kind": "judgements"}


def _described(names: Any) -> dict[str, str]:  # noqa: ANN401 any iterable of requested metrics
    """What each metric says."""
    return {
        item.text: item.metric.title.replace(" K", f" {item.k}") if item.k else item.metric.title
        for item in parse_metrics(list(names))
    }


def _is_metric(name: str) -> bool:
    return name.partition("@")[0] in METRICS
