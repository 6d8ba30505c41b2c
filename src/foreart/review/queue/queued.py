"""An entry of the queue: a document with its score, chance and the parts of what judgements add."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum

import numpy as np

from foreart.review.feedback import TOPICS, Reranked

# The name of the channel that judgements add to those of the ranking.
CHANNEL = "your judgements"
# Relations to judged documents in plain words.
WORDS: Mapping[str, str] = {
    "co-cited, relevant": "cited together with documents you found relevant",
    "co-cited, not relevant": "cited together with documents you found not relevant",
    "coupled, relevant": "cites what documents you found relevant cite",
    "coupled, not relevant": "cites what documents you found not relevant cite",
    "linked, relevant": "cites, or is cited by, documents you found relevant",
    "linked, not relevant": "cites, or is cited by, documents you found not relevant",
}
_CLOSER = "its topics are closer to those of documents you found relevant"
_FURTHER = "its topics are closer to those of documents you found not relevant"


@dataclass(frozen=True, slots=True)
class JudgementPart:
    """One part of what judgements add to a score, in plain words."""

    words: str
    contribution: float


@dataclass(frozen=True, slots=True)
class Queued:
    """A document to read. `score` is that of the ranking plus `contribution`, which is the sum of `parts`.

    `chance` of being relevant is what the weights say; `elsewhere` marks a document that is shown because it is unlike
    what was judged.
    """

    id: str
    rank: int
    score: float
    contribution: float
    parts: tuple[JudgementPart, ...]
    chance: float
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class AddedToScore:
    """What judgements add to the score of one document. `rank` is its rank by that alone.

    `prior` is what stands for the score of a ranking that is not learned; None if the score itself counts.
    """

    parts: tuple[JudgementPart, ...]
    rank: int
    prior: float | None = None

    @property
    def contribution(self) -> float:
        """The sum of all parts."""
        return fsum(part.contribution for part in self.parts)


def parts_of(now: Reranked, place: int) -> tuple[JudgementPart, ...]:
    """What judgements add to the score of a place, the largest parts first."""
    shares = ((name, float(values[place])) for name, values in now.parts.items())
    found = [JudgementPart(_words(name, share), share) for name, share in shares if share]
    return tuple(sorted(found, key=lambda part: -abs(part.contribution)))


def _words(name: str, share: float) -> str:
    return (_CLOSER if share > 0 else _FURTHER) if name == TOPICS else WORDS[name]


def queued(number: str, rank: int, prior: float, now: Reranked, place: int, *, elsewhere: bool) -> Queued:
    """One entry of the queue; its numbers add up."""
    parts = parts_of(now, place)
    contribution = fsum(part.contribution for part in parts)
    chance = float(1.0 / (1.0 + np.exp(-now.logits[place])))
    return Queued(number, rank, prior + contribution, contribution, parts, chance, elsewhere)
