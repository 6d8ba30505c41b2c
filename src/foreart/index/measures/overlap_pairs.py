"""Chooses the compiled pass and the threads for the sums of a list of pairs; the results are the same."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from itertools import pairwise

import numpy as np

from foreart.index.measures.measure_rows import PreparedRows, read_only
from foreart.index.measures.overlap import LIGHT, SUMS, Pairs, Rows, walk
from foreart.index.measures.overlap_postings import BLOCK, grouped, inverted_queries, sum_pairs
from foreart.parallel import parallel_map

_FEW = 4  # fewer queries are processed one by one
_PART = 512  # the smallest number of pairs per task


def sums(
    queries: PreparedRows, documents: PreparedRows, pairs: Pairs, *, names: Collection[str], power: float, threads: int
) -> dict[str, np.ndarray]:
    """The sums of each pair by name."""
    if set(names) <= set(LIGHT) and is_dense(queries, documents, pairs):
        return {name: _by_postings(queries, documents, pairs, name == "minimum", threads) for name in names}
    return _walked(queries, documents, pairs, names, power, threads)


def is_dense(queries: PreparedRows, documents: PreparedRows, pairs: Pairs) -> bool:
    """Whether pairs are dense enough to process queries together."""
    sides = zip(pairs, (queries, documents), strict=True)
    distinct_queries, distinct_documents = (np.count_nonzero(_seen(side, len(rows))) for side, rows in sides)
    return bool(distinct_queries >= _FEW and len(pairs[0]) * 4 >= distinct_queries * distinct_documents)


def _walked(
    queries: PreparedRows, documents: PreparedRows, pairs: Pairs, names: Collection[str], power: float, threads: int
) -> dict[str, np.ndarray]:
    wanted = np.array([name in names for name in SUMS])
    rows, others = (_arrays(side, heaviest="widest" in names) for side in (queries, documents))
    out = np.empty((len(SUMS), len(pairs[0])))
    order, _ = grouped(pairs[0], len(queries))
    parts = np.array_split(order, max(1, min(4 * threads, len(order) // _PART)))
    task = partial(walk, rows, others, documents.width, documents.longest, pairs)
    parallel_map(lambda part: task(part, power, wanted, out), parts, threads)
    return {name: out[index] for index, name in enumerate(SUMS) if name in names}


def _by_postings(
    queries: PreparedRows, documents: PreparedRows, pairs: Pairs, minimum: bool, threads: int
) -> np.ndarray:
    out = np.empty(len(pairs[0]))
    used = np.flatnonzero(_seen(pairs[0], len(queries)))
    parts = list(pairwise(np.linspace(0, len(documents), 8 * threads + 1).astype(np.int64).tolist()))
    for start in range(0, len(used), BLOCK):
        members = used[start : start + BLOCK]
        postings = inverted_queries(_arrays(queries), queries.width, members)
        chosen = _pairs_of(pairs, members, len(queries), len(documents))
        task = partial(sum_pairs, postings, len(members), _arrays(documents), documents.longest, chosen, minimum, out)

        def take(part: tuple[int, int], task: Callable[[int, int], None] = task) -> None:
            task(*part)

        parallel_map(take, parts, threads)
    return out


def _pairs_of(
    pairs: Pairs, members: np.ndarray, queries: int, documents: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The pairs of some queries by document, their offsets by document, and the index in `members` of each pair."""
    member_of = np.full(queries, -1)
    member_of[members] = np.arange(len(members))
    member = member_of[pairs[0]]
    chosen = np.flatnonzero(member >= 0)
    order, starts = grouped(pairs[1][chosen], documents)
    return chosen[order], starts, member


def _seen(rows: np.ndarray, number: int) -> np.ndarray:
    seen = np.zeros(number, dtype=bool)
    seen[rows] = True
    return seen


def _arrays(rows: PreparedRows, *, heaviest: bool = False) -> Rows:
    heaviest_terms = rows.heaviest if heaviest else read_only(np.empty((len(rows), 0), dtype=np.int32))
    return rows.data, rows.columns, rows.ends, heaviest_terms
