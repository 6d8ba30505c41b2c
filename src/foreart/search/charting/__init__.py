"""Claim charts: which reference discloses which claim element, with verbatim quotes."""

from foreart.search.charting.chart_building import chart
from foreart.search.charting.claim_chart import (
    Cell,
    Chart,
    ChartFinding,
    ChartRow,
    CombinationStep,
    Grade,
    Match,
    Quote,
    Reference,
    Rise,
    Word,
)
from foreart.search.charting.coverage import GRADES
from foreart.search.charting.places import Place, places, text_fingerprint
from foreart.search.charting.reference_words import Bridges
from foreart.search.charting.verifying import Checked, QuotableTexts, Stated, verify

__all__ = [
    "GRADES",
    "Bridges",
    "Cell",
    "Chart",
    "ChartFinding",
    "ChartRow",
    "Checked",
    "CombinationStep",
    "Grade",
    "Match",
    "Place",
    "QuotableTexts",
    "Quote",
    "Reference",
    "Rise",
    "Stated",
    "Word",
    "chart",
    "places",
    "text_fingerprint",
    "verify",
]
