"""The result of a search in words, the same in every output format."""

from __future__ import annotations

from foreart.rankings import DEFAULT_WEIGHTS, LEARNED_WEIGHTS, RRF_RANKING
from foreart.report.wording.phrases import LAWS, count, percent
from foreart.search import Chance, Hit, Result


def left_out_sentence(result: Result) -> str:
    """How many documents are excluded by date; `""` if none."""
    number = result.left_out_count
    if not number:
        return ""
    verb = "is" if number == 1 else "are"
    why = (
        "published and filed after the cut-off"
        if result.regime == "any"
        else f"after the date under {LAWS[result.regime]}"
    )
    return f"{count(number, 'document')} {verb} left out: {why}."


def own_family_sentence(result: Result) -> str:
    """How many documents of the draft's own family are listed separately, and how many may count; `""` if none."""
    number = len(result.own_family)
    if not number:
        return ""
    verb = "is" if number == 1 else "are"
    counting = sum(item.by_date != "after the date" for item in result.own_family)
    more = (
        f"; by {'its date' if counting == 1 else 'their dates'} {counting:,} may still be prior art" if counting else ""
    )
    return f"{count(number, 'document')} of the draft's own family {verb} listed separately{more}."


def candidates_sentence(result: Result) -> str:
    """How many documents were compared in full, and what that finds of an exact search; `""` if all were."""
    if result.scored >= result.compared - result.left_out_count - len(result.own_family):
        return ""
    recall = result.candidate_recall
    told = f"the best of each channel were compared in full: {count(result.scored, 'candidate')}"
    if recall is None:
        return told
    first, best = (f"{100 * share:.1f} % of the best" for share in (recall.best_20, recall.best_100))
    return (
        f"{told}. In {count(recall.queries, 'search', 'searches')} with documents of this corpus such candidates held "
        f"{first} 20 and {best} 100 of an exact search"
    )


def removed_sentence(result: Result) -> str:
    """What the filters removed, in total and each; `""` without filters."""
    if not result.removed:
        return ""
    every = result.compared + result.removed_count
    each = "; ".join(_removed(name, number, result.unknown.get(name, 0)) for name, number in result.removed.items())
    return f"Filters removed {result.removed_count:,} of {count(every, 'document')} ({each})."


def _removed(name: str, number: int, unknown: int) -> str:
    """What a filter removed, and how much of it because the field is missing: relevant documents may be among these."""
    lacking = {"published": "date"}.get(what := name.split()[0], what)
    return f"{name}: {number:,}" + (f", {unknown:,} of them because no {lacking} is known" if unknown else "")


def nothing_sentence(result: Result) -> str:
    """Why there is no hit."""
    if result.removed and not result.compared:
        return "The filters leave no document."
    if result.ranking is not None:
        return "No document of the corpus can be prior art of the draft."
    return "No document that can be prior art shares a word with the draft."


def cutoff_sentence(result: Result) -> str:
    """The cut-off date and its source."""
    return f"{result.cutoff.date} ({result.cutoff.source})"


def published_text(hit: Hit) -> str:
    """The publication date, and whether it is an estimate."""
    if not hit.published:
        return "unknown"
    return f"{hit.published} (estimated)" if hit.published_estimated else hit.published


def earlier_member(hit: Hit) -> str:
    """The id of a family member that is prior art where the hit itself is not; `""` if there is none."""
    if hit.status == "prior art":
        return ""
    return next((member.id for member in hit.family_members if member.status == "prior art"), "")


def shares(hit: Hit, number: int) -> list[tuple[str, float]]:
    """The words with the highest weight and their share of the text similarity, 0 to 1."""
    total = hit.similarity or hit.score
    return [(word, contribution / total) for word, contribution in hit.words[:number]] if total else []


def chance_sentence(chance: Chance | None) -> str:
    """How often documents with such a score were cited; `""` without a calibration."""
    if chance is None:
        return ""
    low, high = (percent(value).removesuffix(" %") for value in (chance.low, chance.high))
    return f"{percent(chance.share)} of documents with this score were cited in past searches ({low}–{high} %)"


def hub_sentence(hit: Hit) -> str:
    """A warning about hubs; `""` for other documents."""
    return "Hub: ranks high for drafts on any subject, so its rank means less than usual." if hit.hub else ""


def missing_sentence(result: Result) -> str:
    """A warning if the hits lack all of the draft's most important rare terms; `""` if not."""
    if not result.missing_terms:
        return ""
    terms = ", ".join(result.missing_terms)
    none = "The only hit has none" if len(result.hits) == 1 else f"None of the {len(result.hits)} hits has any"
    what = f"of the draft's {len(result.missing_terms)} most important rare terms ({terms})"
    return f"{none} {what}: `--must TERM` searches for documents that have one."


_RANKED = {
    LEARNED_WEIGHTS: ("all channels", "weights learned from the citations of this corpus"),
    DEFAULT_WEIGHTS: ("all channels", "default weights; `foreart learn` learns those of this corpus"),
    RRF_RANKING: ("all channels", "reciprocal rank fusion, without weights"),
}


def ranking_texts(result: Result) -> tuple[str, str]:
    """The ranking of the documents, and its weights."""
    if result.ranking is None:
        return str(result.index), result.index.settings
    what, how = _RANKED.get(result.ranking.name, ("all channels", result.ranking.name))
    earlier = result.ranking.name == "learned" and _learned_on(result) != result.corpus_fingerprint
    return what, f"{how}, in an earlier state of it" if earlier else how


def judged_drafts(result: Result) -> int:
    """Number of queries of the calibration; 0 without one."""
    record = result.ranking.to_record() if result.ranking is not None else {}
    return int(record.get("metrics", {}).get("judged", 0))


def _learned_on(result: Result) -> str:
    return str(result.ranking.to_record().get("corpus", "")) if result.ranking is not None else ""


def bar_share(score: float, best: float) -> float:
    """The length of a score's bar relative to the best, 0 to 1."""
    return min(1.0, max(0.0, score / best)) if best > 0 else 0.0
