"""Fits the weights of channels and neighbours to training queries, some of which may be held out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foreart.learning.examples import Example, Examples
from foreart.learning.training_queries import TrainingQueries
from foreart.search.ranking import (
    CHANNELS,
    NeighbourExample,
    Neighbours,
    Signals,
    Weighted,
    fit_logistic,
    fit_neighbours,
)

# The strongest penalty that still ranked best on held-out documents.
PENALTY = 0.03
# Negative examples: the documents that each leading channel ranks first, and a random sample.
_FIRST, _RANDOM = 100, 150
_LEADING = ("cited by near, sum", "cites near")


@dataclass(frozen=True, slots=True, eq=False)
class TrainingRows:
    """Signals of documents, one column per name, and whether each document is cited."""

    names: tuple[str, ...]
    signs: tuple[int, ...]
    values: np.ndarray
    cited: np.ndarray


class Trainer:
    """Fits models to training queries and their examples of neighbours."""

    def __init__(
        self,
        examples: Examples,
        queries: TrainingQueries,
        neighbours: dict[int, NeighbourExample],
        hubs: np.ndarray,
        channels: frozenset[str],
        seed: int,
    ) -> None:
        self._examples, self._queries, self._neighbours, self._hubs = examples, queries, neighbours, hubs
        self._channels, self._seed = channels, seed

    def fit(self, held_out: set[int]) -> tuple[Neighbours | None, Weighted]:
        """Fits both models without the held-out queries; no model of neighbours if no other query has any."""
        known = [item for row, item in self._neighbours.items() if row not in held_out]
        neighbours = fit_neighbours(known) if known else None
        tables = [self.rows(row, neighbours) for row in self._queries.ranked if row not in held_out]
        values, cited = (
            np.concatenate([table.values for table in tables]),
            np.concatenate([table.cited for table in tables]),
        )
        names, signs = tables[0].names, tables[0].signs
        fitted = fit_logistic(values, cited.astype(float), names, signs=signs, penalty=PENALTY)
        return neighbours, Weighted(dict(zip(names, fitted.weights.tolist(), strict=True)))

    def scored(self, row: int, neighbours: Neighbours | None, weights: Weighted) -> tuple[Example, np.ndarray]:
        """The example of a query, and the scores of all documents."""
        example = self._examples[row]
        signals = self._examples.signals(example, neighbours, self._hubs)
        return example, weights.scores(signals, example.features.known)

    def rows(self, row: int, neighbours: Neighbours | None) -> TrainingRows:
        """The training rows of one query."""
        example = self._examples[row]
        signals = self._examples.signals(example, neighbours, self._hubs)
        rows = self._sampled(example, signals)
        names = tuple(name for name, channel in signals.channels.items() if channel in self._channels)
        signs = tuple(CHANNELS[signals.channels[name]].sign for name in names)
        values = np.stack([signals.columns[name][rows] for name in names], axis=1)
        return TrainingRows(names, signs, values, np.isin(rows, example.relevant))

    def _sampled(self, example: Example, signals: Signals) -> np.ndarray:
        """The cited documents, those that text or citations rank first, and a sample of the others."""
        others = np.setdiff1d(np.flatnonzero(example.features.known), example.relevant)
        leading = [example.features.near, *(signals.columns[name] for name in _LEADING)]
        first = [others[np.argsort(-values[others], kind="stable")[:_FIRST]] for values in leading]
        random = np.random.default_rng([self._seed, example.row])
        sampled = random.choice(others, min(len(others), _RANDOM), replace=False)
        return np.unique(np.concatenate([example.relevant, *first, sampled]))
