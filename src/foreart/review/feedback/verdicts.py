"""What a person says of a document, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from foreart.errors import BadRequest

Verdict = Literal["relevant", "maybe", "no"]
# How much a verdict counts as relevant.
LABELS: Mapping[str, float] = {"relevant": 1.0, "maybe": 0.5, "no": 0.0}


@dataclass(frozen=True, slots=True)
class JudgedDocument:
    """A document and its verdict: relevant, maybe, which counts half, or no."""

    id: str
    verdict: Verdict

    def __post_init__(self) -> None:
        if self.verdict not in LABELS:
            raise BadRequest(f"{self.id} is judged {self.verdict!r}; a judgement is one of {', '.join(LABELS)}")

    @property
    def label(self) -> float:
        """1 if relevant, ½ if maybe, else 0."""
        return LABELS[self.verdict]
