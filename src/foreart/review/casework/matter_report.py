"""The search report of a matter: what was judged, searched, estimated and exported, as data for every form."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from foreart.errors import MatterError
from foreart.rankings import DEFAULT_WEIGHTS, LEARNED_WEIGHTS, RRF_RANKING
from foreart.records.record_data import SearchRecord
from foreart.report.forms.report_data import (
    Estimated,
    ReportContents,
    ReportEvent,
    SearchReport,
    StoppingFigures,
)
from foreart.report.forms.report_sources import reported_draft, reported_search
from foreart.report.wording.phrases import count
from foreart.review.casework.matter_review import MatterReview
from foreart.review.casework.matter_snapshot import MatterSnapshot
from foreart.review.casework.reported_judgements import reported_documents, reported_literature
from foreart.review.matters import MatterLibrary, RaterAgreement, rater_agreements
from foreart.review.matters.export_options import NO_OPTIONS, ExportOptions
from foreart.review.stopping import NEXT, Stopping

_RANKINGS = {
    LEARNED_WEIGHTS: "all channels, with weights learned from the citations of the corpus",
    DEFAULT_WEIGHTS: "all channels, with default weights",
    RRF_RANKING: "reciprocal ranks of all channels",
}


def matter_report(
    snapshot: MatterSnapshot, library: MatterLibrary, options: ExportOptions = NO_OPTIONS, *, made: str = ""
) -> SearchReport:
    """The report of a matter that has a search; `made` is the time in UTC, now if it is not given."""
    state = snapshot.state
    if state.search is None or state.draft is None:
        raise MatterError("a report needs a search: make one, with `foreart matter search NAME DRAFT`")
    review = MatterReview(snapshot, library, rater=options.rater or _most_read(snapshot))
    contents = _contents(options)
    head = {name: getattr(options, name) for name in ("docket", "application_number", "examiner", "art_unit")}
    given = {name: value for name, value in head.items() if value}
    return SearchReport(
        draft=reported_draft(state.draft, **given),
        cutoff=state.search.cutoff,
        documents=reported_documents(state, library),
        literature=reported_literature(state),
        searches=tuple(reported_search(item.event.record, ranking_words(item.event.record)) for item in state.searches),
        estimate=_figures(review),
        log=tuple(
            ReportEvent(item.time, f"exported as {item.event.form}: {item.event.file}", item.rater)
            for item in state.exports
        ),
        regime=state.search.parameters.get("regime", "any"),
        matter=state.title or snapshot.name,
        notes=tuple(_notes(review, with_notes=contents.notes)),
        searcher=options.searcher or review.rater,
        place=options.place,
        completed=state.searches[-1].time[:10],
        items_before=options.items_before,
        agreement="; ".join(map(agreement_sentence, rater_agreements(state))),
        made=made or datetime.now(UTC).isoformat(timespec="seconds"),
        foreart=version("foreart"),
        contents=contents,
    )


def ranking_words(record: SearchRecord) -> str:
    """How a search ordered documents."""
    ranking: Any = record.ranking.get("ranking")
    name = str(ranking.get("name", "")) if ranking else ""
    if name:
        return _RANKINGS.get(name, f"all channels, ranking {name}")
    index = str(record.parameters.get("index", ""))
    return f"similarity of words by the index {index}" if index else "similarity of words"


def agreement_sentence(found: RaterAgreement) -> str:
    """How far two raters agree."""
    who = " and ".join(rater or "(no name)" for rater in found.raters)
    both = f"{who}: {count(found.common, 'document')} judged by both"
    if found.kappa is None:
        return f"{both}, too few or too equal for a kappa"
    interval = f" (95 %: {found.interval[0]:.2f} to {found.interval[1]:.2f})" if found.interval else ""
    return f"{both}, {found.equal} the same; kappa {found.kappa:.2f}{interval}"


def _most_read(snapshot: MatterSnapshot) -> str:
    raters = dict.fromkeys((*snapshot.state.shown, *(item.rater for item in snapshot.state.judgements)))
    return max(raters, key=lambda rater: len(snapshot.read(rater)), default="")


def _contents(options: ExportOptions) -> ReportContents:
    parts = ("passages", "notes", "families", "searches", "estimate", "log")
    kept = {part: part not in options.leave_out for part in parts}
    return ReportContents(**kept, open_points="open points" not in options.leave_out, abstracts=options.abstracts)


def _figures(review: MatterReview) -> StoppingFigures:
    """The estimate of one reader; that of another reader would be another one."""
    stopping, rule = review.stopping(), review.snapshot
    who = f"{review.rater}: " if review.rater else ""
    return StoppingFigures(
        sentence=who + stopping.sentence,
        found=stopping.found,
        read=stopping.read,
        unread=_estimated(stopping, "left", "low", "high"),
        share=_estimated(stopping, "recall", "recall_low", "recall_high"),
        level=stopping.confidence,
        next_count=NEXT,
        next_finds=stopping.ahead,
        target=stopping.target,
        confidence=stopping.confidence,
        may_stop=stopping.may_stop if stopping.left is not None else None,
        rule=rule.rule_origin,
    )


def _estimated(stopping: Stopping, *names: str) -> Estimated | None:
    values = [getattr(stopping, name) for name in names]
    return None if None in values else Estimated(*map(float, values))


def _notes(review: MatterReview, *, with_notes: bool) -> Iterator[str]:
    """What has changed, and, unless notes are left out, the criteria and the notes on the whole matter."""
    yield from (change.sentence for change in review.changes if change.since == "last search")
    state = review.snapshot.state
    if with_notes:
        if state.criteria:
            yield f"Relevant is: {state.criteria}"
        yield from (note.event.text for note in state.notes if not note.event.document)
