"""The near documents behind the signals of one document, with the part of each: what explanations show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from foreart.search.ranking.near.nearest import WALKED
from foreart.search.ranking.near.neighbourhood import Neighbourhood
from foreart.search.ranking.near.sparse_columns import SparseColumn, linked

# Rows of near documents, and by signal the terms of the sum that the signal is a share or a logarithm of.
_Raw = tuple[np.ndarray, Mapping[str, np.ndarray]]


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Rows of near documents, and by signal the part of the value that each accounts for: these sum to the value."""

    rows: np.ndarray
    values: Mapping[str, np.ndarray]


def pieces(near: Neighbourhood, channel: str, row: int, signals: Mapping[str, float]) -> Pieces | None:
    """The near documents behind a channel's `signals` of a row; None if it does not use near documents."""
    if channel not in _RAW:
        return None
    rows, raw = _RAW[channel](near, row)
    default = next(iter(raw.values()))
    return Pieces(rows, {name: _split(raw.get(name, default), value) for name, value in signals.items()})


def cited_by_near(near: Neighbourhood, row: int) -> _Raw:
    """The near documents that cite it."""
    rows = _row(near.graph.cited_by, row)
    return rows, {
        "cited by near, share": near.once.at(rows),
        "cited by near, share of nearest": near.twice.at(rows),
        "cited by near, sum": near.twice.at(rows),
        "cited by near, share of likely": near.sharp.at(rows),
        "cited by near, evidence": near.evidence.at(rows),
        **{f"cited by near, {number} texts": weights.at(rows) for number, weights in near.by_text.items()},
        **{f"cited by near, {number} alike": weights.at(rows) for number, weights in near.by_similarity.items()},
    }


def cited_by_nearest(near: Neighbourhood, row: int) -> _Raw:
    """The nearest document that cites it, which alone counts."""
    nearest = near.nearest_citing()
    weights = nearest.with_values(np.where(np.isin(nearest.rows, _row(near.graph.cited_by, row)), nearest.values, 0.0))
    rows = weights.best(1, np.ones(len(near.graph), dtype=bool))
    return rows, {name: weights.at(rows) for name in ("cited by nearest", "cited by nearest, relative")}


def cites_near(near: Neighbourhood, row: int) -> _Raw:
    """The near documents that it cites."""
    rows = _row(near.graph.cites, row)
    nearest = {"texts": near.by_text, "alike": near.by_similarity}
    return rows, {
        "cites near": near.sharp.at(rows),
        **{f"cites near, {WALKED} {kind}": weights[WALKED].at(rows) for kind, weights in nearest.items() if weights},
    }


def cited_by_same_people(near: Neighbourhood, row: int) -> _Raw:
    """The known documents of the same applicant or inventor that cite it."""
    rows = _row(near.graph.cited_by, row)
    people = near.query.people
    rows = rows[near.query.known[rows] & (np.sum([column.at(rows) for column in people.values()], axis=0) > 0)]
    return rows, {f"cited by same people, {name}": column.at(rows) for name, column in people.items()}


def co_cited(near: Neighbourhood, row: int) -> _Raw:
    """Known documents that cite it together with near ones."""
    rows = _row(near.graph.cited_by, row)
    return rows, {"co-cited": near.citing_near().at(rows)}


def coupled(near: Neighbourhood, row: int) -> _Raw:
    """Near documents that cite what it cites; rarely cited numbers count more."""
    numbers = _row(near.graph.lists, row).astype(np.int64)
    worth = SparseColumn(numbers, near.worths(numbers))
    rows = near.sharp.rows[near.sharp.values > 0]
    sources, cited = linked(near.graph.lists, rows)
    common = np.bincount(sources, weights=worth.at(cited), minlength=len(rows))
    return rows, {"coupled": common * near.sharp.at(rows)}


def named_by_near(near: Neighbourhood, row: int) -> _Raw:
    """The near documents that name it in their text."""
    rows = _row(near.graph.named_by, row)
    return rows, {"named by near": near.sharp.at(rows)}


def words_of(near: Neighbourhood, rows: np.ndarray) -> dict[int, float]:
    """The similarity of words of some documents, by row."""
    ascending = np.unique(rows)
    return dict(zip(ascending.tolist(), near.query.texts.scores_of(ascending)["words"].tolist(), strict=True))


def cited_together(near: Neighbourhood, row: int, citing: int) -> list[int]:
    """The near documents that a document cites along with another, nearest to the draft first."""
    cited = _row(near.graph.cites, citing)
    others = cited[(cited != row) & (near.sharp.at(cited) > 0)]
    ordered: list[int] = others[np.argsort(-near.sharp.at(others), kind="stable")].tolist()
    return ordered


def common_citations(near: Neighbourhood, row: int, other: int) -> int:
    """How many citations two documents share."""
    lists = near.graph.lists
    return len(np.intersect1d(_row(lists, row), _row(lists, other)))


def known_citing(near: Neighbourhood, row: int) -> int:
    """How many known documents cite it."""
    return int(near.query.known[_row(near.graph.cited_by, row)].sum())


_RAW: Mapping[str, Callable[[Neighbourhood, int], _Raw]] = {
    "cited by near": cited_by_near,
    "cited by nearest": cited_by_nearest,
    "cites near": cites_near,
    "co-cited": co_cited,
    "coupled": coupled,
    "named by near": named_by_near,
    "cited by same people": cited_by_same_people,
}


def _row(table: csr_array, row: int) -> np.ndarray:
    columns: np.ndarray = table.indices[table.indptr[row] : table.indptr[row + 1]]
    return columns


def _split(values: np.ndarray, whole: float) -> np.ndarray:
    """A number split in proportion to some values."""
    total = float(values.sum())
    parts: np.ndarray = values * (whole / total) if total > 0 else np.zeros(len(values))
    return parts
