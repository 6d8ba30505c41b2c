"""Fits the weights of channels to training queries, some of which may be held out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from foreart.learning.examples import Example, Examples
from foreart.search.ranking import (
    CHANNELS,
    LEARNED_CHANNELS,
    Neighbourhood,
    SignalModels,
    Signals,
    Weighted,
    fit_logistic,
    of_citations,
    signals,
)

# The strongest penalty that still ranked best on held-out documents.
PENALTY = 0.03
# Negative examples: the documents that each leading channel ranks first, and a random sample.
_FIRST, _RANDOM = 70, 150
_LEADING = ("cited by near, sum", "cites near")
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
class Scored:
    """An example with its neighbourhood and signals."""

    example: Example
    near: Neighbourhood
    signals: Signals


class Trainer:
    """Makes signals of examples with models that did not see them, and fits weights to these."""

    def __init__(self, examples: Examples, hubs: np.ndarray, channels: Collection[str], seed: int) -> None:
        self._examples, self._hubs, self._channels, self._seed = examples, hubs, frozenset(channels), seed

    def scored(self, row: int, models: SignalModels) -> list[Scored]:
        """The examples of a query, warm and cold, with their signals under models that were learned without it."""
        found = []
        for example in self._examples.both(row):
            near = self._examples.inputs.neighbourhood(example.features, models)
            found.append(Scored(example, near, signals(near, example.forms, self._hubs)))
        return found

    def rows(self, scored: Scored) -> TrainingRows:
        """The training rows of one example."""
        example, found = scored.example, scored.signals
        rows = self._sampled(example, found)
        names = tuple(
            name for name, channel in found.channels.items() if channel in self._channels and name not in UNWEIGHTED
        )
        signs = tuple(CHANNELS[found.channels[name]].sign for name in names)
        values = np.stack([found.columns[name][rows] for name in names], axis=1).astype(np.float32)
        cited = np.isin(rows, example.relevant)
        weights = np.where(cited, 1.0 / np.sqrt(max(1, len(example.relevant))), 1.0 / np.sqrt(_TYPICAL))
        return TrainingRows(names, signs, values, cited, example.weight * weights)

    def _sampled(self, example: Example, found: Signals) -> np.ndarray:
        """The cited documents, those that text or citations rank first, and a sample of the others."""
        others = np.setdiff1d(np.flatnonzero(example.features.known), example.relevant)
        leading = [example.features.near, *(found.columns[name] for name in _LEADING)]
        first = [others[np.argsort(-values[others], kind="stable")[:_FIRST]] for values in leading]
        random = np.random.default_rng([self._seed, example.row])
        sampled = random.choice(others, min(len(others), _RANDOM), replace=False)
        return np.unique(np.concatenate([example.relevant, *first, sampled]))


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
