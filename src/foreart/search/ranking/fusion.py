"""How channels become one score: a weighted sum of signals, or the sum of inverse ranks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from foreart.search.ranker import Part
from foreart.search.ranking.signals import CHANNELS, Signals

# Cormack, Clarke and Büttcher 2009.
RRF_CONSTANT = 60.0


class Fusion(ABC):
    """Turns signals into scores, and says what each channel added."""

    @abstractmethod
    def scores(self, found: Signals, known: np.ndarray) -> np.ndarray:
        """The score of every document; ranks are those among the known."""

    @abstractmethod
    def contributions(self, found: Signals, known: np.ndarray, row: int) -> Mapping[str, float]:
        """What each channel adds to the score of a row: these sum to it."""

    def ranked(self, found: Signals) -> Mapping[str, str]:
        """The signal by which the place of a document in each channel is told: its first."""
        return _first(found)


@dataclass(frozen=True, slots=True, eq=False)
class Weighted(Fusion):
    """A weight for each signal. Signals that were not there when weights were learned count nothing."""

    weights: Mapping[str, float]

    def scores(self, found: Signals, known: np.ndarray) -> np.ndarray:
        """The weighted sum of signals."""
        total = np.zeros(len(known))
        for name, values in found.columns.items():
            weight = self.weights.get(name, 0.0)
            if weight:
                total += weight * values
        return total

    def contributions(self, found: Signals, known: np.ndarray, row: int) -> Mapping[str, float]:
        """The weighted signals of each channel, added."""
        added: dict[str, float] = {}
        for name, values in found.columns.items():
            weight = self.weights.get(name, 0.0)
            channel = found.channels[name]
            added[channel] = added.get(channel, 0.0) + weight * float(values[row])
        return added


@dataclass(frozen=True, slots=True, eq=False)
class ReciprocalRanks(Fusion):
    """Reciprocal rank fusion: each channel adds 1 / (60 + rank); a document that a channel does not have gets nothing.

    A channel that knows the citations of near documents counts `citations` times.
    """

    channels: tuple[str, ...]
    citations: float = 1.0

    def scores(self, found: Signals, known: np.ndarray) -> np.ndarray:
        """The sum over channels."""
        return sum((self._added(name, found, known) for name in self._signals(found)), np.zeros(len(known)))

    def contributions(self, found: Signals, known: np.ndarray, row: int) -> Mapping[str, float]:
        """What each channel's rank adds."""
        return {found.channels[name]: float(self._added(name, found, known)[row]) for name in self._signals(found)}

    def ranked(self, found: Signals) -> Mapping[str, str]:
        """The signal whose ranks are added."""
        return {found.channels[name]: name for name in self._signals(found)}

    def _signals(self, found: Signals) -> Sequence[str]:
        return [name for name in self.channels if name in found.columns]

    def _added(self, name: str, found: Signals, known: np.ndarray) -> np.ndarray:
        values = found.columns[name]
        times = self.citations if CHANNELS[found.channels[name]].citations else 1.0
        places = ranks(values, known)
        return np.where(places > 0, times / (RRF_CONSTANT + places), 0.0)


def ranks(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """The place of each document among the known that have a value above 0; 1 is best.

    Documents that are not known have the place they would have; one without a value has 0.
    """
    order = np.sort(-values[known & (values > 0)])
    places = np.searchsorted(order, -values, side="left") + 1
    found: np.ndarray = np.where(values > 0, places, 0)
    return found


def rank(values: np.ndarray, known: np.ndarray, row: int) -> int:
    """The place of one document, as `ranks` has it."""
    value = values[row]
    return int(np.count_nonzero(known & (values > value))) + 1 if value > 0 else 0


def parts(fusion: Fusion, found: Signals, known: np.ndarray, row: int) -> tuple[Part, ...]:
    """The contributions of channels, greatest first, with the value of each channel's first signal, and its rank."""
    first, ranked = _first(found), fusion.ranked(found)
    made = []
    for channel, added in fusion.contributions(found, known, row).items():
        place = rank(found.columns[ranked[channel]], known, row)
        made.append(Part(channel, place, float(found.columns[first[channel]][row]), added))
    return tuple(sorted(made, key=lambda part: (-abs(part.contribution), part.channel)))


def _first(found: Signals) -> dict[str, str]:
    first: dict[str, str] = {}
    for name, channel in found.channels.items():
        first.setdefault(channel, name)
    return first
