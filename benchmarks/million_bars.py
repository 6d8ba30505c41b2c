"""The figures that count, each beside the bar that it has to hold: computed from what was measured."""

from __future__ import annotations

import math
from typing import Any

Size = dict[str, Any]
MILLION = 1_000_000
REFERENCE = 9_015  # as many as there are real documents
FIFTY = 50_000
# Time that grows with at most this power of the number of documents is called linear.
_LINEAR = 1.1
_WHOLE = ("add", "build", "learn")


def bars(sizes: list[Size], reference: int = REFERENCE) -> list[dict[str, Any]]:
    """All bars at the largest size; those that need a size that was not measured say so."""
    by_size = {size["documents"]: size for size in sizes}
    at = by_size[max(by_size)]
    warm, beside = at["answers"]["warm"], at["reference_beside"]
    found = [
        _bar("default search, warm, by the sum of each channel's fast search", warm["ms"]["search"], _sum(warm), 3.0),
        _bar(f"default search, warm, by the same at {FIFTY:,}", warm["ms"]["search"], _search(by_size.get(FIFTY)), 3.0),
        _bar(
            f"search from a cold process, by the same at {reference:,}",
            at["answers"]["cold"]["seconds"],
            beside["cold"]["seconds"],
            2.0,
        ),
        *(
            _bar(f"{what}, warm, by the same at {reference:,}", warm["ms"][name], beside["warm"]["ms"][name], 1.5)
            for name, what in (("explain", "explain one hit"), ("chart", "chart of 3 references"))
        ),
        _bar(
            "build after adding a week, by the build of that week alone",
            at["update"]["week, build"]["seconds"],
            at["update"]["week alone, build"]["seconds"],
            3.0,
        ),
        _limit("memory of the searching process, without page cache", _own(warm), 1_500),
        _limit("peak memory of build", _peak(at, "build"), 6_000),
        _limit("peak memory of learn", at["make"]["learn"]["megabytes"], 6_000),
        _growth(sizes),
    ]
    return [{**bar, "documents": at["documents"], "holds_for_a_million": _verdict(bar, at)} for bar in found]


def _verdict(bar: dict[str, Any], at: Size) -> bool | None:
    """Nothing is said of a million by a run of fewer documents."""
    return bar["holds"] if at["documents"] >= MILLION else None


def _bar(what: str, value: float, base: float | None, bar: float) -> dict[str, Any]:
    if not base:
        return {"what": what, "value": value, "bar": bar, "holds": None, "why": "the other size was not measured"}
    figure = value / base
    return {"what": what, "value": value, "base": base, "figure": round(figure, 2), "bar": bar, "holds": figure <= bar}


def _limit(what: str, megabytes: float, bar: float) -> dict[str, Any]:
    return {"what": what, "figure": megabytes, "bar": bar, "unit": "MB", "holds": megabytes <= bar}


def _sum(warm: dict[str, Any]) -> float:
    return float(warm["channels_sum_ms"])


def _own(warm: dict[str, Any]) -> float:
    return float(warm["memory_mb"]["private_without_page_cache"])


def _search(size: Size | None) -> float | None:
    return None if size is None else float(size["answers"]["warm"]["ms"]["search"])


def _peak(at: Size, step: str) -> float:
    runs = [at["make"][step], *(run for name, run in at["update"].items() if name.endswith(step))]
    return float(max(run["megabytes"] for run in runs))


def _growth(sizes: list[Size]) -> dict[str, Any]:
    """The whole way to the first answer: with what power of the documents it grows from one size to the next."""
    ordered = sorted(sizes, key=lambda size: size["documents"])
    at, what = ordered[-1], "whole way from files to first answer"
    times = whole(at)
    found = {"what": what, "seconds": times, "dominates": max(_WHOLE, key=lambda step: times[step])}
    if len(ordered) < 2:
        return found | {"bar": _LINEAR, "holds": None, "why": "one size was measured"}
    powers = {name: round(_power(ordered[-2], at, name), 2) for name in times}
    return found | {
        "figure": powers["all"],
        "unit": f"power of documents, from {ordered[-2]['documents']:,}",
        "bar": _LINEAR,
        "holds": powers["all"] <= _LINEAR,
        "powers": powers,
    }


def whole(size: Size) -> dict[str, float]:
    """Seconds of each step of the whole way, and of all; drawing documents is no step of a user."""
    found = {step: size["make"][step]["seconds"] for step in _WHOLE}
    found["first answer"] = size["answers"]["cold"]["seconds"]
    return found | {"all": round(sum(found.values()), 2)}


def _power(smaller: Size, larger: Size, step: str) -> float:
    ratio = whole(larger)[step] / max(1e-9, whole(smaller)[step])
    return math.log(max(1e-9, ratio)) / math.log(larger["documents"] / smaller["documents"])


def told(found: list[dict[str, Any]]) -> str:
    """One line for each bar."""
    lines = []
    for bar in found:
        verdict = {True: "holds", False: "does not hold", None: f"not judged: {bar.get('why', '')}"}[bar["holds"]]
        unit = bar.get("unit", "times")
        lines.append(f"{bar['what']}: {bar.get('figure', '-')} {unit}, bar {bar['bar']}: {verdict}")
    return "\n".join(lines)
