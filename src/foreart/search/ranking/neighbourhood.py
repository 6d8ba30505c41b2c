"""What the citations of near documents say: signals of documents, and the near documents behind those of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from foreart.search.ranking.citation_graph import CitationGraph
from foreart.search.ranking.draft_query import DraftQuery
from foreart.search.ranking.nearest import NEAREST, WALKED, citation_walk, nearest_weights, text_similarity
from foreart.search.ranking.sparse_columns import SparseColumn, along, column_of, counted, linked
from foreart.search.ranking.text_channels import LEARNED_CHANNELS

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

    `vectors` are the rows of the draft under learned similarity, by channel, if it was learned: the product with the
    row of a document is their similarity. `depth` is the number of documents that each channel gives; 0 means that the
    query's rows are all known documents.
    """

    query: DraftQuery
    likely: SparseColumn
    share: SparseColumn
    vectors: Mapping[str, np.ndarray] = field(default_factory=dict)
    depth: int = 0

    @property
    def graph(self) -> CitationGraph:
        """The links between documents."""
        return self.query.graph

    def similarity(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """The learned similarity of some documents by channel; nothing if it was not learned."""
        texts = self.query.texts
        return {name: texts.products(LEARNED_CHANNELS[name], vector, rows) for name, vector in self.vectors.items()}

    @cached_property
    def rows(self) -> np.ndarray:
        """The nearest known documents by any text channel and by learned similarity, ascending."""
        lists = self._similar(self.depth, self.query.known) if self.depth else []
        return np.unique(np.concatenate([self.query.rows, *lists]))

    def nearest(self, k: int, allowed: np.ndarray) -> np.ndarray:
        """The k best allowed documents of each text channel and by learned similarity, ascending."""
        return np.unique(np.concatenate([self.query.texts.nearest(k, allowed), *self._similar(k, allowed)]))

    def _similar(self, k: int, allowed: np.ndarray) -> list[np.ndarray]:
        nearest = self.query.texts.nearest_products
        return [nearest(LEARNED_CHANNELS[name], vector, k, allowed) for name, vector in self.vectors.items()]

    @cached_property
    def _by_text(self) -> dict[int, SparseColumn]:
        """The nearest documents by the similarity of texts."""
        features = self.query.listed
        return nearest_weights(features.rows, text_similarity(features), features.known)

    @cached_property
    def _by_similarity(self) -> dict[int, SparseColumn]:
        """The nearest documents by learned similarity; none if it was not learned."""
        if not self.vectors:
            return {}
        similar = np.sum(list(self.similarity(self.rows).values()), axis=0)
        return nearest_weights(self.rows, similar, self.query.known[self.rows])

    @cached_property
    def walk(self) -> SparseColumn:
        """The share of a walk along citations from the nearest texts that is at each document."""
        return citation_walk(self._by_text[WALKED], self.query.known, self.graph)

    @cached_property
    def _evidence(self) -> SparseColumn:
        """By near document, minus the logarithm of the chance that none of its citations is one of the draft."""
        return self.share.with_values(-np.log1p(-np.minimum(self.share.values, 0.999)))

    @cached_property
    def _sharp(self) -> SparseColumn:
        return _sharpened(self.likely, 4)

    @cached_property
    def _once(self) -> SparseColumn:
        return _sharpened(self.share, 1)

    @cached_property
    def _twice(self) -> SparseColumn:
        return _sharpened(self.share, 2)

    def _worths(self, numbers: np.ndarray) -> np.ndarray:
        """The weight of cited numbers: the more known documents cite one, the less it says."""
        worths: np.ndarray = 1.0 / np.sqrt(1.0 + counted(self.graph.listed_by, numbers, self.query.known))
        return worths

    def columns(self, rows: np.ndarray) -> dict[tuple[str, str], np.ndarray]:
        """The signals of all citation channels for some documents, by channel and signal."""
        columns = {key: column.at(rows) for key, column in self.signals.items()}
        cited = counted(self.graph.cited_by, rows, self.query.known)
        return {**columns, ("often cited", "often cited"): np.log1p(cited)}

    @cached_property
    def signals(self) -> dict[tuple[str, str], SparseColumn]:
        """The same for all documents, but for the number of citations, which every document has."""
        near, nearest = "cited by near", "cited by nearest"
        shares = {"share": self._once, "share of nearest": self._twice, "share of likely": self._sharp}
        best = self._best()
        evidence = self._cited_by(self._evidence)
        return {
            **{
                (near, f"{near}, {name}"): _divided(self._cited_by(weights), _OTHERS + float(weights.values.sum()))
                for name, weights in shares.items()
            },
            (near, f"{near}, sum"): _logarithm(self._cited_by(self._twice)),
            (near, f"{near}, evidence"): evidence.with_values(np.log1p(-100.0 * np.expm1(-evidence.values))),
            (nearest, nearest): best,
            (nearest, f"{nearest}, relative"): _divided(best, max(1e-9, best.largest)),
            ("cites near", "cites near"): _logarithm(along(self.graph.cited_by, self._sharp)),
            ("co-cited", "co-cited"): _logarithm(self._cited_by(self._citing_near())),
            ("coupled", "coupled"): _logarithm(self._coupled()),
            ("named by near", "named by near"): _logarithm(along(self.graph.names, self._sharp)),
            ("citation walk", "citation walk"): self.walk.with_values(np.log1p(1000.0 * self.walk.values)),
            **{
                ("cited by same people", f"cited by same people, {name}"): _logarithm(
                    self._cited_by(column.only(self.query.known))
                )
                for name, column in self.query.people.items()
            },
            **self._nearest_signals(),
        }

    def _cited_by(self, weights: SparseColumn) -> SparseColumn:
        """The summed weights of the documents that cite each document."""
        return along(self.graph.cites, weights)

    def _citing_near(self) -> SparseColumn:
        """The known documents that cite near ones, by how much; those that cite a hundred others say little by it."""
        citing = along(self.graph.cited_by, self._sharp).only(self.query.known)
        return _divided(citing, np.sqrt(1.0 + np.diff(self.graph.cites.indptr)[citing.rows]))

    def _coupled(self) -> SparseColumn:
        """The documents that cite what near ones cite, in the corpus or not."""
        numbers = along(self.graph.lists, self._sharp)
        weighted = numbers.with_values(numbers.values * self._worths(numbers.rows))
        citing = along(self.graph.listed_by, weighted)
        return _divided(citing, np.sqrt(1.0 + np.diff(self.graph.lists.indptr)[citing.rows]))

    def _nearest_signals(self) -> dict[tuple[str, str], SparseColumn]:
        """What the nearest documents cite, and what cites them, by text and by learned similarity."""
        lengths = np.diff(self.graph.cites.indptr)
        columns: dict[tuple[str, str], SparseColumn] = {}
        for kind, weights in (("texts", self._by_text), ("alike", self._by_similarity)):
            for number in NEAREST if weights else ():
                columns["cited by near", f"cited by near, {number} {kind}"] = self._cited_by(weights[number])
            if weights:
                citing = along(self.graph.cited_by, weights[WALKED])
                dampened = _divided(citing, np.sqrt(1.0 + lengths[citing.rows]))
                columns["cites near", f"cites near, {WALKED} {kind}"] = dampened
        return columns

    def _nearest_citing(self) -> SparseColumn:
        """The neighbours of which the best that cites a document counts."""
        rows = self.likely.best(_BEST, np.ones(len(self.graph), dtype=bool))
        return column_of(rows, self.likely.at(rows))

    def _best(self) -> SparseColumn:
        """For each document the weight of the best of the nearest documents that cite it."""
        return along(self.graph.cites, self._nearest_citing(), np.maximum.reduceat)

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
            "cited by near, share": self._once.at(rows),
            "cited by near, share of nearest": self._twice.at(rows),
            "cited by near, sum": self._twice.at(rows),
            "cited by near, share of likely": self._sharp.at(rows),
            "cited by near, evidence": self._evidence.at(rows),
            **{f"cited by near, {number} texts": weights.at(rows) for number, weights in self._by_text.items()},
            **{f"cited by near, {number} alike": weights.at(rows) for number, weights in self._by_similarity.items()},
        }

    def cited_by_nearest(self, row: int) -> _Raw:
        """The nearest document that cites it, which alone counts."""
        nearest = self._nearest_citing()
        weights = nearest.with_values(
            np.where(np.isin(nearest.rows, _row(self.graph.cited_by, row)), nearest.values, 0.0)
        )
        rows = weights.best(1, np.ones(len(self.graph), dtype=bool))
        return rows, {name: weights.at(rows) for name in ("cited by nearest", "cited by nearest, relative")}

    def cites_near(self, row: int) -> _Raw:
        """The near documents that it cites."""
        rows = _row(self.graph.cites, row)
        nearest = {"texts": self._by_text, "alike": self._by_similarity}
        return rows, {
            "cites near": self._sharp.at(rows),
            **{
                f"cites near, {WALKED} {kind}": weights[WALKED].at(rows) for kind, weights in nearest.items() if weights
            },
        }

    def cited_by_same_people(self, row: int) -> _Raw:
        """The known documents of the same applicant or inventor that cite it."""
        rows = _row(self.graph.cited_by, row)
        people = self.query.people
        rows = rows[self.query.known[rows] & (np.sum([column.at(rows) for column in people.values()], axis=0) > 0)]
        return rows, {f"cited by same people, {name}": column.at(rows) for name, column in people.items()}

    def co_cited(self, row: int) -> _Raw:
        """Known documents that cite it together with near ones."""
        rows = _row(self.graph.cited_by, row)
        return rows, {"co-cited": self._citing_near().at(rows)}

    def coupled(self, row: int) -> _Raw:
        """Near documents that cite what it cites; rarely cited numbers count more."""
        numbers = _row(self.graph.lists, row).astype(np.int64)
        worth = SparseColumn(numbers, self._worths(numbers))
        rows = self._sharp.rows[self._sharp.values > 0]
        sources, cited = linked(self.graph.lists, rows)
        common = np.bincount(sources, weights=worth.at(cited), minlength=len(rows))
        return rows, {"coupled": common * self._sharp.at(rows)}

    def named_by_near(self, row: int) -> _Raw:
        """The near documents that name it in their text."""
        rows = _row(self.graph.named_by, row)
        return rows, {"named by near": self._sharp.at(rows)}

    def words_of(self, rows: np.ndarray) -> dict[int, float]:
        """The similarity of words of some documents, by row."""
        ascending = np.unique(rows)
        return dict(zip(ascending.tolist(), self.query.texts.scores_of(ascending)["words"].tolist(), strict=True))

    def cited_together(self, row: int, citing: int) -> list[int]:
        """The near documents that a document cites along with another, nearest to the draft first."""
        cited = _row(self.graph.cites, citing)
        others = cited[(cited != row) & (self._sharp.at(cited) > 0)]
        ordered: list[int] = others[np.argsort(-self._sharp.at(others), kind="stable")].tolist()
        return ordered

    def common_citations(self, row: int, other: int) -> int:
        """How many citations two documents share."""
        lists = self.graph.lists
        return len(np.intersect1d(_row(lists, row), _row(lists, other)))

    def known_citing(self, row: int) -> int:
        """How many known documents cite it."""
        return int(self.query.known[_row(self.graph.cited_by, row)].sum())


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


def _sharpened(weights: SparseColumn, power: int) -> SparseColumn:
    """Weights relative to the largest, to a power that favours large ones."""
    return weights.with_values((weights.values / weights.largest) ** power) if weights.largest > 0 else weights


def _logarithm(column: SparseColumn) -> SparseColumn:
    return column.with_values(np.log1p(column.values))


def _divided(column: SparseColumn, divisor: float | np.ndarray) -> SparseColumn:
    return column.with_values(column.values / divisor)


def _split(values: np.ndarray, whole: float) -> np.ndarray:
    """A number split in proportion to some values."""
    total = float(values.sum())
    parts: np.ndarray = values * (whole / total) if total > 0 else np.zeros(len(values))
    return parts
