"""All measures of one query and every document, straight from postings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from foreart.errors import IndexError_
from foreart.features.compiling import HAVE_NUMBA
from foreart.index.measures import MEASURES, Measure, Overlap, Own, Parameters, measure
from foreart.index.postings import measure_kernels as kernels
from foreart.index.postings import own_sums, plain_measures
from foreart.index.postings.blocks import Span
from foreart.index.postings.exact import Blocks
from foreart.index.postings.measured import KINDS, Asked, Measured
from foreart.index.postings.query import Query
from foreart.index.postings.sums import spans
from foreart.parallel import side_by_side

# Where each sum stands in what kernels fill.
_PLACES = {
    "product": kernels.PRODUCT,
    "least": kernels.LEAST,
    "harmonic": kernels.HARMONIC,
    "root": kernels.ROOT,
    "entropy": kernels.ENTROPY,
    "power": kernels.POWER,
    "widest": kernels.WIDEST,
}
_OWN = {"terms": own_sums.TERMS, "total": own_sums.TOTAL, "squares": own_sums.SQUARES, "powers": own_sums.POWERS}


def measure_scores(
    blocks: Blocks,
    measured: Sequence[Measured],
    query: Query,
    names: Iterable[str] | None,
    parameters: Parameters,
    *,
    threads: int,
) -> dict[str, np.ndarray]:
    """The score of every row by name of measure, higher is better; all measures without names."""
    if blocks.weighting.saturating:
        raise IndexError_("bm25 has a score of its own and no other measure: measure with tfidf, or ask for its scores")
    chosen = _chosen(names)
    needs: set[str] = {each.needs for each in chosen}
    asked = _asked(blocks, query, parameters.power)
    side_by_side(lambda each: each.prepare(asked.power), measured, threads)
    sums = _sums(blocks, measured, asked, needs, threads)
    overlap = _overlap(blocks, measured, asked, sums, needs)
    return {each.name: each.score(each.formula(overlap, parameters)) for each in chosen}


def _chosen(names: Iterable[str] | None) -> list[Measure]:
    if names is None:
        return list(MEASURES.values())
    return list(dict.fromkeys(measure(name) for name in ([names] if isinstance(names, str) else names)))


def _asked(blocks: Blocks, query: Query, power: float) -> Asked:
    row = query.weights
    if blocks.weighting.norm == "max" and len(row):
        row = row / row.max()
    return Asked(query, row, blocks.weighting.rarity(query.df, len(blocks.snapshot)), power)


def _sums(
    blocks: Blocks, measured: Sequence[Measured], asked: Asked, needs: set[str], threads: int
) -> list[np.ndarray]:
    """For each segment the sums over shared terms of its documents."""
    found = [np.zeros((KINDS, block.documents)) for block in blocks.blocks]

    def take(task: tuple[Measured, Span]) -> None:
        each, span = task
        out = np.zeros((KINDS, span[1] - span[0]))
        with blocks.places() as places:
            _fill(each, asked, needs, span, places, out)
        found[each.block.part][:, slice(*span)] = out

    if len(asked.query):
        side_by_side(take, [(measured[block.part], span) for block, span in spans(blocks.blocks, threads)], threads)
    return found


def _fill(each: Measured, asked: Asked, needs: set[str], span: Span, places: np.ndarray, out: np.ndarray) -> None:
    """The sums of some documents of a segment."""
    if not HAVE_NUMBA:
        plain_measures.fill(each, asked, span, out)
        return
    own = asked.query.terms[each.block.part]
    there = np.flatnonzero(own >= 0)
    places[own[there]] = there + 1
    again = each.products(asked, span, out) if needs == {"product"} else each.add(asked, needs, places, span, out)
    each.again(asked, np.flatnonzero(again) + span[0], places, span[0], out)
    places[own[there]] = 0


def _overlap(
    blocks: Blocks, measured: Sequence[Measured], asked: Asked, sums: list[np.ndarray], needs: set[str]
) -> Overlap:
    """What formulas take, for all rows."""
    living = [block.living for block in blocks.blocks]

    def joined(arrays: list[np.ndarray]) -> np.ndarray:
        kept = [array if chosen is None else array[chosen] for array, chosen in zip(arrays, living, strict=True)]
        return np.concatenate([np.empty(0), *kept])

    def of_rows(name: str) -> np.ndarray:
        return joined([each.sums(asked.power)[_OWN[name]] for each in measured])

    def of_query(name: str) -> np.ndarray:
        return np.full(len(blocks.snapshot), asked.own[name])

    taken = {need: joined([each[_PLACES[need]] for each in sums]) for need in needs if need in _PLACES}
    if "alike" in needs:
        taken["alike"] = joined([each[kernels.NUMBER] + 2.0 * each[kernels.SHARE] for each in sums])
    return Overlap(Own(of_query), Own(of_rows), **taken)
