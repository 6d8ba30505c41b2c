"""Texts of any origin as a printed page can show them."""

from __future__ import annotations

from foreart.report.wording.phrases import plain
from foreart.search.charting.verifying import holdable


def shown(text: str) -> str:
    """A text without control characters and marks that change the direction of what follows; quotes are exempt."""
    return holdable(plain(text))
