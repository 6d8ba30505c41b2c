"""The contract of an index: documents ranked by their similarity to a query, with explanations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from operator import eq
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy.sparse import csr_array

from foreart.corpus.views.string_tables import IdTable
from foreart.errors import IndexingError, NotInCorpus

if TYPE_CHECKING:
    from foreart.features import Features
    from foreart.index.storage.snapshot import Snapshot
    from foreart.text import QueryText

# The name of the part of a score that belongs to no word; centred features have one.
CONSTANT = "(constant)"
Verb = Literal["nearest", "nearest_products", "scores_of", "products"]


@dataclass(frozen=True, slots=True)
class Description:
    """The metadata of an index. `corpus` is the fingerprint of the corpus it was built from.

    `columns` is the number of distinct words or of dimensions, `numbers` that of stored counts or values. `statistics`
    and `recall` are those of postings: the basis of word weights, and the measured recall of two-stage search. `drift`
    is that of learned rows: how well what was learned fits the documents encoded since.
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
    drift: Mapping[str, Any] = field(default_factory=dict)

    def to_record(self) -> dict[str, Any]:
        """The description as a JSON object; `drift` only where something was learned."""
        record = asdict(self)
        return record if self.drift else {name: value for name, value in record.items() if name != "drift"}

    def __str__(self) -> str:
        return f"{self.features} of {self.sections} text"

    @property
    def settings(self) -> str:
        """The parameters on one line."""
        return ", ".join(f"{name}={value}" for name, value in self.parameters.items())


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A word of a query that some document has: its weight, and how many documents have it."""

    word: str
    weight: float
    documents: int


class Index(ABC):
    """Immutable: a new state of the corpus gets a new index. `encode` turns a text into a query."""

    description: Description

    def __len__(self) -> int:
        return self.description.documents

    @property
    def sections(self) -> str:
        """The sections of a document that were indexed."""
        return self.description.sections

    @property
    @abstractmethod
    def ids(self) -> Sequence[str]:
        """The id of each row."""

    @abstractmethod
    def words(self, text: str) -> list[str]:
        """The words of a text, split as in this index."""

    @abstractmethod
    def encode(self, text: str) -> Any:  # noqa: ANN401 each index has its own type of query
        """The query of a text."""

    def encode_draft(self, text: QueryText) -> Any:  # noqa: ANN401
        """The query of a draft; indexes with the same tokenizer share its tokens."""
        return self.encode(text.text)

    def query_terms(self, query: Any) -> tuple[QueryTerm, ...]:  # noqa: ANN401
        """The words of a query with their weights; nothing where an index does not match words."""
        return ()

    @abstractmethod
    def scores(self, query: Any) -> np.ndarray:  # noqa: ANN401
        """The score of every document, in row order; 0 if the query or the document is empty."""

    @abstractmethod
    def scores_of(self, query: Any, rows: np.ndarray) -> np.ndarray:  # noqa: ANN401
        """The exact scores of some documents, as `nearest` gives them."""

    @abstractmethod
    def nearest(
        self,
        query: Any,  # noqa: ANN401
        k: int,
        *,
        allowed: np.ndarray | None = None,
        exact: bool | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Rows and scores of the k best allowed documents, best first, ties by id; `exact` forbids approximation."""

    def top(
        self,
        query: Any,  # noqa: ANN401
        k: int,
        *,
        allowed: np.ndarray | None = None,
        exact: bool | None = None,
    ) -> list[tuple[str, float]]:
        """The same, with ids instead of rows."""
        rows, scores = self.nearest(query, k, allowed=allowed, exact=exact)
        ids = self.ids
        return [(ids[row], score) for row, score in zip(rows.tolist(), scores.tolist(), strict=True)]

    @abstractmethod
    def between(self, first: int, last: int) -> Index:
        """The rows from `first` to before `last` alone, with the statistics of all: their scores do not change."""

    def prepare(self) -> None:
        """Reads and computes in advance what the first query needs."""
        return

    @property
    def boundaries(self) -> np.ndarray:
        """The rows at which files begin, ascending: good places to cut."""
        return np.empty(0, dtype=np.int64)

    def outgoing(self, query: Any) -> Any:  # noqa: ANN401
        """A query without what only this index knows, to be sent to whoever has some of its rows."""
        return query

    def incoming(self, query: Any) -> Any:  # noqa: ANN401
        """A query that was sent, completed for the rows of this index."""
        return query

    def answers(self, questions: Sequence[Question]) -> list[np.ndarray]:
        """The answers to questions to this index and others of its state; a cluster is asked all of them at once."""
        return [question.asked() for question in questions]

    @abstractmethod
    def explanation(self, text: str, query: Any = None) -> Explanation:  # noqa: ANN401
        """Explains the scores of documents for a query text; `query` is its encoded form, if there is one already."""

    def weighted(self, ids: Iterable[str]) -> csr_array:
        """The weighted rows of some documents, over the words they contain."""
        raise self._not_of_words("weights of words")

    def near(self, threshold: float) -> Iterator[tuple[str, str, float]]:
        """All pairs of documents with a cosine of at least `threshold`, as they are found."""
        raise self._not_of_words("near pairs")

    def _not_of_words(self, wanted: str) -> IndexingError:
        return IndexingError(f"this index is {self.description}; {wanted} need an index of words, such as tfidf")

    @property
    def row_table(self) -> np.ndarray | None:
        """The dense row of each document; None where documents have none, or several."""
        return None

    @property
    def model(self) -> str:
        """A fingerprint of what the features learned: rows of two states are comparable if it is the same."""
        return ""

    def products(self, vector: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The dot products of some documents' rows with a vector."""
        raise self._without_rows()

    def nearest_products(self, vector: np.ndarray, k: int, *, allowed: np.ndarray | None = None) -> np.ndarray:
        """The k allowed documents with the largest products above 0, largest first."""
        raise self._without_rows()

    def _without_rows(self) -> IndexingError:
        return IndexingError(f"this index is {self.description}: its documents have no dense rows")

    @property
    def row_measure(self) -> str:
        """The measure of dense rows: `cosine` or `linear`."""
        return ""

    @property
    def largest_weight_sum(self) -> float | None:
        """A bound of the sum of a document's weights; None if documents have no weights of words."""
        return None

    def document_weights(self, rows: np.ndarray) -> tuple[Sequence[str], csr_array]:
        """Words, and for some documents their weights: a score is the sum of these times those of `query_weights`."""
        raise self._not_of_words("weights of words")

    def query_weights(self, query: Any) -> tuple[Sequence[str], np.ndarray]:  # noqa: ANN401
        """The words of a query, and by what the weights of documents are multiplied."""
        raise self._not_of_words("weights of words")

    @property
    def word_vectors(self) -> Features | None:
        """The features, if they have word vectors."""
        return None

    @property
    def postings(self) -> Snapshot | None:
        """The postings of the full text with the default tokenizer, if this index has them."""
        return None

    def has_rows(self, ids: Sequence[str]) -> bool:
        """Whether the rows have these ids, in this order."""
        return len(self.ids) == len(ids) and all(map(eq, self.ids, ids))

    def rows_of(self, ids: Sequence[str]) -> np.ndarray:
        """The row of each id, -1 where there is none."""
        return self._table.rows(ids)

    def row_of(self, number: str) -> int:
        """The row of an id."""
        row = self._table.row(number)
        if row is None:
            raise NotInCorpus(f"{number} is not in the index: run `foreart build` on a corpus that has it")
        return row

    @cached_property
    def _table(self) -> IdTable:
        """The ids with a look-up, which most indexes have mapped from a file."""
        return self.ids if isinstance(self.ids, IdTable) else IdTable.of(self.ids)


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A call of `nearest`, `nearest_products`, `scores_of` or `products` of an index, to be asked together with others.

    `query` is a query or a vector; `rows` are those to score, or `k` and `allowed` say which are searched.
    """

    index: Index
    verb: Verb
    query: Any
    rows: np.ndarray | None = None
    k: int = 0
    allowed: np.ndarray | None = None

    def asked(self) -> np.ndarray:
        """The answer: the scores of the rows, or the nearest rows, best first."""
        if self.verb == "nearest":
            return self.index.nearest(self.query, self.k, allowed=self.allowed)[0]
        if self.verb == "nearest_products":
            return self.index.nearest_products(self.query, self.k, allowed=self.allowed)
        assert self.rows is not None
        if self.verb == "scores_of":
            return self.index.scores_of(self.query, self.rows)
        return self.index.products(self.query, self.rows)


def answers(questions: Sequence[Question]) -> list[np.ndarray]:
    """The answers to questions to indexes of one state, in order."""
    return questions[0].index.answers(questions) if questions else []


class Explanation(ABC):
    """A query split by word; empty if its features cannot be split."""

    @abstractmethod
    def of(self, number: str) -> tuple[tuple[str, float], ...]:
        """The contribution of each query word to the score of a document, largest first; they sum to the score."""

    def mapped(self, number: str, matrix: np.ndarray) -> tuple[tuple[str, float], ...]:
        """The same for the product of the query's row, a matrix and the document's row."""
        return ()


def largest_first(words: Iterable[str], shares: Iterable[float]) -> tuple[tuple[str, float], ...]:
    """The nonzero contributions of words, in descending order."""
    nonzero = [(word or CONSTANT, share) for word, share in zip(words, shares, strict=True) if share]
    return tuple(sorted(nonzero, key=lambda item: (-item[1], item[0])))
