"""Fits the weights of channels to training queries, some of which may be held out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from foreart.learning.examples import Example, Examples
from foreart.search.ranking import (
    CHANNELS,
    DEPTH,
    LEARNED_CHANNELS,
    CitationGraph,
    Hubs,
    Neighbourhood,
    SignalModels,
    Signals,
    SparseColumn,
    Weighted,
    candidate_rows,
    fit_logistic,
    of_citations,
    signals,
)

# The strongest penalty that still ranked best on held-out documents.
PENALTY = 0.03
# Negative examples: the documents that each leading channel ranks first, and a random sample.
_FIRST, _RANDOM = 70, 150
_LEADING = (("cited by near", "cited by near, sum"), ("cites near", "cites near"))
# A cited document counts less in a long list, and others as those of a list of this length.
_TYPICAL = 10
# Signals without a weight: values that cannot be compared between drafts (their relative forms can), and hubs, which
# the other signals make superfluous.
UNWEIGHTED = frozenset({"words", "bm25", "counts", "topics", "hub"})


@dataclass(frozen=True, slots=True, eq=False)
class TrainingRows:
    """Signals of documents, one column per name, whether each is cited, and its weight in training."""

    names: tuple[str, ...]
    signs: tuple[int, ...]
    values: np.ndarray
    cited: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Neighboured:
    """An example with its neighbourhood."""

    example: Example
    near: Neighbourhood


class Trainer:
    """Makes signals of examples with models that did not see them, and fits weights to these."""

    def __init__(self, examples: Examples, hubs: Hubs, channels: Collection[str], seed: int) -> None:
        self._examples, self._hubs, self._channels, self._seed = examples, hubs, frozenset(channels), seed

    @property
    def labels(self) -> CitationGraph:
        """The citations that are learned from."""
        return self._examples.labels

    def neighboured(self, row: int, models: SignalModels) -> list[Neighboured]:
        """The examples of a query, warm and cold, with neighbours by models that were learned without it."""
        neighbourhood = self._examples.inputs.neighbourhood
        return [
            Neighboured(example, neighbourhood(example.query, models, depth=DEPTH))
            for example in self._examples.both(row)
        ]

    def candidates(self, item: Neighboured) -> Signals:
        """The signals of the candidates of an example, which a search would rank."""
        return signals(item.near, candidate_rows(item.near, item.example.query.known), self._hubs)

    def rows(self, item: Neighboured) -> TrainingRows:
        """The training rows of one example."""
        example = item.example
        rows = self._sampled(item)
        found = signals(item.near, rows, self._hubs)
        names = tuple(
            name for name, channel in found.channels.items() if channel in self._channels and name not in UNWEIGHTED
        )
        signs = tuple(CHANNELS[found.channels[name]].sign for name in names)
        values = np.stack([found.columns[name] for name in names], axis=1).astype(np.float32)
        cited = np.isin(rows, example.relevant)
        weights = np.where(cited, 1.0 / np.sqrt(max(1, len(example.relevant))), 1.0 / np.sqrt(_TYPICAL))
        return TrainingRows(names, signs, values, cited, example.weight * weights)

    def _sampled(self, item: Neighboured) -> np.ndarray:
        """The cited documents, those that text or citations rank first, and a sample of the others."""
        example, query = item.example, item.example.query
        other = query.known.copy()
        other[example.relevant] = False
        others = np.flatnonzero(other)
        nearest = SparseColumn(query.rows, query.listed.near)
        columns = [nearest, *(item.near.signals[key] for key in _LEADING)]
        random = np.random.default_rng([self._seed, example.row])
        sampled = random.choice(others, min(len(others), _RANDOM), replace=False)
        return np.unique(np.concatenate([example.relevant, *(each.best(_FIRST, other) for each in columns), sampled]))


def fit_weights(tables: Sequence[TrainingRows], *, similarity: bool = True) -> Weighted:
    """Fits weights to training rows, with or without the signals of learned similarity."""
    names = tables[0].names
    kept = [place for place, name in enumerate(names) if similarity or not of_similarity(name)]
    fitted = fit_logistic(
        np.concatenate([table.values[:, kept] for table in tables]).astype(np.float64),
        np.concatenate([table.cited for table in tables]).astype(float),
        [names[place] for place in kept],
        signs=[tables[0].signs[place] for place in kept],
        penalty=PENALTY,
        weights=np.concatenate([table.weights for table in tables]),
    )
    weights: Mapping[str, float] = dict(zip(fitted.names, fitted.weights.tolist(), strict=True))
    return Weighted(weights)


def of_similarity(signal: str) -> bool:
    """Whether a signal uses learned similarity."""
    return signal in LEARNED_CHANNELS or (of_citations(signal) and signal.endswith(" alike"))
