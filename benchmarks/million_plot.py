"""Every step against the number of documents, drawn from the results of million.py."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Size = dict[str, Any]
Line = tuple[str, Callable[[Size], float]]
_STEPS: tuple[Line, ...] = (
    ("add", lambda size: size["make"]["add"]["seconds"]),
    ("build", lambda size: size["make"]["build"]["seconds"]),
    ("learn", lambda size: size["make"]["learn"]["seconds"]),
    ("build, nothing new", lambda size: size["update"]["build, nothing new"]["seconds"]),
    ("add a week", lambda size: size["update"]["week, add"]["seconds"]),
    ("build after a week", lambda size: size["update"]["week, build"]["seconds"]),
    ("build of the week alone", lambda size: size["update"]["week alone, build"]["seconds"]),
)
_ANSWERS: tuple[Line, ...] = (
    ("search, cold process", lambda size: 1000 * size["answers"]["cold"]["seconds"]),
    ("search, warm", lambda size: size["answers"]["warm"]["ms"]["search"]),
    ("each channel's fast search, sum", lambda size: size["answers"]["warm"]["channels_sum_ms"]),
    ("explain one hit", lambda size: size["answers"]["warm"]["ms"]["explain"]),
    ("chart of 3 references", lambda size: size["answers"]["warm"]["ms"]["chart"]),
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
    documents = [size["documents"] for size in sizes]
    for axes, lines, label in zip(
        panels, (_STEPS, _ANSWERS, _MEMORY), ("seconds", "milliseconds", "MB, without page cache"), strict=True
    ):
        for name, value in lines:
            axes.plot(documents, [value(size) for size in sizes], marker="o", ms=4, label=name)
        axes.set(xscale="log", yscale="log", xlabel="documents", ylabel=label)
        axes.grid(alpha=0.3, which="both", lw=0.4)
        axes.legend(fontsize=7)
    share = result["words"]
    figure.suptitle(f"Drawn documents, texts of {share:.0%} of the real length, {result['machine_used']}", fontsize=10)
    for suffix, options in (("svg", {"metadata": {"Date": None}}), ("png", {"dpi": 150})):
        figure.savefig(folder / f"million.{suffix}", **options)
    plt.close(figure)
