"""How long does the exact search of dense rows take, up to a million, and is an approximate library needed there?

    python benchmarks/dense.py --corpus corpus.db        rows of an LSA made of a loaded corpus first: two minutes
    python benchmarks/dense.py --rows lsa.npy            rows that were made before

Rows of 250 dimensions: the real ones of 9,015 patents, and above that synthetic ones: a real row drawn at random plus
noise with the spectrum of the real rows, as much as leaves the score of the 100th best of 9,015 as it is. Queries are
rows of the index where it is real, and others where it is not. All are asked for the 100 best; each contestant answers
20 queries one by one, and 100 at once every other time, in rounds in which all take turns; `ms` is the median,
`best_ms` the least, `core_ms` the median of what all cores worked. On a busy machine (see `load_before`) only the last
two tell something, and the threads of BLAS work while they wait.

`float32`, `float16` and `int8` are what a first look is at; the second is at float32 rows in memory-mapped files. Their
answers must be, bit for bit, those of a full computation in double precision. Peers, where they are installed
(`pip install faiss-cpu usearch`): faiss IndexFlatIP, usearch with exact=True. `floor_ms` is the time in which all
cores read as many bytes from memory as the first look must. `numpy` is one bare `rows @ query` with argpartition.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np

from environment import environment, save
from foreart.corpus import Corpus
from foreart.features import Tfidf, count
from foreart.features.topics.lsa import Lsa
from foreart.index.dense.dense_rows import STORAGES, DenseRows, stored
from foreart.text import section_text

K = 100
ONE_BY_ONE = 20
AT_ONCE = 100
BAR = 200  # milliseconds: the bar for full texts of a million documents
SHARES = (0.5, 0.1, 0.01, 0.001)
Action = Callable[[np.ndarray], object]
Result = dict[str, Any]
Spent = tuple[float, float]


def real_rows(arguments: argparse.Namespace) -> np.ndarray:
    if arguments.rows:
        return np.load(arguments.rows).astype(np.float32)
    with Corpus(arguments.corpus) as corpus:
        counts = count((section_text(patent, "full") for patent in corpus), Tfidf().tokenizer)
    rows: np.ndarray = Lsa(dimensions=250).fit_counts(counts).encode_counts(counts).astype(np.float32)
    return rows


class Generator:
    """Makes rows like the real ones."""

    def __init__(self, real: np.ndarray) -> None:
        self.real = real
        self.spectrum = np.sqrt((real**2).mean(axis=0))
        self.wanted = hundredth(real)
        low, high = 0.0, 2.0
        for _ in range(7):
            self.noise = (low + high) / 2
            self.reached = hundredth(self.rows(len(real), seed=1))
            low, high = (self.noise, high) if self.reached > self.wanted else (low, self.noise)

    def rows(self, number: int, *, seed: int) -> np.ndarray:
        """So many rows of length 1."""
        rng = np.random.default_rng(seed)
        made = np.empty((number, self.real.shape[1]), dtype=np.float32)
        for start in range(0, number, 50_000):
            part = made[start : start + 50_000]
            rng.standard_normal(dtype=np.float32, out=part)
            part *= self.spectrum * self.noise
            part += self.real[rng.integers(0, len(self.real), len(part))]
            part /= np.linalg.norm(part, axis=1, keepdims=True)
        return made


def hundredth(rows: np.ndarray) -> float:
    """The mean score of the 100th best of the other rows, over 200 rows."""
    scores = rows[:200] @ rows.T
    return float(np.partition(scores, -K - 1, axis=1)[:, -K - 1].mean())


def contestants(rows: np.ndarray, folder: Path) -> tuple[dict[str, Action], dict[str, DenseRows], Result]:
    """What each does with a matrix of queries; our own rows lie in files."""
    ids = [f"US{number:08d}A" for number in range(len(rows))]
    ours, made = {}, {}
    for storage in STORAGES:
        began = time.perf_counter()
        arrays = stored(rows, storage=storage)
        for name in arrays.keys() - {"data"} if (folder / "data.npy").exists() else arrays:
            np.save(folder / f"{name}.npy", arrays[name])
        made[storage] = round(time.perf_counter() - began, 1)
        ours[storage] = DenseRows.of(ids, {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in arrays})
        for name in arrays.keys() - {"data"}:
            (folder / f"{name}.npy").unlink()  # it stays open
    actions: dict[str, Action] = {
        name: (lambda queries, index=index: index.nearest(queries, K)) for name, index in ours.items()
    }
    return {**actions, "numpy": lambda queries: bare(rows, queries), **peers(rows)}, ours, made


def bare(rows: np.ndarray, queries: np.ndarray) -> list[np.ndarray]:
    return [np.argpartition(scores, -K)[-K:] for scores in queries @ rows.T]


def peers(rows: np.ndarray) -> dict[str, Action]:
    found: dict[str, Action] = {}
    try:
        import faiss

        flat = faiss.IndexFlatIP(rows.shape[1])
        flat.add(rows)
        found["faiss IndexFlatIP"] = lambda queries: flat.search(queries, K)
    except ImportError:
        pass
    try:
        from usearch.index import MetricKind, search

        found["usearch exact"] = lambda queries: search(rows, queries, K, MetricKind.IP, exact=True)
    except ImportError:
        pass
    return found


def rounds_of(actions: dict[str, Action], queries: np.ndarray, rounds: int) -> dict[str, Result]:
    """All take turns: one by one, and at once."""
    alone: dict[str, list[Spent]] = {name: [] for name in actions}
    together: dict[str, list[Spent]] = {name: [] for name in actions}
    for action in actions.values():
        action(queries[:1]), action(queries[:2])  # what is made at the first call is not timed
    for number in range(rounds):
        for name, action in actions.items():
            alone[name] += [spent(action, queries[place : place + 1]) for place in range(ONE_BY_ONE)]
            together[name] += [spent(action, queries[:AT_ONCE])] if number % 2 == 0 else []
    return {name: {"one": figures(alone[name]), "100_at_once": figures(together[name])} for name in actions}


def spent(action: Action, queries: np.ndarray) -> Spent:
    """Milliseconds on the clock, and of all cores."""
    began, worked = time.perf_counter(), time.process_time()
    action(queries)
    return (time.perf_counter() - began) * 1000, (time.process_time() - worked) * 1000


def figures(all_spent: list[Spent]) -> Result:
    clock, cores = zip(*all_spent, strict=True)
    return {"ms": round(median(clock), 2), "best_ms": round(min(clock), 2), "core_ms": round(median(cores), 2)}


def milliseconds(action: Action, queries: np.ndarray) -> float:
    return spent(action, queries)[0]


def floor(array: np.ndarray) -> float:
    """Milliseconds in which all cores read an array once."""
    flat = array.reshape(-1).view(np.uint8)
    flat = flat[: len(flat) // 8 * 8].view(np.int64)
    parts = np.linspace(0, len(flat), (os.cpu_count() or 1) + 1).astype(int).tolist()
    with ThreadPoolExecutor(len(parts) - 1) as pool:
        return min(
            milliseconds(
                lambda _: list(pool.map(lambda ends: np.bitwise_or.reduce(flat[slice(*ends)]), pairwise(parts))), flat
            )
            for _ in range(7)
        )


def checked(ours: dict[str, DenseRows], queries: np.ndarray) -> int:
    """Every answer is that of a full computation, bit for bit; how many were compared."""
    for query in queries:
        scores = ours["float32"].scores(query)
        kth = np.partition(scores, -K)[-K]
        candidates = np.flatnonzero(scores >= kth)
        wanted = candidates[np.lexsort((candidates, -scores[candidates]))][:K]
        for index in ours.values():
            ((rows, found),) = index.nearest(query[np.newaxis], K)
            assert rows.tolist() == wanted.tolist()
            assert found.tolist() == scores[wanted].tolist()
    return len(queries)


def filtered(index: DenseRows, queries: np.ndarray) -> dict[str, float]:
    rng = np.random.default_rng(2)
    found = {}
    for share in (1.0, *SHARES):
        allowed = None if share == 1 else rng.random(len(index)) < share
        action = partial(index.nearest, k=K, allowed=allowed)
        found[str(share)] = round(min(milliseconds(action, query[np.newaxis]) for query in queries), 2)
    return found


def looked_at_twice(index: DenseRows, queries: np.ndarray) -> float:
    """Rows left by the first look, a query."""
    return mean(len(rows) for rows, _ in index._candidates(queries.astype(np.float64), K, "cosine", None))


def measure(rows: np.ndarray, queries: np.ndarray, rounds: int) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        actions, ours, made = contestants(rows, Path(folder))
        found = rounds_of(actions, queries, rounds)
        for storage, index in ours.items():
            codes = index._look("cosine").codes.codes
            found[storage] |= {
                "seconds_to_store": made[storage],
                "megabytes_looked_at": round(codes.nbytes / 1e6, 1),
                "rows_looked_at_twice": round(looked_at_twice(index, queries), 1),
                "floor_ms": round(floor(codes), 2),
                "best_ms_by_share_allowed": filtered(index, queries[:7]),
                "best_ms_all_scores": round(min(milliseconds(index.scores, query) for query in queries[:4]), 1),
            }
        return {"answers_checked": checked(ours, queries[:10]), "contestants": found}


def answer(size: int, found: Result) -> Result:
    """Exact is quick enough where it takes no longer than full texts are allowed to."""
    spent_by = {storage: found["contestants"][storage]["one"]["ms"] for storage in STORAGES}
    return {
        "rows": size,
        "bar_ms": BAR,
        "exact_ms": spent_by,
        "approximate_library_needed": min(spent_by.values()) > BAR,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    rows = parser.add_mutually_exclusive_group(required=True)
    rows.add_argument("--corpus", type=Path)
    rows.add_argument("--rows", type=Path)
    parser.add_argument("--sizes", default="100000,1000000", help="of synthetic rows")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    real = real_rows(arguments)
    generator = Generator(real)
    installed = []
    for package in ("faiss-cpu", "usearch"):
        try:
            installed.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            installed.append(f"{package} is not installed")
    result: Result = {
        "question": (__doc__ or "").splitlines()[0],
        **environment("numpy", "numba"),
        "peers": installed,
        "load_before": [round(load, 1) for load in os.getloadavg()],
        "k": K,
        "dimensions": real.shape[1],
        "synthetic": {
            "noise": round(generator.noise, 3),
            "score_of_the_100th": {"real": round(generator.wanted, 4), "synthetic": round(generator.reached, 4)},
        },
        "sizes": {},
    }
    queries = np.ascontiguousarray(real[np.random.default_rng(3).choice(len(real), AT_ONCE, replace=False)])
    result["sizes"][f"{len(real)} (real)"] = measure(real, queries, arguments.rounds)
    for size in map(int, filter(None, arguments.sizes.split(","))):
        made = generator.rows(size + AT_ONCE, seed=4)
        result["sizes"][str(size)] = measure(made[:size], made[size:].copy(), arguments.rounds)
        result["answer"] = answer(size, result["sizes"][str(size)])
    result["load_after"] = [round(load, 1) for load in os.getloadavg()]
    save("dense", result)


if __name__ == "__main__":
    main()
