"""Why a document stands where it stands: exact contributions, shared terms, bridges, citations, chances."""

from foreart.search.explaining.explainer import Explainer
from foreart.search.explaining.opening import bridges_of, full_text, open_explainer
from foreart.search.explaining.reasons import (
    Calibrated,
    Cause,
    ChannelReason,
    Extract,
    Hub,
    Reasons,
    Share,
    SharedTerm,
    Words,
)

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
    "full_text",
    "open_explainer",
]
