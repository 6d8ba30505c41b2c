"""Searches by one index, asked in one line."""

from __future__ import annotations

from typing import Unpack

from foreart.corpus import Corpus
from foreart.corpus.views import read_view
from foreart.document.draft import Draft
from foreart.index import Index
from foreart.search import IndexRanker, Ranker, Result, SearchOptions, SearchRequest
from foreart.search import search as search_request


def search(
    draft: Draft, index: Index | Ranker, corpus: Corpus, *, today: str = "", **options: Unpack[SearchOptions]
) -> Result:
    """The result of one index, or of any ranker."""
    ranker = IndexRanker(index, read_view(corpus)) if isinstance(index, Index) else index
    return search_request(SearchRequest.of(draft, **options), ranker, corpus, today=today)
