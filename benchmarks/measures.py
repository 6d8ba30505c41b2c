"""How fast are the measures, together and singly, compared with dictionaries, scikit-learn and SciPy in the same run?

    python benchmarks/measures.py

Real corpus, pairs of the data's README: 179 targets with the documents they cite and with 1,000 shared random ones.

- `table7`: 20 measures × 8 weightings over all pairs, from the packed files to 160 values of AUC.
- `dictionaries`: one pair by all 22 measures, one measure after the other over Python dictionaries, as the scripts
  published with the paper do; the same pairs, and the values must agree.
- `peers`: each measure that scikit-learn or SciPy has, over the 179 × 1,000 grid where they take sparse rows. Where
  they take only dense ones, they are given some pairs as ready-made blocks, over the columns that occur in the block,
  of one query and 1, 8 or 50 documents; the best counts, and the making of the blocks does not. Our time is that of the
  one measure alone over the grid, from SciPy rows, with all that is to be prepared, in as many threads as the machine
  has cores and in one; theirs have one by themselves.
- `one_query`: one target against all documents; theirs and ours both may keep what they prepared of the documents.

Each figure is the best of some rounds in which all contestants take turns, so that noise of the machine meets all.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import random
import time
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise

from environment import SHARED, environment, save
from foreart.document.patent import Patent
from foreart.evaluation.pairs.pooled import auc
from foreart.features import Counts, Tfidf, count
from foreart.identifiers.numbers import parse_number
from foreart.index.measures.measure_rows import prepare
from foreart.index.measures.measure_scores import pair_scores, pair_values
from foreart.index.measures.measures import MEASURES
from foreart.sources import scan
from foreart.text import section_text, tokens

FILES = [SHARED / "ultrasound.jsonl.gz", SHARED / "background.jsonl.gz"]
TABLE7 = [name for name in MEASURES if name not in ("cosine", "geodesic")]
WEIGHTINGS = list(product(("count", "binary"), (False, True), ("length", "max")))
TURN = 0.3  # seconds
Pairs = tuple[np.ndarray, np.ndarray]
Weights = dict[str, float]


def texts(ids: list[str]) -> Iterator[str]:
    for file in FILES:
        for item in scan(file):
            if isinstance(item, Patent):
                ids.append(parse_number(item.id).key)
                yield section_text(item)


def make_pairs(ids: list[str]) -> tuple[list[int], list[int], Pairs, np.ndarray]:
    """Rows of targets, rows of the random documents, all pairs, and which of them are cited."""
    row = {key: place for place, key in enumerate(ids)}
    cited: dict[int, list[int]] = {}
    for line in (SHARED / "ultrasound.qrels").read_text(encoding="utf-8").splitlines():
        target, _, document, _ = line.split()
        cited.setdefault(row[parse_number(target).key], []).append(row[parse_number(document).key])
    taken = set(cited).union(*cited.values())
    drawn = random.Random(1).sample([place for place in range(len(ids)) if place not in taken], 1000)
    left = np.concatenate([np.full(len(found) + len(drawn), target) for target, found in cited.items()])
    right = np.concatenate([np.array(found + drawn) for found in cited.values()])
    labels = np.concatenate([np.arange(len(found) + len(drawn)) < len(found) for found in cited.values()])
    return list(cited), drawn, (left, right), labels.astype(np.int64)


def table7(counts: Counts, pairs: Pairs, labels: np.ndarray) -> tuple[dict[str, float], dict[str, float]]:
    """Every cell of the paper's big table, and the seconds spent on rows, on scores and on AUC."""
    seconds = {"rows": 0.0, "scores": 0.0, "auc": 0.0}
    cells = {}
    used = np.unique(np.concatenate(pairs))
    places = np.searchsorted(used, pairs[0]), np.searchsorted(used, pairs[1])
    for tf, idf, norm in WEIGHTINGS:
        began = time.perf_counter()
        rows = Tfidf(tf=tf, idf=idf, norm=norm).fit_counts(counts).encode_counts(counts.take(used))
        made = time.perf_counter()
        scores = pair_scores(rows, rows, places, measures=TABLE7)
        scored = time.perf_counter()
        for name, values in scores.items():
            cells[f"{name} {tf}{' idf' if idf else ''} {norm}"] = round(auc(values, labels), 4)
        for what, spent in zip(seconds, (made - began, scored - made, time.perf_counter() - scored), strict=True):
            seconds[what] += spent
    return cells, seconds


