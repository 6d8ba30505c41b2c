"""The explanation of one document's rank and score, as data."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum

from foreart.regimes import Regime
from foreart.search.explaining.bridges import Bridge
from foreart.search.explaining.term_places import Occurrences, Spot
from foreart.search.law.priority import Cutoff, Status
from foreart.search.score_parts import Calibrated, Cause, FusionKind, Hub


@dataclass(frozen=True, slots=True)
class Share:
    """A word of the draft, what it contributes to the score of a channel, and through it to the fused score.

    `adds` is None where channels are fused by ranks: there a word changes the score only by changing a rank.
    """

    word: str
    contribution: float
    adds: float | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one channel. `shown`, `rest` of the `others` and `rounding` sum to the channel's score.

    `rounding` is the difference from the exact sum: of single precision, and of negative similarities set to 0.
    """

    shown: tuple[Share, ...]
    rest: float
    others: int
    rounding: float

    @property
    def total(self) -> float:
        """The sum of all words."""
        return fsum([*(share.contribution for share in self.shown), self.rest, self.rounding])


@dataclass(frozen=True, slots=True)
class ChannelReason:
    """One channel: its description, the document's rank there, its value, and its contribution to the score.

    `causes` are the first of `causes_count`; the others contribute `causes_rest` together.
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
    """A rare word or n-gram of both texts. `documents` of the corpus have it, or all words of the n-gram."""

    term: str
    documents: int
    contribution: float
    in_draft: Occurrences
    in_document: Occurrences


@dataclass(frozen=True, slots=True)
class Extract:
    """A paragraph or claim of the document, verbatim. Its words account for `share` of the similarity of texts.

    `words` are shared with the draft, heaviest first; `bridged` pairs a term with the draft's term that it may mean.
    """

    text: str
    spot: Spot
    share: float
    words: tuple[str, ...]
    bridged: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Reasons:
    """The explanation of one document's score. Contributions of `channels` sum to `score`.

    `rank` is the rank in the list of hits, one for each family; a document that cannot be a hit has the rank it would
    have. `instead` is the member of its family that is listed for it, if any. `words` are what each word of the draft
    contributes to the fused score over all text channels; with `words_rest` they sum to the part of these channels.
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
    fusion: FusionKind
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
        """The sum of all channels."""
        return fsum(item.contribution for item in self.channels)

    @property
    def rounding(self) -> float:
        """The difference between the score, which is summed in another order, and that sum: the last digits."""
        return self.score - self.added
