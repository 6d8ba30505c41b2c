"""Fusion of channels into one score: a weighted sum of signals, or the sum of reciprocal ranks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import ClassVar

import numpy as np

from foreart.search.ranking.signals import CHANNELS, Signals
from foreart.search.score_parts import FusionKind, Part

# Cormack, Clarke and Büttcher 2009.
RRF_CONSTANT = 60.0


class Fusion(ABC):
    """Turns signals into scores, and says what each channel contributed."""

    kind: ClassVar[FusionKind]
    # Whether the contribution of a channel is a weighted sum of its signals.
    linear: ClassVar[bool] = False

    @abstractmethod
    def scores(self, signals: Signals, known: Signals) -> np.ndarray:
        """The scores of documents; ranks are those among the `known` candidates."""

    @abstractmethod
    def contributions(self, signals: Signals, known: Signals, row: int) -> Mapping[str, float]:
        """What each channel contributes to the score of a row: these sum to it."""

    def exact_contribution(self, signals: Signals, part: Part, row: int) -> float:
        """What a channel contributes, in the precision in which scores are summed."""
        return part.contribution

    @abstractmethod
    def split(self, values: Mapping[str, np.ndarray], contribution: float) -> np.ndarray:
        """The contribution of a channel split over near documents, by what each is of each signal's value."""

    def ranked(self, signals: Signals) -> Mapping[str, str]:
        """The signal that gives a document's rank in each channel: its first."""
        return _first(signals)


@dataclass(frozen=True, slots=True, eq=False)
class Weighted(Fusion):
    """A weight for each signal; a signal that was not there when weights were learned has none."""

    kind: ClassVar[FusionKind] = "learned"
    linear: ClassVar[bool] = True
    weights: Mapping[str, float]

    def scores(self, signals: Signals, known: Signals) -> np.ndarray:
        """The weighted sum of signals."""
        total = np.zeros(len(signals.rows))
        for name, values in signals.columns.items():
            weight = self.weights.get(name, 0.0)
            if weight:
                total += weight * values
        return total

    def contributions(self, signals: Signals, known: Signals, row: int) -> Mapping[str, float]:
        """The weighted signals of each channel, summed."""
        added: dict[str, float] = {}
        place = signals.place(row)
        for name, values in signals.columns.items():
            weight = self.weights.get(name, 0.0)
            channel = signals.channels[name]
            added[channel] = added.get(channel, 0.0) + weight * float(values[place])
        return added

    def exact_contribution(self, signals: Signals, part: Part, row: int) -> float:
        """The weighted signals of a channel; single-precision signals are multiplied in single precision."""
        names = (name for name, channel in signals.channels.items() if channel == part.channel)
        columns, place = signals.columns, signals.place(row)
        return fsum(float((self.weights.get(name, 0.0) * columns[name][place : place + 1])[0]) for name in names)

    def split(self, values: Mapping[str, np.ndarray], contribution: float) -> np.ndarray:
        """By the weights of signals."""
        return _weighted_sum(values, {name: self.weights.get(name, 0.0) for name in values})


@dataclass(frozen=True, slots=True, eq=False)
class ReciprocalRanks(Fusion):
    """Reciprocal rank fusion: each channel adds 1 / (60 + rank), and 0 for a document that it does not have.

    Channels that use citations of near documents count `citations` times.
    """

    kind: ClassVar[FusionKind] = "ranks"
    channels: tuple[str, ...]
    citations: float = 1.0

    def scores(self, signals: Signals, known: Signals) -> np.ndarray:
        """The sum over channels."""
        return sum((self._added(name, signals, known) for name in self._used(signals)), np.zeros(len(signals.rows)))

    def contributions(self, signals: Signals, known: Signals, row: int) -> Mapping[str, float]:
        """What each channel's rank contributes."""
        place = signals.place(row)
        return {signals.channels[name]: float(self._added(name, signals, known)[place]) for name in self._used(signals)}

    def split(self, values: Mapping[str, np.ndarray], contribution: float) -> np.ndarray:
        """In proportion to the signals that are ranked."""
        parts = _weighted_sum(values, {name: float(name in self.channels) for name in values})
        total = float(parts.sum())
        return parts * (contribution / total) if total > 0 else parts

    def ranked(self, signals: Signals) -> Mapping[str, str]:
        """The signal whose ranks are added."""
        return {signals.channels[name]: name for name in self._used(signals)}

    def _used(self, signals: Signals) -> Sequence[str]:
        return [name for name in self.channels if name in signals.columns]

    def _added(self, name: str, signals: Signals, known: Signals) -> np.ndarray:
        times = self.citations if CHANNELS[signals.channels[name]].citations else 1.0
        places = ranks(signals.columns[name], known.columns[name])
        return np.where(places > 0, times / (RRF_CONSTANT + places), 0.0)


def ranks(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """The rank that documents with these values have among `known` values above 0; 1 is best.

    A document without a value has the rank 0.
    """
    order = np.sort(-known[known > 0])
    places = np.searchsorted(order, -values, side="left") + 1
    found: np.ndarray = np.where(values > 0, places, 0)
    return found


def parts(fusion: Fusion, signals: Signals, known: Signals, row: int) -> tuple[Part, ...]:
    """The contributions of channels, largest first, with the value of each channel's first signal, and its rank."""
    first, ranked = _first(signals), fusion.ranked(signals)
    place = signals.place(row)
    made = []
    for channel, added in fusion.contributions(signals, known, row).items():
        name = ranked[channel]
        value = signals.columns[name][place]
        rank = int(np.count_nonzero(known.columns[name] > value)) + 1 if value > 0 else 0
        made.append(Part(channel, rank, float(signals.columns[first[channel]][place]), added))
    return tuple(sorted(made, key=lambda part: (-abs(part.contribution), part.channel)))


def _first(signals: Signals) -> dict[str, str]:
    first: dict[str, str] = {}
    for name, channel in signals.channels.items():
        first.setdefault(channel, name)
    return first


def _weighted_sum(values: Mapping[str, np.ndarray], weights: Mapping[str, float]) -> np.ndarray:
    total = np.zeros(len(next(iter(values.values()))))
    for name, column in values.items():
        total += weights[name] * column
    return total