def shared(x: Weights, y: Weights) -> float:
    return sum(min(weight, y[word]) for word, weight in x.items() if word in y)


def dot(x: Weights, y: Weights) -> float:
    return sum(weight * y[word] for word, weight in x.items() if word in y)


def coefficient(formula: Callable[[float, float, float], float]) -> Callable[[Weights, Weights], float]:
    def value(x: Weights, y: Weights) -> float:
        a = shared(x, y)
        return formula(a, sum(x.values()) - a, sum(y.values()) - a)

    return value


def distance(term: Callable[[float, float], float]) -> Callable[[Weights, Weights], float]:
    return lambda x, y: sum(term(x.get(word, 0.0), y.get(word, 0.0)) for word in x.keys() | y.keys())


def cosine(x: Weights, y: Weights) -> float:
    return dot(x, y) / (math.sqrt(sum(w * w for w in x.values())) * math.sqrt(sum(w * w for w in y.values())))


def divergence(x: float, y: float) -> float:
    return (x * math.log(2 * x / (x + y)) if x else 0.0) + (y * math.log(2 * y / (x + y)) if y else 0.0)


squared = distance(lambda x, y: (x - y) ** 2)
DICTIONARIES: dict[str, Callable[[Weights, Weights], float]] = {
    "cosine": cosine,
    "braun-blanquet": coefficient(lambda a, b, c: a / max(a + b, a + c)),
    "czekanowski": coefficient(lambda a, b, c: 2 * a / (2 * a + b + c)),
    "jaccard": coefficient(lambda a, b, c: a / (a + b + c)),
    "kulczynski": coefficient(lambda a, b, c: a / (2 * (a + b)) + a / (2 * (a + c))),
    "otsuka": coefficient(lambda a, b, c: a / math.sqrt((a + b) * (a + c))),
    "simpson": coefficient(lambda a, b, c: a / min(a + b, a + c)),
    "sokal-sneath": coefficient(lambda a, b, c: a / (a + 2 * (b + c))),
    "linear": dot,
    "gaussian": lambda x, y: math.exp(-squared(x, y) / 4),
    "histogram-intersection": shared,
    "polynomial": lambda x, y: dot(x, y) ** 2,
    "sigmoidal": lambda x, y: math.tanh(dot(x, y)),
    "canberra": distance(lambda x, y: abs(x - y) / (x + y)),
    "chebyshev": lambda x, y: max(abs(x.get(word, 0.0) - y.get(word, 0.0)) for word in x.keys() | y.keys()),
    "euclidean": squared,
    "geodesic": lambda x, y: math.acos(cosine(x, y)),
    "hellinger": distance(lambda x, y: (math.sqrt(x) - math.sqrt(y)) ** 2),
    "jensen-shannon": distance(divergence),
    "manhattan": distance(lambda x, y: abs(x - y)),
    "minkowski": distance(lambda x, y: abs(x - y) ** 3),
    "chi2": distance(lambda x, y: (x - y) ** 2 / (x + y)),
}
# On sparse rows, over the whole grid.
SPARSE: dict[str, list[tuple[str, Callable[[csr_array, csr_array], Any]]]] = {
    "cosine": [("sklearn cosine_similarity", pairwise.cosine_similarity)],
    "linear": [("sklearn linear_kernel", pairwise.linear_kernel), ("scipy @", lambda x, y: x @ y.T)],
    "gaussian": [("sklearn rbf_kernel", lambda x, y: pairwise.rbf_kernel(x, y, gamma=0.25))],
    "polynomial": [("sklearn polynomial_kernel", lambda x, y: pairwise.polynomial_kernel(x, y, 2, 1.0, 0.0))],
    "sigmoidal": [("sklearn sigmoid_kernel", lambda x, y: pairwise.sigmoid_kernel(x, y, 1.0, 0.0))],
    "euclidean": [("sklearn euclidean_distances", lambda x, y: pairwise.euclidean_distances(x, y, squared=True))],
    "manhattan": [("sklearn manhattan_distances", pairwise.manhattan_distances)],
}
# On dense blocks. Bray-Curtis is 1 less Czekanowski; SciPy's Jensen-Shannon norms the rows and takes a root besides.
DENSE: dict[str, list[tuple[str, Callable[[np.ndarray, np.ndarray], Any]]]] = {
    "cosine": [("scipy cosine", lambda x, y: cdist(x, y, "cosine"))],
    "czekanowski": [("scipy braycurtis", lambda x, y: cdist(x, y, "braycurtis"))],
    "canberra": [("scipy canberra", lambda x, y: cdist(x, y, "canberra"))],
    "chebyshev": [("scipy chebyshev", lambda x, y: cdist(x, y, "chebyshev"))],
    "euclidean": [("scipy sqeuclidean", lambda x, y: cdist(x, y, "sqeuclidean"))],
    "jensen-shannon": [("scipy jensenshannon", lambda x, y: cdist(x, y, "jensenshannon"))],
    "manhattan": [("scipy cityblock", lambda x, y: cdist(x, y, "cityblock"))],
    "minkowski": [("scipy minkowski", lambda x, y: cdist(x, y, "minkowski", p=3))],
    "chi2": [("sklearn additive_chi2_kernel", pairwise.additive_chi2_kernel)],
}


