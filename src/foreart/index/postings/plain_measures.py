"""Sums over shared terms in NumPy, for machines without numba."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foreart.index.postings import own_sums
from foreart.index.postings.plain import row_weights
from foreart.index.postings.row_kernels import GreatRows, Rows

if TYPE_CHECKING:
    from foreart.index.postings.measured import Asked, Measured

_STEP = 1024


def row_sums(
    rows: Rows, great: GreatRows, table: np.ndarray, rarity: np.ndarray, power: float, first: int, last: int,
    out: np.ndarray,
) -> None:  # fmt: skip
    """Sums of the weights of each row, which are not yet divided by its length."""
    for start in range(first, last, _STEP):
        documents = np.arange(start, min(start + _STEP, last))
        terms, worth, owners, _ = row_weights(rows, great, table, documents)
        weights = worth * rarity[terms]
        for kind, values in (
            (own_sums.TERMS, weights > 0),
            (own_sums.TOTAL, weights),
            (own_sums.SQUARES, weights**2),
            (own_sums.POWERS, weights**power),
        ):
            out[kind, documents] = np.bincount(owners, weights=values, minlength=len(documents))
        greatest = np.zeros(len(documents))
        np.maximum.at(greatest, owners, weights)
        out[own_sums.GREATEST, documents] = greatest


def fill(measured: Measured, asked: Asked, span: tuple[int, int], out: np.ndarray) -> None:
    """The sums over shared terms of the documents of a span, in the rows of `measure_kernels`."""
    block = measured.block
    documents = np.arange(*span)
    terms, worth, owners, _ = row_weights(block.rows, block.great_rows, block.table, documents)
    places = np.zeros(len(block.arrays.starts) - 1, dtype=np.int64)
    own = asked.query.terms[block.part]
    there = np.flatnonzero(own >= 0)
    places[own[there]] = there + 1
    place = places[terms]
    y = worth * measured.rarity[terms] * measured.scale[documents][owners]
    shared = (place > 0) & (y > 0)
    _fill_sums(asked.row[place[shared] - 1], y[shared], owners[shared], asked.power, out)
    widest = out[8]
    np.maximum.at(widest, owners[~shared], y[~shared])
    _raise_missing(place[place > 0] - 1, owners[place > 0], asked.row, widest)


def _fill_sums(x: np.ndarray, y: np.ndarray, owners: np.ndarray, power: float, out: np.ndarray) -> None:
    low, high = np.minimum(x, y), np.maximum(x, y)
    share = low / (x + y)
    entropy = -(x + y) * (share * np.log2(share) + (1.0 - share) * np.log2(1.0 - share))
    powers = x**power + y**power - (high - low) ** power
    for kind, values in enumerate((x * y, low, share, high * share, np.sqrt(x * y), entropy, powers)):
        out[kind] = np.bincount(owners, weights=values, minlength=out.shape[1])
    out[7] = np.bincount(owners, minlength=out.shape[1])
    np.maximum.at(out[8], owners, high - low)


def _raise_missing(asked: np.ndarray, owners: np.ndarray, row: np.ndarray, widest: np.ndarray) -> None:
    """Raises the greatest difference of each document to the weight of the heaviest word of a query that it lacks."""
    order = np.argsort(-row, kind="stable")
    ranks = np.empty(len(row), dtype=np.int64)
    ranks[order] = np.arange(len(row))
    held = np.zeros((len(widest), len(row) + 1), dtype=bool)
    held[owners, ranks[asked]] = True
    first = np.argmin(held, axis=1)
    np.maximum(widest, np.concatenate([row[order], [0.0]])[first], out=widest)
