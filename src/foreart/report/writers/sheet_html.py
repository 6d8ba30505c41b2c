"""A printed report as a self-contained page, on the skeleton of all pages."""

from __future__ import annotations

from foreart.report.forms.sheet_parts import ReportSheet
from foreart.report.pages.templating import render


def sheet_html(sheet: ReportSheet) -> bytes:
    """The page in UTF-8."""
    return render("report.html", sheet=sheet).encode("utf-8", "replace")
