"""What held-out folds showed of a learned ranking: metrics and calibration, warm and cold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from foreart.search.ranking.weights.calibration import Calibration, KindRule, chance
from foreart.search.score_parts import Chance, DraftKind


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """What held-out folds showed: metrics and calibration, with siblings of the queries in the corpus and without.

    `metrics` and `calibration` are warm: training queries as they are, and the calibration of those that have siblings.
    `cold` and `cold_calibration` hide the siblings; `cold` has the metrics that a draft of today can expect, their
    `intervals`, and under `plain` the means of the rankings as they were. `kinds` tells drafts of one kind from those
    of the other.
    """

    metrics: Mapping[str, Any] = field(default_factory=dict)
    cold: Mapping[str, Any] = field(default_factory=dict)
    calibration: Calibration = field(default_factory=Calibration)
    cold_calibration: Calibration = field(default_factory=Calibration)
    kinds: KindRule | None = None

    def chance(self, score: float, kind: DraftKind | None) -> tuple[Chance, int] | None:
        """How often documents at a score were cited for drafts of a kind, and how many drafts that is measured with."""
        cold = kind == "cold" and bool(self.cold_calibration.floors)
        found = chance(self.cold_calibration if cold else self.calibration, score)
        drafts = (self.cold if cold else self.metrics).get("calibrated", self.metrics.get("judged", 0))
        return None if found is None else (found, int(drafts))

    @property
    def cold_notes(self) -> tuple[str, ...]:
        """What a draft without siblings means for recall."""
        if not self.cold:
            return ()
        cold, warm = (float(figures.get("recall@100", 0.0)) for figures in (self.cold, self.metrics))
        return (
            "no document of the corpus seems to have nearly the same citations as this draft. Expect about "
            f"{cold:.0%} of the documents to be cited among the first 100 (past searches for all drafts: {warm:.0%})",
        )


def held_out_record(held_out: HeldOut) -> dict[str, Any]:
    """As JSON can hold it."""
    return {
        "metrics": dict(held_out.metrics),
        "cold": dict(held_out.cold),
        "calibration": asdict(held_out.calibration),
        "cold_calibration": asdict(held_out.cold_calibration),
        "kinds": None if held_out.kinds is None else asdict(held_out.kinds),
    }


def held_out_of(record: Mapping[str, Any]) -> HeldOut:
    """From a record of this version, or of 0.1, which has no cold figures."""
    kinds = record.get("kinds")
    return HeldOut(
        record["metrics"],
        record.get("cold", {}),
        _calibration(record["calibration"]),
        _calibration(record.get("cold_calibration", {})),
        None if kinds is None else KindRule(**kinds),
    )


def _calibration(record: Mapping[str, Any]) -> Calibration:
    return Calibration(**{name: tuple(value) for name, value in record.items()})
