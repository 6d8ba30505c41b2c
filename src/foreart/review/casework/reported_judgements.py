"""The documents of a report: what people found relevant or gave a category, with quotes from the claim chart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain
from typing import cast

from foreart.corpus.relations.families import family_of
from foreart.document.claims import independent_claims
from foreart.document.reference import is_literature
from foreart.records.record_data import Listed
from foreart.report.forms.report_data import (
    CategoryLine,
    FamilyPublication,
    ReportedDocument,
    ReportedLiterature,
    ReportedVerdict,
)
from foreart.report.forms.report_sources import chart_passages, reported_document
from foreart.review.casework.searched_matter import searched_request
from foreart.review.matters import MatterLibrary, MatterState
from foreart.review.matters.matter_events import LiteratureKept
from foreart.search import Status, dated_of, rule_of, status_of
from foreart.search.charting import Chart

_ORDER: Mapping[str, int] = {"known before": 0, "relevant": 0, "maybe": 1}
_LAST = 1 << 30


def reported_documents(state: MatterState, library: MatterLibrary) -> tuple[ReportedDocument, ...]:
    """Documents judged relevant or maybe, seeds, and those with categories; relevant ones first, then by rank."""
    hits = {hit.id: hit for search in state.searches for hit in search.event.record.hits}
    numbers = _numbers(state)
    chart = _chart(state, library, [number for number in numbers if number in library.corpus])
    made = [_document(number, state, library, hits.get(number), chart) for number in numbers]
    return tuple(sorted(made, key=lambda item: (_worth(item), item.rank or _LAST, item.id)))


def reported_literature(state: MatterState) -> tuple[ReportedLiterature, ...]:
    """Literature judged relevant or maybe, and with categories; relevant items first, then in the order of adding."""
    made = [_literature(item.event, state) for item in state.literature]
    wanted = [item for item in made if item.categories or any(one.verdict in _ORDER for one in item.verdicts)]
    return tuple(sorted(wanted, key=_worth))


def _literature(kept: LiteratureKept, state: MatterState) -> ReportedLiterature:
    verdicts = tuple(_verdicts(kept.document, state))
    return ReportedLiterature(
        kept.reference.citation,
        _lines(kept.document, state),
        kept.places,
        kept.translated,
        "\n".join(one.note for one in verdicts if one.note),
        kept.reference,
        tuple(replace(one, note="") for one in verdicts if one.verdict != "not judged"),
    )


def _lines(number: str, state: MatterState) -> tuple[CategoryLine, ...]:
    return tuple(
        CategoryLine(line.event.category, line.event.claims, rater=line.rater)
        for line in state.categories
        if line.event.document == number
    )


def _numbers(state: MatterState) -> list[str]:
    """The documents of the report: those with categories, and of other families the one that was judged first."""
    with_category = dict.fromkeys(
        line.event.document for line in state.categories if not is_literature(line.event.document)
    )
    found, families = dict.fromkeys(with_category), {number: number for number in with_category}
    for item in state.judgements:
        members = {item.event.document, *item.event.family}
        if (
            item.event.judgement in ("relevant", "maybe")
            and not is_literature(item.event.document)
            and members.isdisjoint(families)
        ):
            found[item.event.document] = None
            families.update(dict.fromkeys(members, item.event.document))
    for seed in state.seeds:
        if seed.event.document not in families:
            found[seed.event.document] = None
    return list(found)


def _document(
    number: str, state: MatterState, library: MatterLibrary, hit: Listed | None, chart: Chart | None
) -> ReportedDocument:
    made = _known(number, state, library, hit) if number in library.corpus else _lost(number, hit)
    passages = chart_passages(chart, number) if chart is not None else ()
    fingerprints = {} if chart is None else {item.id: item.fingerprint for item in chart.references}
    return replace(
        made,
        rank=hit.rank if hit else 0,
        categories=_lines(number, state),
        verdicts=tuple(_verdicts(number, state)),
        passages=passages,
        text_fingerprint=fingerprints.get(number, made.text_fingerprint),
    )


def _known(number: str, state: MatterState, library: MatterLibrary, hit: Listed | None) -> ReportedDocument:
    """A document of the corpus; its status is that of the search, else what the law says of its dates."""
    patent = library.corpus[number]
    if hit is not None:
        status, rule = cast(Status, hit.status), hit.rule
    elif state.search is not None:
        cutoff, regime, dated = state.search.cutoff, state.search.parameters.get("regime", "any"), dated_of(patent)
        status = status_of(dated, cutoff, regime)
        rule = rule_of(dated, status, cutoff, regime)
    else:
        status, rule = "date unknown", ""
    members = family_of(library.corpus, number)
    family = tuple(FamilyPublication(other, library.corpus[other].published) for other in members)
    name = (hit.family if hit else "") or (min(number, *members) if members else "")
    return reported_document(patent, status=status, rule=rule, family=family, family_id=name)


def _lost(number: str, hit: Listed | None) -> ReportedDocument:
    """A document that the corpus no longer has, as the search recorded it."""
    if hit is None:
        return ReportedDocument(number)
    family = tuple(FamilyPublication(member.id) for member in hit.family_members)
    return replace(
        ReportedDocument(number, hit.title, published=hit.published, family=family, family_id=hit.family),
        status=cast(Status, hit.status),
        rule=hit.rule,
    )


def _verdicts(number: str, state: MatterState) -> Iterable[ReportedVerdict]:
    """What each person judged of a document or its family, with their notes on it; and that it was a seed."""
    notes: dict[str, str] = {}
    for note in state.notes:
        if note.event.document == number:
            notes[note.rater] = "\n".join(filter(None, (notes.get(note.rater, ""), note.event.text)))
    for seed in state.seeds:
        if seed.event.document == number:
            yield ReportedVerdict("known before", seed.rater, time=seed.time)
    for item in state.judgements:
        if number in (item.event.document, *item.event.family):
            yield ReportedVerdict(item.event.judgement, item.rater, notes.pop(item.rater, ""), item.time)
    for rater, text in notes.items():
        yield ReportedVerdict("not judged", rater, text)


def _chart(state: MatterState, library: MatterLibrary, numbers: list[str]) -> Chart | None:
    """The claims of the draft against the documents; None where there is nothing to chart."""
    if not numbers or state.search is None:
        return None
    request = searched_request(state)
    if not request.draft.claims:
        return None
    there = {claim.number for claim in request.draft.claims}
    given = (line.event.claims for line in state.categories if not is_literature(line.event.document))
    asked = set(chain.from_iterable(given)) & there
    independent = {claim.number for claim in independent_claims(request.draft.claims)}
    return library.chart(request, numbers, claims=sorted(asked | independent) if asked else ())


def _worth(item: ReportedDocument | ReportedLiterature) -> int:
    return min((_ORDER.get(one.verdict, 2) for one in item.verdicts), default=2)
