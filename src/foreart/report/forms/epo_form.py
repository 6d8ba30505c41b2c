"""A report with the columns of EPO Form 1503, the European search report, and its annex of families."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from foreart.report.forms.annexes import (
    claims_line,
    decision_annex,
    family_annex,
    noted,
    passage_annex,
    record_annex,
    sheet_foot,
)
from foreart.report.forms.citation_text import NONE, claim_numbers, holder, long_date, passage_text, printed_number
from foreart.report.forms.proposed_letters import LETTERS, ProposedLetter, category_text, merged_lines, proposed_letters
from foreart.report.forms.report_data import (
    CategoryLine,
    ReportedDocument,
    ReportedLiterature,
    SearchReport,
)
from foreart.report.forms.sheet_parts import (
    ReportSheet,
    SheetCell,
    SheetHeading,
    SheetList,
    SheetPart,
    SheetText,
    cell,
    columns,
    facts,
    quiet,
    strong,
    table,
)

COLUMNS = columns(
    ("Category", 2.4),
    ("Citation of document with indication, where appropriate, of relevant passages", 8.6),
    ("Relevant to claim", 2.2),
    ("Classification of the application (IPC)", 3.4),
)
LEGEND = (
    f"{'; '.join(f'{letter}: {meaning}' for letter, meaning in LETTERS.items())}. Letters in square brackets are "
    f"proposed; {NONE}: no person gave a category."
)


def epo_sheet(report: SearchReport) -> ReportSheet:
    """The sheet: head, documents considered to be relevant, fields searched, families; then what foreart adds."""
    return ReportSheet(
        "Search report in the style of EPO Form 1503", report.title, tuple(_parts(report)), sheet_foot(report)
    )


def _parts(report: SearchReport) -> Iterator[SheetPart]:
    draft = report.draft
    yield facts(
        ("Application number", draft.application_number),
        ("Applicant", "; ".join(draft.applicants)),
        ("Filing date", draft.filed),
        ("Priority", "; ".join(filter(None, (draft.priority, *draft.priority_numbers)))),
        ("Reference", draft.docket),
        ("Claims", f"{draft.claims:,}" if draft.claims else ""),
    )
    yield from noted(report)
    yield SheetHeading("Documents considered to be relevant")
    yield table(COLUMNS, _with_classes(tuple(_rows(report)), draft.classes))
    yield SheetHeading("Technical fields searched (IPC)", 2)
    yield SheetList(report.fields or (NONE,))
    yield SheetHeading("Drawn up", 2)
    yield facts(
        ("The present search report has been drawn up for", claims_line(report)),
        ("Place of search", report.place),
        ("Date of completion of the search", report.completed),
        ("Searcher (no examiner of an office)", report.searcher),
    )
    yield SheetHeading("Category of cited documents", 2)
    yield SheetText(LEGEND, "quiet")
    yield from family_annex(report, title="Annex to the search report: patent families", new_page=True)
    yield from passage_annex(report)
    yield from record_annex(report)
    yield from decision_annex(report, "epc")


def _rows(report: SearchReport) -> Iterator[tuple[SheetCell, SheetCell, SheetCell]]:
    proposals = proposed_letters(report, "epc")
    for document in report.documents:
        own = tuple(item for item in proposals if item.document == document.id)
        yield from category_rows(document, own, separate=True)
    for item in report.literature:
        yield from literature_rows(item)


def category_rows(
    document: ReportedDocument, proposals: Sequence[ProposedLetter], *, separate: bool
) -> Iterator[tuple[SheetCell, SheetCell, SheetCell]]:
    """A row for each category of a document: the citation in the first, then its places only.

    With `separate`, the family members that the report cites follow the first citation.
    """
    for place, line in enumerate(merged_lines(document.categories) or (CategoryLine(""),)):
        labels = line.places or [
            item.place
            for item in document.passages
            if not item.claims or not line.claims or set(item.claims) & set(line.claims)
        ]
        passages = passage_text(labels, document.country)
        citation = citation_of(document) if not place else f"{printed_number(document.id)}, as above"
        yield (
            cell(strong(category_text(line.letters, proposals))),
            cell(citation, quiet(document.title) if separate and not place else "", passages),
            cell(claim_numbers(line.claims) or NONE),
        )


def literature_rows(item: ReportedLiterature) -> Iterator[tuple[SheetCell, SheetCell, SheetCell]]:
    """A row for each category of a document that is no patent."""
    for place, line in enumerate(merged_lines(item.categories) or (CategoryLine(""),)):
        passages = passage_text(line.places or item.places, "")
        citation = item.text if not place else f"{item.text[:60]}, as above"
        yield cell(strong(line.letters or NONE)), cell(citation, passages), cell(claim_numbers(line.claims) or NONE)


def citation_of(document: ReportedDocument) -> str:
    """A patent document as WIPO ST.14 cites it: number, holder in capitals, date of publication.

    >>> citation_of(ReportedDocument("EP1000000A1", applicants=("Acme GmbH",), published="2000-05-17"))
    'EP 1 000 000 A1 (ACME GMBH) 17 May 2000 (2000-05-17)'
    """
    name = holder(document.applicants, document.inventors)
    held = f" ({name.removesuffix(' et al.').upper()}{' et al.' * name.endswith(' et al.')})" if name else ""
    estimated = ", date estimated" if document.published_estimated else ""
    return f"{printed_number(document.id)}{held} {long_date(document.published)}{estimated}"


def _with_classes(
    rows: Sequence[tuple[SheetCell, SheetCell, SheetCell]], classes: Sequence[str]
) -> list[tuple[SheetCell, ...]]:
    """The rows with the classification of the application beside the first."""
    first = cell(*classes) if classes else cell(NONE)
    made = rows or ((cell(NONE), cell("no document was cited"), cell(NONE)),)
    return [(*row, first if not number else ()) for number, row in enumerate(made)]
