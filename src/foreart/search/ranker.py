"""The contract of a ranker: scores every document of a corpus for a draft, and says why."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from foreart.corpus.views import CorpusView
from foreart.document.draft import Draft
from foreart.errors import BadRequest, NotInCorpus
from foreart.index import Description, Explanation, Index
from foreart.index.scoring.query_terms import Query
from foreart.index.storage.snapshot import Snapshot
from foreart.search.request import NO_EMPHASIS, Emphasis
from foreart.search.scope import Scope
from foreart.text import section_text


class Fingerprinted(Protocol):
    """What a record of a search names."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def fingerprint(self) -> str:
        """Another one for all that gives other scores."""

    def to_record(self) -> dict[str, Any]:
        """As JSON can hold it."""


@dataclass(frozen=True, slots=True)
class Chance:
    """How often documents at a score were cited: the share, and its 95 % interval (Wilson); of how many documents."""

    share: float
    low: float
    high: float
    cited: int
    documents: int


@dataclass(frozen=True, slots=True)
class Part:
    """One channel's part of a score: parts sum to it. `rank` is the document's place in that channel, 0 if unranked."""

    channel: str
    rank: int
    value: float
    contribution: float


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A word of the draft that some document has: its weight in the draft, and how many documents have it."""

    word: str
    weight: float
    documents: int


class Comparison(ABC):
    """A draft compared with every document."""

    @abstractmethod
    def top(self, k: int, allowed: np.ndarray) -> list[tuple[int, float]]:
        """Rows and scores of the k best documents of those allowed, ties by id."""

    @property
    @abstractmethod
    def scores(self) -> np.ndarray:
        """The score of every row."""

    @abstractmethod
    def words(self, row: int) -> tuple[tuple[str, float], ...]:
        """Words that draft and document share, with what each contributes to the likeness of texts, greatest first."""

    def asked(self) -> tuple[AskedWord, ...]:
        """The words that ask; nothing where an index does not count words."""
        return ()

    def hub(self, row: int) -> int:
        """The place of a document among those that come up for many drafts, if it is among the first; else 0."""
        return 0

    def chance(self, row: int) -> Chance | None:
        """How often documents at the score of a row were cited, where that was counted."""
        return None

    def parts(self, row: int) -> tuple[Part, ...]:
        """What each channel contributes to the score of a row; nothing where there is only one."""
        return ()


class Ranker(ABC):
    """Ranks all documents for any draft."""

    @property
    @abstractmethod
    def view(self) -> CorpusView:
        """The documents, by row."""

    @property
    def ids(self) -> Sequence[str]:
        """The ids of the documents, by row."""
        return self.view.ids

    @property
    @abstractmethod
    def description(self) -> Description:
        """The index whose words explain, and the corpus it was made of."""

    def row_of(self, number: str) -> int:
        """The row of a document."""
        row = self.view.ids.row(number)
        if row is None:
            raise NotInCorpus(f"{number} is not in the index: build it of the corpus it is in")
        return row

    @abstractmethod
    def words(self, text: str) -> list[str]:
        """A text cut as the index of the description cuts it."""

    @property
    @abstractmethod
    def indexes(self) -> Mapping[str, Index]:
        """The indexes it ranks by, by name."""

    @property
    def postings(self) -> Snapshot | None:
        """The postings of the full text with words cut in the default way, if one of its indexes has them."""
        return next((index.postings for index in self.indexes.values() if index.postings is not None), None)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader of a list should know of the way it was ranked."""
        return ()

    @property
    def ranking(self) -> Fingerprinted | None:
        """What else than the index of the description makes the scores, for records."""
        return None

    def emphasising(self, emphasis: Emphasis) -> Ranker:
        """This ranker with an emphasis; BadRequest where it knows none."""
        if emphasis != NO_EMPHASIS:
            raise BadRequest("one index alone knows no emphasis: search without naming an index")
        return self

    def unlearned(self, *numbers: str) -> Ranker:
        """This ranker without what it learned from some documents, to evaluate it on them."""
        return self

    @abstractmethod
    def compare(self, draft: Draft, scope: Scope) -> Comparison:
        """The draft compared with every document."""


class IndexRanker(Ranker):
    """Ranks by one index alone."""

    def __init__(self, index: Index, view: CorpusView, *, name: str = "", notes: tuple[str, ...] = ()) -> None:
        self.index = index
        self._view = view.aligned(index.ids)
        self._name, self._notes = name, notes

    @property
    def indexes(self) -> Mapping[str, Index]:
        """The one index."""
        return {self._name: self.index}

    def words(self, text: str) -> list[str]:
        """A text cut as the index cuts it."""
        return self.index.words(text)

    @property
    def notes(self) -> tuple[str, ...]:
        """As given."""
        return self._notes

    @property
    def view(self) -> CorpusView:
        """The documents, in the order of the index."""
        return self._view

    @property
    def description(self) -> Description:
        """That of the index."""
        return self.index.description

    def compare(self, draft: Draft, scope: Scope) -> Comparison:
        """The draft compared with every document."""
        return _IndexComparison(self.index, section_text(draft, self.index.sections))


class _IndexComparison(Comparison):
    def __init__(self, index: Index, text: str) -> None:
        self._index = index
        self._text = text
        self._query = index.encode(text)

    def top(self, k: int, allowed: np.ndarray) -> list[tuple[int, float]]:
        return [
            (self._index.row_of(number), score) for number, score in self._index.top(self._query, k, allowed=allowed)
        ]

    @cached_property
    def scores(self) -> np.ndarray:
        return self._index.scores(self._query)

    def asked(self) -> tuple[AskedWord, ...]:
        return asked_of(self._query) if isinstance(self._query, Query) else ()

    @cached_property
    def _explanation(self) -> Explanation:
        return self._index.explanation(self._text)

    def words(self, row: int) -> tuple[tuple[str, float], ...]:
        return tuple(self._explanation.of(self._index.ids[row]))


def asked_of(query: Query) -> tuple[AskedWord, ...]:
    """The words of a query of postings."""
    found = zip(query.words, query.weights.tolist(), query.df.tolist(), strict=True)
    return tuple(AskedWord(word, weight, documents) for word, weight, documents in found)
