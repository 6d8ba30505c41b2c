"""Which compiled pass takes the sums of a list of pairs, and in how many threads; the sums are the same for any."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from itertools import pairwise

import numpy as np

from foreart.index.measures.measure_rows import Prepared, fixed
from foreart.index.measures.overlap import LIGHT, SUMS, Pairs, Rows, walk
from foreart.index.measures.overlap_postings import BLOCK, grouped, meet, turned
from foreart.parallel import side_by_side

_FEW = 4  # queries that are better walked to one by one
_PART = 512  # pairs that are worth the start of a thread


def sums(
    queries: Prepared, documents: Prepared, pairs: Pairs, *, names: Collection[str], power: float, threads: int
) -> dict[str, np.ndarray]:
    """The sums of each pair by name."""
    if set(names) <= set(LIGHT) and meet_often(queries, documents, pairs):
        return {name: _met(queries, documents, pairs, name == "least", threads) for name in names}
    return _walked(queries, documents, pairs, names, power, threads)


def meet_often(queries: Prepared, documents: Prepared, pairs: Pairs) -> bool:
    """Whether the documents meet so many of the queries that it pays to take these together."""
    asked, met = (np.count_nonzero(_seen(side, len(of))) for side, of in zip(pairs, (queries, documents), strict=True))
    return bool(asked >= _FEW and len(pairs[0]) * 4 >= asked * met)


def _walked(
    queries: Prepared, documents: Prepared, pairs: Pairs, names: Collection[str], power: float, threads: int
) -> dict[str, np.ndarray]:
    wanted = np.array([name in names for name in SUMS])
    rows, others = (_arrays(side, heaviest="widest" in names) for side in (queries, documents))
    out = np.empty((len(SUMS), len(pairs[0])))
    order, _ = grouped(pairs[0], len(queries))
    parts = np.array_split(order, max(1, min(4 * threads, len(order) // _PART)))
    task = partial(walk, rows, others, documents.width, documents.longest, pairs)
    side_by_side(lambda part: task(part, power, wanted, out), parts, threads)
    return {name: out[place] for place, name in enumerate(SUMS) if name in names}


def _met(queries: Prepared, documents: Prepared, pairs: Pairs, least: bool, threads: int) -> np.ndarray:
    out = np.empty(len(pairs[0]))
    asked = np.flatnonzero(_seen(pairs[0], len(queries)))
    parts = list(pairwise(np.linspace(0, len(documents), 8 * threads + 1).astype(np.int64).tolist()))
    for start in range(0, len(asked), BLOCK):
        members = asked[start : start + BLOCK]
        postings = turned(_arrays(queries), queries.width, members)
        named = _named(pairs, members, len(queries), len(documents))
        task = partial(meet, postings, len(members), _arrays(documents), documents.longest, named, least, out)

        def take(part: tuple[int, int], task: Callable[[int, int], None] = task) -> None:
            task(*part)

        side_by_side(take, parts, threads)
    return out


def _named(
    pairs: Pairs, members: np.ndarray, queries: int, documents: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The pairs of some queries by document, where those of each document start, and each pair's place in `members`."""
    places = np.full(queries, -1)
    places[members] = np.arange(len(members))
    place = places[pairs[0]]
    chosen = np.flatnonzero(place >= 0)
    order, starts = grouped(pairs[1][chosen], documents)
    return chosen[order], starts, place


def _seen(rows: np.ndarray, number: int) -> np.ndarray:
    seen = np.zeros(number, dtype=bool)
    seen[rows] = True
    return seen


def _arrays(rows: Prepared, *, heaviest: bool = False) -> Rows:
    places = rows.heaviest if heaviest else fixed(np.empty((len(rows), 0), dtype=np.int32))
    return rows.data, rows.columns, rows.ends, places
