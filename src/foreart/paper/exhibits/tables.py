"""The tables of the paper: our values next to the published ones."""

from __future__ import annotations

from foreart.paper.exhibits.exhibit import Column, TableExhibit, TableRow, Value
from foreart.paper.experiments import published_values
from foreart.paper.experiments.label_tables import agreement, correlations, label_metrics
from foreart.paper.experiments.representations import REPRESENTATIONS
from foreart.paper.experiments.results import HOW_TO_LABEL, NOT_YET, SECTION_NAMES, Results

_BEYOND = "beyond the paper"
_OF_PAPER = "of the paper"
_METRICS = {"auc": "AUC", "ap": "AP"}


def t1(results: Results) -> TableExhibit:
    """AUC and AP by features and section."""
    sections = results.study.settings.sections
    rows = []
    for name, kind in REPRESENTATIONS.items():
        values = tuple(
            Value(results.figure(name, section, metric), _printed(name, section, metric))
            for metric in _METRICS
            for section in sections
        )
        rows.append(TableRow((kind.label,), values, _OF_PAPER if kind.of_paper else _BEYOND, results.why(name)))
    columns = tuple(Column(SECTION_NAMES[section], over) for over in _METRICS.values() for section in sections)
    return TableExhibit(
        "T1",
        "Cited against random pairs, by features and section",
        "AUC and average precision (AP) of the cosine similarity, pooled over all cited (1) and random (0) pairs of "
        f"all targets. {_widths(results)} The title is part of every section.",
        ("Features",), columns, tuple(rows), ranked=True,
    )  # fmt: skip


def t2(results: Results) -> TableExhibit:
    """Search report against expert."""
    labels = results.labels
    found = agreement(labels) if labels is not None else None
    counts = found and {
        ("relevant", "cited"): found.true_positive,
        ("relevant", "random"): found.false_negative,
        ("irrelevant", "cited"): found.false_positive,
        ("irrelevant", "random"): found.true_negative,
    }
    rows = [
        TableRow((name,), tuple(Value(counts[name, of] if counts else None, published_values.T2[name, of])
                           for of in ("cited", "random")))
        for name in ("relevant", "irrelevant")
    ]  # fmt: skip
    for label, ours, paper in (
        ("recall of the search report", found.recall if found else None, published_values.T2_RECALL),
        ("precision of the search report", found.precision if found else None, published_values.T2_PRECISION),
    ):
        rows.append(TableRow((label,), (Value(ours, paper), Value(None))))
    return TableExhibit(
        "T2",
        "Search report against expert",
        "Pairs by the expert's label (relevant: a score above 2 of 5) and by the search report's. "
        f"{_labelled(results)}",
        ("Expert",), (Column("cited"), Column("random")), tuple(rows), digits=2, remark=_how(results),
    )  # fmt: skip


def t3(results: Results) -> TableExhibit:
    """Rank correlations of cosine, expert and search report."""
    labels = results.labels
    found = correlations(labels) if labels is not None else {}
    names = {
        ("cosine", "cited"): "cosine and search report (cited / random)",
        ("cosine", "score"): "cosine and expert (score 0 to 5)",
        ("score", "cited"): "expert (score 0 to 5) and search report (cited / random)",
    }
    rows = tuple(
        TableRow((text,), (Value(found.get(pair), published_values.T3[pair]),)) for pair, text in names.items()
    )
    return TableExhibit(
        "T3",
        "Correlation of labels and scores",
        f"Spearman's ρ over the labelled pairs; the cosine is that of bag-of-words rows. {_labelled(results)}",
        ("Between",), (Column("Spearman's ρ"),), rows, digits=3, remark=_how(results),
    )  # fmt: skip


def t4(results: Results) -> TableExhibit:
    """All features evaluated with the expert and the search report as truth, and on all pairs."""
    kinds = [name for name, kind in REPRESENTATIONS.items() if kind.of_paper]
    kinds += [name for name in results.study.settings.representations if name not in kinds]
    columns = [(metric, of) for metric in _METRICS for of in ("relevant", "cited", "full")]
    rows = []
    for name in kinds:
        ours = _of_labels(results, name)
        values = tuple(Value(ours.get(column), published_values.T4.get(name, {}).get(column)) for column in columns)
        group = _OF_PAPER if REPRESENTATIONS[name].of_paper else _BEYOND
        rows.append(TableRow((results.label(name),), values, group, results.why(name, ("full",))))
    names = {"relevant": "relevant (labelled)", "cited": "cited (labelled)", "full": "cited (all)"}
    return TableExhibit(
        "T4",
        "Features compared with expert and search report",
        "AUC and AP on the labelled pairs, with relevant / irrelevant and with cited / random as truth, and on all "
        f"cited and random pairs; full text. {_small_widths(results)} {_labelled(results)}",
        ("Features",), tuple(Column(names[of], _METRICS[metric]) for metric, of in columns), tuple(rows),
        ranked=True, remark=_how(results),
    )  # fmt: skip


