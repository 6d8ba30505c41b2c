"""A draft becomes hits: filter, compare with every document left, judge by dates, gather families."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from importlib.metadata import version
from pathlib import Path

import numpy as np

from foreart.corpus import EVERYTHING, Corpus, Selection
from foreart.document.draft import Draft
from foreart.errors import StaleIndex
from foreart.index import Index
from foreart.search.evidence import best_passage
from foreart.search.filters import Filters, filtered
from foreart.search.full_text import posted_text
from foreart.search.hits import Hit, Member, Result, Scores
from foreart.search.law.priority import cutoff_of, regime_of
from foreart.search.listing import Listing
from foreart.search.missing import missing_terms, rare_terms
from foreart.search.ranker import IndexRanker, Ranker
from foreart.search.standing import Standing
from foreart.text import tokens

WORDS = 25
_STEPS = 60
_NO_FILTERS = Filters()

Cut = Callable[[str], list[str]]
Words = tuple[tuple[str, float], ...]


def search(
    draft: Draft,
    ranker: Ranker | Index,
    corpus: Corpus,
    *,
    k: int = 20,
    cutoff: str = "",
    regime: str = "any",
    selection: Selection = EVERYTHING,
    must: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
    only_new: tuple[str, ...] = (),
    passages: bool = True,
    today: str = "",
    standing: Standing | None = None,
    postings: Path | None = None,
) -> Result:
    """The k families nearest to a draft that may count against it, and what filters, dates and its own family left out.

    Filters (`selection`, terms the full text `must` have or be `without`, documents to `ignore`, those of an earlier
    search for `only_new`) are answered before any document is ranked. `standing` is what an earlier search knew of the
    same corpus, `postings` the folder where words are looked up if the ranker has none of the full text.
    """
    ranking = IndexRanker(ranker) if isinstance(ranker, Index) else ranker
    filters = Filters(selection, *map(_several, (must, without, ignore, only_new)))
    law, limit = regime_of(regime), cutoff_of(draft, cutoff, today=today)
    known = standing if standing is not None and standing.holds(corpus, ranking.ids) else Standing(corpus, ranking.ids)
    if known.fingerprint != ranking.description.corpus:
        raise StaleIndex(f"the corpus {corpus.path} has changed since this index was built: run `foreart build` again")
    asked = filters != _NO_FILTERS
    words = posted_text(ranking, known.ids, corpus=known.fingerprint, folder=postings) if asked else None
    left = filtered(filters, known, corpus, words)
    listing = Listing(draft, ranking, corpus, known, cutoff=limit, regime=law, selected=left.allowed)
    late, own = listing.having("after the date"), listing.having("own family")
    hits, shared = _hits(listing, ranking, k, passages=passages)
    rare = rare_terms(listing.comparison.asked(), len(known), own=int(own.sum())) if hits else ()
    return Result(
        hits=hits,
        cutoff=limit,
        compared=int(left.allowed.sum()),
        left_out=listing.left_out(k),
        left_out_count=int((late & left.allowed).sum()),
        scores=_distribution(listing.comparison.scores[left.allowed & ~own]),
        draft_title=draft.title,
        draft_source=draft.source,
        draft_fingerprint=draft.fingerprint,
        draft_notes=(*draft.notes, *ranking.notes),
        corpus_fingerprint=known.fingerprint,
        index=ranking.description,
        foreart=version("foreart"),
        regime=law,
        filters=filters,
        removed=left.removed,
        unknown=left.unknown,
        own_family=listing.own_family(),
        ranking=ranking.ranking,
        missing_terms=missing_terms(rare, shared),
    )


def _several(values: Iterable[str]) -> tuple[str, ...]:
    """A single text is one value, not its letters."""
    return (values,) if isinstance(values, str) else tuple(map(str, values))


def _hits(listing: Listing, ranker: Ranker, k: int, *, passages: bool) -> tuple[tuple[Hit, ...], set[str]]:
    """The hits, and all words that any of them shares with the draft."""
    best = listing.families(k)
    members = listing.members(row for row, _ in best)
    cut = _cut(ranker) if passages else None
    hits: list[Hit] = []
    shared: set[str] = set()
    for rank, (row, score) in enumerate(best, start=1):
        words = listing.comparison.words(row)
        shared |= {word for word, share in words if share > 0}
        hits.append(_hit(rank, row, score, listing, members.get(listing.family(row), ()), words, cut))
    return tuple(hits), shared


def _hit(
    rank: int, row: int, score: float, listing: Listing, members: tuple[Member, ...], words: Words, cut: Cut | None
) -> Hit:
    patent = listing.patent(row)
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
        abstract=patent.abstract,
        passage=best_passage(patent, dict(words), words=cut) if cut else None,
        rule=listing.rule(row),
        parts=listing.comparison.parts(row),
        likeness=sum(share for _, share in words),
        chance=listing.comparison.chance(row),
        hub=listing.comparison.hub(row),
    )


def _cut(ranker: Ranker) -> Cut:
    """How the words that explain were cut."""
    if isinstance(ranker, IndexRanker):
        return ranker.index.words
    return partial(tokens, as_published=bool(ranker.description.parameters.get("as_published")))


def _distribution(scores: np.ndarray) -> Scores:
    """From 0, or from the least where a fusion has scores below 0."""
    least, greatest = min(0.0, float(scores.min(initial=0.0))), max(0.0, float(scores.max(initial=0.0)))
    counts, _ = np.histogram(scores, bins=_STEPS, range=(least, greatest if greatest > least else least + 1.0))
    return Scores(greatest, tuple(int(count) for count in counts), least)
