"""The paper's claims, each tested on this corpus."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from foreart.index.measures.measures import COEFFICIENTS, MEASURES
from foreart.paper.exhibits.finding import Finding, Verdict
from foreart.paper.experiments import published_values
from foreart.paper.experiments.representations import REPRESENTATIONS
from foreart.paper.experiments.results import SECTION_NAMES, Results

_NEAR = 0.01  # difference of AUC up to which two measures count as about the same
_NEAR_ONE = 0.8  # minimum cosine of nearly identical texts
_MOST = 0.9  # share of the cells of a table; the paper too allows exceptions
_OF_PAPER = [name for name, kind in REPRESENTATIONS.items() if kind.of_paper]
# The measures of T7 by class.
_MEASURES = list(dict.fromkeys(name for name, _, _ in published_values.t7()))
_SIMILARITIES = [name for name in _MEASURES if not MEASURES[name].distance]
_COEFFICIENTS = [name for name in _SIMILARITIES if MEASURES[name].group == COEFFICIENTS]
_DISTANCES = [name for name in _MEASURES if MEASURES[name].distance]


def findings(results: Results) -> list[Finding]:
    """Every claim that the available results can test, in the order of the paper."""
    return [finding for judge in CLAIMS if (finding := judge(results)) is not None]


def sections(results: Results) -> Finding | None:
    """Full text > sections."""
    pairs = []
    for name in _OF_PAPER:
        full = results.figure(name, "full", "auc")
        parts = {each: results.figure(name, each, "auc") for each in ("abstract", "claims")}
        if full is not None and all(part is not None for part in parts.values()):
            pairs.append((name, full, {each: part for each, part in parts.items() if part is not None}))
    if not pairs:
        return None
    better = [name for name, full, parts in pairs if full > max(parts.values())]
    text = "; ".join(
        f"{results.label(name)} {full:.4f} against "
        + ", ".join(f"{part:.4f} ({SECTION_NAMES[each]})" for each, part in parts.items())
        for name, full, parts in pairs
    )
    return Finding(
        "Is the full text better than abstract or claims alone?",
        _verdict(len(better), len(pairs)),
        f"AUC with the full text is higher for {len(better)} of {len(pairs)} features: {text}.{_descriptions(results)}",
        "yes, for all five; bag-of-words .9560 against .8620 (abstract) and .8656 (claims).",
        ("T1", "F2"),
    )


def _descriptions(results: Results) -> str:
    """The description alone, which the paper did not test and which may be better than the full text."""
    found = [
        f"{results.label(name)} {value:.4f} ({value - full:+.4f})"
        for name in _OF_PAPER
        if (value := results.figure(name, "description", "auc")) is not None
        and (full := results.figure(name, "full", "auc")) is not None
    ]
    return f" The description alone, against the full text: {', '.join(found)}." if found else ""


def features(results: Results) -> Finding | None:
    """tf-idf > others on cited pairs."""
    found = {name: value for name in _OF_PAPER if (value := results.figure(name, "full", "auc")) is not None}
    words = found.pop("tfidf", None)
    if words is None or not found:
        return None
    worse = [name for name, value in found.items() if value < words]
    text = ", ".join(f"{results.label(name)} {value:.4f}" for name, value in found.items())
    beyond = {
        name: value
        for name, kind in REPRESENTATIONS.items()
        if not kind.of_paper and (value := results.figure(name, "full", "auc")) is not None
    }
    more = ", ".join(f"{results.label(name)} {value:.4f}" for name, value in beyond.items())
    return Finding(
        "Do bag-of-words rows separate cited from random pairs better than the others, on full text?",
        _verdict(len(worse), len(found)),
        f"AUC {words:.4f}, higher than {len(worse)} of {len(found)}: {text}."
        + (f" Beyond the paper: {more}." if more else ""),
        "yes: .9560 against .9361 (LSA), .9207 (KPCA), .9410 (word2vec), .9314 (doc2vec).",
        ("T1", "X2"),
    )


def single_sections(results: Results) -> Finding | None:
    """doc2vec > tf-idf on single sections."""
    pairs = [
        (section, left, right)
        for section in ("abstract", "claims")
        if (left := results.figure("doc2vec", section, "auc")) is not None
        and (right := results.figure("tfidf", section, "auc")) is not None
    ]
    if not pairs:
        return None
    better = sum(left > right for _, left, right in pairs)
    text = "; ".join(f"{SECTION_NAMES[section]} {left:.4f} against {right:.4f}" for section, left, right in pairs)
    return Finding(
        "Is doc2vec better than bag-of-words on single sections?",
        _verdict(better, len(pairs)),
        f"AUC of doc2vec against bag-of-words: {text}.",
        "yes: .8919 against .8620 (abstract), .8898 against .8656 (claims).",
        ("T1",),
    )


def weighting(results: Results) -> Finding | None:
    """tf-idf > tf."""
    if results.weighted("linear", "length", "tf-idf") is None or results.weighted("linear", "length", "tf") is None:
        return None
    similar = _cells(results, _SIMILARITIES, "tf-idf", "tf")
    distant = _cells(results, _DISTANCES, "tf-idf", "tf")
    printed = published_values.t7()
    paper_similar = [
        printed[measure, norm, "tf-idf"] > printed[measure, norm, "tf"]
        for measure in _SIMILARITIES
        for norm in published_values.NORMS
    ]
    paper_distant = [
        printed[measure, norm, "tf-idf"] > printed[measure, norm, "tf"]
        for measure in _DISTANCES
        for norm in published_values.NORMS
    ]
    left, right = results.weighted("linear", "length", "tf-idf"), results.weighted("linear", "length", "tf")
    return Finding(
        "Does weighting by idf help (tf-idf better than tf)?",
        _verdict(sum(similar), len(similar), threshold=_MOST),
        f"Higher AUC in {sum(similar)} of {len(similar)} cells of coefficients and kernels (cosine: {left:.4f} against "
        f"{right:.4f}); of the distances in {sum(distant)} of {len(distant)}. It counts as confirmed if nine of ten "
        f"cells of the former are higher.",
        f"yes, in {sum(paper_similar)} of {len(paper_similar)} cells of coefficients and kernels (cosine: .9560 "
        f"against .7336); of the distances in {sum(paper_distant)} of {len(paper_distant)}.",
        ("T7",),
    )


def classes_of_measures(results: Results) -> Finding | None:
    """Coefficients ≈ cosine > distances."""
    cosine = results.weighted("linear", "length", "tf-idf")
    if cosine is None:
        return None
    best = {
        name: _best(results, of) for name, of in (("coefficients", _COEFFICIENTS), ("distances", _other_distances()))
    }
    coefficient, distance = best["coefficients"], best["distances"]
    if coefficient is None or distance is None:
        return None
    near, above = abs(coefficient[0] - cosine) <= _NEAR, min(cosine, coefficient[0]) > distance[0]
    return Finding(
        "Are coefficients about as good as the cosine, and both better than distances?",
        "yes" if near and above else "partly" if near or above else "no",
        f"Best coefficient {coefficient[0]:.4f} ({coefficient[1]}), cosine {cosine:.4f}, best distance that is not "
        f"equivalent to the cosine {distance[0]:.4f} ({distance[1]}). About as good means within {_NEAR:.2f} of AUC.",
        "yes: Kulczynski .9574, cosine .9560, Hellinger .8746; the Euclidean distance of rows of length 1 gives the "
        "same order as the cosine.",
        ("T7",),
    )


def duplicates(results: Results) -> Finding | None:
    """Duplicates near 1 on full text, not on claims."""
    metrics = {each: results.metrics("tfidf", each) for each in ("full", "claims")}
    medians = {each: values["median"]["duplicate"] for each, values in metrics.items() if values is not None}
    if len(medians) < 2 or None in medians.values():
        return None
    near = medians["full"] >= _NEAR_ONE
    return Finding(
        "Do duplicates (family members) score near 1 on full text, but not on claims?",
        "yes" if near and medians["claims"] < medians["full"] - 0.05 else "partly" if near else "no",
        f"Median cosine of duplicate pairs: {medians['full']:.2f} on full text, {medians['claims']:.2f} on claims. "
        f"Near 1 means a median of {_NEAR_ONE} or more.",
        "yes: near 1 on full text, almost evenly between 0 and 1 on claims.",
        ("F2",),
    )


def expert(results: Results) -> Finding | None:
    """The cosine agrees with the expert more than with the search report."""
    from foreart.paper.experiments.label_tables import correlations

    if results.labels is None:
        return None
    found = correlations(results.labels)
    left, right = found["cosine", "score"], found["cosine", "cited"]
    if left is None or right is None:
        return None
    return Finding(
        "Does the cosine agree more with the expert than with the search report?",
        "yes" if left > right else "no",
        f"Spearman's ρ {left:.3f} with the expert's score, {right:.3f} with cited / random.",
        "yes: .652 against .501.",
        ("T3", "T4"),
    )


CLAIMS: Sequence[Callable[[Results], Finding | None]] = (
    sections, features, single_sections, duplicates, expert, weighting, classes_of_measures,
)  # fmt: skip


def _verdict(holds: int, of: int, *, threshold: float = 1.0) -> Verdict:
    """Yes if it holds in at least the threshold share of cases."""
    return "yes" if holds >= threshold * of else "no" if not holds else "partly"


def _cells(results: Results, measures: Sequence[str], weighting: str, baseline: str) -> list[bool]:
    found = []
    for measure in measures:
        for norm in published_values.NORMS:
            left, right = results.weighted(measure, norm, weighting), results.weighted(measure, norm, baseline)
            if left is not None and right is not None:
                found.append(left > right)
    return found


def _other_distances() -> list[str]:
    return [measure for measure in _DISTANCES if measure != "euclidean"]


def _best(results: Results, measures: Sequence[str]) -> tuple[float, str] | None:
    found = [
        (value, f"{MEASURES[measure].label}: {weighting}, {norm}")
        for measure in measures
        for norm in published_values.NORMS
        for weighting in published_values.WEIGHTINGS
        if (value := results.weighted(measure, norm, weighting)) is not None
    ]
    return max(found) if found else None
