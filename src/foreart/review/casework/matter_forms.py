"""The forms in which a matter is exported, by name: its own two, and every form of a search report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from foreart.report.forms.sheet_parts import ReportSheet
from foreart.report.writers.form_table import FORMS as REPORT_FORMS
from foreart.report.writers.form_table import ReportForm
from foreart.review.casework.matter_report import matter_report
from foreart.review.casework.matter_snapshot import MatterSnapshot, snapshot_of
from foreart.review.matters.export_options import ExportOptions, MatterForm
from foreart.review.matters.matter import Matter, MatterForms
from foreart.review.matters.matter_exports import export_json, judgements_csv
from foreart.review.matters.matter_library import MatterLibrary

# How much of a file of text a preview has.
_SHOWN = 20_000
# Names that the matter itself has: the report in these forms is named after them.
_OWN: Mapping[str, MatterForm[Matter]] = {
    "json": MatterForm(
        "Matter: state and all events", ".json", "application/json", lambda matter, _: export_json(matter)
    ),
    "csv": MatterForm(
        "Matter: judgements, one line each", ".csv", "text/csv", lambda matter, _: judgements_csv(matter)
    ),
}


def written_report(snapshot: MatterSnapshot, library: MatterLibrary, form: str, options: ExportOptions) -> bytes:
    """The report of a matter in a form of `FORMS`."""
    return _REPORTS[form].write(matter_report(snapshot, library, options))


@dataclass(frozen=True, slots=True)
class ReportPreview:
    """What a file will show, before it is made: its sheet, or the beginning of its text; `cut` if there is more."""

    sheet: ReportSheet | None = None
    text: str = ""
    cut: bool = False


def text_preview(data: bytes) -> ReportPreview:
    """The beginning of a file of text."""
    text = data.decode("utf-8-sig", "replace")
    return ReportPreview(text=text[:_SHOWN], cut=len(text) > _SHOWN)


def previewed_report(
    snapshot: MatterSnapshot, library: MatterLibrary, form: str, options: ExportOptions
) -> ReportPreview:
    """What the report of a matter shows in a form of `FORMS`; a workbook has the same as rows."""
    known = _REPORTS[form]
    if known.sheet is None:
        return text_preview(written_report(snapshot, library, form, options))
    return ReportPreview(known.sheet(matter_report(snapshot, library, options)))


def _matter_form(name: str, form: ReportForm) -> MatterForm[Matter]:
    def write(matter: Matter, options: ExportOptions) -> bytes:
        return written_report(snapshot_of(matter), matter.library, name, options)

    return MatterForm(form.title, f".{form.ending}", form.media_type, write, is_report=True)


_REPORTS: Mapping[str, ReportForm] = {
    (f"report-{name}" if name in _OWN else name): form for name, form in REPORT_FORMS.items()
}
FORMS: MatterForms = {
    **_OWN,
    **{name: _matter_form(name, form) for name, form in _REPORTS.items()},
}
