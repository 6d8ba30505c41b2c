"""Which weights a review uses, and why nothing can be said of the unread where that is so."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from foreart.review.feedback import FeedbackWeights
from foreart.review.queue.learned_review import (
    CITATIONS,
    FILE,
    PLACES,
    TEXTS,
    LearnedReview,
    default_review,
    load_review,
)
from foreart.review.stopping import StoppingModel
from foreart.search.ranker import Ranker
from foreart.search.ranking import ranking_path

_NO_CITATIONS = (
    "How many are still unread cannot be estimated: the documents of this corpus have no citations to learn from."
)
_NOT_LEARNED = "How many are still unread cannot be estimated before `foreart learn` has been run on this corpus."
_OTHER_RANKING = (
    "How many are still unread cannot be estimated: the estimate was learned for a different ranking. Run `foreart "
    "learn`, and search with the learned ranking."
)
_TOO_FEW = "How many are still unread cannot be estimated: too few documents of this corpus cite others of it."


@dataclass(frozen=True, slots=True)
class ReviewChoice:
    """The weights of a review; `missing` says why there is no model of the unread, `""` if there is one."""

    learned: LearnedReview
    missing: str = ""

    @property
    def weights(self) -> FeedbackWeights:
        """The weights of feedback."""
        return self.learned.weights

    @property
    def model(self) -> StoppingModel | None:
        """The model of the unread, where it is one of this ranking."""
        return None if self.missing else self.learned.stopping


def review_of(ranker: Ranker, library: Path, *, has_citations: bool) -> ReviewChoice:
    """What was learned for this very ranking, else default weights, with the reason."""
    if ranker.fusion_kind != "learned":
        return ReviewChoice(default_review(PLACES), _OTHER_RANKING if has_citations else _NO_CITATIONS)
    path = ranking_path(library) / FILE
    if path.exists():
        learned = load_review(path)
        ranking = ranker.ranking
        if ranking is not None and learned.ranking == ranking.fingerprint:
            return ReviewChoice(learned, "" if learned.stopping is not None else _TOO_FEW)
        return ReviewChoice(default_review(CITATIONS if has_citations else TEXTS), _OTHER_RANKING)
    if not has_citations:
        return ReviewChoice(default_review(TEXTS), _NO_CITATIONS)
    return ReviewChoice(default_review(CITATIONS), _NOT_LEARNED)
