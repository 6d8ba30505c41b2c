"""The forms in which a matter is exported, by name: its own two, and every form of a search report."""

from __future__ import annotations

from collections.abc import Mapping

from foreart.report.writers.form_table import FORMS as REPORT_FORMS
from foreart.report.writers.form_table import ReportForm
from foreart.review.casework.matter_report import matter_report
from foreart.review.casework.matter_snapshot import MatterSnapshot, snapshot_of
from foreart.review.matters.export_options import ExportOptions, MatterForm
from foreart.review.matters.matter import Matter, MatterForms
from foreart.review.matters.matter_exports import export_json, judgements_csv
from foreart.review.matters.matter_library import MatterLibrary

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
