"""What a matter needs of the library that it is in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol, TypeVar, Unpack

from foreart.corpus import Corpus
from foreart.document.draft import Draft
from foreart.index.published_state import PublishedState
from foreart.records.record_data import SearchRecord
from foreart.search import Ranker, Result, SearchOptions, SearchRequest
from foreart.search.charting import Chart
from foreart.search.explaining import Explainer

_Answer = TypeVar("_Answer")


class MatterLibrary(Protocol):
    """What a matter needs of the library that it is in."""

    folder: Path

    @property
    def corpus(self) -> Corpus:
        """The corpus that is searched."""

    def search(self, asked: Draft, **options: Unpack[SearchOptions]) -> Result:
        """Searches the corpus."""

    def record(self, result: Result, *, private: bool = False) -> SearchRecord:
        """The record of a search."""

    def ranker(self, index: str = "", *, ranking: str = "auto") -> Ranker:
        """Scores the documents of the corpus."""

    def answer(self, request: SearchRequest, answer: Callable[[PublishedState, Ranker], _Answer]) -> _Answer:
        """What a function finds with the published state and the ranker of a request."""

    def chart(self, asked: SearchRequest, ids: Iterable[str] = (), *, claims: Iterable[int] = ()) -> Chart:
        """The elements of a draft's claims against documents."""

    def explainer(self, asked: SearchRequest, *, words: int = 15) -> Explainer:
        """Explains the scores of a request."""
