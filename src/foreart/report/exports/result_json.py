"""The result of a search as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from foreart.report.wording.channel_groups import added, groups_of
from foreart.report.wording.extract_marks import marked_words, word_marks
from foreart.search import Hit, Result
from foreart.typed_json import to_builtins


def result_record(result: Result) -> dict[str, Any]:
    """The result as a JSON object; of the draft it has only the words that contribute to a score."""
    return {
        "foreart": result.foreart,
        "draft": {
            "title": result.draft_title,
            "source": result.draft_source,
            "fingerprint": result.draft_fingerprint,
            "notes": list(result.notes),
        },
        "cutoff": asdict(result.cutoff),
        "regime": result.regime,
        "corpus": {"fingerprint": result.corpus_fingerprint, "documents": result.index.documents},
        "filters": _active_filters(asdict(result.filters)),
        "removed": {"together": result.removed_count, "each": dict(result.removed), "unknown": dict(result.unknown)},
        "compared": result.compared,
        "scored": result.scored,
        "candidate_recall": asdict(result.candidate_recall) if result.candidate_recall is not None else None,
        "index": result.index.to_record(),
        "ranking": result.ranking.to_record() if result.ranking is not None else None,
        "groups": [{"name": group.name, "about": group.about} for group in groups_of(result.hits)],
        "hits": [_hit(hit) for hit in result.hits],
        "left_out_count": result.left_out_count,
        "left_out": [asdict(item) for item in result.left_out],
        "own_family_count": len(result.own_family),
        "own_family": [asdict(item) for item in result.own_family],
        "missing_terms": list(result.missing_terms),
        "scores": {
            "least": result.scores.least,
            "greatest": result.scores.greatest,
            "counts": list(result.scores.counts),
        },
    }


def _hit(hit: Hit) -> dict[str, Any]:
    record: dict[str, Any] = to_builtins(hit)
    record["words"] = [{"word": word, "contribution": contribution} for word, contribution in hit.words]
    record["shares"] = [{"group": item.group.name, "contribution": item.value} for item in added(hit)]
    if hit.passage is not None:
        record["passage"]["marks"] = list(word_marks(hit.passage.text, marked_words(hit)))
    return record


def _active_filters(filters: dict[str, Any]) -> dict[str, Any]:
    """The filters that are set, including those of the selection."""
    every = {**filters.pop("selection"), **filters}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in every.items() if value}