def timed(action: Callable[[], object], times: int = 1) -> float:
    """Seconds of one call."""
    began = time.perf_counter()
    for _ in range(times):
        action()
    return (time.perf_counter() - began) / times


def best(contestants: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The least seconds of each. All take turns, and a turn lasts long enough to meet the same noise as the others'."""
    for action in contestants.values():
        action()
    times = {name: math.ceil(TURN / timed(action)) for name, action in contestants.items()}
    found = dict.fromkeys(contestants, math.inf)
    for _ in range(rounds):
        for name, action in contestants.items():
            found[name] = min(found[name], timed(action, times[name]))
    return found


def dictionaries(rows: csr_array, terms: list[str], pairs: Pairs, rounds: int, sample: int) -> dict[str, Any]:
    """Some of the pairs by dictionaries, all of them by us: microseconds a pair for all 22 measures."""
    chosen = np.random.default_rng(1).choice(len(pairs[0]), sample, replace=False)
    some = pairs[0][chosen], pairs[1][chosen]
    weights = {
        row: {
            terms[column]: float(weight)
            for column, weight in zip(rows[[row]].indices.tolist(), rows[[row]].data.tolist(), strict=True)
        }
        for row in np.unique(np.concatenate(some)).tolist()
    }
    both = [(weights[one], weights[other]) for one, other in zip(*(side.tolist() for side in some), strict=True)]

    def by_dictionaries() -> dict[str, list[float]]:
        return {name: [formula(x, y) for x, y in both] for name, formula in DICTIONARIES.items()}

    ours = pair_values(rows, rows, some)
    for name, values in by_dictionaries().items():
        assert np.allclose(ours[name], values, rtol=1e-9, atol=1e-9), name
    found = best(
        {
            "dictionaries": by_dictionaries,
            "ours": lambda: pair_values(rows, rows, pairs),
            "ours_one_thread": lambda: pair_values(rows, rows, pairs, threads=1),
        },
        rounds,
    )
    each = {
        name: seconds / (sample if name == "dictionaries" else len(pairs[0])) * 1e6 for name, seconds in found.items()
    }
    return {
        "pairs": len(pairs[0]),
        "pairs_by_dictionaries": sample,
        "measures": len(DICTIONARIES),
        "microseconds_a_pair": {name: round(value, 2) for name, value in each.items()},
        "times_faster": round(each["dictionaries"] / each["ours"]),
        "times_faster_one_thread": round(each["dictionaries"] / each["ours_one_thread"]),
    }


def blocks(queries: csr_array, documents: csr_array, size: int, number: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Dense blocks of one query and some documents, without the columns that are empty in them."""
    made = []
    for block in range(number):
        x, y = queries[[block % queries.shape[0]]], documents[[(block * size + place) % 1000 for place in range(size)]]
        columns = np.union1d(x.indices, y.indices)
        made.append((x[:, columns].toarray(), y[:, columns].toarray()))
    return made


def peers(queries: csr_array, documents: csr_array, rounds: int) -> dict[str, Any]:
    """Microseconds a pair of each measure that others have."""
    grid = (
        np.repeat(np.arange(queries.shape[0]), documents.shape[0]),
        np.tile(np.arange(documents.shape[0]), queries.shape[0]),
    )
    dense = {size: blocks(queries, documents, size, number) for size, number in ((1, 200), (8, 25), (50, 4))}
    found: dict[str, Any] = {}
    for name in [name for name in MEASURES if name in SPARSE or name in DENSE]:
        actions: dict[str, Callable[[], object]] = {
            "ours": lambda name=name: pair_values(queries, documents, grid, measures=[name]),
            "ours_one_thread": lambda name=name: pair_values(queries, documents, grid, measures=[name], threads=1),
        }
        number = dict.fromkeys(actions, len(grid[0]))
        for what, action in SPARSE.get(name, []):
            actions[what] = lambda action=action: action(queries, documents)
            number[what] = len(grid[0])
        for (what, action), (size, made) in product(DENSE.get(name, []), dense.items()):
            key = f"{what}, blocks of {size}"
            actions[key] = lambda action=action, made=made: [action(x, y) for x, y in made]
            number[key] = size * len(made)
        each = {what: seconds / number[what] * 1e6 for what, seconds in best(actions, rounds).items()}
        ours, alone = each.pop("ours"), each.pop("ours_one_thread")
        found[name] = {
            "ours": round(ours, 3),
            "ours_one_thread": round(alone, 3),
            "others": {what: round(value, 3) for what, value in each.items()},
            "times_faster": round(min(each.values()) / ours, 2),
            "times_faster_one_thread": round(min(each.values()) / alone, 2),
        }
    return found


def one_query(rows: csr_array, target: int, rounds: int) -> dict[str, float]:
    """Milliseconds for one row against all."""
    query, kept = rows[[target]], prepare(rows)
    single = query.toarray().ravel()
    every = np.zeros(len(kept), dtype=np.int64), np.arange(len(kept))
    found = best(
        {
            "ours_22_measures": lambda: pair_scores(query, kept, every),
            "ours_cosine": lambda: pair_scores(query, kept, every, measures=["cosine"]),
            "ours_jaccard": lambda: pair_scores(query, kept, every, measures=["jaccard"]),
            "sklearn_cosine_similarity": lambda: pairwise.cosine_similarity(query, rows),
            "scipy_product_with_dense_query": lambda: rows @ single,
        },
        rounds,
    )
    return {"documents": rows.shape[0], **{f"{name}_ms": round(seconds * 1e3, 2) for name, seconds in found.items()}}


def narrow(rows: csr_array) -> csr_array:
    """Indices of 32 bits, which suit the others best."""
    return csr_array((rows.data, rows.indices.astype(np.int32), rows.indptr.astype(np.int32)), shape=rows.shape)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sample", type=int, default=100, help="pairs that dictionaries are asked for")
    options = parser.parse_args()
    ids: list[str] = []
    began, busy = time.perf_counter(), time.process_time()
    counts = count(texts(ids), tokens)
    counted = time.perf_counter() - began
    targets, drawn, pairs, labels = make_pairs(ids)
    cells, seconds = table7(counts, pairs, labels)
    total, busy = time.perf_counter() - began, time.process_time() - busy
    assert len(cells) == 160 and all(math.isfinite(value) for value in cells.values())
    rows = narrow(Tfidf().fit_counts(counts).encode_counts(counts))
    save(
        "measures",
        {
            "question": "How fast are the measures, all together and one by one?",
            **environment("numpy", "scipy", "numba", "scikit-learn"),
            "corpus": {
                "documents": len(counts),
                "terms": len(counts.terms),
                "distinct_terms_a_document": round(counts.rows.nnz / len(counts)),
                "sha256": {file.name: hashlib.sha256(file.read_bytes()).hexdigest()[:16] for file in FILES},
            },
            "table7": {
                "pairs": len(labels),
                "cited": int(labels.sum()),
                "cells": len(cells),
                "seconds": round(total, 1),
                "processor_seconds": round(busy, 1),
                "seconds_of_parts": {
                    "reading_and_counting": round(counted, 1),
                    **{name: round(value, 1) for name, value in seconds.items()},
                },
                "auc": cells,
            },
            "dictionaries": dictionaries(rows, list(counts.terms), pairs, options.rounds, options.sample),
            "peers_microseconds_a_pair": peers(rows[targets], rows[drawn], options.rounds),
            "one_query": one_query(rows, targets[0], options.rounds),
        },
    )


if __name__ == "__main__":
    main()
