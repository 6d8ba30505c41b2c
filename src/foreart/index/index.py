"""An index in use: queries in, documents in order of likeness out, and why."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from operator import eq
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from foreart.errors import IndexingError, NotInCorpus

if TYPE_CHECKING:
    from foreart.features import Features
    from foreart.index.storage.snapshot import Snapshot

# What stands for the share of a score that no word has: centred features have one.
CONSTANT = "(constant)"


@dataclass(frozen=True, slots=True)
class Description:
    """What an index says of itself. `corpus` is the fingerprint of the corpus it was made from.

    `columns` are the different words of an index of words or the dimensions of dense rows, `numbers` all counts or
    numbers that are stored. `statistics` and `recall` are those of postings: what words weigh, what fast search finds.
    """

    sections: str
    features: str
    parameters: dict[str, Any]
    corpus: str
    documents: int
    columns: int
    numbers: int
    fingerprint: str
    foreart: str
    form: int
    statistics: Mapping[str, Any] = field(default_factory=dict)
    recall: Mapping[str, Any] = field(default_factory=dict)

    def to_record(self) -> dict[str, Any]:
        """The description as JSON holds it."""
        return asdict(self)

    def __str__(self) -> str:
        return f"{self.features} of {self.sections} text"

    @property
    def settings(self) -> str:
        """The parameters in one line."""
        return ", ".join(f"{name}={value}" for name, value in self.parameters.items())


class Index(ABC):
    """Never changed: a new state of the corpus gets a new index. A query is what `encode` makes of a text."""

    description: Description

    def __len__(self) -> int:
        return self.description.documents

    @property
    def sections(self) -> str:
        """Which text of a document was indexed."""
        return self.description.sections

    @property
    @abstractmethod
    def ids(self) -> Sequence[str]:
        """The id of each row."""

    @abstractmethod
    def words(self, text: str) -> list[str]:
        """A text cut as this index cuts it."""

    @abstractmethod
    def encode(self, text: str) -> Any:  # noqa: ANN401 each index has queries of its own
        """The query of a text."""

    @abstractmethod
    def scores(self, query: Any) -> np.ndarray:  # noqa: ANN401
        """The score of every document, in the order of rows; 0 where query or document is empty."""

    @abstractmethod
    def top(
        self,
        query: Any,  # noqa: ANN401
        k: int,
        *,
        allowed: np.ndarray | None = None,
        exact: bool | None = None,
    ) -> list[tuple[str, float]]:
        """The k best documents of those allowed, best first, equal ones by id; `exact` forbids any shortcut."""

    @abstractmethod
    def explanation(self, text: str) -> Explanation:
        """Ready to say why documents score as they do for a query text."""

    def weighted(self, ids: Iterable[str]) -> csr_array:
        """The weighted rows of some documents, over the words that they have."""
        raise self._not_of_words("weights of words")

    def near(self, threshold: float) -> Iterator[tuple[str, str, float]]:
        """All pairs of documents whose cosine is `threshold` or more, as they are found."""
        raise self._not_of_words("near pairs")

    def _not_of_words(self, wanted: str) -> IndexingError:
        return IndexingError(f"the index is of {self.description}; {wanted} need one of words, such as tfidf")

    @property
    def word_vectors(self) -> Features | None:
        """The features that have a vector for each word, if this index is made of such."""
        return None

    @property
    def postings(self) -> Snapshot | None:
        """The postings of the full text with words cut in the default way, if this index has them."""
        return None

    def has_rows(self, ids: Sequence[str]) -> bool:
        """Whether its rows are of these ids, in their order."""
        return len(self.ids) == len(ids) and all(map(eq, self.ids, ids))

    def row_of(self, number: str) -> int:
        """The row of an id."""
        try:
            return self._rows[number]
        except KeyError:
            raise NotInCorpus(f"{number} is not in the index: build it of the corpus it is in") from None

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {number: row for row, number in enumerate(self.ids)}


class Explanation(ABC):
    """A query in its parts, one a word; without any where the features have none."""

    @abstractmethod
    def of(self, number: str) -> tuple[tuple[str, float], ...]:
        """What each word of the query adds to the score of a document, greatest first; the sum is the score."""


def greatest_first(words: Iterable[str], shares: Iterable[float]) -> tuple[tuple[str, float], ...]:
    """The shares of words that have any, in the order in which they are told."""
    found = [(word or CONSTANT, share) for word, share in zip(words, shares, strict=True) if share]
    return tuple(sorted(found, key=lambda item: (-item[1], item[0])))
