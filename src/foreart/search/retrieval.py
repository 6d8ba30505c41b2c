"""Runs a search request: filters, ranks the remaining documents, applies the law, groups families."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version

import numpy as np

from foreart.corpus import Corpus
from foreart.corpus.indexed_corpus import IndexedCorpus, as_indexed
from foreart.errors import StaleIndex
from foreart.index.storage.snapshot import Snapshot
from foreart.search.evidence import best_passage
from foreart.search.filters import Filtered, filtered
from foreart.search.full_text import posted_text
from foreart.search.hits import Hit, Member, Result, Scores
from foreart.search.law.date_arrays import ORDER, DateArrays, statuses
from foreart.search.law.priority import Status, cutoff_of
from foreart.search.listing import Listing
from foreart.search.missing import missing_terms, rare_terms
from foreart.search.number_lists import listed
from foreart.search.ranker import Ranker
from foreart.search.request import NO_FILTERS, SearchRequest

WORDS = 25
_STEPS = 60

Tokenize = Callable[[str], list[str]]
Words = tuple[tuple[str, float], ...]


def search(
    request: SearchRequest,
    ranker: Ranker,
    corpus: Corpus,
    *,
    today: str = "",
    postings: Snapshot | None = None,
) -> Result:
    """The k most similar families that can be prior art of a draft, and what filters, dates and its own family exclude.

    `postings` are those of the full text, if the ranker has none. Documents are read as they were indexed.
    """
    indexed = searched_corpus(corpus, ranker)
    request = with_numbers(request, corpus)
    ranking = ranker.requested(request)
    remaining = compared_rows(request, ranking, indexed, postings=postings, today=today)
    effective = cutoff_of(request.draft, request.cutoff, today=today)
    listing = Listing(
        request.draft, ranking, indexed, cutoff=effective, regime=request.regime, selected=remaining.allowed
    )
    late, own = listing.having("after the date"), listing.having("own family")
    hits, shared = _hits(listing, ranking, request.k, passages=request.passages)
    rare = rare_terms(listing.comparison.query_terms(), len(ranking.view), own=int(own.sum())) if hits else ()
    return Result(
        request=request,
        hits=hits,
        cutoff=effective,
        compared=int(remaining.allowed.sum()),
        left_out=listing.left_out(request.k),
        left_out_count=int((late & remaining.allowed).sum()),
        scores=_distribution(scores := listing.candidate_scores()),
        scored=len(scores),
        candidate_recall=None if request.exact else ranking.candidate_recall,
        corpus_fingerprint=indexed.fingerprint,
        index=ranking.description,
        foreart=version("foreart"),
        notes=(*request.draft.notes, *ranking.notes, *listing.comparison.notes, *filter(None, (indexed.changes.note,))),
        removed=remaining.removed,
        unknown=remaining.unknown,
        own_family=listing.own_family(),
        ranking=ranking.ranking,
        missing_terms=missing_terms(rare, shared),
    )


def with_numbers(request: SearchRequest, corpus: Corpus) -> SearchRequest:
    """The request with publication numbers instead of files that list them, so that a record can repeat it."""
    filters = request.filters
    if not filters.ignore and not filters.only_new:
        return request
    ignore, only_new = (listed(items, corpus.__contains__) for items in (filters.ignore, filters.only_new))
    return replace(request, filters=replace(filters, ignore=ignore, only_new=only_new))


def searched_corpus(corpus: Corpus, ranker: Ranker) -> IndexedCorpus:
    """The corpus as the documents of a ranker were indexed; StaleIndex if its index is of another state."""
    view = ranker.view
    if view.corpus != ranker.description.corpus:
        raise StaleIndex(f"this index of {corpus.path} is of another state of the corpus: run `foreart build` again")
    return as_indexed(corpus, view)


def compared_rows(
    request: SearchRequest, ranker: Ranker, corpus: IndexedCorpus, *, postings: Snapshot | None, today: str = ""
) -> Filtered:
    """The documents of a ranker that pass the filters and are still in the corpus."""
    view = ranker.view
    has_filters = request.filters != NO_FILTERS
    words = posted_text(ranker, view.ids, corpus=view.corpus, postings=postings) if has_filters else None
    remaining = filtered(request.filters, view, corpus, words)
    if wanted := request.filters.statuses:
        cutoff = cutoff_of(request.draft, request.cutoff, today=today)
        codes = statuses(DateArrays.of(view), cutoff, request.regime)
        _keep(wanted, codes, remaining)
    remaining.allowed[corpus.changes.removed] = False
    return remaining


def _keep(wanted: tuple[Status, ...], codes: np.ndarray, remaining: Filtered) -> None:
    """Removes the documents whose dates give them another status."""
    mask = np.isin(codes, [ORDER.index(status) for status in wanted])
    remaining.removed[f"status {' or '.join(wanted)}"] = int((remaining.allowed & ~mask).sum())
    remaining.allowed[~mask] = False


def _hits(listing: Listing, ranker: Ranker, k: int, *, passages: bool) -> tuple[tuple[Hit, ...], set[str]]:
    """The hits, and all words that at least one of them shares with the draft."""
    best = listing.families(k)
    members = listing.members(row for row, _ in best)
    tokenize = ranker.words if passages else None
    hits: list[Hit] = []
    shared: set[str] = set()
    for rank, (row, score) in enumerate(best, start=1):
        words = listing.comparison.words(row)
        shared |= {word for word, share in words if share > 0}
        hits.append(_hit(rank, row, score, listing, members.get(listing.family(row), ()), words, tokenize))
    return tuple(hits), shared


def _hit(
    rank: int,
    row: int,
    score: float,
    listing: Listing,
    members: tuple[Member, ...],
    words: Words,
    tokenize: Tokenize | None,
) -> Hit:
    patent = listing.patent(row)
    calibrated, hub = listing.comparison.calibrated(row), listing.comparison.hub(row)
    return Hit(
        rank=rank,
        id=patent.id,
        score=score,
        status=listing.status(row),
        title=patent.title,
        published=patent.published,
        priority=patent.priority,
        words=words[:WORDS],
        family=listing.family(row),
        family_members=members,
        filed=patent.filed,
        published_estimated=patent.published_estimated,
        applicants=patent.applicants,
        language=patent.language,
        depth=patent.depth,
        abstract=patent.abstract,
        passage=best_passage(patent, dict(words), words=tokenize) if tokenize else None,
        rule=listing.rule(row),
        parts=listing.comparison.parts(row),
        similarity=sum(share for _, share in words),
        chance=calibrated.chance if calibrated else None,
        hub=hub.place if hub else 0,
    )


def _distribution(scores: np.ndarray) -> Scores:
    """The histogram from 0, or from the minimum if a fusion has negative scores."""
    lowest, highest = min(0.0, float(scores.min(initial=0.0))), max(0.0, float(scores.max(initial=0.0)))
    counts, _ = np.histogram(scores, bins=_STEPS, range=(lowest, highest if highest > lowest else lowest + 1.0))
    return Scores(highest, tuple(int(count) for count in counts), lowest)
