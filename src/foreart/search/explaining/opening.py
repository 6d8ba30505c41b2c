"""An explainer of a library: its ranker, the postings of its full text, and the word vectors of its indexes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any

from foreart.corpus import Corpus
from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.errors import IndexingError
from foreart.index import Index
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.store import load as load_postings
from foreart.index.word_index import WordIndex
from foreart.search.charting import Bridges
from foreart.search.explaining.bridge_vectors import MEANING_INDEXES, VECTOR_INDEXES, WordVectors, vectors_of
from foreart.search.explaining.bridges import Speech, chart_bridges
from foreart.search.explaining.explainer import Explainer
from foreart.search.explaining.term_places import Located
from foreart.search.ranker import Ranker
from foreart.search.ranking import FusedRanker
from foreart.text import tokens

Load = Callable[[str], Index]


def open_explainer(
    draft: Draft,
    ranker: Ranker,
    corpus: Corpus,
    *,
    postings: Path,
    indexes: Collection[str],
    load: Load,
    **asked: Any,  # noqa: ANN401 the other parameters of an explainer
) -> Explainer:
    """Ready to explain a draft. `indexes` are the names of those that were built, `load` opens one of them."""
    held = ranker.ground.texts.indexes if isinstance(ranker, FusedRanker) else {}
    vectors = partial(word_vectors, indexes, lambda name: held[name] if name in held else load(name))
    words = held.get("log-tfidf")
    snapshot = words.snapshot if isinstance(words, WordIndex) else _full_text(postings)
    return Explainer(draft, ranker, corpus, postings=snapshot, vectors=vectors, **asked)


def word_vectors(indexes: Collection[str], load: Load, kinds: Collection[str] = VECTOR_INDEXES) -> WordVectors | None:
    """The best word vectors of some kinds of index; None if there are none."""
    names = (name for name in kinds if name in indexes)
    return next((found for found in (vectors_of(name, load(name)) for name in names) if found is not None), None)


def bridges_of(
    draft: Draft, patents: Collection[Patent], postings: Path, *, indexes: Collection[str], load: Load
) -> Bridges:
    """Words of some documents that are near in meaning to words of a draft's claims, for a chart."""
    vectors = word_vectors(indexes, load, MEANING_INDEXES)
    if vectors is None:
        raise IndexingError(
            "bridges need the word vectors of an index ppmi or word2vec: `foreart build ppmi` makes them"
        )
    snapshot = _full_text(postings)
    speech = Speech.of(snapshot, vectors)
    language = draft.language or next((patent.language for patent in patents), "")
    return chart_bridges(Located(draft, tokens), [Located(patent, tokens) for patent in patents], speech, language)


def _full_text(postings: Path) -> Snapshot:
    if not (postings / "full" / "current").exists():
        raise IndexingError(f"there are no postings of the full text in {postings}: `foreart build` makes them")
    return load_postings(postings / "full")