def t6(results: Results) -> TableExhibit:
    """Subclasses of the corpus."""
    facts = results.done.get("corpus")
    found = facts.numbers["subclasses"] if facts else []
    total = facts.numbers["documents"] if facts else 0
    rows = tuple(
        TableRow(
            (symbol, title, "yes" if symbol in published_values.T6 else ""),
            (Value(cpc + ipc), Value((cpc + ipc) / total)),
        )
        for symbol, title, cpc, ipc in found
    )
    return TableExhibit(
        "T6",
        "Subclasses of the corpus",
        "CPC subclasses with their titles and numbers of patents (by an IPC symbol where a patent has no CPC); a "
        "patent counts in each of its subclasses. The paper's corpus is class A61; subclasses of its table are marked.",
        ("Subclass", "Title", "In the paper"), (Column("patents"), Column("share of the corpus")), rows,
        digits=3, shown=25, remark="" if facts else NOT_YET,
    )  # fmt: skip


def x1(results: Results) -> TableExhibit:
    """LSA and KPCA by number of dimensions."""
    sections = results.study.settings.sections
    rows = []
    for name, kind in REPRESENTATIONS.items():
        if not kind.dimensions:
            continue
        steps = [f"{name}:{each}" for each in sections if f"{name}:{each}" in results.done]
        widths: list[int] = results.done[steps[0]].numbers["dimensions"] if steps else []
        for line, width in enumerate(widths):
            values = tuple(Value(results.figure(name, each, metric, line)) for metric in _METRICS for each in sections)
            rows.append(
                TableRow((str(width),), values, kind.label, results.why(name) if line == len(widths) - 1 else "")
            )
        if not widths:
            rows.append(TableRow(("–",), (Value(None),) * (2 * len(sections)), kind.label, results.why(name)))
    columns = tuple(Column(SECTION_NAMES[each], over) for over in _METRICS.values() for each in sections)
    return TableExhibit(
        "X1",
        "LSA and KPCA by number of dimensions",
        "AUC and AP as in T1. The paper tried 100, 250, 500 and 1000 and found 1000 best on full texts.",
        ("Dimensions",), columns, tuple(rows),
    )  # fmt: skip


def _printed(name: str, section: str, metric: str) -> float | None:
    if metric == "ap":
        return published_values.T4.get(name, {}).get(("ap", "full")) if section == "full" else None
    return published_values.T1.get((name, section))


def _of_labels(results: Results, name: str) -> dict[tuple[str, str], float | None]:
    found: dict[tuple[str, str], float | None] = {
        ("auc", "full"): results.figure(name, "full", "auc"),
        ("ap", "full"): results.figure(name, "full", "ap"),
    }
    # As in the paper, the smallest number of dimensions on the few labelled pairs.
    scores = results.scores(name, "full", 0)
    if results.labels is not None and scores is not None:
        found |= label_metrics(results.labels, scores)
    return found


def _widths(results: Results) -> str:
    sentences = [
        f"{REPRESENTATIONS[name].label} has {results.done[f'{name}:full'].numbers['dimensions'][-1]:,} dimensions"
        for name, kind in REPRESENTATIONS.items()
        if kind.dimensions and f"{name}:full" in results.done
    ]
    return " and ".join(sentences) + "." if sentences else ""


def _small_widths(results: Results) -> str:
    smallest = min(results.study.settings.dimensions)
    return f"LSA and KPCA have {smallest} dimensions on the labelled pairs, as in the paper, and those of T1 on all."


def _labelled(results: Results) -> str:
    labels = results.labels
    if labels is None:
        return ""
    known = int((labels.positions >= 0).sum())
    text = f"{len(labels):,} pairs are labelled, {int(labels.cited.sum()):,} of them cited."
    return text if known == len(labels) else f"{text} Both documents of {known:,} of them are in the corpus."


def _how(results: Results) -> str:
    return "" if results.labels is not None else HOW_TO_LABEL
