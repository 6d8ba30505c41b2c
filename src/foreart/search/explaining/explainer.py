"""The reasons for the score of a document."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib.metadata import version
from math import fsum
from pathlib import Path
from typing import Any

import numpy as np

from foreart.corpus import Corpus
from foreart.corpus.views import ALONE
from foreart.document.patent import Patent
from foreart.errors import NotInCorpus
from foreart.index.storage.snapshot import Snapshot
from foreart.search.explaining.bridge_vectors import WordVectors
from foreart.search.explaining.bridges import Speech, bridges
from foreart.search.explaining.channel_causes import Causes
from foreart.search.explaining.contributions import WORDS, FusedChannels, index_channel
from foreart.search.explaining.reasons import Calibrated, Fusion, Hub, Reasons
from foreart.search.explaining.shared_terms import extracts, shared_rare_terms
from foreart.search.explaining.term_places import Located
from foreart.search.law.priority import cutoff_of
from foreart.search.listing import Listing
from foreart.search.ranker import IndexRanker, Part, Ranker
from foreart.search.ranking import FusedComparison, FusedRanker, Learned
from foreart.search.request import SearchRequest
from foreart.search.retrieval import compared_rows, with_numbers


class Explainer:
    """One request, compared once with all documents; explains the rank and score of any of them.

    `postings` are those of the full text, `folder` where they are kept. `vectors` gives word vectors when first asked,
    or None; `words` is how many are shown of each channel.
    """

    def __init__(
        self,
        request: SearchRequest,
        ranker: Ranker,
        corpus: Corpus,
        *,
        postings: Snapshot,
        folder: Path | None = None,
        vectors: Callable[[], WordVectors | None] = lambda: None,
        words: int = WORDS,
        today: str = "",
    ) -> None:
        self._request, self._draft = with_numbers(request, corpus), request.draft
        self._ranker = ranker.emphasising(request.emphasis)
        self._corpus, self._postings, self._vectors, self._words = corpus, postings, vectors, words
        self._cutoff = cutoff_of(request.draft, request.cutoff, today=today)
        self._view = ranker.view
        self._left = compared_rows(self._request, self._ranker, corpus, postings=folder)

    @cached_property
    def _listing(self) -> Listing:
        limits: dict[str, Any] = {"cutoff": self._cutoff, "regime": self._request.regime}
        return Listing(self._draft, self._ranker, self._corpus, selected=self._left.allowed, **limits)

    @cached_property
    def _speech(self) -> Speech:
        return Speech.of(self._postings, self._vectors())

    @cached_property
    def _located(self) -> Located:
        return Located(self._draft, self._ranker.words)

    @cached_property
    def _fused(self) -> FusedChannels | None:
        comparison = self._listing.comparison
        if not isinstance(comparison, FusedComparison):
            return None
        return FusedChannels(comparison, Causes(self._draft, comparison, self._corpus), most=self._words)

    def of(self, number: str) -> Reasons:
        """The reasons of a document; its number may lack the kind code where that leaves one."""
        row = self._row(number)
        listing = self._listing
        patent = listing.patent(row)
        rank, hits, instead = self._place(row)
        score = self._score(row)
        channels, words, rest, shares = self._channels(row, patent, Part(self._request.index, rank, score, score))
        document = Located(patent, self._ranker.words)
        language = self._draft.language or patent.language
        spans = bridges(self._located, document, self._speech, language)
        terms = shared_rare_terms(self._located, document, shares, self._speech, language)
        learned = self._learned
        return Reasons(
            id=patent.id,
            title=patent.title,
            published=patent.published,
            priority=patent.priority,
            filed=patent.filed,
            applicants=patent.applicants,
            language=patent.language,
            score=score,
            rank=rank,
            hits=hits,
            listed=bool(listing.allowed[row]),
            instead=instead,
            status=listing.status(row),
            rule=listing.rule(row),
            fusion=self._fusion,
            channels=channels,
            words=words,
            words_rest=rest,
            terms=terms,
            bridges=spans,
            bridges_by=self._speech.vectors.source if self._speech.vectors is not None else "",
            extracts=extracts(document, shares, spans),
            calibrated=self._calibrated(row),
            hub=hub_of(self._ranker, patent.id),
            cutoff=self._cutoff,
            regime=self._request.regime,
            documents=len(self._view),
            draft_title=self._draft.title,
            draft_source=self._draft.source,
            draft_fingerprint=self._draft.fingerprint,
            corpus_fingerprint=self._view.corpus,
            index=self._request.index,
            foreart=version("foreart"),
            ranking=self._ranker.name if isinstance(self._ranker, FusedRanker) else "",
            learned=learned.fingerprint if learned is not None else "",
            notes=self._notes(patent),
        )

    @property
    def _learned(self) -> Learned | None:
        return self._ranker.learned if isinstance(self._ranker, FusedRanker) else None

    @property
    def _fusion(self) -> Fusion:
        if isinstance(self._ranker, FusedRanker):
            return "ranks" if self._ranker.learned is None else "learned"
        return "index"

    def _row(self, number: str) -> int:
        found = self._corpus.find(number)
        if not found:
            raise NotInCorpus(f"{number} is not in the corpus {self._corpus.path}: `foreart add` loads documents")
        if len(found) > 1:
            raise NotInCorpus(f"{number} stands for {', '.join(found)}: name one of them")
        return self._ranker.row_of(found[0])

    def _score(self, row: int) -> float:
        mask = np.zeros(len(self._view), dtype=bool)
        mask[row] = True
        return dict(self._listing.comparison.top(1, mask)).get(row, float(self._listing.comparison.scores[row]))

    def _place(self, row: int) -> tuple[int, int, str]:
        """The place among hits, one a family, how many hits there could be, and who stands there in its stead."""
        scores, ids = np.round(self._listing.comparison.scores, 12), self._view.ids
        allowed = self._listing.allowed
        # A document without a family is one of its own.
        families = np.where(self._view.families == ALONE, np.arange(len(self._view)), self._view.families)
        before = scores > scores[row]
        for tied in np.flatnonzero(scores == scores[row]).tolist():
            before[tied] = ids[tied] < ids[row]
        better = before & allowed & (families != families[row])
        own = np.flatnonzero(before & allowed & (families == families[row])).tolist()
        if not own:
            return 1 + len(np.unique(families[better])), len(np.unique(families[allowed])), ""
        first = min(own, key=lambda member: (-scores[member], ids[member]))
        rank, hits, _ = self._place(first)
        return rank, hits, ids[first]

    def _channels(self, row: int, patent: Patent, alone: Part) -> tuple[Any, Any, float, dict[str, float]]:
        """Channels, words over all of them, their rest, and the words that explain the likeness of texts."""
        comparison = self._listing.comparison
        if self._fused is not None:
            channels, every = self._fused.of(row, patent)
            words, rest = self._fused.added(channels, every)
            return channels, words, rest, dict(every.get("words") or comparison.words(row))
        assert isinstance(self._ranker, IndexRanker)
        shares = comparison.words(row)
        channel = index_channel(self._request.index, self._ranker, alone, shares, self._words)
        words = channel.words.shown if channel.words else ()
        rest = alone.contribution - fsum(share.contribution for share in words)
        return (channel,), words, rest, dict(shares)

    def _calibrated(self, row: int) -> Calibrated | None:
        learned, comparison = self._learned, self._listing.comparison
        chance = comparison.chance(row) if isinstance(comparison, FusedComparison) else None
        if learned is None or chance is None:
            return None
        return Calibrated(chance, int(learned.metrics.get("judged", 0)), learned.corpus == self._view.corpus)

    def _notes(self, patent: Patent) -> tuple[str, ...]:
        notes = []
        if self._draft.language and patent.language and self._draft.language != patent.language:
            notes.append(f"its text is in {patent.language}, the draft in {self._draft.language}: words hardly compare")
        if patent.depth != "full":
            notes.append("the corpus has no description of it")
        if self._speech.vectors is None:
            notes.append("no index here has word vectors, so only forms of one word bridge: `foreart build ppmi`")
        return tuple(notes)


def hub_of(ranker: Ranker, number: str) -> Hub | None:
    """What was learned of a document that comes up for most drafts; None if it is none of the first hundredth."""
    if not isinstance(ranker, FusedRanker) or ranker.learned is None or number not in ranker.hub_places:
        return None
    return Hub(ranker.learned.hubs[number], ranker.learned.hub_mean, ranker.hub_places[number])
