"""Learns all that is learned from a corpus and keeps it in its library: the ranking, its recall, and reviews."""

from __future__ import annotations

from collections.abc import Sequence

from foreart.corpus import Corpus
from foreart.corpus.indexed_corpus import as_indexed
from foreart.index.published_state import PublishedState
from foreart.learning.review_cases import ReviewCase
from foreart.learning.review_training import learn_review
from foreart.learning.training import Progress, learn
from foreart.review.queue import FILE, write_review
from foreart.search.ranking import Learned, measure_candidates, open_inputs, ranking_path, write_learned


def learn_and_keep(
    corpus: Corpus,
    state: PublishedState,
    *,
    without: Sequence[str] = (),
    seed: int = 0,
    progress: Progress | None = None,
) -> Learned:
    """Learns from a corpus as it was indexed, and writes what it learned beside the indexes."""
    inputs, cases = open_inputs(state), list[ReviewCase]()
    learned = learn(
        as_indexed(corpus, state.view), inputs, without=without, seed=seed, progress=progress, observe=cases.append
    )
    folder = ranking_path(state.library)
    write_learned(learned, folder)
    measure_candidates(state, corpus)
    if progress is not None:
        progress("reviewing", 0, 1)
    review = learn_review(cases, inputs, learned, seed=seed)
    if review is None:
        (folder / FILE).unlink(missing_ok=True)
    else:
        write_review(review, folder)
    if progress is not None:
        progress("reviewing", 1, 1)
    return learned
