"""The parts of a score as data: channels, words, documents behind a channel, and how often such scores were cited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# Words with their contributions, largest first.
Shares = tuple[tuple[str, float], ...]
FusionKind = Literal["learned", "ranks", "index"]
# Whether the corpus has siblings of a draft: documents, usually of the same people, with nearly the same citations.
DraftKind = Literal["warm", "cold"]


@dataclass(frozen=True, slots=True)
class Chance:
    """How often documents at a score were cited: the share with its 95 % interval (Wilson), and the sample size."""

    share: float
    low: float
    high: float
    cited: int
    documents: int


@dataclass(frozen=True, slots=True)
class Calibrated:
    """How often a document at this score was cited, measured with `drafts` training queries of the draft's kind.

    `here` says whether that was measured on this state of the corpus; `kind` is None if it was not learned.
    """

    chance: Chance
    drafts: int
    here: bool
    kind: DraftKind | None = None


@dataclass(frozen=True, slots=True)
class Hub:
    """A document that ranks high for many drafts. `value` is the share of the training queries that it is near to.

    `mean` is the mean over all documents, `place` its rank among hubs, 1 is first.
    """

    value: float
    mean: float
    place: int


@dataclass(frozen=True, slots=True)
class Part:
    """One channel's part of a score: parts sum to it. `rank` is the document's rank in that channel, 0 if unranked."""

    channel: str
    rank: int
    value: float
    contribution: float


@dataclass(frozen=True, slots=True)
class Cause:
    """Evidence of a channel that does not compare text: a document, a publication number, a class, a person.

    `similarity` is that of the document's words to the draft's, `weight` its weight as a neighbour (0 to 1).
    `contribution` is its part of the channel's contribution; the causes of a channel that have one sum to that.
    """

    name: str
    title: str = ""
    similarity: float | None = None
    weight: float | None = None
    contribution: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The first causes of a channel, how many there are, what the others contribute together, and a sentence."""

    causes: tuple[Cause, ...] = ()
    count: int = 0
    rest: float = 0.0
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class CandidateRecall:
    """The mean share of the best 20 and the best 100 of an exact search that candidates hold, for some queries.

    `candidates` is the mean number of documents compared in full, `documents` that of the corpus with the fingerprint
    `corpus`, `ranking` the fingerprint of the weights.
    """

    best_20: float
    best_100: float
    queries: int
    candidates: float
    depth: int
    documents: int
    corpus: str
    ranking: str
