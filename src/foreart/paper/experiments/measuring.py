"""All measures on bag-of-words rows of one weighting, a column of T7."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from foreart.evaluation.pairs.pooled import auc
from foreart.features import Tfidf
from foreart.index.measures.measure_scores import pair_scores
from foreart.paper.experiments.published_values import t7
from foreart.paper.experiments.study import Study
from foreart.paper.experiments.work import Done

# Tie tolerance of the authors' library at that time; some cells of the paper can be reproduced only with it.
TIED = 1e-8


def weighting_settings(weighting: str, norm: str, study: Study) -> Mapping[str, Any]:
    """What the result of `measure` depends on besides corpus and pairs."""
    return {"weighting": weighting, "norm": norm, "as_published": study.settings.as_published}


def features_of(weighting: str, norm: str) -> Tfidf:
    """The bag of words of a weighting as the paper names it: tf, 0/1, tf-idf, 0/1-idf."""
    tf, _, idf = weighting.partition("-")
    return Tfidf(tf="count" if tf == "tf" else "binary", idf=bool(idf), norm="max" if norm == "max" else "length")


def measure(weighting: str, norm: str, study: Study) -> Done:
    """The AUC of every measure of T7, exact and with the paper's ties."""
    compared = study.compared
    counts = study.texts.counts("full")
    features = features_of(weighting, norm).fit_counts(counts)
    chosen = compared.cited_or_random
    labels = compared.labels[chosen]
    names = list(dict.fromkeys(name for name, _, _ in t7()))
    scores = pair_scores(
        features.encode_counts(counts.take(compared.targets)),
        features.encode_counts(counts.take(compared.documents)),
        (compared.left[chosen], compared.right[chosen]),
        measures=names,
    )
    exact = {name: auc(scores[name], labels) for name in names}
    tied = {name: auc(scores[name], labels, tie_tolerance=TIED) for name in names}
    return Done({"auc": exact, "tied": tied})
