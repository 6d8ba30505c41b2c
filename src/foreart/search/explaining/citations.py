"""Which documents stand behind the channels of citations: what each of them adds sums to what the channel adds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from foreart.search.ranking import CitationGraph, FusedComparison
from foreart.search.ranking.neighbours import plain_weights
from foreart.search.ranking.signals import number_worths

# The nearest documents among which the one that cites is looked for, as the channel does.
_BEST = 100


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Rows of documents, and by signal what each is of the document's value: these sum to it."""

    rows: np.ndarray
    values: Mapping[str, np.ndarray]


class Neighbourhood:
    """One draft's near documents: how much each counts, and what it says of any other."""

    def __init__(self, comparison: FusedComparison) -> None:
        self._comparison = comparison
        self._features = comparison.features
        self.graph: CitationGraph = comparison.ranker.inputs.graph

    @cached_property
    def _weights(self) -> tuple[np.ndarray, np.ndarray]:
        learned = self._comparison.ranker.learned
        neighbours = None if learned is None else learned.neighbours
        weigh = plain_weights if neighbours is None else neighbours.weights
        return weigh(self._features, self.graph)

    @property
    def likely(self) -> np.ndarray:
        """The weight of each document as a neighbour: where it was learned, the chance that lists of citations meet."""
        return self._weights[0]

    @cached_property
    def _sharp(self) -> np.ndarray:
        return _sharpened(self.likely, 4)

    @cached_property
    def _worths(self) -> np.ndarray:
        return number_worths(self._features.known, self.graph)

    def pieces(self, channel: str, row: int) -> Pieces | None:
        """What stands behind a channel; None if it is not one of near documents."""
        made = _WAYS.get(channel)
        return None if made is None else made(self, row)

    def cited_by_near(self, row: int) -> Pieces:
        """The near documents that cite it."""
        rows = _row(self.graph.cited_by, row)
        share = self._weights[1]
        once, twice = _sharpened(share, 1)[rows], _sharpened(share, 2)[rows]
        return self._pieces(
            row,
            rows,
            {
                "cited by near, share": once,
                "cited by near, share of nearest": twice,
                "cited by near, sum": twice,
                "cited by near, share of likely": self._sharp[rows],
            },
        )

    def cited_by_nearest(self, row: int) -> Pieces:
        """The nearest document that cites it, which alone counts."""
        citing = set(_row(self.graph.cited_by, row).tolist())
        order = np.argsort(-self.likely, kind="stable")[:_BEST].tolist()
        rows = np.array([place for place in order if place in citing and self.likely[place] > 0][:1], dtype=np.int64)
        names = ("cited by nearest", "cited by nearest, relative")
        return self._pieces(row, rows, {name: self.likely[rows] for name in names})

    def cites_near(self, row: int) -> Pieces:
        """The near documents that it cites."""
        rows = _row(self.graph.cites, row)
        return self._pieces(row, rows, {"cites near": self._sharp[rows]})

    def co_cited(self, row: int) -> Pieces:
        """Known documents that cite it together with near ones."""
        cites = self.graph.cites
        rows = _row(self.graph.cited_by, row)
        citing = cites[rows] @ self._sharp if len(rows) else np.zeros(0)
        lengths = np.sqrt(1.0 + np.diff(cites.indptr)[rows])
        return self._pieces(row, rows, {"co-cited": np.where(self._features.known[rows], citing, 0.0) / lengths})

    def coupled(self, row: int) -> Pieces:
        """Near documents that cite what it cites; what few cite counts more."""
        lists = self.graph.lists
        numbers = _row(lists, row)
        worth = np.zeros(lists.shape[1])
        worth[numbers] = self._worths[numbers]
        rows = np.flatnonzero(self._sharp)
        return self._pieces(row, rows, {"coupled": (lists[rows] @ worth) * self._sharp[rows]})

    def named_by_near(self, row: int) -> Pieces:
        """The near documents that name it in their text."""
        rows = _row(self.graph.named_by, row)
        return self._pieces(row, rows, {"named by near": self._sharp[rows]})

    def _pieces(self, row: int, rows: np.ndarray, raw: Mapping[str, np.ndarray]) -> Pieces:
        """Signals shared out as the sums are made up of which they are a share or a logarithm."""
        found = self._comparison.found
        first = next(iter(raw))
        names = (name for name, channel in found.channels.items() if channel == found.channels[first])
        values = {name: _shared_out(raw.get(name, raw[first]), float(found.columns[name][row])) for name in names}
        return Pieces(rows, values)

    def beside_it(self, row: int, citing: int) -> list[int]:
        """What a document cites together with another, nearest to the draft first."""
        cited = _row(self.graph.cites, citing)
        others = cited[(cited != row) & (self._sharp[cited] > 0)]
        found: list[int] = others[np.argsort(-self._sharp[others], kind="stable")].tolist()
        return found

    def in_common(self, row: int, other: int) -> int:
        """How many citations two documents share."""
        lists = self.graph.lists
        return len(np.intersect1d(_row(lists, row), _row(lists, other)))

    def known_citing(self, row: int) -> int:
        """How many known documents cite it."""
        return int(self._features.known[_row(self.graph.cited_by, row)].sum())


_WAYS: Mapping[str, Callable[[Neighbourhood, int], Pieces]] = {
    "cited by near": Neighbourhood.cited_by_near,
    "cited by nearest": Neighbourhood.cited_by_nearest,
    "cites near": Neighbourhood.cites_near,
    "co-cited": Neighbourhood.co_cited,
    "coupled": Neighbourhood.coupled,
    "named by near": Neighbourhood.named_by_near,
}


def _row(table: csr_array, row: int) -> np.ndarray:
    found: np.ndarray = table.indices[table.indptr[row] : table.indptr[row + 1]]
    return found


def _sharpened(weights: np.ndarray, power: int) -> np.ndarray:
    """As signals sharpen them."""
    greatest = float(weights.max(initial=0.0))
    return (weights / greatest) ** power if greatest > 0 else np.zeros_like(weights)


def _shared_out(values: np.ndarray, whole: float) -> np.ndarray:
    total = float(values.sum())
    found: np.ndarray = values * (whole / total) if total > 0 else np.zeros(len(values))
    return found
