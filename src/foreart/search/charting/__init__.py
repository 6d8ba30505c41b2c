"""Claim charts: which reference discloses which claim element, with verbatim quotes."""

from foreart.search.charting.chart_building import chart
from foreart.search.charting.chart_rows import element_texts
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
from foreart.search.charting.coverage import GRADES, OWN_COVERAGE
from foreart.search.charting.own_grades import OwnGrades, graded
from foreart.search.charting.passage_finding import ReferencePassages, passages
from foreart.search.charting.places import Place, places, text_fingerprint
from foreart.search.charting.reference_words import Bridges
from foreart.search.charting.verifying import Checked, QuotableTexts, Stated, verify

__all__ = [
    "GRADES",
    "OWN_COVERAGE",
    "Bridges",
    "Cell",
    "Chart",
    "ChartFinding",
    "ChartRow",
    "Checked",
    "CombinationStep",
    "Grade",
    "Match",
    "OwnGrades",
    "Place",
    "QuotableTexts",
    "Quote",
    "Reference",
    "ReferencePassages",
    "Rise",
    "Stated",
    "Word",
    "chart",
    "element_texts",
    "graded",
    "passages",
    "places",
    "text_fingerprint",
    "verify",
]
