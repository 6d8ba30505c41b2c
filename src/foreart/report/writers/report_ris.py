"""A report as RIS, for reference managers: a record for each document, and one for the search itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from foreart.document.reference import LiteratureForm
from foreart.report.forms.citation_text import claim_numbers
from foreart.report.forms.proposed_letters import ProposedLetter, merged_lines, proposed_letters
from foreart.report.forms.report_data import (
    NOTICE,
    CategoryLine,
    ReportedDocument,
    ReportedLiterature,
    ReportedPassage,
    SearchReport,
)
from foreart.report.writers.report_rows import record_rows

# Names of authorities as Zotero writes them into A2; others by their code.
_AUTHORITIES = {
    "US": "United States Patent and Trademark Office",
    "EP": "European Patent Office",
    "WO": "World Intellectual Property Organization",
}

_LITERATURE: Mapping[LiteratureForm, str] = {"article": "JOUR", "book": "BOOK", "web page": "ELEC", "other": "GEN"}


def report_ris(report: SearchReport) -> bytes:
    """The records in UTF-8, each with the tags that Zotero and EndNote read for patents."""
    records = [
        *(_patent(report, item, notes) for item, notes in zip(report.documents, document_notes(report), strict=True)),
        *(_literature(report, item) for item in report.literature),
        _search(report),
    ]
    return "".join("".join(f"{tag}  - {value}\r\n" for tag, value in record) + "\r\n" for record in records).encode(
        "utf-8", "replace"
    )


def _patent(report: SearchReport, item: ReportedDocument, notes: Iterable[str]) -> Iterator[tuple[str, str]]:
    contents = report.contents
    yield "TY", "PAT"
    yield from _given(
        ("TI", item.title or item.id),
        *(("AU", name) for name in item.inventors),
        ("PB", "; ".join(item.applicants)),
        ("SN", item.id),
        ("M1", item.application_number),
        ("OP", "; ".join(item.priority_numbers)),
        ("DA", _date(item.published)),
        ("PY", item.published[:4]),
        ("C1", item.filed),
        ("C3", item.country),
        ("A2", _AUTHORITIES.get(item.country, item.country)),
        ("C6", item.status),
        ("AB", item.abstract if contents.abstracts else ""),
        *(("KW", symbol) for symbol in dict.fromkeys((*item.cpc, *item.ipc))),
        ("LA", item.language),
        *(("N1", note) for note in notes),
    )
    yield "ER", ""


def _literature(report: SearchReport, item: ReportedLiterature) -> Iterator[tuple[str, str]]:
    known = item.reference
    yield "TY", _LITERATURE[known.form] if known else "GEN"
    yield from _given(("TI", known.title if known else item.text))
    if known:
        yield from _given(
            *(("AU", name) for name in known.authors),
            ("T2", known.item),
            ("DA", _date(known.published)),
            ("PY", known.published[:4]),
            ("VL", known.volume),
            ("SP", known.pages),
            ("PB", known.publisher),
            ("CY", known.place),
            ("UR" if "://" in known.identifier else "DO", known.identifier),
            ("LA", known.language),
        )
    yield from _given(*(("N1", note) for note in literature_notes(report, item)))
    yield "ER", ""


def _search(report: SearchReport) -> Iterator[tuple[str, str]]:
    """The search record as a record of its own, because RIS has no comments."""
    yield "TY", "GEN"
    rows = (f"{part}: {name}: {value}" for part, name, value in record_rows(report) if value)
    yield from _given(("TI", f"Search record: {report.title}"), ("N1", NOTICE), *(("N1", row) for row in rows))
    yield "ER", ""


def document_notes(report: SearchReport) -> Iterator[tuple[str, ...]]:
    """For each document its status, categories, proposed letters, judgements, notes and passages, each as a text."""
    proposals = proposed_letters(report, report.regime)
    for item in report.documents:
        yield tuple(_notes(report, item, [one for one in proposals if one.document == item.id]))


def literature_notes(report: SearchReport, item: ReportedLiterature) -> Iterator[str]:
    """Categories, passages, judgements and the note of literature, each as a text."""
    yield from _categories(item.categories)
    yield from (f"Passage: {place}" for place in item.places)
    for verdict in item.verdicts:
        yield f"Judgement: {verdict.verdict}{f' ({verdict.rater})' if verdict.rater else ''}"
    if item.note and report.contents.notes:
        yield item.note


def _notes(report: SearchReport, item: ReportedDocument, proposals: Iterable[ProposedLetter]) -> Iterator[str]:
    contents = report.contents
    yield f"Status: {item.status}{f': {item.rule}' if item.rule else ''}"
    yield from _categories(item.categories)
    for proposal in proposals:
        yield f"Proposed: {proposal.letter}{'' if proposal.certain else '?'}: {proposal.reason}"
    for verdict in item.verdicts:
        note = f": {verdict.note}" if verdict.note and contents.notes else ""
        yield f"Judgement: {verdict.verdict}{f' ({verdict.rater})' if verdict.rater else ''}{note}"
    yield from map(_passage, item.passages if contents.passages else ())
    if item.text_fingerprint:
        yield f"Text fingerprint: {item.text_fingerprint}"


def _passage(passage: ReportedPassage) -> str:
    return f"Passage, {passage.place}: “{passage.text}”"


def _categories(lines: tuple[CategoryLine, ...]) -> Iterator[str]:
    for line in merged_lines(lines):
        claims = claim_numbers(line.claims)
        yield f"Category: {line.letters}{f' for claims {claims}' if claims else ''}"


def _given(*fields: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """The fields with a value, each on one line: RIS ends a value with the line."""
    for tag, value in fields:
        if flat := " ".join(value.split()):
            yield tag, flat


def _date(date: str) -> str:
    """`YYYY/MM/DD/`, with what is unknown left empty."""
    year, month, day = (*date.split("-"), "", "")[:3]
    return f"{year}/{month}/{day}/" if year else ""
