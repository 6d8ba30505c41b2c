"""The measures of the paper (T5), and how well each separates cited from random pairs (T7)."""

from __future__ import annotations

from foreart.index.measures.measures import MEASURES
from foreart.paper.exhibits.exhibit import Column, TableExhibit, TableRow, Value
from foreart.paper.experiments.published_values import NORMS, WEIGHTINGS
from foreart.paper.experiments.published_values import t7 as printed
from foreart.paper.experiments.results import NOT_YET, Results

# In the notation of the paper's table 5: x and y are the weights of one word in two texts, sums are over all words,
# a = Σ min(x, y), b = Σx − a, c = Σy − a. Constants as in PAPER §1: Θ = 0, p = 2 and 3, σ = √2.
FORMULAS: dict[str, str] = {
    "cosine": "Σ xy / (√Σx² · √Σy²)",
    "braun-blanquet": "a / max(a + b, a + c)",
    "czekanowski": "2a / (2a + b + c)",
    "jaccard": "a / (a + b + c)",
    "kulczynski": "a / 2(a + b) + a / 2(a + c)",
    "otsuka": "a / √((a + b)(a + c))",
    "simpson": "a / min(a + b, a + c)",
    "sokal-sneath": "a / (a + 2(b + c))",
    "linear": "Σ xy",
    "gaussian": "exp(−Σ(x − y)² / 2σ²), σ = √2",
    "histogram-intersection": "Σ min(x, y)",
    "polynomial": "(Σ xy + Θ)^p, Θ = 0, p = 2",
    "sigmoidal": "tanh(Σ xy + Θ), Θ = 0",
    "canberra": "Σ |x − y| / (x + y)",
    "chebyshev": "max |x − y|",
    "euclidean": "Σ (x − y)²",
    "geodesic": "arccos(Σ xy / (√Σx² · √Σy²))",
    "hellinger": "Σ (√x − √y)²",
    "jensen-shannon": "Σ x ln(2x / (x + y)) + y ln(2y / (x + y))",
    "manhattan": "Σ |x − y|",
    "minkowski": "Σ |x − y|^p, p = 3",
    "chi2": "Σ (x − y)² / (x + y)",
}


def t5(results: Results) -> TableExhibit:
    """The 22 measures."""
    rows = tuple(
        TableRow((each.label, name, ", ".join(each.aliases), FORMULAS[name]), group=each.group)
        for name, each in MEASURES.items()
    )
    return TableExhibit(
        "T5",
        "The 22 measures",
        "x and y are the weights of one word in two texts and sums are over all words; a = Σ min(x, y), b = Σx − a, "
        "c = Σy − a. A distance d counts as −d, so that higher is always more similar. Cosine and geodesic are not in "
        "T7: on rows of length 1 they give the same order as the linear kernel.",
        ("Measure", "Name here", "Also", "Formula"), (), rows,
    )  # fmt: skip


def t7(results: Results) -> TableExhibit:
    """AUC of 20 measures and 8 weightings."""
    cells = [(norm, weighting) for norm in NORMS for weighting in WEIGHTINGS]
    published = printed()
    names = dict.fromkeys(name for name, _, _ in published)
    rows = tuple(
        TableRow(
            (MEASURES[name].label,),
            tuple(
                Value(results.weighted(name, norm, weighting), published[name, norm, weighting])
                for norm, weighting in cells
            ),
            MEASURES[name].group,
        )
        for name in names
    )
    missing = any(value.ours is None for row in rows for value in row.values)
    columns = tuple(Column(weighting, f"{norm} normalisation") for norm, weighting in cells)
    return TableExhibit(
        "T7",
        "AUC of 20 measures and 8 weightings",
        "Bag-of-words rows of the full text: counts (tf) or 0/1, raw or times idf, divided by their length or their "
        "largest weight. Darker is higher. Seven cells of the paper (polynomial, sigmoidal and Gaussian, which give "
        "the same order as the linear kernel or the Euclidean distance) differ from those only because the library of "
        f"that time treated scores within 1e-8 as ties. {_tied(results)}",
        ("Measure",), columns, rows, ranked=True, shaded=True, remark=NOT_YET if missing else "",
    )  # fmt: skip


def _tied(results: Results) -> str:
    """The cells that the tolerance changes for this corpus."""
    changed = [
        f"{MEASURES[name].label} {weighting} {norm} {tied:.4f}"
        for name, norm, weighting in printed()
        if (exact := results.weighted(name, norm, weighting)) is not None
        and (tied := results.weighted(name, norm, weighting, "tied")) is not None
        and abs(tied - exact) >= 0.00005
    ]
    if not changed:
        return "With that tolerance no cell changes here." if _any(results) else ""
    return f"With that tolerance these cells change here: {'; '.join(changed)}."


def _any(results: Results) -> bool:
    return any(name.startswith("measures:") for name in results.done)
