"""What the citations of near documents say: the signals of documents that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from foreart.search.ranking.near.citation_graph import CitationGraph
from foreart.search.ranking.near.draft_query import DraftQuery
from foreart.search.ranking.near.nearest import NEAREST, WALKED, citation_walk, nearest_weights, text_similarity
from foreart.search.ranking.near.sparse_columns import SparseColumn, along, column_of, counted, lengths
from foreart.search.ranking.text_channels import LEARNED_CHANNELS

# How many of the nearest documents are searched for the best one that cites a document.
_BEST = 100
# Pseudocount of a share, as if one more near document cited something else: a single neighbour proves little.
_OTHERS = 1.0


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
        products = self.query.texts.products(self._rotated, rows)
        return {name: products[LEARNED_CHANNELS[name]] for name in self.vectors}

    @cached_property
    def rows(self) -> np.ndarray:
        """The nearest known documents by any text channel and by learned similarity, ascending."""
        lists = self._similar(self.depth, self.query.known) if self.depth else []
        return np.unique(np.concatenate([self.query.rows, *lists]))

    def nearest(self, k: int, allowed: np.ndarray) -> np.ndarray:
        """The k best allowed documents of each text channel and by learned similarity, ascending."""
        return np.unique(np.concatenate([self.query.texts.nearest(k, allowed), *self._similar(k, allowed)]))

    def _similar(self, k: int, allowed: np.ndarray) -> list[np.ndarray]:
        return self.query.texts.nearest_products(self._rotated, k, allowed)

    @cached_property
    def _rotated(self) -> dict[str, np.ndarray]:
        """The vectors by the text channel whose rows they are compared with."""
        return {LEARNED_CHANNELS[name]: vector for name, vector in self.vectors.items()}

    @cached_property
    def by_text(self) -> dict[int, SparseColumn]:
        """The nearest documents by the similarity of texts."""
        features = self.query.listed
        return nearest_weights(features.rows, text_similarity(features), features.known)

    @cached_property
    def by_similarity(self) -> dict[int, SparseColumn]:
        """The nearest documents by learned similarity; none if it was not learned."""
        if not self.vectors:
            return {}
        similar = np.sum(list(self.similarity(self.rows).values()), axis=0)
        return nearest_weights(self.rows, similar, self.query.known[self.rows])

    @cached_property
    def walk(self) -> SparseColumn:
        """The share of a walk along citations from the nearest texts that is at each document."""
        return citation_walk(self.by_text[WALKED], self.query.known, self.graph)

    @cached_property
    def evidence(self) -> SparseColumn:
        """By near document, minus the logarithm of the chance that none of its citations is one of the draft."""
        return self.share.with_values(-np.log1p(-np.minimum(self.share.values, 0.999)))

    @cached_property
    def sharp(self) -> SparseColumn:
        """The neighbours by how likely they are coupled, the likeliest far ahead."""
        return _sharpened(self.likely, 4)

    @cached_property
    def once(self) -> SparseColumn:
        """The neighbours by the share of citations that they may have in common, relative to the largest."""
        return _sharpened(self.share, 1)

    @cached_property
    def twice(self) -> SparseColumn:
        """The same, squared."""
        return _sharpened(self.share, 2)

    def worths(self, numbers: np.ndarray) -> np.ndarray:
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
        shares = {"share": self.once, "share of nearest": self.twice, "share of likely": self.sharp}
        best = self._best()
        evidence = self._cited_by(self.evidence)
        return {
            **{
                (near, f"{near}, {name}"): _divided(self._cited_by(weights), _OTHERS + float(weights.values.sum()))
                for name, weights in shares.items()
            },
            (near, f"{near}, sum"): _logarithm(self._cited_by(self.twice)),
            (near, f"{near}, evidence"): evidence.with_values(np.log1p(-100.0 * np.expm1(-evidence.values))),
            (nearest, nearest): best,
            (nearest, f"{nearest}, relative"): _divided(best, max(1e-9, best.largest)),
            ("cites near", "cites near"): _logarithm(along(self.graph.cited_by, self.sharp)),
            ("co-cited", "co-cited"): _logarithm(self._cited_by(self.citing_near())),
            ("coupled", "coupled"): _logarithm(self._coupled()),
            ("named by near", "named by near"): _logarithm(along(self.graph.names, self.sharp)),
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

    def citing_near(self) -> SparseColumn:
        """The known documents that cite near ones, by how much; those that cite a hundred others say little by it."""
        citing = along(self.graph.cited_by, self.sharp).only(self.query.known)
        return _divided(citing, np.sqrt(1.0 + lengths(self.graph.cites, citing.rows)))

    def _coupled(self) -> SparseColumn:
        """The documents that cite what near ones cite, in the corpus or not."""
        numbers = along(self.graph.lists, self.sharp)
        weighted = numbers.with_values(numbers.values * self.worths(numbers.rows))
        citing = along(self.graph.listed_by, weighted)
        return _divided(citing, np.sqrt(1.0 + lengths(self.graph.lists, citing.rows)))

    def _nearest_signals(self) -> dict[tuple[str, str], SparseColumn]:
        """What the nearest documents cite, and what cites them, by text and by learned similarity."""
        columns: dict[tuple[str, str], SparseColumn] = {}
        for kind, weights in (("texts", self.by_text), ("alike", self.by_similarity)):
            for number in NEAREST if weights else ():
                columns["cited by near", f"cited by near, {number} {kind}"] = self._cited_by(weights[number])
            if weights:
                citing = along(self.graph.cited_by, weights[WALKED])
                dampened = _divided(citing, np.sqrt(1.0 + lengths(self.graph.cites, citing.rows)))
                columns["cites near", f"cites near, {WALKED} {kind}"] = dampened
        return columns

    def nearest_citing(self) -> SparseColumn:
        """The neighbours of which the best that cites a document counts."""
        rows = self.likely.best(_BEST, np.ones(len(self.graph), dtype=bool))
        return column_of(rows, self.likely.at(rows))

    def _best(self) -> SparseColumn:
        """For each document the weight of the best of the nearest documents that cite it."""
        return along(self.graph.cites, self.nearest_citing(), np.maximum.reduceat)


def _sharpened(weights: SparseColumn, power: int) -> SparseColumn:
    """Weights relative to the largest, to a power that favours large ones."""
    return weights.with_values((weights.values / weights.largest) ** power) if weights.largest > 0 else weights


def _logarithm(column: SparseColumn) -> SparseColumn:
    return column.with_values(np.log1p(column.values))


def _divided(column: SparseColumn, divisor: float | np.ndarray) -> SparseColumn:
    return column.with_values(column.values / divisor)
