"""The parts of a report from patents, search records and claim charts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from foreart.document.claims import independent_claims
from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.records import SearchRecord
from foreart.report.forms.report_data import (
    RemovedCount,
    ReportedDocument,
    ReportedDraft,
    ReportedPassage,
    ReportedSearch,
)
from foreart.search.charting import Chart, text_fingerprint

_REMOVED, _UNKNOWN = "removed: ", "unknown: "


def reported_draft(draft: Draft, **more: Any) -> ReportedDraft:  # noqa: ANN401 the other fields of the head
    """The head of a report from a draft; `more` are fields that a draft does not have, such as the docket number."""
    facts: dict[str, Any] = {
        "title": draft.title,
        "source": draft.source,
        "fingerprint": draft.fingerprint,
        "applicants": draft.applicants,
        "inventors": draft.inventors,
        "priority": draft.priority,
        "filed": draft.filed,
        "cited": tuple(dict.fromkeys(mention.number for mention in draft.citations)),
        "claims": len(draft.claims),
        "independent": tuple(claim.number for claim in independent_claims(draft.claims)),
    }
    return ReportedDraft(**facts | more)


def reported_document(patent: Patent, **more: Any) -> ReportedDocument:  # noqa: ANN401 what people and searches add
    """A document of the report from a patent; `more` are status, rule, categories, passages and so on."""
    facts: dict[str, Any] = {
        "id": patent.id,
        "title": patent.title,
        "applicants": patent.applicants,
        "inventors": patent.inventors,
        "country": patent.country,
        "kind": patent.kind,
        "published": patent.published,
        "published_estimated": patent.published_estimated,
        "filed": patent.filed,
        "priority": patent.priority,
        "application_number": patent.application_number,
        "priority_numbers": patent.priority_numbers,
        "ipc": tuple(dict.fromkeys(symbol.symbol for symbol in patent.ipc)),
        "cpc": tuple(dict.fromkeys(symbol.symbol for symbol in patent.cpc)),
        "language": patent.language,
        "abstract": patent.abstract,
        "document_type": patent.document_type,
        "text_fingerprint": text_fingerprint(patent),
    }
    return ReportedDocument(**facts | more)


def chart_passages(chart: Chart, number: str, *, limit: int = 3) -> tuple[ReportedPassage, ...]:
    """The best quotes of a document in a claim chart, at most `limit` of each claim, in the order of the elements."""
    return tuple(
        passage
        for claim in dict.fromkeys(row.claim for row in chart.rows)
        for passage in _claim_passages(chart, number, claim, limit)
    )


def _claim_passages(chart: Chart, number: str, claim: int, limit: int) -> Iterator[ReportedPassage]:
    language = next((reference.language for reference in chart.references if reference.id == number), "")
    quotes = [
        (quote.coverage * row.weight, place, row, quote)
        for place, (row, cells) in enumerate(zip(chart.rows, chart.cells, strict=True))
        for cell in cells
        if row.claim == claim and cell.reference == number
        for quote in cell.quotes[:1]
    ]
    best = sorted(quotes, key=lambda item: (-item[0], item[1]))[:limit]
    for _, _, row, quote in sorted(best, key=lambda item: item[1]):
        label = quote.place.label
        yield ReportedPassage(label, quote.text, row.label, (claim,), quote.place.language or language)


def reported_search(
    record: SearchRecord, ranking: str, *, unknown: Mapping[str, int] | None = None, query: str = ""
) -> ReportedSearch:
    """A search of the report from its record; `ranking` says in words how documents were ordered.

    `unknown` has what each filter removed because the field is missing, where the record does not have it.
    """
    counts, missing = record.counts, unknown or {}
    return ReportedSearch(
        time=record.time,
        cutoff=record.cutoff.date,
        cutoff_source=record.cutoff.source,
        regime=record.parameters.get("regime", "any"),
        ranking=ranking,
        corpus_fingerprint=record.corpus.fingerprint,
        documents=record.corpus.documents,
        compared=counts.get("compared", 0),
        hits=len(record.hits),
        filters=tuple(_removed(counts, missing)),
        left_out=counts.get("left out: after the date", 0),
        own_family=counts.get("left out: own family", 0),
        fingerprints=tuple(_fingerprints(record.ranking.items())),
        versions=tuple(record.versions.items()),
        draft_fingerprint=record.draft.fingerprint,
        query=query or "the full text of the draft",
    )


def _removed(counts: Mapping[str, int], unknown: Mapping[str, int]) -> Iterator[RemovedCount]:
    for name, number in counts.items():
        if name.startswith(_REMOVED):
            what = name.removeprefix(_REMOVED)
            yield RemovedCount(what, number, counts.get(f"{_UNKNOWN}{what}", unknown.get(what, 0)))


def _fingerprints(used: Iterable[tuple[str, Mapping[str, Any] | None]]) -> Iterator[tuple[str, str]]:
    for name, description in used:
        if description and description.get("fingerprint"):
            yield name, str(description["fingerprint"])
