"""How far a crawl has come, for those who watch and for the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from foreart.corpus.frontier import State

Ended = Literal["finished", "enough", "refused", "stopped"]


@dataclass(frozen=True, slots=True)
class Status:
    """Counts of numbers: each that came up is in exactly one. `decided` and `seconds` are of this run only."""

    kept: int = 0
    missing: int = 0
    failed: int = 0
    waiting: int = 0
    beyond: int = 0  # known, but more steps away than the crawl goes
    rejected: Mapping[str, int] = field(default_factory=dict)
    decided: int = 0
    seconds: float = 0.0
    rate: float = 0.0  # decisions a second, of late
    note: str = ""

    @property
    def found(self) -> int:
        """All that came up."""
        return self.kept + self.missing + self.failed + self.waiting + self.beyond + sum(self.rejected.values())

    @property
    def left(self) -> float | None:
        """Seconds for what waits by now; what it leads to will take longer."""
        return self.waiting / self.rate if self.rate > 0 else None


@dataclass(frozen=True, slots=True)
class CrawlOutcome:
    """How a crawl ended. All but `finished` and `enough` go on with the same command."""

    ended: Ended
    status: Status
    message: str = ""


def status_of(
    counts: Mapping[tuple[State, str], int],
    waiting: int,
    *,
    decided: int = 0,
    seconds: float = 0.0,
    rate: float = 0.0,
    note: str = "",
) -> Status:
    """From the counts of a frontier, of whose waiting numbers `waiting` have their turn."""
    rejected = {reason: number for (state, reason), number in counts.items() if state == "rejected" and number}
    return Status(
        kept=_total(counts, "kept"),
        missing=_total(counts, "missing"),
        failed=_total(counts, "failed"),
        waiting=waiting,
        beyond=_total(counts, "waiting") - waiting,
        rejected=dict(sorted(rejected.items(), key=lambda item: (-item[1], item[0]))),
        decided=decided,
        seconds=seconds,
        rate=rate,
        note=note,
    )


def _total(counts: Mapping[tuple[State, str], int], wanted: State) -> int:
    return sum(number for (state, _), number in counts.items() if state == wanted)
