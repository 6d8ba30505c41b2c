"""The plot of benchmarks/review.py: recall by documents read, and the recall that the estimate says."""

from __future__ import annotations

import numpy as np

from environment import RESULTS
from review_looks import Moment
from review_readers import DEPTH, Played


def plotted(curves: dict[str, dict[str, list[Played]]], reviews: dict[str, list[list[Moment]]]) -> None:
    """Recall by documents read, and the recall that the estimate says beside the true one."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    shown = ("plain list", "Rocchio", "feedback")
    for kind, style in (("warm", "-"), ("cold", "--")):
        for name, colour in zip(shown, ("#777777", "#c07020", "#2060a0"), strict=True):
            values = [np.mean([item.recall(read) for item in curves[kind][name]]) for read in range(1, DEPTH + 1)]
            axes[0].plot(range(1, DEPTH + 1), values, style, color=colour, label=f"{name}, {kind}")
        found = [
            [item for looked in reviews[kind] for item in looked if item.read == read] for read in range(10, DEPTH, 10)
        ]
        for what, colour in (("left", "#222222"), ("middle", "#2060a0"), ("low", "#9ab8d8"), ("high", "#9ab8d8")):
            recalls = [
                np.mean([item.found / max(1, item.found + getattr(item, what)) for item in said]) for said in found
            ]
            titles = {"left": f"true, {kind}", "middle": f"estimate, {kind}", "low": f"90 % interval, {kind}"}
            axes[1].plot(range(10, DEPTH, 10), recalls, style, color=colour, label=titles.get(what))
    axes[0].set(xlabel="documents read", ylabel="mean recall", ylim=(0, 1))
    axes[1].set(xlabel="documents read", ylabel="recall: true and estimated, means", ylim=(0, 1))
    for axis in axes:
        axis.legend(fontsize=7)
    for form in ("svg", "png"):
        figure.savefig(RESULTS / f"review.{form}", dpi=120)
