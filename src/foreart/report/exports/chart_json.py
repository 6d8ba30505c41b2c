"""A claim chart as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from foreart.search.charting import GRADES, OWN_COVERAGE, Cell, Chart, ChartFinding, Quote

FORM = 1


def chart_record(chart: Chart) -> dict[str, Any]:
    """The full chart as a JSON object; `foreart verify` reads it back."""
    return {
        "foreart": chart.foreart,
        "form": FORM,
        "draft": {
            "title": chart.draft_title,
            "source": chart.draft_source,
            "fingerprint": chart.draft_fingerprint,
        },
        "corpus": {"fingerprint": chart.corpus_fingerprint, "documents": chart.documents},
        "cutoff": asdict(chart.cutoff),
        "grades": dict(GRADES),
        "own_grades_count_as": dict(OWN_COVERAGE),
        "bridged": chart.bridged,
        "notes": list(chart.notes),
        "rows": [
            {**asdict(row), "words": [asdict(word) for word in row.words], "best": best}
            for row, best in zip(chart.rows, chart.best, strict=True)
        ],
        "references": [{**asdict(reference), "notes": list(reference.notes)} for reference in chart.references],
        "cells": [_cell(cell) for row in chart.cells for cell in row],
        "findings": [_finding(finding) for finding in chart.findings],
    }


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "row": cell.row,
        "reference": cell.reference,
        "coverage": cell.coverage,
        "grade": cell.grade,
        "own_grade": cell.own_grade,
        "missing": list(cell.missing),
        "elsewhere": list(cell.elsewhere),
        "quotes": [quote_record(quote) for quote in cell.quotes],
    }


def quote_record(quote: Quote) -> dict[str, Any]:
    """A quote with its place and the offsets of the words that match."""
    return {
        "text": quote.text,
        "place": quote.place.label,
        "part": quote.place.part,
        "ordinal": quote.place.ordinal,
        "number": quote.place.number,
        "language": quote.place.language,
        "start": quote.start,
        "coverage": quote.coverage,
        "adds": quote.adds,
        "matches": [asdict(match) for match in quote.matches],
    }


def _finding(finding: ChartFinding) -> dict[str, Any]:
    return {
        "claim": finding.claim,
        "ranking": [{"reference": number, "coverage": coverage} for number, coverage in finding.ranking],
        "combination": [
            {
                "reference": step.reference,
                "coverage": step.coverage,
                "adds": step.adds,
                "rises": [asdict(rise) for rise in step.rises],
            }
            for step in finding.combination
        ],
        "undisclosed": list(finding.undisclosed),
    }
