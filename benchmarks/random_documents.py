"""What do the AUC and AP of `foreart paper` depend on: the random documents, their field, or pooling over targets?

    python benchmarks/random_documents.py --library LIBRARY      where `foreart paper --qrels` has run on ../shared/data

Takes the scores that the run kept. `field`: a random document is of the targets' field if it is of their collection.
Intervals are 95 %, of a bootstrap that draws targets and random documents anew. `seeds` draws other random documents.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from environment import RESULTS, SHARED, environment
from foreart.corpus import Corpus
from foreart.evaluation.pairs.pairs import LABELS, Pairs, PairSettings, Rule
from foreart.evaluation.pairs.pairs_making import make_pairs
from foreart.evaluation.pairs.pooled import auc, average_precision
from foreart.evaluation.trec.qrels import read_qrels
from foreart.features import Tfidf
from foreart.paper import StudySettings
from foreart.paper.experiments.comparing import Comparisons, comparisons, scores
from foreart.paper.experiments.study import Study, study

SECTIONS = ("full", "abstract", "claims", "description")
NAMES = ("tfidf", "lsa", "kpca", "word2vec", "doc2vec", "log-tfidf", "bm25", "ppmi")
DRAWS: tuple[tuple[Rule, int], ...] = tuple((rule, seed) for rule in ("uncited", "unrelated") for seed in (1, 2, 3))
FIELD = "kelu-ultrasound"
SAMPLES = 300


def drawn(corpus: Corpus, rule: Rule, seed: int) -> Pairs:
    """The pairs of the qrels, with 1,000 random documents."""
    return make_pairs(corpus, PairSettings(rule=rule, seed=seed), qrels=read_qrels(SHARED / "ultrasound.qrels"))


def kept(steps: Path) -> Iterator[tuple[str, np.ndarray]]:
    """The scores of the run by name and section; of several numbers of dimensions the last."""
    for section in SECTIONS:
        for name in NAMES:
            for file in steps.glob(f"{name}-{section}.*/scores.npy"):
                yield f"{name} {section}", np.load(file)[-1]


def two(values: np.ndarray, labels: np.ndarray) -> dict[str, float]:
    """AUC and AP."""
    return {"auc": round(auc(values, labels), 4), "ap": round(average_precision(values, labels), 4)}


def per_target(values: np.ndarray, labels: np.ndarray, targets: np.ndarray) -> dict[str, float]:
    """AUC and AP of each target by itself, and their means."""
    each = [two(values[targets == one], labels[targets == one]) for one in np.unique(targets)]
    return {key: round(float(np.mean([item[key] for item in each])), 4) for key in ("auc", "ap")}


def looked_at(values: np.ndarray, compared: Comparisons, near: np.ndarray, claims: np.ndarray) -> dict[str, Any]:
    """One line of scores over all random documents, and over some."""
    cited, of_random = (compared.labels == LABELS.index(name) for name in ("cited", "random"))
    chosen = {
        "all": cited | of_random,
        "same_field": cited | of_random & near[compared.right],
        "other_fields": cited | of_random & ~near[compared.right],
        "with_claims": (cited | of_random) & claims[compared.right],
    }
    found: dict[str, Any] = {name: two(values[mask], cited[mask]) for name, mask in chosen.items()}
    for name in ("all", "same_field"):
        mask = chosen[name]
        found[f"{name}_mean_over_targets"] = per_target(values[mask], cited[mask], compared.left[mask])
    return found


def intervals(lines: dict[str, np.ndarray], compared: Comparisons, chosen: np.ndarray) -> dict[str, Any]:
    """Of AUC and AP over the chosen pairs, and of what they lack to those of the first line."""
    left, right, cited = compared.left[chosen], compared.right[chosen], compared.labels[chosen] == LABELS.index("cited")
    orders = [np.argsort(-line[chosen], kind="stable") for line in lines.values()]
    documents, place = np.unique(right, return_inverse=True)
    random = np.unique(place[~cited])
    draw = np.random.default_rng(1)
    found = np.empty((SAMPLES, len(orders), 2))
    for sample in found:
        targets = np.bincount(draw.integers(0, len(compared.targets), len(compared.targets)), minlength=left.max() + 1)
        others = np.bincount(random[draw.integers(0, len(random), len(random))], minlength=len(documents))
        weight = targets[left] * np.where(cited, 1, others[place])
        sample[:] = [_weighted((weight * cited)[order], (weight * ~cited)[order]) for order in orders]
    return {
        name: {"auc_and_ap": _span(found[:, line]), "first_less_this": _span(found[:, 0] - found[:, line])}
        for line, name in enumerate(lines)
    }


def _weighted(positive: np.ndarray, negative: np.ndarray) -> tuple[float, float]:
    above = np.cumsum(positive)
    seen = above + np.cumsum(negative)
    area = float(above @ negative) / (float(above[-1]) * float(negative.sum()))
    return area, float(positive @ (above / np.maximum(seen, 1))) / float(above[-1])


def _span(values: np.ndarray) -> list[list[float]]:
    return np.percentile(values, [2.5, 97.5], axis=0).T.round(4).tolist()  # type: ignore[no-any-return]


def seeds(corpus: Corpus, of: Study) -> dict[str, Any]:
    """tf-idf and log-tf-idf of full texts with other random documents."""
    counts = of.texts.counts("full")
    found: dict[str, Any] = {}
    for rule, seed in DRAWS:
        compared = comparisons(drawn(corpus, rule, seed), of.ids)
        chosen = compared.cited_or_random
        for name, features in (("tfidf", Tfidf()), ("log-tfidf", Tfidf(tf="log"))):
            features.fit_counts(counts)
            queries, documents = (
                features.encode_counts(counts.take(r)) for r in (compared.targets, compared.documents)
            )
            values = scores(queries, documents, compared)
            found[f"{name} {rule} {seed}"] = two(values[chosen], compared.labels[chosen])
    return found


def measure(corpus: Corpus, steps: Path) -> dict[str, Any]:
    """All of it, for the pairs of the run."""
    pairs = drawn(corpus, "uncited", 1)
    of = study(corpus, pairs, steps, settings=StudySettings())
    known = {patent.id: (patent.collection, bool(patent.claims)) for patent in corpus}
    documents = [known[of.ids[row]] for row in of.compared.documents.tolist()]
    near = np.array([collection == FIELD for collection, _ in documents])
    claims = np.array([there for _, there in documents])
    lines = dict(kept(steps))
    full = {name: line for name, line in lines.items() if name.endswith(" full") or name == "tfidf description"}
    cited_or_random = of.compared.cited_or_random
    cited = of.compared.labels[cited_or_random] == LABELS.index("cited")
    in_field = cited_or_random[cited | near[of.compared.right[cited_or_random]]]
    return {
        "question": "What do AUC and AP hang on?",
        **environment("numpy"),
        "corpus": corpus.fingerprint,
        "pairs": pairs.fingerprint,
        "random_documents_by_collection": Counter(known[number][0] for number in pairs.random),
        "random_documents_without_claims": sum(not known[number][1] for number in pairs.random),
        "by_random_documents": {name: looked_at(line, of.compared, near, claims) for name, line in lines.items()},
        "intervals": intervals(full, of.compared, cited_or_random),
        "intervals_same_field": intervals(full, of.compared, in_field),
        "seeds": seeds(corpus, of),
    }


def main() -> None:
    """Writes results/paper/random_documents.json."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, required=True)
    library = parser.parse_args().library
    with Corpus(library / "corpus.db") as corpus:
        result = measure(corpus, library / "paper" / "steps")
    place = RESULTS / "paper" / "random_documents.json"
    place.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
