"""What the citations of near documents say: signals of all documents, and the documents behind those of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from foreart.search.ranking.citation_graph import CitationGraph
from foreart.search.ranking.nearest import NEAREST, WALKED, citation_walk, nearest_weights, text_similarity
from foreart.search.ranking.neighbours import DraftFeatures

# How many of the nearest documents are searched for the best one that cites a document.
_BEST = 100
# Pseudocount of a share, as if one more near document cited something else: a single neighbour proves little.
_OTHERS = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Rows of near documents, and by signal the part of the value that each accounts for: these sum to the value."""

    rows: np.ndarray
    values: Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """The documents near one draft, weighted as neighbours: `likely` and `share` as `Neighbours.weights` gives them.

    `similarity` has the learned similarity of all documents by channel, if it was learned.
    """

    features: DraftFeatures
    graph: CitationGraph
    likely: np.ndarray
    share: np.ndarray
    similarity: Mapping[str, np.ndarray] = field(default_factory=dict)

    @cached_property
    def _by_text(self) -> dict[int, np.ndarray]:
        """The nearest documents by the similarity of texts."""
        return nearest_weights(text_similarity(self.features), self.features.known)

    @cached_property
    def _by_similarity(self) -> dict[int, np.ndarray]:
        """The nearest documents by learned similarity; none if it was not learned."""
        if not self.similarity:
            return {}
        return nearest_weights(np.sum(list(self.similarity.values()), axis=0), self.features.known)

    @cached_property
    def walk(self) -> np.ndarray:
        """The share of a walk along citations from the nearest texts that is at each document."""
        return citation_walk(self._by_text[WALKED], self.features.known, self.graph)

    @cached_property
    def _evidence(self) -> np.ndarray:
        """By near document, minus the logarithm of the chance that none of its citations is one of the draft."""
        logarithms: np.ndarray = -np.log1p(-np.minimum(self.share, 0.999))
        return logarithms

    @cached_property
    def _sharp(self) -> np.ndarray:
        return _sharpened(self.likely, 4)

    @cached_property
    def _once(self) -> np.ndarray:
        return _sharpened(self.share, 1)

    @cached_property
    def _twice(self) -> np.ndarray:
        return _sharpened(self.share, 2)

    @cached_property
    def _worths(self) -> np.ndarray:
        """The weight of each cited number: the more known documents cite it, the less it says."""
        known = self.features.known.astype(np.float64)
        worths: np.ndarray = 1.0 / np.sqrt(1.0 + self.graph.listed_by @ known)
        return worths

    def columns(self) -> dict[tuple[str, str], np.ndarray]:
        """The signals of all citation channels, by channel and signal."""
        cited_by, cites, lists = self.graph.cited_by, self.graph.cites, self.graph.lists
        sharp, once, twice = self._sharp, self._once, self._twice
        summed = cited_by @ twice
        best = self._best()
        citing = cites @ sharp
        # A document that cites a hundred others says little by citing two of the near ones.
        together = np.where(self.features.known, citing, 0.0) / np.sqrt(1.0 + np.diff(cites.indptr))
        numbers = (self.graph.listed_by @ sharp) * self._worths
        near = "cited by near"
        return {
            (near, "cited by near, share"): (cited_by @ once) / (_OTHERS + float(once.sum())),
            (near, "cited by near, share of nearest"): summed / (_OTHERS + float(twice.sum())),
            (near, "cited by near, sum"): np.log1p(summed),
            (near, "cited by near, share of likely"): (cited_by @ sharp) / (_OTHERS + float(sharp.sum())),
            ("cited by nearest", "cited by nearest"): best,
            ("cited by nearest", "cited by nearest, relative"): best / max(1e-9, float(best.max(initial=0.0))),
            ("cites near", "cites near"): np.log1p(citing),
            ("co-cited", "co-cited"): np.log1p(cited_by @ together),
            ("coupled", "coupled"): np.log1p((lists @ numbers) / np.sqrt(1.0 + np.diff(lists.indptr))),
            ("often cited", "often cited"): np.log1p(cited_by @ self.features.known.astype(np.float64)),
            ("named by near", "named by near"): np.log1p(self.graph.named_by @ sharp),
            **self._nearest_columns(),
            (near, "cited by near, evidence"): np.log1p(100.0 * -np.expm1(-(cited_by @ self._evidence))),
            ("citation walk", "citation walk"): np.log1p(1000.0 * self.walk),
            **{
                ("cited by same people", f"cited by same people, {name}"): np.log1p(
                    cited_by @ (mask * self.features.known)
                )
                for name, mask in self.features.people.items()
            },
        }

    def _nearest_columns(self) -> dict[tuple[str, str], np.ndarray]:
        """What the nearest documents cite, and what cites them, by text and by learned similarity."""
        cites, cited_by = self.graph.cites, self.graph.cited_by
        dampening = np.sqrt(1.0 + np.diff(cites.indptr))
        columns: dict[tuple[str, str], np.ndarray] = {}
        for kind, weights in (("texts", self._by_text), ("alike", self._by_similarity)):
            for number in NEAREST if weights else ():
                columns["cited by near", f"cited by near, {number} {kind}"] = cited_by @ weights[number]
            if weights:
                columns["cites near", f"cites near, {WALKED} {kind}"] = (cites @ weights[WALKED]) / dampening
        return columns

    def _best(self) -> np.ndarray:
        """For each document the weight of the best of the nearest documents that cite it."""
        best = np.zeros(len(self.likely))
        cites = self.graph.cites
        for row in np.argsort(-self.likely, kind="stable")[:_BEST][::-1]:
            if self.likely[row] > 0:
                best[_row(cites, row)] = self.likely[row]
        return best

    def pieces(self, channel: str, row: int, signals: Mapping[str, float]) -> Pieces | None:
        """The near documents behind a channel's `signals` of a row; None if it does not use near documents."""
        if channel not in _RAW:
            return None
        rows, raw = _RAW[channel](self, row)
        default = next(iter(raw.values()))
        return Pieces(rows, {name: _split(raw.get(name, default), value) for name, value in signals.items()})

    def cited_by_near(self, row: int) -> _Raw:
        """The near documents that cite it."""
        rows = _row(self.graph.cited_by, row)
        return rows, {
            "cited by near, share": self._once[rows],
            "cited by near, share of nearest": self._twice[rows],
            "cited by near, sum": self._twice[rows],
            "cited by near, share of likely": self._sharp[rows],
            "cited by near, evidence": self._evidence[rows],
            **{f"cited by near, {number} texts": weights[rows] for number, weights in self._by_text.items()},
            **{f"cited by near, {number} alike": weights[rows] for number, weights in self._by_similarity.items()},
        }

    def cited_by_nearest(self, row: int) -> _Raw:
        """The nearest document that cites it, which alone counts."""
        citing = set(_row(self.graph.cited_by, row).tolist())
        order = np.argsort(-self.likely, kind="stable")[:_BEST].tolist()
        rows = np.array([near for near in order if near in citing and self.likely[near] > 0][:1], dtype=np.int64)
        return rows, {name: self.likely[rows] for name in ("cited by nearest", "cited by nearest, relative")}

    def cites_near(self, row: int) -> _Raw:
        """The near documents that it cites."""
        rows = _row(self.graph.cites, row)
        nearest = {"texts": self._by_text, "alike": self._by_similarity}
        return rows, {
            "cites near": self._sharp[rows],
            **{f"cites near, {WALKED} {kind}": weights[WALKED][rows] for kind, weights in nearest.items() if weights},
        }

    def cited_by_same_people(self, row: int) -> _Raw:
        """The known documents of the same applicant or inventor that cite it."""
        rows = _row(self.graph.cited_by, row)
        people = self.features.people
        rows = rows[self.features.known[rows] & (np.sum([mask[rows] for mask in people.values()], axis=0) > 0)]
        return rows, {f"cited by same people, {name}": mask[rows] for name, mask in people.items()}

    def co_cited(self, row: int) -> _Raw:
        """Known documents that cite it together with near ones."""
        cites = self.graph.cites
        rows = _row(self.graph.cited_by, row)
        citing = cites[rows] @ self._sharp if len(rows) else np.zeros(0)
        lengths = np.sqrt(1.0 + np.diff(cites.indptr)[rows])
        return rows, {"co-cited": np.where(self.features.known[rows], citing, 0.0) / lengths}

    def coupled(self, row: int) -> _Raw:
        """Near documents that cite what it cites; rarely cited numbers count more."""
        lists = self.graph.lists
        numbers = _row(lists, row)
        worth = np.zeros(lists.shape[1])
        worth[numbers] = self._worths[numbers]
        rows = np.flatnonzero(self._sharp)
        return rows, {"coupled": (lists[rows] @ worth) * self._sharp[rows]}

    def named_by_near(self, row: int) -> _Raw:
        """The near documents that name it in their text."""
        rows = _row(self.graph.named_by, row)
        return rows, {"named by near": self._sharp[rows]}

    def cited_together(self, row: int, citing: int) -> list[int]:
        """The near documents that a document cites along with another, nearest to the draft first."""
        cited = _row(self.graph.cites, citing)
        others = cited[(cited != row) & (self._sharp[cited] > 0)]
        ordered: list[int] = others[np.argsort(-self._sharp[others], kind="stable")].tolist()
        return ordered

    def common_citations(self, row: int, other: int) -> int:
        """How many citations two documents share."""
        lists = self.graph.lists
        return len(np.intersect1d(_row(lists, row), _row(lists, other)))

    def known_citing(self, row: int) -> int:
        """How many known documents cite it."""
        return int(self.features.known[_row(self.graph.cited_by, row)].sum())


