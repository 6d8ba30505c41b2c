"""Every step against the number of documents, drawn from the results of million.py."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Size = dict[str, Any]
Line = tuple[str, Callable[[Size], float]]
_STEPS: tuple[Line, ...] = (
    ("add", lambda size: size["make"]["add"]["processor_seconds"]),
    ("build", lambda size: size["make"]["build"]["processor_seconds"]),
    ("learn", lambda size: size["make"]["learn"]["processor_seconds"]),
    ("build, nothing new", lambda size: size["update"]["build, nothing new"]["processor_seconds"]),
    ("add a week", lambda size: size["update"]["week, add"]["processor_seconds"]),
    ("build after a week", lambda size: size["update"]["week, build"]["processor_seconds"]),
    ("build of the week alone", lambda size: size["update"]["week alone, build"]["processor_seconds"]),
)
_ANSWERS: tuple[Line, ...] = (
    ("search, cold process", lambda size: 1000 * size["answers"]["cold"]["processor_seconds"]),
    ("search, warm", lambda size: size["answers"]["warm"]["processor_ms"]["search"]),
    ("each channel's fast search, sum", lambda size: size["answers"]["warm"]["channels_sum_processor_ms"]),
    ("explain one hit", lambda size: size["answers"]["warm"]["processor_ms"]["explain"]),
    ("chart of 3 references", lambda size: size["answers"]["warm"]["processor_ms"]["chart"]),
)
_MEMORY: tuple[Line, ...] = (
    ("build", lambda size: size["make"]["build"]["megabytes"]),
    ("learn", lambda size: size["make"]["learn"]["megabytes"]),
    ("add", lambda size: size["make"]["add"]["megabytes"]),
    ("search", lambda size: size["answers"]["warm"]["memory_mb"]["private_without_page_cache"]),
)


def plot(result: dict[str, Any], folder: Path) -> None:
    """Writes million.svg and million.png: three panels, all axes logarithmic."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    mpl.rcParams["svg.hashsalt"] = "foreart"  # the same figures make the same file
    figure, panels = plt.subplots(1, 3, figsize=(14, 4.6), layout="constrained")
    sizes = sorted(result["sizes"], key=lambda size: size["documents"])
    for axes, lines, label in zip(
        panels,
        (_STEPS, _ANSWERS, _MEMORY),
        ("seconds of processor time", "milliseconds of processor time", "MB, without page cache"),
        strict=True,
    ):
        for name, value in lines:
            points = _measured(sizes, value)
            if points:
                axes.plot(*zip(*points, strict=True), marker="o", ms=4, label=name)
        axes.set(xscale="log", yscale="log", xlabel="documents", ylabel=label)
        axes.grid(alpha=0.3, which="both", lw=0.4)
        if axes.lines:
            axes.legend(fontsize=7)
    share = result["words"]
    figure.suptitle(f"Drawn documents, texts of {share:.0%} of the real length, {result['machine_used']}", fontsize=10)
    for suffix, options in (("svg", {"metadata": {"Date": None}}), ("png", {"dpi": 150})):
        figure.savefig(folder / f"million.{suffix}", **options)
    plt.close(figure)


def _measured(sizes: list[Size], value: Callable[[Size], float]) -> list[tuple[int, float]]:
    """The sizes of which a figure is known already."""
    found = []
    for size in sizes:
        try:
            found.append((int(size["documents"]), value(size)))
        except KeyError:
            continue
    return found
