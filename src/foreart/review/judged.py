"""A pair that people judged, in the one shape that tables and figures take."""

from __future__ import annotations

from dataclasses import dataclass

from foreart.review.labels import RELEVANT


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """One judged pair. `score` is 0 to 5, a mean where several judged; `stratum` is "" where it is not known."""

    target: str
    document: str
    cited: bool
    score: float
    cosine: float | None = None
    jaccard: float | None = None
    stratum: str = ""

    @property
    def relevant(self) -> bool:
        """Whether the score is above 2."""
        return self.score > RELEVANT
