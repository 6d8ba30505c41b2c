"""Why a document stands where it stands, as data, frozen."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import Literal

from foreart.search.explaining.bridges import Bridge
from foreart.search.explaining.term_places import Occurrences, Spot
from foreart.search.law.priority import Cutoff, Regime, Status
from foreart.search.ranker import Chance

Fusion = Literal["learned", "ranks", "index"]


@dataclass(frozen=True, slots=True)
class Share:
    """A word of the draft, what it adds to the score of a channel, and by that to the fused score.

    `adds` is None where channels are fused by ranks: there a word moves the score only by moving a rank.
    """

    word: str
    contribution: float
    adds: float | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one channel. `shown`, `rest` of the `others` and `rounding` sum to the channel's score.

    `rounding` is what ranking in single precision, or taking a likeness below 0 for 0, differs from the exact sum.
    """

    shown: tuple[Share, ...]
    rest: float
    others: int
    rounding: float

    @property
    def total(self) -> float:
        """All of them together."""
        return fsum([*(share.contribution for share in self.shown), self.rest, self.rounding])


@dataclass(frozen=True, slots=True)
class Cause:
    """What stands behind a channel that is not of words: a document, a number, a class, a person, a place.

    `likeness` is that of the document's words to the draft's, `weight` how much it counts as a neighbour (0 to 1).
    `contribution` is its part of what the channel adds; the causes of a channel that have one sum to that.
    """

    name: str
    title: str = ""
    likeness: float | None = None
    weight: float | None = None
    contribution: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class ChannelReason:
    """One channel: what it is about, the document's rank there, its value, and what it adds to the score.

    `causes` are the first of `causes_count`; the others add `causes_rest` together.
    """

    channel: str
    about: str
    rank: int
    value: float
    contribution: float
    words: Words | None = None
    causes: tuple[Cause, ...] = ()
    causes_count: int = 0
    causes_rest: float = 0.0
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class SharedTerm:
    """A rare word, or a run of words, of both texts. `documents` of the corpus have it, or all words of the run."""

    term: str
    documents: int
    contribution: float
    in_draft: Occurrences
    in_document: Occurrences


@dataclass(frozen=True, slots=True)
class Extract:
    """A paragraph or claim of the document, verbatim. Its words make `share` of the likeness of texts.

    `words` are those that the draft has too, heaviest first; `bridged` those that stand for others of the draft.
    """

    text: str
    spot: Spot
    share: float
    words: tuple[str, ...]
    bridged: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Calibrated:
    """How often a document at this score was cited: `chance`, counted for `drafts` patents that played the draft.

    `here` says whether that was counted on this state of the corpus.
    """

    chance: Chance
    drafts: int
    here: bool


@dataclass(frozen=True, slots=True)
class Hub:
    """A document that comes up for many drafts. `value` is its mean likeness as a share of the greatest, 0 to 1.

    `mean` is that of all documents, `place` where it stands among those that come up most, 1 is first.
    """

    value: float
    mean: float
    place: int


@dataclass(frozen=True, slots=True)
class Reasons:
    """All reasons for the score of one document. Contributions of `channels` sum to `score`.

    `rank` is the place in the list of hits, one a family; a document that may not be a hit has the one it would have.
    `instead` is the member of its family that stands there for it, if another does. `words` are what each word of the
    draft adds to the fused score over all channels of text; with `words_rest` they sum to what these channels add.
    """

    id: str
    title: str
    published: str
    priority: str
    filed: str
    applicants: tuple[str, ...]
    language: str
    score: float
    rank: int
    hits: int
    listed: bool
    instead: str
    status: Status
    rule: str
    fusion: Fusion
    channels: tuple[ChannelReason, ...]
    words: tuple[Share, ...]
    words_rest: float
    terms: tuple[SharedTerm, ...]
    bridges: tuple[Bridge, ...]
    bridges_by: str
    extracts: tuple[Extract, ...]
    calibrated: Calibrated | None
    hub: Hub | None
    cutoff: Cutoff
    regime: Regime
    documents: int
    draft_title: str
    draft_source: str
    draft_fingerprint: str
    corpus_fingerprint: str
    index: str
    foreart: str
    ranking: str = ""
    learned: str = ""
    notes: tuple[str, ...] = ()

    @property
    def added(self) -> float:
        """What all channels add."""
        return fsum(item.contribution for item in self.channels)

    @property
    def rounding(self) -> float:
        """What the score, which is summed in the order of signals, differs from that: the last digits."""
        return self.score - self.added