# Rows of near documents, and by signal the terms of the sum that the signal is a share or a logarithm of.
_Raw = tuple[np.ndarray, Mapping[str, np.ndarray]]
_RAW: Mapping[str, Callable[[Neighbourhood, int], _Raw]] = {
    "cited by near": Neighbourhood.cited_by_near,
    "cited by nearest": Neighbourhood.cited_by_nearest,
    "cites near": Neighbourhood.cites_near,
    "co-cited": Neighbourhood.co_cited,
    "coupled": Neighbourhood.coupled,
    "named by near": Neighbourhood.named_by_near,
    "cited by same people": Neighbourhood.cited_by_same_people,
}


def _row(table: csr_array, row: int) -> np.ndarray:
    columns: np.ndarray = table.indices[table.indptr[row] : table.indptr[row + 1]]
    return columns


def _sharpened(weights: np.ndarray, power: int) -> np.ndarray:
    """Weights relative to the largest, to a power that favours large ones."""
    largest = float(weights.max(initial=0.0))
    return (weights / largest) ** power if largest > 0 else np.zeros_like(weights)


def _split(values: np.ndarray, whole: float) -> np.ndarray:
    """A number split in proportion to some values."""
    total = float(values.sum())
    parts: np.ndarray = values * (whole / total) if total > 0 else np.zeros(len(values))
    return parts
