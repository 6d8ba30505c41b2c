"""The progress of a running crawl, its outcome, and the records of all crawls of a corpus."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from foreart.corpus import Corpus
from foreart.corpus.frontier import State, crawl_entries, crawls

# The reason for rejecting a number whose document no reader can parse.
UNREADABLE = "cannot be read"

Ended = Literal["finished", "enough", "refused", "stopped"]


@dataclass(frozen=True, slots=True)
class CrawlStatus:
    """Counts of numbers; each number is in exactly one. `decided` and `seconds` are of this run only."""

    kept: int = 0
    missing: int = 0
    failed: int = 0
    waiting: int = 0
    beyond: int = 0  # known, but deeper than the crawl goes
    rejected: Mapping[str, int] = field(default_factory=dict)
    decided: int = 0
    seconds: float = 0.0
    rate: float = 0.0  # recent decisions per second
    note: str = ""

    @property
    def found(self) -> int:
        """All numbers found."""
        return self.kept + self.missing + self.failed + self.waiting + self.beyond + sum(self.rejected.values())

    @property
    def nothing_read(self) -> bool:
        """Whether numbers were found, but not one of their documents could be read."""
        unread = self.missing + self.failed + self.rejected.get(UNREADABLE, 0)
        return bool(unread) and unread == self.found - self.waiting - self.beyond

    @property
    def left(self) -> float | None:
        """Estimated seconds for the numbers now waiting, without those they will add."""
        return self.waiting / self.rate if self.rate > 0 else None


@dataclass(frozen=True, slots=True)
class CrawlOutcome:
    """How a crawl ended. Unless it is `finished` or `enough`, the same command continues it."""

    ended: Ended
    status: CrawlStatus
    message: str = ""


def status_of(
    counts: Mapping[tuple[State, str], int],
    waiting: int,
    *,
    decided: int = 0,
    seconds: float = 0.0,
    rate: float = 0.0,
    note: str = "",
) -> CrawlStatus:
    """The status for the counts of a frontier; `waiting` are the numbers within the depth."""
    rejected = {reason: number for (state, reason), number in counts.items() if state == "rejected" and number}
    return CrawlStatus(
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


def crawl_records(corpus: Corpus) -> list[dict[str, Any]]:
    """All crawls of a corpus as JSON: specification, counts, and failures with their reasons."""
    records = []
    for identity, counts in crawls(corpus.connection).items():
        status = status_of(counts, counts.get(("waiting", ""), 0))
        figures = {name: getattr(status, name) for name in ("found", "kept", "missing", "failed", "waiting")}
        failures = [asdict(entry) for entry in crawl_entries(corpus.connection, identity, states=("failed",))]
        record = {"asked": json.loads(identity), **figures, "rejected": dict(status.rejected), "failures": failures}
        records.append(record)
    return records


def _total(counts: Mapping[tuple[State, str], int], wanted: State) -> int:
    return sum(number for (state, _), number in counts.items() if state == wanted)
