"""The figures that count, each beside the bar that it has to hold: computed from what was measured."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

Size = dict[str, Any]
MILLION = 1_000_000
REFERENCE = 9_015  # as many as there are real documents
FIFTY = 50_000
# Time that grows with at most this power of the number of documents is called linear.
_LINEAR = 1.1
_WHOLE = ("add", "build", "learn")


def bars(sizes: list[Size], reference: int = REFERENCE) -> list[dict[str, Any]]:
    """All bars at the largest size; those that need what was not measured say so."""
    by_size = {size["documents"]: size for size in sizes}
    at = by_size[max(by_size)]
    found = [_tried(what, bar) for what, bar in _bars(at, by_size.get(FIFTY, {}), sizes, reference).items()]
    return [{**bar, "documents": at["documents"], "holds_for_a_million": _verdict(bar, at)} for bar in found]


def _bars(at: Size, fifty: Size, sizes: list[Size], reference: int) -> dict[str, Callable[[], dict[str, Any]]]:
    """Each bar by what is said about it."""
    return {
        "default search, warm, by the sum of each channel's fast search": lambda: _bar(
            _warm(at, "search"), _channels(at), 3.0
        ),
        f"default search, warm, by the same at {FIFTY:,}": lambda: _bar(_warm(at, "search"), _warm(fifty, "search"), 3),
        f"search from a cold process, by the same at {reference:,}": lambda: _bar(
            _ran(at["answers"]["cold"]), _ran(at["reference_beside"]["cold"]), 2.0
        ),
        **{
            f"{what}, warm, by the same at {reference:,}": partial(_beside, at, name)
            for name, what in (("explain", "explain one hit"), ("chart", "chart of 3 references"))
        },
        "build after adding a week, by the build of that week alone": lambda: _bar(
            _ran(at["update"]["week, build"]), _ran(at["update"]["week alone, build"]), 3.0
        ),
        "memory of the searching process, without page cache": lambda: _limit(_own(at["answers"]["warm"]), 1_500),
        "peak memory of build": lambda: _limit(_peak(at, "build"), 6_000),
        "peak memory of learn": lambda: _limit(_peak(at, "learn"), 6_000),
        "whole way from files to first answer": lambda: _growth(sizes),
    }


def _tried(what: str, bar: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return {"what": what, **bar()}
    except KeyError:
        return {"what": what, "holds": None, "why": "it needs what was not measured yet"}


def _verdict(bar: dict[str, Any], at: Size) -> bool | None:
    """Nothing is said of a million by a run of fewer documents."""
    return bar["holds"] if at["documents"] >= MILLION else None


Times = tuple[float, float]  # wall time, processor time


def _bar(value: Times, base: Times, bar: float) -> dict[str, Any]:
    """Judged by processor time: others may use the machine."""
    wall, processor = (each / other for each, other in zip(value, base, strict=True))
    return {
        "wall": value[0],
        "wall_base": base[0],
        "wall_figure": round(wall, 2),
        "processor": value[1],
        "processor_base": base[1],
        "figure": round(processor, 2),
        "unit": "times, in processor time",
        "bar": bar,
        "holds": processor <= bar,
    }


def _beside(at: Size, name: str) -> dict[str, Any]:
    return _bar(_warm(at, name), _warm({"answers": at["reference_beside"]}, name), 1.5)


def _limit(megabytes: float, bar: float) -> dict[str, Any]:
    return {"figure": megabytes, "bar": bar, "unit": "MB", "holds": megabytes <= bar}


def _warm(size: Size, what: str) -> Times:
    warm = size["answers"]["warm"]
    return float(warm["ms"][what]), float(warm["processor_ms"][what])


def _channels(size: Size) -> Times:
    warm = size["answers"]["warm"]
    return float(warm["channels_sum_ms"]), float(warm["channels_sum_processor_ms"])


def _ran(run: dict[str, Any]) -> Times:
    return float(run["seconds"]), float(run["processor_seconds"])


def _own(warm: dict[str, Any]) -> float:
    return float(warm["memory_mb"]["private_without_page_cache"])


def _peak(at: Size, step: str) -> float:
    runs = [at["make"][step], *(run for name, run in at.get("update", {}).items() if name.endswith(step))]
    return float(max(run["megabytes"] for run in runs))


def _growth(sizes: list[Size]) -> dict[str, Any]:
    """The whole way to the first answer: with what power of the documents its processor time grows between sizes."""
    ordered = sorted((size for size in sizes if "answers" in size), key=lambda size: int(size["documents"]))
    if not ordered:
        raise KeyError("answers")
    at = ordered[-1]
    times = whole(at)
    steps = [name for name in times if name != "all"]
    found = {"processor_seconds": times, "dominates": max(steps, key=lambda step: times[step])}
    if len(ordered) < 2:
        return found | {"bar": _LINEAR, "holds": None, "why": "one size was measured"}
    before = whole(ordered[-2])
    both = [step for step in steps if step in before]
    powers = {step: round(_power(times[step] / before[step], ordered), 2) for step in both}
    powers["all"] = round(_power(sum(times[step] for step in both) / sum(before[step] for step in both), ordered), 2)
    return found | {
        "figure": powers["all"],
        "unit": f"power of documents, from {ordered[-2]['documents']:,}",
        "bar": _LINEAR,
        "holds": powers["all"] <= _LINEAR,
        "powers": powers,
    }


def whole(size: Size) -> dict[str, float]:
    """Processor seconds of each step of the whole way, and of all; drawing documents is no step of a user."""
    found = {step: float(size["make"][step]["processor_seconds"]) for step in _WHOLE if step in size["make"]}
    found["first answer"] = float(size["answers"]["cold"]["processor_seconds"])
    return found | {"all": round(sum(found.values()), 2)}


def _power(ratio: float, ordered: list[Size]) -> float:
    return math.log(max(1e-9, ratio)) / math.log(ordered[-1]["documents"] / ordered[-2]["documents"])


def told(found: list[dict[str, Any]]) -> str:
    """One line for each bar."""
    lines = []
    for bar in found:
        verdict = {True: "holds", False: "does not hold", None: f"not judged: {bar.get('why', '')}"}[bar["holds"]]
        unit = bar.get("unit", "times")
        lines.append(f"{bar['what']}: {bar.get('figure', '-')} {unit}, bar {bar['bar']}: {verdict}")
    return "\n".join(lines)
