"""A question that the paper answers, and the answer for this corpus."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

Verdict = Literal["yes", "partly", "no", "open"]
VERDICTS: dict[Verdict, str] = {
    "yes": "holds here",
    "partly": "holds in part",
    "no": "does not hold here",
    "open": "not computed yet",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """`text` has the figures of this corpus, `paper` those of the paper, `exhibits` the tables and figures."""

    question: str
    verdict: Verdict
    text: str
    paper: str
    exhibits: tuple[str, ...]

    def to_record(self) -> dict[str, str | list[str]]:
        """The finding as a JSON object."""
        return {**asdict(self), "exhibits": list(self.exhibits)}
