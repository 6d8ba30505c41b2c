"""The recall of candidates, measured with documents of the very corpus as drafts: what an exact search finds of it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from random import Random

import numpy as np

from foreart.corpus import Corpus
from foreart.document.draft import outlined
from foreart.durable import ChecksumError, read_checked, write_checked
from foreart.errors import IndexingError
from foreart.index.query.recall import still_holds
from foreart.search.law.priority import Cutoff
from foreart.search.ranking.candidate_choice import EXACT
from foreart.search.ranking.fused import FusedRanker
from foreart.search.scope import known_before
from foreart.search.score_parts import CandidateRecall

FILE = "candidates.json"
_QUERIES, _SEED = 12, 1
_FIRST, _BEST = 20, 100
_LATEST = Cutoff("9999-12-31", "all documents")


def measured_candidates(ranker: FusedRanker, corpus: Corpus, *, queries: int = _QUERIES) -> CandidateRecall:
    """Searches with some documents as drafts, without dates, by candidates and exactly."""
    view = ranker.view
    rows = sorted(Random(_SEED).sample(range(len(view)), min(queries, len(view))))  # noqa: S311 no secret
    exact = ranker.with_depth(EXACT)
    shares: list[tuple[float, float, int]] = []
    for row in rows:
        document = corpus[view.ids[row]]
        scope = known_before(document, _LATEST, view, corpus)
        if not scope.known.any():
            continue
        draft = outlined(document)
        compared = ranker.compare(draft, scope)
        best = [place for place, _ in exact.compare(draft, scope).top(_BEST, scope.known)]
        found = [place for place, _ in compared.top(_BEST, scope.known)]
        shares.append((_held(best, found, _FIRST), _held(best, found, _BEST), len(compared.known.rows)))
    first, best_100, candidates = np.mean(shares, axis=0).tolist() if shares else (1.0, 1.0, 0.0)
    return CandidateRecall(
        best_20=first,
        best_100=best_100,
        queries=len(shares),
        candidates=candidates,
        depth=ranker.depth,
        documents=len(view),
        corpus=view.corpus,
        ranking=ranker.ranking.fingerprint,
    )


def _held(best: list[int], found: list[int], k: int) -> float:
    return len(set(best[:k]).intersection(found[:k])) / max(1, len(best[:k]))


def write_candidates(measured: CandidateRecall, folder: Path) -> None:
    """Keeps the figures with the ranking."""
    folder.mkdir(parents=True, exist_ok=True)
    write_checked(folder / FILE, asdict(measured))


def read_candidates(folder: Path) -> CandidateRecall | None:
    """The figures that were kept, for whatever ranking; None if there are none, IndexingError if they are damaged."""
    path = folder / FILE
    try:
        return CandidateRecall(**read_checked(path))
    except FileNotFoundError:
        return None
    except (OSError, ChecksumError, TypeError, ValueError) as error:
        raise IndexingError(f"{path} is damaged ({type(error).__name__}): run `foreart build`") from None


def load_candidates(folder: Path, ranker: FusedRanker) -> CandidateRecall | None:
    """The figures of a ranker; None if they were measured for other weights, or for far more or fewer documents.

    Damaged figures are none: searches do not need them, and the next build measures them again.
    """
    try:
        measured = read_candidates(folder)
    except IndexingError:
        return None
    if measured is None or (measured.depth, measured.ranking) != (ranker.depth, ranker.ranking.fingerprint):
        return None
    return measured if still_holds(measured.documents, len(ranker.view)) else None
