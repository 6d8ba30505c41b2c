"""The ranking of the product: all channels, fused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b

import numpy as np

from foreart.corpus.views import CorpusView
from foreart.document.draft import Draft
from foreart.index import Description, Index
from foreart.search.ranker import AskedWord, Chance, Comparison, Part, Ranker, asked_of
from foreart.search.ranking.calibration import chance
from foreart.search.ranking.fusion import Fusion, ReciprocalRanks, Weighted, parts
from foreart.search.ranking.learned import Learned, Ranking
from foreart.search.ranking.neighbours import DraftFeatures, draft_features
from foreart.search.ranking.query_forms import QueryForms, query_forms_of
from foreart.search.ranking.ranking_inputs import RankingInputs
from foreart.search.ranking.signals import Signals
from foreart.search.ranking.text_channels import TEXT_CHANNELS, ChannelQueries, TextChannel
from foreart.search.request import NO_EMPHASIS, Emphasis
from foreart.search.scope import Scope

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
        self, inputs: RankingInputs, learned: Learned | None, *, name: str = "learned", emphasis: Emphasis = NO_EMPHASIS
    ) -> None:
        self.name = name
        self.inputs = inputs
        self.learned = learned
        self.emphasis = emphasis
        self.fusion = _fusion(learned, emphasis)
        self._hubs = None if learned is None else hub_column(learned, inputs.view)

    @property
    def view(self) -> CorpusView:
        """The documents, by row."""
        return self.inputs.view

    @property
    def description(self) -> Description:
        """That of the index of words, which explains."""
        return self.indexes["log-tfidf"].description

    @property
    def indexes(self) -> Mapping[str, Index]:
        """Those of its text channels."""
        return self.inputs.texts.indexes

    def words(self, text: str) -> list[str]:
        """A text cut as the index of words cuts it."""
        return self.indexes["log-tfidf"].words(text)

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
        return FusedRanker(self.inputs, self.learned, name=self.name, emphasis=emphasis)

    @property
    def notes(self) -> tuple[str, ...]:
        """Which channels are left out because their index is of an older state of the corpus."""
        return tuple(
            f"the index {name} is of another state of the corpus and was left out: build it anew"
            for name in self.inputs.left_out
        )

    @property
    def ranking(self) -> Ranking:
        """How channels are fused, and by what weights."""
        if self.learned is None:
            return Ranking(self.name, blake2b(repr(RRF).encode(), digest_size=16).hexdigest())
        return Ranking(self.name, self.learned.fingerprint, self.learned.corpus, self.learned.metrics)

    def unlearned(self, *numbers: str) -> FusedRanker:
        """With the weights learned without some documents."""
        other = None if self.learned is None else self.learned.unlearned(*numbers)
        return (
            self if other is self.learned else FusedRanker(self.inputs, other, name=self.name, emphasis=self.emphasis)
        )

    def compare(self, draft: Draft, scope: Scope) -> FusedComparison:
        """The draft compared with every document."""
        forms = query_forms_of(draft, self.emphasis)
        day = scope.day or int(self.view.days[scope.known].max(initial=0)) + 1
        queries = self.inputs.texts.queries(forms)
        features = draft_features(queries.scores(), forms, scope.known, day, self.inputs.graph)
        neighbours = None if self.learned is None else self.learned.neighbours
        found = self.inputs.signals(features, forms, neighbours, self._hubs)
        return FusedComparison(self, forms, queries, features, found)


class FusedComparison(Comparison):
    """All signals of one draft."""

    def __init__(
        self,
        ranker: FusedRanker,
        forms: QueryForms,
        queries: ChannelQueries,
        features: DraftFeatures,
        found: Signals,
    ) -> None:
        self.ranker, self.forms, self.features, self.found = ranker, forms, features, found
        self._queries = queries

    @cached_property
    def scores(self) -> np.ndarray:
        """The fused score of every row."""
        return self.ranker.fusion.scores(self.found, self.features.known)

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
        """The contribution of each shared word in a text channel."""
        return self._queries.words(channel, self.ranker.ids[row])

    def asked(self) -> tuple[AskedWord, ...]:
        """The query terms of the whole text."""
        query = self._queries.query(TEXT_CHANNELS[0])
        return asked_of(query) if query is not None else ()

    def hub(self, row: int) -> int:
        """The place of a document among those that come up for many drafts, if it is in the first hundredth; else 0."""
        return self.ranker.hub_places.get(self.ranker.ids[row], 0)

    def contributions(self, row: int) -> Mapping[str, float]:
        """What each channel adds to the score of a row: these sum to it."""
        return self.ranker.fusion.contributions(self.found, self.features.known, row)

    def parts(self, row: int) -> tuple[Part, ...]:
        """What each channel adds, greatest first, with its rank there."""
        return parts(self.ranker.fusion, self.found, self.features.known, row)

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


def hub_column(learned: Learned, view: CorpusView) -> np.ndarray:
    """How often each document comes up for any draft; the mean for one that was not in the corpus then."""
    found = np.full(len(view), learned.hub_mean)
    for number, value in learned.hubs.items():
        row = view.ids.row(number)
        if row is not None:
            found[row] = value
    return found
