"""Cost against number of documents, drawn from the results of search.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

# Two names are too close where one value is not so many times the other; then each moves by so many points.
_CLOSE, _MOVED = 1.3, 3.0
STYLES = {"exact": ("C0", "-"), "exact, 2 threads": ("C0", "--"), "fast": ("C2", "-"), "fast, 2 threads": ("C2", "--")}


def plot(result: dict[str, Any], folder: Path) -> None:
    """Writes search.svg and search.png: milliseconds of a query, both axes logarithmic."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    mpl.rcParams["svg.hashsalt"] = "foreart"  # the same figures make the same file
    figure, axes = plt.subplots(figsize=(7.5, 5), layout="constrained")
    names: list[tuple[str, tuple[int, float]]] = []
    for (name, mode), points in _lines(result["results"]).items():
        mine = name == "foreart"
        colour, line = STYLES[mode] if mine else ("0.6", ":")
        axes.plot(*zip(*points, strict=True), line, color=colour, marker="o" if mine else ".", lw=2 if mine else 1)
        names.append((f"{name}, {mode}" if mine else name, points[-1]))
    floors = [(each["n"], each["floor_ms"]) for each in result.get("floor", [])]
    if floors:
        axes.plot(*zip(*sorted(floors), strict=True), color="0.8", lw=4, zorder=0)
        names.append(("reading the postings from memory", max(floors)))
    axes.set(xscale="log", yscale="log", xlabel="documents", ylabel="milliseconds for the best 100 of a query (median)")
    axes.set_title("A whole application against whole texts: cosine of log-tf × idf", fontsize=10)
    for label, point, at in _apart(names):
        axes.annotate(label, point, (6, at - 3), textcoords="offset points", fontsize=7)
    axes.set_xlim(right=axes.get_xlim()[1] * 25)  # room for names
    axes.grid(alpha=0.3, which="both", lw=0.4)
    for suffix, options in (("svg", {"metadata": {"Date": None}}), ("png", {"dpi": 150})):
        figure.savefig(folder / f"search.{suffix}", **options)
    plt.close(figure)


def _lines(table: list[dict[str, Any]]) -> dict[tuple[str, str], list[tuple[int, float]]]:
    lines: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for row in sorted(table, key=lambda row: row["n"]):
        lines.setdefault((row["name"], row["mode"]), []).append((row["n"], row["median_ms"]))
    return lines


def _apart(names: list[tuple[str, tuple[int, float]]]) -> list[tuple[str, tuple[int, float], float]]:
    """Names at the ends of lines, each moved up or down a little where another would be written over it."""
    found: list[tuple[str, tuple[int, float], float]] = []
    for label, point in sorted(names, key=lambda item: (item[1][0], item[1][1])):
        close = bool(found) and found[-1][1][0] == point[0] and point[1] < _CLOSE * found[-1][1][1]
        if close:
            found[-1] = (*found[-1][:2], found[-1][2] - _MOVED)
        found.append((label, point, _MOVED if close else 0.0))
    return found
