"""The ranking of the product: all channels, fused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b

import numpy as np

from foreart.document.draft import Draft
from foreart.errors import NotInCorpus
from foreart.index import Description, Index
from foreart.search.ranker import AskedWord, Chance, Comparison, Part, Ranker, Scope, asked_of
from foreart.search.ranking.calibration import chance
from foreart.search.ranking.fusion import Fusion, ReciprocalRanks, Weighted, parts
from foreart.search.ranking.ground import Ground
from foreart.search.ranking.learned import Learned, Ranking
from foreart.search.ranking.neighbours import Compared
from foreart.search.ranking.question import Question, question_of
from foreart.search.ranking.signals import Signals
from foreart.search.ranking.texts import TEXT_CHANNELS, Asked, TextChannel
from foreart.search.request import NO_EMPHASIS, Emphasis

# Without training: one signal of each channel that ranks by itself.
_RANKED = """
words, relative | brief | topics | claims | claims in text | abstract | named in draft | named by near
| cited by near, sum | cited by nearest | co-cited
"""
# What the emphasised classes are worth at least, in the log-odds that weights are in.
_CLASSES = 1.0
RRF = ReciprocalRanks(tuple(name.strip() for name in _RANKED.split("|")), citations=2.0)
# One in so many documents is told to come up for most drafts.
_HUBS = 100


class FusedRanker(Ranker):
    """Ranks by all channels: with learned weights, or by reciprocal ranks."""

    def __init__(
        self, ground: Ground, learned: Learned | None, *, name: str = "learned", emphasis: Emphasis = NO_EMPHASIS
    ) -> None:
        self.name = name
        self.ground = ground
        self.learned = learned
        self.emphasis = emphasis
        self.fusion = _fusion(learned, emphasis)
        self._hubs = None if learned is None else hub_column(learned, ground.bibliography.ids)

    @property
    def ids(self) -> Sequence[str]:
        """The documents, by row."""
        return self.ground.bibliography.ids

    @property
    def description(self) -> Description:
        """That of the index of words, which explains."""
        return self.indexes["log-tfidf"].description

    @property
    def indexes(self) -> Mapping[str, Index]:
        """Those of its channels of text."""
        return self.ground.texts.indexes

    def words(self, text: str) -> list[str]:
        """A text cut as the index of words cuts it."""
        return self.indexes["log-tfidf"].words(text)

    def row_of(self, number: str) -> int:
        """The row of a document."""
        if number not in self.ground.bibliography.row:
            raise NotInCorpus(f"{number} is not in the index: build it of the corpus it is in")
        return self.ground.bibliography.row[number]

    @cached_property
    def hub_places(self) -> Mapping[str, int]:
        """The documents that come up for most drafts, a hundredth of all, by their place: 1 comes up most."""
        if self.learned is None:
            return {}
        most = sorted(self.learned.hubs.items(), key=lambda item: (-item[1], item[0]))
        return {number: place for place, (number, _) in enumerate(most[: len(self.ids) // _HUBS], start=1)}

    def emphasising(self, emphasis: Emphasis) -> FusedRanker:
        """The same ranking with an emphasis."""
        if emphasis == self.emphasis:
            return self
        return FusedRanker(self.ground, self.learned, name=self.name, emphasis=emphasis)

    @property
    def notes(self) -> tuple[str, ...]:
        """Which channels stand aside because their index is of an older state of the corpus."""
        return tuple(
            f"the index {name} is of another state of the corpus and was left out: build it anew"
            for name in self.ground.left_out
        )

    @property
    def ranking(self) -> Ranking:
        """How channels are fused, and by what weights."""
        if self.learned is None:
            return Ranking(self.name, blake2b(repr(RRF).encode(), digest_size=16).hexdigest())
        return Ranking(self.name, self.learned.fingerprint, self.learned.corpus, self.learned.metrics)

    def unlearned(self, *numbers: str) -> FusedRanker:
        """With the weights that others than some documents taught."""
        other = None if self.learned is None else self.learned.unlearned(*numbers)
        return (
            self if other is self.learned else FusedRanker(self.ground, other, name=self.name, emphasis=self.emphasis)
        )

    def compare(self, draft: Draft, scope: Scope) -> FusedComparison:
        """The draft beside every document."""
        question = question_of(draft, self.emphasis)
        known = scope.known
        days = self.ground.bibliography.days
        day = scope.day or int(days[known].max(initial=0)) + 1
        asked = self.ground.texts.asked(question)
        beside = self.ground.beside(asked, question, known, day)
        neighbours = None if self.learned is None else self.learned.neighbours
        found = self.ground.signals(beside, question, neighbours, self._hubs)
        return FusedComparison(self, question, asked, beside, found)


class FusedComparison(Comparison):
    """All signals of one draft."""

    def __init__(self, ranker: FusedRanker, question: Question, asked: Asked, beside: Compared, found: Signals) -> None:
        self.ranker, self.question, self.beside, self.found = ranker, question, beside, found
        self._asked = asked

    @cached_property
    def scores(self) -> np.ndarray:
        """The fused score of every row."""
        return self.ranker.fusion.scores(self.found, self.beside.known)

    def top(self, k: int, allowed: np.ndarray) -> list[tuple[int, float]]:
        """The k best rows of those allowed, ties by id."""
        rows = np.flatnonzero(allowed)
        scores = self.scores[rows]
        if len(rows) > k > 0:
            least = np.partition(scores, len(rows) - k)[len(rows) - k]
            rows, scores = rows[scores >= least], scores[scores >= least]
        ids = self.ranker.ids
        ranked = sorted(zip(rows.tolist(), scores.tolist(), strict=True), key=lambda item: (-item[1], ids[item[0]]))
        return ranked[:k]

    def words(self, row: int) -> tuple[tuple[str, float], ...]:
        """Words shared with the whole text, with what each adds to the channel `words`."""
        return self.channel_words(TEXT_CHANNELS[0], row)

    def channel_words(self, channel: TextChannel, row: int) -> tuple[tuple[str, float], ...]:
        """What each shared word adds in a channel of text."""
        return self._asked.words(channel, self.ranker.ids[row])

    def asked(self) -> tuple[AskedWord, ...]:
        """The words of the whole text that ask."""
        query = self._asked.query(TEXT_CHANNELS[0])
        return asked_of(query) if query is not None else ()

    def hub(self, row: int) -> int:
        """The place of a document among those that come up for many drafts, if it is in the first hundredth; else 0."""
        return self.ranker.hub_places.get(self.ranker.ids[row], 0)

    def contributions(self, row: int) -> Mapping[str, float]:
        """What each channel adds to the score of a row: these sum to it."""
        return self.ranker.fusion.contributions(self.found, self.beside.known, row)

    def parts(self, row: int) -> tuple[Part, ...]:
        """What each channel adds, greatest first, with its rank there."""
        return parts(self.ranker.fusion, self.found, self.beside.known, row)

    def chance(self, row: int) -> Chance | None:
        """How often documents at the score of a row were cited, where that was counted."""
        learned = self.ranker.learned
        return None if learned is None else chance(learned.calibration, float(self.scores[row]))


def _fusion(learned: Learned | None, emphasis: Emphasis) -> Fusion:
    """As learned, or by reciprocal ranks; classes that are emphasised count even where nothing else would say so."""
    if learned is None:
        return replace(RRF, channels=(*RRF.channels, "classes")) if emphasis.classes else RRF
    least = {"classes": max(_CLASSES, learned.weights.get("classes", 0.0))} if emphasis.classes else {}
    return Weighted({**learned.weights, **least})


def hub_column(learned: Learned, ids: Sequence[str]) -> np.ndarray:
    """How often each document comes up for any draft; the mean for one that was not there."""
    return np.array([learned.hubs.get(number, learned.hub_mean) for number in ids])
