"""The contract of a ranker: scores documents of a corpus for a draft, and explains the scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from foreart.corpus.views import CorpusView
from foreart.document.draft import Draft
from foreart.errors import BadRequest, NotInCorpus
from foreart.index import Description, Index, QueryTerm
from foreart.index.storage.snapshot import Snapshot
from foreart.search.request import NO_EMPHASIS, Emphasis, SearchRequest
from foreart.search.scope import Scope
from foreart.search.score_parts import Calibrated, CandidateRecall, Evidence, FusionKind, Hub, Part, Shares


class Fingerprinted(Protocol):
    """How a record of a search names a ranking."""

    @property
    def name(self) -> str:
        """The name that users see."""

    @property
    def fingerprint(self) -> str:
        """Differs whenever scores may differ."""

    def to_record(self) -> dict[str, Any]:
        """As JSON can hold it."""


class Comparison(ABC):
    """A draft compared with the documents of a corpus; a comparison with several channels explains each of them."""

    @abstractmethod
    def top(self, k: int, allowed: np.ndarray) -> list[tuple[int, float]]:
        """Rows and scores of the k best documents of those allowed, ties by id."""

    @abstractmethod
    def candidates(self, allowed: np.ndarray, k: int = 0) -> np.ndarray:
        """The allowed rows that are compared in full, ascending: all that may be among the k best."""

    @abstractmethod
    def scores_of(self, rows: np.ndarray) -> np.ndarray:
        """The scores of any rows."""

    @abstractmethod
    def words(self, row: int) -> Shares:
        """Words that draft and document share, with what each contributes to the similarity of texts."""

    @abstractmethod
    def query_terms(self) -> tuple[QueryTerm, ...]:
        """The words that the draft is searched by; nothing where an index does not match words."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader of a list should know about this draft."""
        return ()

    def hub(self, row: int) -> Hub | None:
        """What was learned about a document that ranks high for many drafts; None if it is not one of these."""
        return None

    def calibrated(self, row: int) -> Calibrated | None:
        """How often documents at the score of a row were cited, where that was measured."""
        return None

    def parts(self, row: int) -> tuple[Part, ...]:
        """What each channel contributes to the score of a row, largest first; nothing where there is only one."""
        return ()

    def exact_parts(self, row: int) -> tuple[Part, ...]:
        """The same parts, with contributions in the precision in which scores are summed."""
        return self.parts(row)

    @property
    def is_linear(self) -> bool:
        """Whether a channel's contribution is proportional to its value, so that words have a share of the score."""
        return False

    def about(self, channel: str) -> str:
        """A channel in plain words."""
        return ""

    def channel_words(self, channel: str, row: int) -> Shares | None:
        """What each shared word contributes to the value of a channel; None if it does not compare text."""
        return None

    def evidence(self, channel: str, row: int, contribution: float) -> Evidence:
        """The documents behind a channel's contribution, or a sentence about it."""
        return Evidence()


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
        """The index whose words explain scores, and the corpus it was built from."""

    def row_of(self, number: str) -> int:
        """The row of a document."""
        row = self.view.ids.row(number)
        if row is None:
            raise NotInCorpus(f"{number} is not in the index: run `foreart build` on a corpus that has it")
        return row

    @abstractmethod
    def words(self, text: str) -> list[str]:
        """A text tokenized as in the index of the description."""

    @property
    @abstractmethod
    def indexes(self) -> Mapping[str, Index]:
        """The indexes it ranks by, by name."""

    @property
    def postings(self) -> Snapshot | None:
        """The postings of the full text with the default tokenizer, if one of its indexes has them."""
        return next((index.postings for index in self.indexes.values() if index.postings is not None), None)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader of a list should know about how it was ranked."""
        return ()

    @property
    def ranking(self) -> Fingerprinted | None:
        """What determines the scores besides the described index, for records."""
        return None

    @property
    def fusion_kind(self) -> FusionKind:
        """How scores are made: one index, or channels fused by learned weights or by ranks."""
        return "index"

    def emphasising(self, emphasis: Emphasis) -> Ranker:
        """This ranker with an emphasis; BadRequest where it cannot emphasise."""
        if emphasis != NO_EMPHASIS:
            raise BadRequest("an index that ranks alone cannot emphasise: search without naming an index")
        return self

    def exactly(self) -> Ranker:
        """This ranker without any approximation."""
        return self

    def requested(self, request: SearchRequest) -> Ranker:
        """This ranker as a request asks for it."""
        ranker = self.emphasising(request.emphasis)
        return ranker.exactly() if request.exact else ranker

    @property
    def candidate_recall(self) -> CandidateRecall | None:
        """What candidates find of an exact search, where that was measured."""
        return None

    def unlearned(self, *numbers: str) -> Ranker:
        """This ranker without what it learned from some documents, to evaluate it on them."""
        return self

    @abstractmethod
    def compare(self, draft: Draft, scope: Scope) -> Comparison:
        """The draft compared with the documents of the corpus."""
