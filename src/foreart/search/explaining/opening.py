"""Opens an explainer of a library: its ranker, the postings of its full text, and the word vectors of its indexes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from foreart.corpus import Corpus
from foreart.corpus.indexed_corpus import IndexedCorpus
from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.errors import IndexingError
from foreart.index import Index
from foreart.index.published_state import PublishedState
from foreart.search.charting import Bridges, Chart, chart
from foreart.search.explaining.bridge_vectors import MEANING_INDEXES, VECTOR_INDEXES, WordVectors, vectors_of
from foreart.search.explaining.bridges import WordStatistics, chart_bridges
from foreart.search.explaining.contributions import WORDS
from foreart.search.explaining.explainer import Explainer
from foreart.search.explaining.term_places import Located
from foreart.search.ranker import Ranker
from foreart.search.request import SearchRequest
from foreart.text import tokens

Load = Callable[[str], Index]


def open_explainer(
    request: SearchRequest,
    ranker: Ranker,
    corpus: Corpus,
    *,
    state: PublishedState,
    words: int = WORDS,
) -> Explainer:
    """An explainer of a request by a ranker of this state."""
    held = ranker.indexes
    vectors = partial(word_vectors, state.indexes, lambda name: held[name] if name in held else state.index(name))
    snapshot = ranker.postings or state.full_text
    return Explainer(request, ranker, corpus, postings=snapshot, vectors=vectors, words=words)


def open_chart(
    request: SearchRequest,
    numbers: Sequence[str],
    corpus: IndexedCorpus,
    *,
    state: PublishedState,
    bridges: Bridges | bool = False,
    **how: Any,  # noqa: ANN401 which claims, and how many quotes
) -> Chart:
    """The chart of a request's claims against documents; with `bridges` true, words of similar meaning count too."""
    if bridges is True:
        bridges = bridges_of(request.draft, [corpus[ids[-1]] for ids in map(corpus.find, numbers) if ids], state)
    return chart(
        request.draft,
        numbers,
        corpus,
        state.full_text,
        cutoff=request.cutoff,
        regime=request.regime,
        bridges=bridges or None,
        **how,
    )


def word_vectors(indexes: Collection[str], load: Load, kinds: Collection[str] = VECTOR_INDEXES) -> WordVectors | None:
    """The best word vectors of some kinds of index; None if there are none."""
    vectors = (vectors_of(name, load(name)) for name in kinds if name in indexes)
    return next((each for each in vectors if each is not None), None)


def bridges_of(draft: Draft, patents: Collection[Patent], state: PublishedState) -> Bridges:
    """Words of some documents that are near in meaning to words of a draft's claims, for a chart."""
    vectors = word_vectors(state.indexes, state.index, MEANING_INDEXES)
    if vectors is None:
        raise IndexingError(
            "bridges need the word vectors of an index ppmi or word2vec: `foreart build ppmi` makes them"
        )
    statistics = WordStatistics.of(state.full_text, vectors)
    language = draft.language or next((patent.language for patent in patents), "")
    return chart_bridges(Located(draft, tokens), [Located(patent, tokens) for patent in patents], statistics, language)
