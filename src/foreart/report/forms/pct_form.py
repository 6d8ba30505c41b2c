"""A report with the boxes and columns of the second sheet of PCT/ISA/210, and its annex of families."""

from __future__ import annotations

from collections.abc import Iterator

from foreart.report.forms.annexes import (
    claims_line,
    decision_annex,
    family_annex,
    passage_annex,
    record_annex,
    sheet_foot,
)
from foreart.report.forms.citation_text import NONE
from foreart.report.forms.epo_form import category_rows, literature_rows
from foreart.report.forms.proposed_letters import proposed_letters
from foreart.report.forms.report_data import SearchReport
from foreart.report.forms.sheet_parts import (
    ReportSheet,
    SheetCell,
    SheetHeading,
    SheetPart,
    SheetText,
    columns,
    facts,
    table,
)
from foreart.report.wording.phrases import count

COLUMNS = columns(
    ("Category*", 2.4),
    ("Citation of document, with indication, where appropriate, of the relevant passages", 11),
    ("Relevant to claim No.", 2.6),
)
# The special categories of the form, in its order.
SPECIAL = (
    "“A” document defining the general state of the art which is not considered to be of particular relevance",
    "“D” document cited by the applicant in the application",
    "“E” earlier application or patent but published on or after the international filing date",
    "“L” document cited to establish a date, to question a priority claim, or for another special reason",
    "“O” document referring to an oral disclosure, use, exhibition or other means",
    "“P” document published prior to the international filing date but later than the priority date claimed",
    "“T” later document cited to understand the principle or theory underlying the invention",
    "“X” document of particular relevance when taken alone",
    "“Y” document of particular relevance when combined with one or more other such documents",
    "“&” document member of the same patent family",
)


def pct_sheet(report: SearchReport) -> ReportSheet:
    """The sheet: boxes A, B and C, dates, special categories, families; then what foreart adds."""
    return ReportSheet(
        "Search report in the style of PCT/ISA/210, second sheet",
        report.title,
        tuple(_parts(report)),
        sheet_foot(report),
    )


def _parts(report: SearchReport) -> Iterator[SheetPart]:
    draft = report.draft
    yield facts(
        ("International application No.", draft.application_number),
        ("Applicant", "; ".join(draft.applicants)),
        ("International filing date", draft.filed),
        ("(Earliest) priority date", draft.priority),
        ("Applicant's file reference", draft.docket),
        ("Drawn up for", claims_line(report)),
    )
    yield SheetHeading("A. Classification of subject matter")
    yield SheetText("; ".join(draft.classes) or NONE)
    yield SheetHeading("B. Fields searched")
    yield facts(
        ("Minimum documentation searched (classification symbols)", "; ".join(report.fields)),
        ("Documentation searched other than minimum documentation", ""),
        ("Electronic data base consulted (name and, where practicable, search terms used)", _data_base(report)),
    )
    yield SheetHeading("C. Documents considered to be relevant")
    yield table(COLUMNS, _rows(report))
    yield SheetText(
        "A patent family annex follows."
        if report.contents.families and report.documents
        else "There is no patent family annex.",
        "quiet",
    )
    yield SheetHeading("* Special categories of cited documents", 2)
    legend = f"[ ]: proposed by foreart from numbers and dates; {NONE}: no person gave a category."
    yield SheetText("; ".join((*SPECIAL, legend)), "quiet")
    yield facts(
        ("Date of the actual completion of the search", report.completed),
        ("Date of mailing of the report", ""),
        ("Searcher (no authorized officer)", report.searcher),
    )
    yield from family_annex(report, title="Patent family annex", new_page=True)
    yield from _working_annex(report)


def _working_annex(report: SearchReport) -> Iterator[SheetPart]:
    """What the form itself may not hold (ISPE 16.07): it starts on its own page and says so."""
    yield SheetHeading("Working annex", new_page=True)
    yield SheetText("Not part of the form, which holds no reasoning: remove it before the sheet is used.", "note")
    yield from passage_annex(report)
    yield from record_annex(report)
    yield from decision_annex(report, "pct")


def _rows(report: SearchReport) -> Iterator[tuple[SheetCell, SheetCell, SheetCell]]:
    proposals = proposed_letters(report, "pct")
    for document in report.documents:
        yield from category_rows(document, [item for item in proposals if item.document == document.id], separate=False)
    for item in report.literature:
        yield from literature_rows(item)


def _data_base(report: SearchReport) -> str:
    used = dict.fromkeys(
        f"corpus {search.corpus_fingerprint} of {count(search.documents, 'document')}, by {search.query}"
        for search in report.searches
    )
    return f"foreart {report.foreart}: {'; '.join(used)}" if used else ""
