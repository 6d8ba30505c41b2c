"""The table of all forms of a search report: command line, REST and pages are made from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from foreart.errors import BadRequest
from foreart.report.forms.epo_form import epo_sheet
from foreart.report.forms.generic_form import generic_sheet
from foreart.report.forms.pct_form import pct_sheet
from foreart.report.forms.report_data import SearchReport
from foreart.report.forms.sheet_parts import ReportSheet
from foreart.report.forms.us_form import us_sheet
from foreart.report.writers.report_bibtex import report_biblatex, report_bibtex
from foreart.report.writers.report_json import report_json
from foreart.report.writers.report_ris import report_ris
from foreart.report.writers.report_rows import report_csv
from foreart.report.writers.report_xlsx import report_xlsx
from foreart.report.writers.sheet_docx import sheet_docx
from foreart.report.writers.sheet_html import sheet_html
from foreart.report.writers.sheet_pdf import sheet_pdf

_OFFICE = "application/vnd.openxmlformats-officedocument"
_DOCX = f"{_OFFICE}.wordprocessingml.document"
_XLSX = f"{_OFFICE}.spreadsheetml.sheet"


@dataclass(frozen=True, slots=True)
class ReportForm:
    """One form: its name, what it is, the ending and media type of its file, and what writes it.

    `extra` is the extra of foreart that brings its library, `verified` whether `foreart verify` reads its quotes.
    `sheet` makes what is printed; without one the file is text.
    """

    name: str
    title: str
    ending: str
    media_type: str
    write: Callable[[SearchReport], bytes]
    extra: str = ""
    verified: bool = False
    sheet: Callable[[SearchReport], ReportSheet] | None = None

    @property
    def file_name(self) -> str:
        """A name for its file that says nothing about the draft, such as `report-epo.docx`."""
        style = self.name.partition("-")[0] if "-" in self.name else ""
        return f"report{f'-{style}' if style else ''}.{self.ending}"


def _printed(style: str, title: str, sheet_of: Callable[[SearchReport], ReportSheet]) -> tuple[ReportForm, ...]:
    """A form in the three files that people print; the form of foreart itself has no style before its name."""
    prefix = f"{style}-" if style else ""
    return (
        ReportForm(
            f"{prefix}docx", f"{title}, Word", "docx", _DOCX, lambda report: sheet_docx(sheet_of(report)),
            verified=True, sheet=sheet_of,
        ),
        ReportForm(
            f"{prefix}pdf", f"{title}, PDF", "pdf", "application/pdf",
            lambda report: sheet_pdf(sheet_of(report), report.made), extra="pdf", sheet=sheet_of,
        ),
        ReportForm(
            f"{prefix}html", f"{title}, page", "html", "text/html; charset=utf-8",
            lambda report: sheet_html(sheet_of(report)), verified=True, sheet=sheet_of,
        ),
    )  # fmt: skip


_ALL = (
    *_printed("", "Search report", generic_sheet),
    ReportForm("xlsx", "Search report, Excel", "xlsx", _XLSX, report_xlsx, "sheets", True, generic_sheet),
    ReportForm("csv", "Search report, CSV", "csv", "text/csv; charset=utf-8", report_csv, verified=True),
    ReportForm("json", "Search report, JSON", "json", "application/json", report_json, verified=True),
    ReportForm("ris", "References, RIS", "ris", "application/x-research-info-systems", report_ris),
    ReportForm("biblatex", "References, BibLaTeX", "bib", "application/x-bibtex", report_biblatex),
    ReportForm("bibtex", "References, BibTeX", "bib", "application/x-bibtex", report_bibtex),
    *_printed("epo", "Columns of EPO Form 1503", epo_sheet),
    *_printed("pct", "Boxes of PCT/ISA/210", pct_sheet),
    *_printed("ids", "Columns of PTO/SB/08a", us_sheet),
)
FORMS: dict[str, ReportForm] = {form.name: form for form in _ALL}


def write_report(report: SearchReport, form: str) -> bytes:
    """A report in the form of that name."""
    known = FORMS.get(form)
    if known is None:
        raise BadRequest(f"{form!r} is not a form of a report; there are {', '.join(FORMS)}")
    return known.write(report)
