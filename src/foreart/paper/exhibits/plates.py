"""The figures of the paper as numbers, ready to be drawn."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import shorten
from typing import Any

import numpy as np

from foreart.paper.exhibits.exhibit import FigureExhibit
from foreart.paper.experiments.label_tables import outliers, panel
from foreart.paper.experiments.representations import REPRESENTATIONS
from foreart.paper.experiments.results import HOW_TO_LABEL, NOT_YET, SECTION_NAMES, Results
from foreart.paper.experiments.scoring import BINS
from foreart.report.spans import grouped_years

_MAX_YEARS = 60  # bars
_MAX_SUBCLASSES = 25
_EDGES = np.linspace(0.0, 1.0, BINS + 1).round(6).tolist()


def f2(results: Results) -> FigureExhibit:
    """Scores of random, cited and duplicate pairs."""
    panels = _distributions(results, ("full", "claims"), ("random", "cited", "duplicate"))
    medians = [
        f"{SECTION_NAMES[section]} {metrics['median']['duplicate']:.2f}"
        for section in ("full", "claims")
        if (metrics := results.metrics("tfidf", section)) and metrics["median"]["duplicate"] is not None
    ]
    duplicates = (
        f" Duplicates are family members of a target; their median score: {', '.join(medians)}." if medians else ""
    )
    return FigureExhibit(
        "F2",
        "Distributions of the cosine similarity, full text and claims",
        "Bag-of-words rows; the share of each label's pairs in steps of 0.02." + duplicates,
        **_drawn("histograms", {"edges": _EDGES, "panels": panels} if len(panels) == 2 else {}),
    )


def f4(results: Results) -> FigureExhibit:
    """Distributions and the ROC curves that follow."""
    panels = _distributions(results, ("full", "claims", "abstract"), ("random", "cited"))
    return FigureExhibit(
        "F4",
        "From distributions of scores to ROC curves",
        "The better the scores of cited pairs are separated from random ones (left, bag-of-words rows of three "
        "texts), the larger the area under the ROC curve (right). The paper shows this with artificial data; these "
        "are data of this corpus.",
        **_drawn("roc", {"edges": _EDGES, "panels": panels} if len(panels) == 3 else {}),
    )


def x2(results: Results) -> FigureExhibit:
    """ROC curves of all representations."""
    curves = [
        {"heading": REPRESENTATIONS[name].label, "place": place, "auc": metrics["auc"], **metrics["roc"]}
        for place, name in enumerate(REPRESENTATIONS)
        if (metrics := results.metrics(name, "full")) is not None
    ]
    return FigureExhibit(
        "X2",
        "ROC curves of all features on full text",
        "Left: the full curves; right: low false positive rates.",
        **_drawn("roc of all", {"curves": curves} if curves else {}),
    )


def f3(results: Results) -> FigureExhibit:
    """One target whose search report missed a relevant document."""
    return _correlation(
        results,
        "F3",
        "Cosine against the expert: a document the search report missed",
        "All labelled pairs of one target. Circled: not cited, relevant for the expert, and high cosine (false "
        "negative of the search report).",
        ("missed",),
    )


def f9(results: Results) -> FigureExhibit:
    """Two targets with false positives."""
    return _correlation(
        results,
        "F9",
        "Cosine against the expert: false positives",
        "Circled on the left: high cosine, but neither cited nor relevant; on the right: cited and high cosine, but "
        "not relevant.",
        ("like", "cited"),
    )


def f6(results: Results) -> FigureExhibit:
    """Patents per year."""
    facts = results.done.get("corpus")
    data: dict[str, Any] = {}
    if facts and facts.numbers["years"]:
        step, counts = grouped_years(dict(map(tuple, facts.numbers["years"])), limit=_MAX_YEARS)
        targets = dict.fromkeys(counts, 0)
        for year, number in facts.numbers["target_years"]:
            targets[year - year % step] += number
        data = {
            "step": step,
            "years": list(counts),
            "patents": list(counts.values()),
            "targets": list(targets.values()),
            "undated": facts.numbers["undated"],
        }
    return FigureExhibit(
        "F6",
        "Patents per year of publication",
        "The full corpus, with the target patents highlighted.",
        **_drawn("years", data),
    )


def f7(results: Results) -> FigureExhibit:
    """Patents per subclass."""
    facts = results.done.get("corpus")
    subclasses = facts.numbers["subclasses"] if facts else []
    shown = subclasses[:_MAX_SUBCLASSES]
    data = {
        "symbols": [symbol for symbol, *_ in shown],
        "titles": [shorten(title, 50, placeholder=" …").replace(", …", " …") for _, title, _, _ in shown],
        "patents": [cpc + ipc for *_, cpc, ipc in shown],
        "of": len(subclasses),
    }
    return FigureExhibit(
        "F7",
        "Distribution of subclasses",
        "By CPC, or by IPC where a patent has no CPC symbol. All subclasses are in T6.",
        **_drawn("subclasses", data if shown else {}),
    )


def f8(results: Results) -> FigureExhibit:
    """Patents by number of citations."""
    facts = results.done.get("corpus")
    return FigureExhibit(
        "F8",
        "Number of patents by number of citations",
        "Citations of patents that each patent makes, in the corpus or not. The paper drew 5,000 patents at random and "
        "found the long tail of Zipf's law.",
        **_drawn("citations", facts.numbers["citations"] if facts else {}),
    )


def _drawn(kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
    return {"kind": kind, "data": data, "remark": "" if data else NOT_YET}


def _distributions(results: Results, sections: tuple[str, ...], labels: tuple[str, ...]) -> list[dict[str, Any]]:
    panels = []
    for section in sections:
        metrics = results.metrics("tfidf", section)
        if metrics is None:
            continue
        counts = {label: metrics["histogram"][label] for label in labels}
        panels.append(
            {
                "heading": SECTION_NAMES[section].capitalize(),
                "pairs": {label: sum(bins) for label, bins in counts.items()},
                "shares": {label: _shares(bins) for label, bins in counts.items()},
                "auc": metrics["auc"],
                **metrics["roc"],
            }
        )
    return panels


def _shares(counts: list[int]) -> list[float]:
    total = sum(counts)
    return [round(100 * count / total, 6) if total else 0.0 for count in counts]


def _correlation(results: Results, name: str, title: str, caption: str, kinds: tuple[str, ...]) -> FigureExhibit:
    labels = results.labels
    if labels is None:
        return FigureExhibit(name, title, caption, remark=HOW_TO_LABEL)
    marked = outliers(labels)
    panels = [panel(labels, *chosen) for kind in kinds if (chosen := marked[kind]) is not None]
    remark = "" if panels else "No labelled pair is of this kind."
    return FigureExhibit(name, title, caption, "correlations", {"panels": panels} if panels else {}, remark)
