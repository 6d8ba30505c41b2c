"""The default ranking: all channels, fused into one score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b

import numpy as np

from foreart.corpus.views import CorpusView
from foreart.document.draft import Draft
from foreart.index import Description, Index, QueryTerm
from foreart.search.ranker import Comparison, Ranker
from foreart.search.ranking.candidate_choice import DEPTH, EXACT, candidate_rows, draft_query
from foreart.search.ranking.channel_evidence import channel_evidence
from foreart.search.ranking.fusion import parts
from foreart.search.ranking.fusion_choice import RRF, fusion_of, learned_hubs
from foreart.search.ranking.near.neighbourhood import Neighbourhood
from foreart.search.ranking.query_forms import query_forms_of
from foreart.search.ranking.ranking_inputs import NO_MODELS, RankingInputs
from foreart.search.ranking.signals import CHANNELS, NO_HUBS, Hubs, Signals, signals
from foreart.search.ranking.text_channels import LEARNED_CHANNELS, TEXT_CHANNELS, ChannelQueries
from foreart.search.ranking.weights.learned import Learned, Ranking
from foreart.search.request import NO_EMPHASIS, Emphasis
from foreart.search.scope import Scope
from foreart.search.score_parts import Calibrated, CandidateRecall, DraftKind, Evidence, FusionKind, Hub, Part, Shares

# The channel whose words explain the similarity of texts.
_WORDS = TEXT_CHANNELS[0].name
# One in this many documents is called a hub.
_HUBS = 100


class FusedRanker(Ranker):
    """Ranks by all channels, fused by learned weights or by reciprocal ranks."""

    def __init__(
        self,
        inputs: RankingInputs,
        learned: Learned | None,
        *,
        name: str = "learned",
        emphasis: Emphasis = NO_EMPHASIS,
        outdated_topics: bool = False,
        depth: int = DEPTH,
        hubs: Hubs | None = None,
        recall: CandidateRecall | None = None,
    ) -> None:
        self.name = name
        self.inputs = inputs
        self.depth = depth
        fitting = None if learned is None else learned.fitting(inputs)
        self._outdated_topics = outdated_topics or fitting is not learned
        self.learned = learned = fitting
        self.emphasis = emphasis
        self.fusion = fusion_of(learned, emphasis)
        self._known_hubs = hubs
        self._recall = recall

    @property
    def view(self) -> CorpusView:
        """The documents, by row."""
        return self.inputs.view

    @property
    def description(self) -> Description:
        """That of the word index whose words explain scores."""
        return self.indexes["log-tfidf"].description

    @property
    def indexes(self) -> Mapping[str, Index]:
        """The indexes of its text channels."""
        return self.inputs.texts.indexes

    def words(self, text: str) -> list[str]:
        """A text tokenized as in the word index."""
        return self.indexes["log-tfidf"].words(text)

    @cached_property
    def hub_places(self) -> Mapping[str, int]:
        """The rank of each hub: the hundredth of all documents that are most similar to drafts in general."""
        if self.learned is None:
            return {}
        ordered = sorted(self.learned.hubs.items(), key=lambda item: (-item[1], item[0]))
        return {number: place for place, (number, _) in enumerate(ordered[: len(self.ids) // _HUBS], start=1)}

    def emphasising(self, emphasis: Emphasis) -> FusedRanker:
        """This ranker with an emphasis."""
        if emphasis == self.emphasis:
            return self
        return self._with(self.learned, emphasis)

    @property
    def notes(self) -> tuple[str, ...]:
        """Which optional indexes, or what of the learned ranking, is left out because the corpus has changed."""
        left_out = tuple(
            f"the index {name} is of another state of the corpus and was left out: build it again"
            for name in self.inputs.left_out
        )
        outdated = ("topics were built again since `foreart learn`: ranked without learned topics until you run it",)
        return (*left_out, *(outdated if self._outdated_topics else ()))

    @property
    def ranking(self) -> Ranking:
        """The name of the fusion and a fingerprint of its weights."""
        if self.learned is None:
            return Ranking(self.name, blake2b(repr(RRF).encode(), digest_size=16).hexdigest())
        return Ranking(self.name, self.learned.fingerprint, self.learned.corpus, self.learned.metrics)

    @property
    def fusion_kind(self) -> FusionKind:
        """By learned weights or by ranks."""
        return self.fusion.kind

    def unlearned(self, *numbers: str) -> FusedRanker:
        """With the weights that were learned without some documents."""
        other = None if self.learned is None else self.learned.unlearned(*numbers)
        return self if other is self.learned else self._with(other, self.emphasis)

    def exactly(self) -> FusedRanker:
        """Compares every document in full."""
        return self.with_depth(EXACT)

    def with_depth(self, depth: int) -> FusedRanker:
        """With so many candidates of each channel."""
        return self if depth == self.depth else self._with(self.learned, self.emphasis, depth=depth)

    def _with(
        self,
        learned: Learned | None,
        emphasis: Emphasis,
        *,
        depth: int | None = None,
        recall: CandidateRecall | None = None,
    ) -> FusedRanker:
        return FusedRanker(
            self.inputs,
            learned,
            name=self.name,
            emphasis=emphasis,
            outdated_topics=self._outdated_topics,
            depth=self.depth if depth is None else depth,
            hubs=self.hubs,
            recall=recall or self._recall,
        )

    @property
    def candidate_recall(self) -> CandidateRecall | None:
        """What candidates find of an exact search, if it was measured for this ranking."""
        return self._recall

    def measured(self, recall: CandidateRecall) -> FusedRanker:
        """With the measured recall of its candidates."""
        return self._with(self.learned, self.emphasis, recall=recall)

    @cached_property
    def hubs(self) -> Hubs:
        """How strong the hubs are that were learned."""
        if self._known_hubs is not None:
            return self._known_hubs
        return NO_HUBS if self.learned is None else learned_hubs(self.learned, self.view)

    def compare(self, draft: Draft, scope: Scope) -> FusedComparison:
        """The draft compared with every document."""
        forms = query_forms_of(draft, self.emphasis)
        day = scope.day or int(self.view.days[scope.known].max(initial=0)) + 1
        models = NO_MODELS if self.learned is None else self.learned.models
        queries = self.inputs.texts.queries(forms, models.similarity)
        query = draft_query(queries, forms, self.inputs.graph, scope.known, day, depth=self.depth)
        return FusedComparison(self, queries, self.inputs.neighbourhood(query, models, depth=self.depth))


class FusedComparison(Comparison):
    """The candidates of one draft, their signals, and where these come from."""

    def __init__(self, ranker: FusedRanker, queries: ChannelQueries, near: Neighbourhood) -> None:
        self.ranker, self.near = ranker, near
        self._queries = queries
        self._explained: Signals | None = None
        # Candidates by the number of hits and the mask they are chosen for: a list is made of several.
        self._chosen: dict[tuple[int, bytes], np.ndarray] = {}

    @cached_property
    def known(self) -> Signals:
        """The signals of the known candidates: ranks in a channel are those among them."""
        return self.signals(candidate_rows(self.near, self.near.query.known, depth=self.ranker.depth))

    def signals(self, rows: np.ndarray) -> Signals:
        """The signals of any documents, in ascending order."""
        return signals(self.near, rows, self.ranker.hubs)

    def scores_of(self, rows: np.ndarray) -> np.ndarray:
        """The fused scores of any rows."""
        ascending, places = np.unique(rows, return_inverse=True)
        return self.ranker.fusion.scores(self._signals(ascending), self.known)[places]

    def _signals(self, rows: np.ndarray) -> Signals:
        """As `signals`, taken from the known candidates if they are among these."""
        known = self.known
        places = np.searchsorted(known.rows, rows)
        if not len(known.rows) or not np.array_equal(known.rows[np.minimum(places, len(known.rows) - 1)], rows):
            return self.signals(rows)
        return Signals(rows, {name: values[places] for name, values in known.columns.items()}, known.channels)

    def candidates(self, allowed: np.ndarray, k: int = 0) -> np.ndarray:
        """The allowed rows that are compared in full: all that may be among the k best."""
        key = (k, allowed.tobytes())
        if key not in self._chosen:
            self._chosen[key] = candidate_rows(self.near, allowed, depth=self.ranker.depth, k=k)
        return self._chosen[key]

    def top(self, k: int, allowed: np.ndarray) -> list[tuple[int, float]]:
        """The k best rows of those allowed, ties by id."""
        rows = self.candidates(allowed, k)
        scores = self.scores_of(rows)
        if len(rows) > k > 0:
            threshold = np.partition(scores, len(rows) - k)[len(rows) - k]
            rows, scores = rows[scores >= threshold], scores[scores >= threshold]
        ids = self.ranker.ids
        ranked = sorted(zip(rows.tolist(), scores.tolist(), strict=True), key=lambda item: (-item[1], ids[item[0]]))
        return ranked[:k]

    def words(self, row: int) -> Shares:
        """Words of the full texts that both have, with what each contributes to the channel `words`."""
        return self._queries[_WORDS].words(self.ranker.ids[row])

    def query_terms(self) -> tuple[QueryTerm, ...]:
        """The query terms of the full text."""
        return self._queries[_WORDS].terms()

    def hub(self, row: int) -> Hub | None:
        """What was learned of a document that ranks high for many drafts; None if it is not in the first hundredth."""
        number, learned = self.ranker.ids[row], self.ranker.learned
        if learned is None or number not in self.ranker.hub_places:
            return None
        return Hub(learned.hubs[number], learned.hub_mean, self.ranker.hub_places[number])

    def contributions(self, row: int) -> Mapping[str, float]:
        """What each channel contributes to the score of a row: these sum to it."""
        return self.ranker.fusion.contributions(self._of(row), self.known, row)

    def parts(self, row: int) -> tuple[Part, ...]:
        """What each channel contributes, largest first, with its rank there."""
        return parts(self.ranker.fusion, self._of(row), self.known, row)

    def _of(self, row: int) -> Signals:
        """The signals of one document; those explained last are kept."""
        if self._explained is None or self._explained.rows[0] != row:
            self._explained = self._signals(np.array([row], dtype=np.int64))
        return self._explained

    def exact_parts(self, row: int) -> tuple[Part, ...]:
        """The same parts, with contributions in the precision in which scores are summed."""
        exact = self.ranker.fusion.exact_contribution
        return tuple(replace(part, contribution=exact(self._of(row), part, row)) for part in self.parts(row))

    @property
    def is_linear(self) -> bool:
        """As the fusion is."""
        return self.ranker.fusion.linear

    def about(self, channel: str) -> str:
        """A channel in plain words."""
        return CHANNELS[channel].about

    def channel_words(self, channel: str, row: int) -> Shares | None:
        """What each shared word contributes to the value of a text channel; None for other channels."""
        number, learned = self.ranker.ids[row], self.ranker.learned
        if learned is not None and channel in learned.models.similarity:
            return self._queries[LEARNED_CHANNELS[channel]].mapped_words(number, learned.models.similarity[channel])
        return self._queries[channel].words(number) if channel in self._queries else None

    def evidence(self, channel: str, row: int, contribution: float) -> Evidence:
        """The near documents behind a channel's contribution, or a sentence about it."""
        fusion = self.ranker.fusion
        return channel_evidence(channel, row, contribution, near=self.near, signals=self._of(row), fusion=fusion)

    @property
    def draft_kind(self) -> DraftKind | None:
        """Whether the draft seems to have siblings in the corpus; None if that was not learned."""
        learned = self.ranker.learned
        kinds = None if learned is None else learned.held_out.kinds
        return None if kinds is None else kinds.kind(self.near.share.largest)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a draft without siblings means for recall."""
        learned = self.ranker.learned
        return () if learned is None or self.draft_kind != "cold" else learned.held_out.cold_notes

    def calibrated(self, row: int) -> Calibrated | None:
        """How often documents at the score of a row were cited, for drafts of this kind, where that was measured."""
        learned = self.ranker.learned
        if learned is None:
            return None
        found = learned.held_out.chance(float(self.scores_of(np.array([row]))[0]), self.draft_kind)
        return None if found is None else Calibrated(*found, learned.corpus == self.ranker.view.corpus, self.draft_kind)
