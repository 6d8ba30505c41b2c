"""The values of the tables of Helmers et al. (PLoS ONE 14(3), 2019)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources

CITATION = (
    "L. Helmers, F. Horn, F. Biegler, T. Oppermann, K.-R. Müller: Automating the search for a patent's prior art "
    "with a full text similarity search. PLoS ONE 14(3), 2019"
)

# The AUC of cited against random pairs, by features and section.
T1: Mapping[tuple[str, str], float] = {
    ("tfidf", "full"): 0.9560, ("tfidf", "abstract"): 0.8620, ("tfidf", "claims"): 0.8656,
    ("lsa", "full"): 0.9361, ("lsa", "abstract"): 0.8579, ("lsa", "claims"): 0.8561,
    ("kpca", "full"): 0.9207, ("kpca", "abstract"): 0.8377, ("kpca", "claims"): 0.8250,
    ("word2vec", "full"): 0.9410, ("word2vec", "abstract"): 0.8618, ("word2vec", "claims"): 0.8525,
    ("doc2vec", "full"): 0.9314, ("doc2vec", "abstract"): 0.8919, ("doc2vec", "claims"): 0.8898,
}  # fmt: skip

# Pairs by the attorney's label and that of the search report.
T2: Mapping[tuple[str, str], int] = {
    ("relevant", "cited"): 65, ("relevant", "random"): 18, ("irrelevant", "cited"): 86, ("irrelevant", "random"): 281,
}  # fmt: skip
T2_RECALL, T2_PRECISION = 0.78, 0.43

# Spearman's ρ between two ways to order the labelled pairs.
T3: Mapping[tuple[str, str], float] = {
    ("cosine", "cited"): 0.501,
    ("cosine", "score"): 0.652,
    ("score", "cited"): 0.592,
}

# AUC and AP by features, then label: relevant and cited of the labelled pairs, cited of all pairs.
T4: Mapping[str, Mapping[tuple[str, str], float]] = {
    "tfidf": {
        ("auc", "relevant"): 0.8118, ("auc", "cited"): 0.8063, ("auc", "full"): 0.9560,
        ("ap", "relevant"): 0.5274, ("ap", "cited"): 0.7095, ("ap", "full"): 0.4705,
    },
    "lsa": {
        ("auc", "relevant"): 0.7798, ("auc", "cited"): 0.7075, ("auc", "full"): 0.9361,
        ("ap", "relevant"): 0.4787, ("ap", "cited"): 0.5921, ("ap", "full"): 0.3257,
    },
    "kpca": {
        ("auc", "relevant"): 0.7441, ("auc", "cited"): 0.6740, ("auc", "full"): 0.9207,
        ("ap", "relevant"): 0.4721, ("ap", "cited"): 0.5832, ("ap", "full"): 0.2996,
    },
    "word2vec": {
        ("auc", "relevant"): 0.8408, ("auc", "cited"): 0.8544, ("auc", "full"): 0.9410,
        ("ap", "relevant"): 0.5443, ("ap", "cited"): 0.7354, ("ap", "full"): 0.4019,
    },
    "doc2vec": {
        ("auc", "relevant"): 0.7658, ("auc", "cited"): 0.8138, ("auc", "full"): 0.9314,
        ("ap", "relevant"): 0.4749, ("ap", "cited"): 0.6829, ("ap", "full"): 0.3121,
    },
}  # fmt: skip

# The subclasses of the paper's table 6: those of class A61.
T6 = ("A61B", "A61C", "A61D", "A61F", "A61G", "A61H", "A61J", "A61K", "A61L", "A61M", "A61N", "A61Q")

NORMS = ("length", "max")
WEIGHTINGS = ("tf", "0/1", "tf-idf", "0/1-idf")

# The targets whose labelled pairs the paper draws, each with the outlier it marks.
FALSE_NEGATIVE = ("US20150018885", "US20110087291")
FALSE_POSITIVE = ("US20150066086", "US7585299")
FALSE_POSITIVE_OF_BOTH = ("US20150066087", "US20130079880")


@lru_cache
def t7() -> Mapping[tuple[str, str, str], float]:
    """The AUC of 20 measures by (measure, norm, weighting), in the order of the paper."""
    text = resources.files("foreart.paper.experiments").joinpath("table7.tsv").read_text("utf-8")
    head, *lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return {
        (fields[0], fields[1], weighting): float(value)
        for fields in lines
        for weighting, value in zip(head[2:], fields[2:], strict=True)
    }
