"""Statistics of a corpus that matter to a search engine: real documents compared with synthetic ones.

    python benchmarks/search_shape.py --corpus corpus.db          real beside drawn
    python benchmarks/search_shape.py --corpus corpus.db --fit    learns search_shape.json anew

The cost of a search is that of the postings of the words of the query: on average as many for each document as two
documents share words. Ranks of words, quantiles and shares are of as many drawn documents as there are real ones.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from environment import SHARED
from foreart.corpus import Corpus
from foreart.features import Counts, count
from foreart.identifiers.numbers import parse_number
from foreart.text import section_text, tokens
from search_synthetic import BANDS, HEAD, LEVELS, MIXTURE, SHAPE, Drawing, bands, load_shape, made_shape

Traits = dict[str, Any]
RANKS = (1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
COUNTS = (1, 2, 3, 4, 5, 10, 20, 100, 255)
TAIL = 1.5  # so that terms grow with the power .6 of documents, as they do from 3,000 real ones to 9,000
# Chosen by hand so that neighbours are as near as real ones.
MIXING = dict(zip(MIXTURE, (0.22, 0.3, 300.0, 6.0, 1_000.0, 3_000.0, 0.8, 0.06, 0.8), strict=True))


def real_rows(corpus: Path) -> tuple[Counts, list[str], list[int]]:
    """Counts of all documents of a corpus file, their ids, and the rows of the targets of ../shared/data."""
    ids: list[str] = []

    def texts() -> Iterator[str]:
        with Corpus(corpus) as opened:
            for patent in opened:
                ids.append(patent.id)
                yield section_text(patent, "full")

    return count(texts(), tokens), ids, targets(ids)


def beside(rows: csr_array) -> dict[str, Traits]:
    """Traits of real documents and of as many drawn ones."""
    drawn = Drawing(load_shape()).documents(np.arange(rows.shape[0]))
    return {"real": traits(rows), "drawn": traits(drawn)}


def targets(ids: list[str]) -> list[int]:
    """Rows of the patents whose citations are known."""
    row = {parse_number(each).key: place for place, each in enumerate(ids)}
    lines = (SHARED / "ultrasound.qrels").read_text("utf-8").splitlines()
    return [row[key] for key in dict.fromkeys(parse_number(line.split()[0]).key for line in lines)]


def weighted(rows: csr_array, df: np.ndarray, documents: int) -> csr_array:
    """Rows of log-tf × idf, of length 1, in single precision."""
    data = (1.0 + np.log(rows.data)) * np.log(documents / np.maximum(df, 1))[rows.indices]
    places = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    lengths = np.sqrt(np.bincount(places, data**2, minlength=rows.shape[0]))
    data = (data / np.where(lengths > 0, lengths, 1.0)[places]).astype(np.float32)
    return csr_array((data, rows.indices, rows.indptr), shape=rows.shape)


def frequencies(rows: csr_array) -> np.ndarray:
    return np.bincount(rows.indices, minlength=rows.shape[1])


def traits(rows: csr_array, *, seed: int = 0) -> Traits:
    """The figures that decide what a search costs, and how near neighbours are."""
    documents, df = rows.shape[0], frequencies(rows)
    ranked = np.sort(df[df > 0])[::-1]
    sizes = np.diff(rows.indptr)
    generator = np.random.default_rng(seed)
    places = np.searchsorted(COUNTS, rows.data, side="right") - 1
    order = generator.permutation(documents)
    return {
        "documents": documents,
        "postings": int(rows.nnz),
        "terms_a_document": {"mean": round(float(sizes.mean())), **_quantiles(sizes, 0)},
        "count_histogram": dict(
            zip(
                ["1", "2", "3", "4", "5-9", "10-19", "20-99", "100-254", "255-"],
                (np.bincount(places, minlength=len(COUNTS)) / rows.nnz).round(4).tolist(),
                strict=True,
            )
        ),
        "mean_count": round(float(rows.data.mean()), 2),
        "documents_with_term_of_rank": {str(rank): int(ranked[rank - 1]) for rank in RANKS if rank <= len(ranked)},
        "terms_of_so_many_documents": {
            str(size): int((np.bincount(rows[order[:size]].indices, minlength=1) > 0).sum())
            for size in (100, 1_000, documents)
        },
        "terms_of_one_document": int((ranked == 1).sum()),
        **_pairs(rows, df, generator),
    }


def _quantiles(values: np.ndarray, digits: int) -> dict[str, float]:
    found = np.quantile(values, QUANTILES).round(digits)
    kind = float if digits else int
    return {f"{round(level * 100)} %": kind(value) for level, value in zip(QUANTILES, found.tolist(), strict=True)}


def _pairs(rows: csr_array, df: np.ndarray, generator: np.random.Generator, number: int = 150) -> Traits:
    """Shared terms and cosine (log-tf × idf) of random pairs and of near ones; what the heaviest terms cost."""
    chosen = generator.choice(rows.shape[0], number, replace=False)
    used = np.flatnonzero(df)
    columns = np.zeros(len(df), dtype=np.int32)
    columns[used] = np.arange(len(used))
    narrow = csr_array((rows.data, columns[rows.indices], rows.indptr), shape=(rows.shape[0], len(used)))
    weights = weighted(narrow, df[used], rows.shape[0])
    flat = csr_array((np.ones_like(weights.data), narrow.indices, narrow.indptr), shape=narrow.shape)
    cosine = (weights[chosen] @ weights.T.tocsr()).toarray()
    shared = (flat[chosen] @ flat.T.tocsr()).toarray()
    cosine[np.arange(number), chosen] = -1.0
    order = np.argsort(-cosine, axis=1)
    found: Traits = {
        # The mean over all pairs there are: that of the postings of a document, for each document.
        "shared_terms_of_pairs": {
            "mean": round(float((df / rows.shape[0]) @ df) / rows.shape[0], 1),
            **_quantiles(shared, 0),
        },
        "cosine_of_pairs": _quantiles(cosine, 4),
    }
    for rank in (1, 10, 100, 1_000):
        place = order[:, rank - 1 : rank]
        found[f"shared_terms_at_rank_{rank}"] = _quantiles(np.take_along_axis(shared, place, 1), 0)
        found[f"cosine_at_rank_{rank}"] = _quantiles(np.take_along_axis(cosine, place, 1), 4)
    found["postings_of_terms_with_95_percent_of_energy"] = {
        "log": _energy(narrow, df[used], chosen, lambda data: 1 + np.log(data)),
        "count": _energy(narrow, df[used], chosen, lambda data: data),
    }
    return found


def _energy(rows: csr_array, df: np.ndarray, chosen: np.ndarray, tf: Callable[[np.ndarray], np.ndarray]) -> float:
    """The share of a query's postings that its heaviest terms have."""
    shares = []
    for row in chosen:
        part = slice(rows.indptr[row], rows.indptr[row + 1])
        terms, counts = rows.indices[part], rows.data[part].astype(np.float64)
        weights = (tf(counts) * np.log(rows.shape[0] / df[terms])) ** 2
        order = np.argsort(-weights)
        enough = np.searchsorted(np.cumsum(weights[order]), 0.95 * weights.sum()) + 1
        shares.append(df[terms[order[:enough]]].sum() / df[terms].sum())
    return round(float(np.mean(shares)), 4)


