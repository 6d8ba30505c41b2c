"""Explains the rank and score of any document for one request."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib.metadata import version
from math import fsum

import numpy as np

from foreart.corpus import Corpus
from foreart.corpus.views import ALONE
from foreart.document.patent import Patent
from foreart.errors import NotInCorpus
from foreart.index.storage.snapshot import Snapshot
from foreart.search.explaining.bridge_vectors import WordVectors
from foreart.search.explaining.bridges import WordStatistics, bridges
from foreart.search.explaining.channel_causes import Causes
from foreart.search.explaining.contributions import WORDS, ChannelExplainer, index_channel
from foreart.search.explaining.reasons import ChannelReason, Reasons, Share
from foreart.search.explaining.shared_terms import extracts, shared_rare_terms
from foreart.search.explaining.term_places import Located
from foreart.search.law.priority import cutoff_of
from foreart.search.listing import Listing
from foreart.search.ranker import Ranker
from foreart.search.request import SearchRequest
from foreart.search.retrieval import compared_rows, searched_corpus, with_numbers
from foreart.search.score_parts import Part, Shares

# Channels, words over all of them, the rest of these channels, and the words of the full texts.
_Explained = tuple[tuple[ChannelReason, ...], tuple[Share, ...], float, dict[str, float]]


class Explainer:
    """One request, compared once with all documents; explains the rank and score of any of them.

    `postings` are those of the full text, `folder` is where they are stored. `vectors` loads word vectors when they are
    first needed, or gives None; `words` is how many words of each channel are shown.
    """

    def __init__(
        self,
        request: SearchRequest,
        ranker: Ranker,
        corpus: Corpus,
        *,
        postings: Snapshot,
        vectors: Callable[[], WordVectors | None] = lambda: None,
        words: int = WORDS,
        today: str = "",
    ) -> None:
        self._request, self._draft = with_numbers(request, corpus), request.draft
        self._ranker, self._corpus = ranker.requested(request), searched_corpus(corpus, ranker)
        self._postings, self._vectors, self._words = postings, vectors, words
        self._cutoff = cutoff_of(request.draft, request.cutoff, today=today)
        self._view = ranker.view
        self._left = compared_rows(self._request, self._ranker, self._corpus, postings=postings)

    @cached_property
    def _listing(self) -> Listing:
        return Listing(
            self._draft,
            self._ranker,
            self._corpus,
            cutoff=self._cutoff,
            regime=self._request.regime,
            selected=self._left.allowed,
        )

    @cached_property
    def _statistics(self) -> WordStatistics:
        return WordStatistics.of(self._postings, self._vectors())

    @cached_property
    def _located(self) -> Located:
        return Located(self._draft, self._ranker.words)

    @cached_property
    def _channels(self) -> ChannelExplainer:
        comparison = self._listing.comparison
        causes = Causes(self._draft, comparison, self._corpus, self._view)
        return ChannelExplainer(comparison, causes, limit=self._words)

    def of(self, number: str) -> Reasons:
        """Explains a document; its number may lack the kind code if only one publication matches."""
        row = self._row(number)
        listing = self._listing
        patent = listing.patent(row)
        rank, hits, instead = self._place(row)
        score = self._score(row)
        whole = Part(self._request.index, rank, score, score)
        channels, words, rest, shares = self._fused(row, patent) or self._alone(row, whole)
        document = Located(patent, self._ranker.words)
        language = self._draft.language or patent.language
        spans = bridges(self._located, document, self._statistics, language)
        terms = shared_rare_terms(self._located, document, shares, self._statistics, language)
        kind, ranking = self._ranker.fusion_kind, self._ranker.ranking
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
            fusion=kind,
            channels=channels,
            words=words,
            words_rest=rest,
            terms=terms,
            bridges=spans,
            bridges_by=self._statistics.vectors.source if self._statistics.vectors is not None else "",
            extracts=extracts(document, shares, spans),
            calibrated=listing.comparison.calibrated(row),
            hub=listing.comparison.hub(row),
            cutoff=self._cutoff,
            regime=self._request.regime,
            documents=len(self._view),
            draft_title=self._draft.title,
            draft_source=self._draft.source,
            draft_fingerprint=self._draft.fingerprint,
            corpus_fingerprint=self._corpus.fingerprint,
            index=self._request.index,
            foreart=version("foreart"),
            ranking=ranking.name if ranking else "",
            learned=ranking.fingerprint if ranking and kind == "learned" else "",
            notes=self._notes(patent),
        )

    def _row(self, number: str) -> int:
        found = self._corpus.find(number)
        if not found:
            raise NotInCorpus(f"{number} is not in the corpus {self._corpus.path}: `foreart add` loads documents")
        if len(found) > 1:
            raise NotInCorpus(f"{number} may be {', '.join(found)}: name one of them")
        if self._view.ids.row(found[0]) is None:
            raise NotInCorpus(f"{found[0]} was added since the indexes were built: `foreart build` makes it searchable")
        return self._ranker.row_of(found[0])

    def _score(self, row: int) -> float:
        mask = np.zeros(len(self._view), dtype=bool)
        mask[row] = True
        comparison = self._listing.comparison
        return dict(comparison.top(1, mask)).get(row, float(comparison.scores_of(np.array([row]))[0]))

    def _place(self, row: int) -> tuple[int, int, str]:
        """The rank among hits, one for each family, the number of hits, and the member that is listed instead."""
        rows, scores = self._ranked
        rows, places = np.unique(np.append(rows, row), return_index=True)
        scores = np.append(scores, np.round(self._listing.comparison.scores_of(np.array([row])), 12))[places]
        ids, own = self._view.ids, scores[np.searchsorted(rows, row)]
        allowed = self._listing.allowed[rows]
        # A document without a family is its own family.
        families = np.where(self._view.families[rows] == ALONE, rows, self._view.families[rows])
        family = families[np.searchsorted(rows, row)]
        before = scores > own
        for tied in np.flatnonzero(scores == own).tolist():
            before[tied] = ids[int(rows[tied])] < ids[row]
        better = before & allowed & (families != family)
        related = np.flatnonzero(before & allowed & (families == family)).tolist()
        if not related:
            return 1 + len(np.unique(families[better])), self._families, ""
        first = int(rows[min(related, key=lambda place: (-scores[place], ids[int(rows[place])]))])
        rank, hits, _ = self._place(first)
        return rank, hits, ids[first]

    @cached_property
    def _ranked(self) -> tuple[np.ndarray, np.ndarray]:
        """The documents that may be hits, and their scores: behind them nothing ranks before a candidate."""
        comparison = self._listing.comparison
        rows = comparison.candidates(self._listing.allowed)
        return rows, np.round(comparison.scores_of(rows), 12)

    @cached_property
    def _families(self) -> int:
        """The number of families that may be hits."""
        families = self._view.families[self._listing.allowed]
        return len(np.unique(families[families != ALONE])) + int((families == ALONE).sum())

    def _fused(self, row: int, patent: Patent) -> _Explained | None:
        """A document explained by channels; None where there is only one."""
        channels, every = self._channels.of(row, patent)
        if not channels:
            return None
        words, rest = self._channels.summed(channels, every)
        return channels, words, rest, dict(every.get("words") or self._listing.comparison.words(row))

    def _alone(self, row: int, whole: Part) -> _Explained:
        """A document explained by the words of the one index that ranks."""
        shares: Shares = self._listing.comparison.words(row)
        channel = index_channel(self._ranker.description, whole, shares, self._words)
        words = channel.words.shown if channel.words else ()
        rest = whole.contribution - fsum(share.contribution for share in words)
        return (channel,), words, rest, dict(shares)

    def _notes(self, patent: Patent) -> tuple[str, ...]:
        notes = []
        if self._draft.language and patent.language and self._draft.language != patent.language:
            notes.append(f"its text is in {patent.language}, the draft in {self._draft.language}: words hardly compare")
        if patent.depth != "full":
            notes.append("the corpus has no description of it")
        if self._statistics.vectors is None:
            notes.append("no index here has word vectors, so only forms of one word bridge: `foreart build ppmi`")
        if patent.id in self._corpus.changes.former:
            notes.append("it was replaced since the indexes were built, and is explained as it was: `foreart build`")
        return tuple(notes)
