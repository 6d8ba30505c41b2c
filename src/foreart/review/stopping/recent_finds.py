"""Finds beside what chances expected of the same documents, the latest counting most."""

from __future__ import annotations

from dataclasses import dataclass

# Chances are compared with finds in steps of this many documents.
STEP = 10
# How much a document counts less with each that is read after it: half after 14. Early finds say little of the tail; of
# 1, .97, .95 and .9, .95 predicted best what was left on the 179 targets of ../shared/data, warm and cold together.
FADING = 0.95


@dataclass(frozen=True, slots=True)
class RecentFinds:
    """Faded sums of finds and of the chances that the same documents had before they were read."""

    found: float = 0.0
    expected: float = 0.0

    def then(self, found: float, expected: float, documents: int) -> RecentFinds:
        """After so many more documents."""
        faded = FADING**documents
        return RecentFinds(self.found * faded + found, self.expected * faded + expected)
