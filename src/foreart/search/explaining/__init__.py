"""Explains the rank of a document: exact contributions, shared terms, bridges, citations, calibration."""

from foreart.search.explaining.explainer import Explainer
from foreart.search.explaining.opening import bridges_of, open_chart, open_explainer
from foreart.search.explaining.reasons import (
    ChannelReason,
    Extract,
    Reasons,
    Share,
    SharedTerm,
    Words,
)
from foreart.search.score_parts import Calibrated, Cause, Hub

__all__ = [
    "Calibrated",
    "Cause",
    "ChannelReason",
    "Explainer",
    "Extract",
    "Hub",
    "Reasons",
    "Share",
    "SharedTerm",
    "Words",
    "bridges_of",
    "open_chart",
    "open_explainer",
]