def fit(rows: csr_array, *, mixing: dict[str, float] = MIXING, rounds: int = 8) -> dict[str, Any]:
    """The JSON of the shape of a corpus; frequencies are set right by drawing and counting, again and again."""
    documents, df = rows.shape[0], frequencies(rows)
    ranked = np.sort(df[df > 0])[::-1] / documents
    ranks = np.unique(np.geomspace(1, HEAD - 1, 80).astype(int))
    wanted = _smooth(ranked, ranks)
    band = bands(df / documents)[rows.indices]
    kept: dict[str, Any] = {
        "ranks": ranks.tolist(),
        "shares": [round(value, 6) for value in wanted.tolist()],
        "frequencies": _rates(wanted, documents).tolist(),
        "tail": TAIL,
        "rest": float(wanted[-1]) * HEAD / (TAIL - 1),
        "lengths": np.quantile(np.diff(rows.indptr), np.linspace(0, 1, 1001)).round().astype(int).tolist(),
        "counts": [_runs(rows.data[band == each]) for each in range(len(BANDS) + 1)],
        "mixture": mixing,
    }
    for _ in range(rounds):
        drawn = frequencies(Drawing(made_shape(kept)).documents(np.arange(documents)))
        found = np.sort(drawn[drawn > 0])[::-1] / documents
        total = made_shape(kept).frequencies.sum()
        ratio = _rates(wanted, documents) / _rates(_smooth(found, ranks), documents)
        kept["frequencies"] = (np.array(kept["frequencies"]) * ratio**0.8).tolist()
        kept["rest"] *= float(len(ranked) / len(found)) ** 1.5
        kept["frequencies"], kept["rest"] = (np.array(kept["frequencies"]) / total).tolist(), kept["rest"] / total
    return kept


def _smooth(ranked: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """The curve at the ranks, each the mean of those around it."""
    around = [ranked[int(rank / 1.04) - (rank > 1) : int(rank * 1.04) + 1] for rank in ranks]
    return np.array([float(part.mean()) for part in around])


def _rates(shares: np.ndarray, documents: int) -> np.ndarray:
    """How often a word must be drawn to stand in such a share of documents."""
    return -np.log1p(-np.minimum(shares, 1 - 0.5 / documents))


def _runs(counts: np.ndarray) -> list[list[int]]:
    """Quantiles of counts as runs: value, and how many levels have it."""
    levels = np.quantile(counts, (np.arange(LEVELS) + 0.5) / LEVELS, method="inverted_cdf").astype(int)
    values, number = np.unique(levels, return_counts=True)
    return np.column_stack([values, number]).tolist()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    rows = real_rows(options.corpus)[0].rows
    if options.fit:
        SHAPE.write_text(json.dumps(fit(rows)) + "\n", "utf-8")
    print(json.dumps(beside(rows), indent=2))


if __name__ == "__main__":
    main()
