"""A draft as a query in one scope: its features for any documents, relative to the nearest of those that are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from foreart.identifiers.date_spans import EARLIEST
from foreart.search.ranking.near.citation_graph import CitationGraph
from foreart.search.ranking.near.sparse_columns import SparseColumn, along, ones
from foreart.search.ranking.query_forms import QueryForms

# The channels whose mean says how near a document is.
LEADING = ("words", "brief", "topics")
# Places are counted up to this one, which candidates hold. Behind it the order goes on by how near a document is, as if
# places grew with this power of the distance, up to a limit: the same whether all documents are compared or some.
ORDERED = 500
_GROWTH, _FURTHEST = 2.0, 4.0
_YEAR = 365.25


class TextSource(Protocol):
    """The text channels of one draft: `text_channels.ChannelQueries`."""

    def scores_of(self, rows: np.ndarray) -> Mapping[str, np.ndarray]:
        """The scores of some rows, ascending, in every channel; never negative."""

    def nearest(self, k: int, allowed: np.ndarray, channels: Sequence[str] | None = None) -> np.ndarray:
        """The union of the k best allowed rows of each channel, or of some, ascending."""

    def vectors(self) -> Mapping[str, np.ndarray]:
        """The unit row of the draft in each channel whose similarity can be learned."""

    def products(self, vectors: Mapping[str, np.ndarray], rows: np.ndarray) -> Mapping[str, np.ndarray]:
        """The dot products of documents' rows in some channels with a vector for each."""

    def nearest_products(self, vectors: Mapping[str, np.ndarray], k: int, allowed: np.ndarray) -> list[np.ndarray]:
        """The k allowed rows with the largest products with each vector."""


@dataclass(frozen=True, slots=True, eq=False)
class DraftFeatures:
    """A draft compared with some documents by text, people and numbers, before any citation is used.

    `rows` are the documents, ascending, and all other arrays are by their place there. `texts` are scores by channel,
    `relative` the same divided by the largest of a known document, `near` the mean of words, brief and topics, `order`
    minus the logarithm of the place that it gives; documents that are not known are behind all others. `known` marks
    the documents that may be used.
    """

    rows: np.ndarray
    texts: Mapping[str, np.ndarray]
    relative: Mapping[str, np.ndarray]
    near: np.ndarray
    order: np.ndarray
    known: np.ndarray
    people: Mapping[str, np.ndarray]
    shared_numbers: np.ndarray
    named: np.ndarray
    ages: np.ndarray

    def place_of(self, rows: np.ndarray) -> np.ndarray:
        """Where some rows are in `rows`."""
        places: np.ndarray = np.searchsorted(self.rows, rows)
        return places


@dataclass(frozen=True, eq=False)
class DraftQuery:
    """A draft, the documents that are known to it (a mask), and the date it has.

    `rows` are the nearest known documents by any text channel, ascending: what is relative is relative to these.
    """

    texts: TextSource
    forms: QueryForms
    graph: CitationGraph
    known: np.ndarray
    day: int
    rows: np.ndarray

    @cached_property
    def listed(self) -> DraftFeatures:
        """The features of the nearest known documents."""
        return self.features(self.rows)

    def features(self, rows: np.ndarray) -> DraftFeatures:
        """The features of any documents, in ascending order."""
        texts = self.texts.scores_of(rows)
        relative = {name: _quotient(scores, self._largest[name]) for name, scores in texts.items()}
        near = _mean(relative)
        return DraftFeatures(
            rows=rows,
            texts=texts,
            relative=relative,
            near=near,
            order=np.where(self.known[rows], self._order(near), -np.log1p(ORDERED) - _FURTHEST),
            known=self.known[rows],
            people={name: column.at(rows) for name, column in self.people.items()},
            shared_numbers=self.shared_numbers.at(rows),
            named=self.named.at(rows),
            ages=ages(self.graph.view.days[rows], self.day, undated=self.graph.typical_day),
        )

    def _order(self, near: np.ndarray) -> np.ndarray:
        """Minus the logarithm of the place, from 1, among known documents; estimated behind the last one counted."""
        places = len(self._nearest) - np.searchsorted(self._nearest, near, side="right")
        order: np.ndarray = -np.log1p(places)
        behind = places >= ORDERED
        if behind.any():
            share = np.maximum(near[behind] / max(float(self._nearest[0]), 1e-300), np.exp(-_FURTHEST / _GROWTH))
            order[behind] += _GROWTH * np.log(share)
        return order

    @cached_property
    def people(self) -> Mapping[str, SparseColumn]:
        """The documents of the same applicant and of the same inventor."""
        view, forms = self.graph.view, self.forms
        return {
            "applicant": ones(view.applicants.rows_with(forms.applicants)),
            "inventor": ones(view.inventors.rows_with(forms.inventors)),
        }

    @cached_property
    def named(self) -> SparseColumn:
        """The documents that the draft names."""
        return ones(self.graph.view.rows_at(self._numbers))

    @cached_property
    def shared_numbers(self) -> SparseColumn:
        """How many of the numbers that the draft names each document cites, and names: the logarithm."""
        asked = ones(np.unique(self._numbers))
        cited, named = along(self.graph.listed_by, asked), along(self.graph.number_named_by, asked)
        rows = np.union1d(cited.rows, named.rows)
        return SparseColumn(rows, np.log1p(cited.at(rows) + named.at(rows)))

    @cached_property
    def _numbers(self) -> np.ndarray:
        return self.graph.view.positions(self.forms.named)

    @cached_property
    def _largest(self) -> Mapping[str, float]:
        """The largest score of a known document by channel."""
        return {name: float(scores.max(initial=0.0)) for name, scores in self.texts.scores_of(self.rows).items()}

    @cached_property
    def _nearest(self) -> np.ndarray:
        """How near the nearest known documents are, ascending."""
        scores = self.texts.scores_of(self.rows)
        near = _mean({name: _quotient(scores[name], self._largest[name]) for name in scores})
        return np.sort(near)[-ORDERED:]


def _mean(relative: Mapping[str, np.ndarray]) -> np.ndarray:
    near: np.ndarray = np.mean([relative[name] for name in LEADING if name in relative], axis=0)
    return near


def _quotient(scores: np.ndarray, largest: float) -> np.ndarray:
    return scores / largest if largest > 0 else np.zeros_like(scores)


def ages(days: np.ndarray, day: int, *, undated: int) -> np.ndarray:
    """Years from each day to another, 0 at least; a document without a date counts as of the day `undated`."""
    known = np.where(days == EARLIEST, undated, days).astype(np.int64)
    years: np.ndarray = np.maximum(0, day - known) / _YEAR
    return years
