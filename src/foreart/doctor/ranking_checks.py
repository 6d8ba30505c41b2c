"""Checks of what `foreart learn` keeps: the ranking, and what reviews use."""

from __future__ import annotations

from collections.abc import Iterator

from foreart.corpus import Corpus
from foreart.corpus.views import FILE as VIEW
from foreart.doctor.health_check import HealthCheck
from foreart.errors import ForeartError
from foreart.index.published_state import published_state
from foreart.review.queue import FILE as REVIEW
from foreart.review.queue import load_review
from foreart.search.ranking import LEARNED, load_learned, outgrown, ranking_path, read_candidates


def learned_checks(corpus: Corpus) -> Iterator[HealthCheck]:
    """The learned ranking, or that default weights are used."""
    path = ranking_path(corpus.path.parent) / LEARNED
    if not path.exists():
        if (published_state(corpus.path.parent).view_folder / VIEW).exists():
            sentence = "default weights: `foreart learn` learns weights from this corpus"
            yield HealthCheck("ranking", "note", sentence)
        return
    try:
        learned = load_learned(path)
    except ForeartError as error:
        yield HealthCheck("ranking", "bad", str(error))
        return
    reason = outgrown(learned, corpus)
    state = "this state of the corpus" if learned.corpus == corpus.fingerprint else "an earlier state of the corpus"
    queries = learned.training.get("queries", learned.training.get("teachers", 0))  # the key of foreart 0.1
    sentence = f"learned from {queries:,} documents of {state}"
    if reason:
        yield HealthCheck("ranking", "note", f"{sentence}; {reason}: `foreart learn` again")
    else:
        yield HealthCheck("ranking", "ok", sentence)


def review_checks(corpus: Corpus) -> Iterator[HealthCheck]:
    """What reviews use; no finding before a ranking was learned, or if that cannot be read."""
    folder = ranking_path(corpus.path.parent)
    try:
        ranking = load_learned(folder / LEARNED) if (folder / LEARNED).exists() else None
    except ForeartError:
        return
    if ranking is None:
        return
    if not (folder / REVIEW).exists():
        sentence = "default weights, and no estimate of what is unread: `foreart learn` learns both"
        yield HealthCheck("review", "note", sentence)
        return
    try:
        review = load_review(folder / REVIEW)
    except ForeartError as error:
        yield HealthCheck("review", "bad", str(error))
        return
    sentence = f"learned from {review.training.get('reviews', 0):,} simulated reviews"
    if review.ranking != ranking.fingerprint:
        yield HealthCheck("review", "note", f"{sentence} of another ranking: `foreart learn` again")
    elif review.stopping is None:
        yield HealthCheck("review", "note", f"{sentence}; these are too few to estimate what is unread")
    else:
        yield HealthCheck("review", "ok", f"{sentence} of this ranking")


def candidate_checks(corpus: Corpus) -> Iterator[HealthCheck]:
    """The measured recall of candidates; no finding if it was not measured."""
    try:
        measured = read_candidates(ranking_path(corpus.path.parent))
    except ForeartError as error:
        yield HealthCheck("candidates", "bad", str(error))
        return
    if measured is not None:
        sentence = f"{measured.best_100:.1%} of the best hundred of an exact search, measured with {measured.queries}"
        yield HealthCheck("candidates", "ok", f"{sentence} documents")
