"""A report as flat rows for tables, and as CSV: a row for each passage, then the record of the search."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from io import StringIO

from foreart.report.exports.chart_lines import shielded
from foreart.report.forms.annexes import claims_line, estimate_facts, search_facts
from foreart.report.forms.citation_text import claim_numbers
from foreart.report.forms.open_points import open_points
from foreart.report.forms.proposed_letters import merged_lines, proposed_letters
from foreart.report.forms.report_data import NOTICE, ReportedDocument, ReportedPassage, SearchReport

DOCUMENT_COLUMNS = (
    "cite no", "document", "title", "applicants", "inventors", "published", "priority", "filed", "country", "kind",
    "application number", "priority numbers", "ipc", "cpc", "family members", "status", "rule", "rank", "chance",
    "category and claims", "proposed letters", "judgements", "notes",
)  # fmt: skip
# `foreart verify` reads the last four, as in the rows of a claim chart.
PASSAGE_COLUMNS = ("element", "claims", "place", "quote", "fingerprint")
CSV_COLUMNS = ("part", *DOCUMENT_COLUMNS, *PASSAGE_COLUMNS, "name", "value")
_NO_PASSAGE = ReportedPassage("", "")


def document_rows(report: SearchReport) -> Iterator[dict[str, str | int | float]]:
    """A row for each document, in the order of the report; literature after the patents."""
    proposals = proposed_letters(report, report.regime)
    for place, item in enumerate(report.documents, start=1):
        letters = [
            f"{one.letter}{'' if one.certain else '?'}: {one.reason}" for one in proposals if one.document == item.id
        ]
        yield dict(zip(DOCUMENT_COLUMNS, _document_values(report, item, place, "; ".join(letters)), strict=True))
    for place, other in enumerate(report.literature, start=len(report.documents) + 1):
        row: dict[str, str | int | float] = dict.fromkeys(DOCUMENT_COLUMNS, "")
        given = merged_lines(other.categories)
        judged = (f"{one.verdict}{f' ({one.rater})' if one.rater else ''}" for one in other.verdicts)
        row |= {"cite no": f"D{place}", "title": other.text, "notes": other.note if report.contents.notes else ""}
        row |= {"published": other.published, "judgements": "; ".join(judged)}
        yield row | {"category and claims": "; ".join(f"{one.letters}: {claim_numbers(one.claims)}" for one in given)}


def _document_values(
    report: SearchReport, item: ReportedDocument, place: int, letters: str
) -> tuple[str | int | float, ...]:
    given = (f"{line.letters}: {claim_numbers(line.claims)}" for line in merged_lines(item.categories))
    judged = (f"{one.verdict}{f' ({one.rater})' if one.rater else ''}" for one in item.verdicts)
    notes = (one.note for one in item.verdicts if one.note) if report.contents.notes else ()
    family = (f"{one.id} {one.published}".strip() for one in item.family) if report.contents.families else ()
    return (
        f"D{place}",
        item.id,
        item.title,
        "; ".join(item.applicants),
        "; ".join(item.inventors),
        f"{item.published} (estimated)" if item.published_estimated else item.published,
        item.priority,
        item.filed,
        item.country,
        item.kind,
        item.application_number,
        "; ".join(item.priority_numbers),
        "; ".join(item.ipc),
        "; ".join(item.cpc),
        "; ".join(family),
        item.status,
        item.rule,
        item.rank or "",
        item.chance.share if item.chance else "",
        "; ".join(given),
        letters,
        "; ".join(judged),
        "; ".join(notes),
    )


def passage_rows(report: SearchReport) -> Iterator[dict[str, str]]:
    """A row for each passage, and one for each document without a passage, so that a check covers its text."""
    for item in report.documents:
        for passage in (report.contents.passages and item.passages) or (_NO_PASSAGE,):
            values = (
                passage.element,
                claim_numbers(passage.claims),
                passage.place,
                passage.text,
                item.text_fingerprint,
            )
            yield dict(zip(("document", *PASSAGE_COLUMNS), (item.id, *values), strict=True))


def record_rows(report: SearchReport) -> Iterator[tuple[str, str, str]]:
    """The record of the report as part, name and value: head, open points, searches with filters, estimate, log."""
    draft, contents = report.draft, report.contents
    for name, value in (
        ("title", report.title),
        ("application number", draft.application_number),
        ("applicants", "; ".join(draft.applicants)),
        ("inventors", "; ".join(draft.inventors)),
        ("docket", draft.docket),
        ("priority", draft.priority),
        ("filed", draft.filed),
        ("cut-off", f"{report.cutoff.date} ({report.cutoff.source})"),
        ("classification", "; ".join(draft.classes)),
        ("technical fields searched", "; ".join(report.fields)),
        ("drawn up for", claims_line(report)),
        ("made", report.made),
        ("foreart", report.foreart),
    ):
        yield "report", name, value
    if contents.open_points:
        yield from (("open point", point.about, point.sentence) for point in open_points(report, report.regime))
    for number, search in enumerate(report.searches if contents.searches else (), start=1):
        yield from ((f"search {number}", name, value) for name, value in search_facts(search))
        for item in search.filters:
            yield (
                f"search {number}",
                f"filter {item.filter}",
                f"removed {item.removed}, field missing in {item.unknown}",
            )
    if contents.estimate and report.estimate:
        yield "estimate", "sentence", report.estimate.sentence
        yield from (("estimate", name, value) for name, value in estimate_facts(report.estimate))
    if contents.log:
        yield from (("log", item.time, f"{item.what} ({item.by})" if item.by else item.what) for item in report.log)


def report_csv(report: SearchReport) -> bytes:
    """The rows as CSV with a byte order mark for Excel; the part of a row is document, passage or a part of the record.

    The first row after the names carries the notice that this is a search aid.
    """
    file = StringIO()
    writer = csv.DictWriter(file, CSV_COLUMNS, restval="", lineterminator="\r\n")
    writer.writeheader()
    for row in _csv_rows(report):
        writer.writerow({name: shielded(value) if isinstance(value, str) else value for name, value in row.items()})
    return ("\ufeff" + file.getvalue()).encode("utf-8", "replace")


def _csv_rows(report: SearchReport) -> Iterator[Mapping[str, str | int | float]]:
    yield {"part": "notice", "name": "notice", "value": NOTICE}
    fingerprints = {item.id: item.text_fingerprint for item in report.documents}
    for row in document_rows(report):
        yield {"part": "document", "fingerprint": fingerprints.get(str(row["document"]), ""), **row}
    for passage in passage_rows(report):
        if passage["quote"]:
            yield {"part": "passage", **passage}
    for part, name, value in record_rows(report):
        yield {"part": part, "name": name, "value": value}
