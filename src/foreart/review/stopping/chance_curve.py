"""The chance that an unread document is relevant, from the log-odds that order it and how many were read."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class ChanceCurve:
    """A chance is the logistic function of intercept + slope · log-odds + read · ln(1 + documents read).

    Log-odds of feedback are too sure of the documents that are left: those that were right have been read.
    """

    intercept: float
    slope: float
    read: float = 0.0

    def chances(self, logits: np.ndarray, read: int = 0) -> np.ndarray:
        """The chance of each document."""
        values = self.intercept + self.slope * logits + self.read * np.log1p(read)
        found: np.ndarray = 1.0 / (1.0 + np.exp(-np.clip(values, -60.0, 60.0)))
        return found

    def to_record(self) -> dict[str, float]:
        """As JSON can hold it."""
        return asdict(self)
