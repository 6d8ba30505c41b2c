"""What every kind of features is: parameters, what it learned from texts, and rows."""

from __future__ import annotations

import inspect
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
from scipy.sparse import csr_array, vstack

from foreart.errors import ForeartError, NotFitted
from foreart.features.counting.count_rows import Counts, count, count_known
from foreart.features.counting.token_stream import TokenStream, tokenized
from foreart.text.tokens import Tokenizer, tokenizer

# Sparse rows (words) or dense ones (dimensions). One kind of features always gives one of the two.
RowArray: TypeAlias = csr_array | np.ndarray

_BATCH = 256


@dataclass(frozen=True, eq=False)
class QueryParts:
    """A query as a sum of rows, one for each word; the word `""` stands for a constant part.

    `whole` is the sum, a multiple of the query's row; `products` gives the product of each part with a row.
    """

    words: Sequence[str]
    whole: np.ndarray
    products: Callable[[np.ndarray], np.ndarray]


class Features(ABC):
    """The contract. The constructor stores its parameters and does nothing else; names that `fit` learns end in `_`.

    Texts come as any iterable and are gone through once, so that no corpus has to fit in memory.
    """

    name: ClassVar[str]
    dense: ClassVar[bool] = False
    # Whether its vectors of words know what they occur with, rather than what can stand in their place.
    topical: ClassVar[bool] = False
    # How a query row and a document row make a score: `linear` is the dot product, `cosine` divides it by the lengths.
    measure: ClassVar[Literal["cosine", "linear"]] = "cosine"
    # How an index keeps them: as rows of their own, or as postings of words that are weighted by queries.
    stored_as: ClassVar[Literal["rows", "words"]] = "rows"

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - asked for only where an attribute is missing
        if name.endswith("_") and not name.startswith("__"):
            raise NotFitted(f"{self.name} has not learned from texts yet: call fit first")
        raise AttributeError(name)

    @property
    def parameters(self) -> dict[str, Any]:
        """What the constructor was given: enough to make the same features again."""
        return {name: getattr(self, name) for name in list(inspect.signature(type(self)).parameters)}

    def check(self) -> None:
        """Refuses parameters without a meaning."""
        return

    def from_counts(self) -> CountedFeatures | None:
        """Itself, if counts of words as postings have them are enough to learn and encode."""
        return None

    @abstractmethod
    def fit(self, texts: Iterable[str]) -> Self:
        """Learns from texts."""

    @abstractmethod
    def encode(self, texts: Iterable[str]) -> RowArray:
        """A row for each document; words that were not learned are dropped, and a text without others is all zero."""

    def encode_queries(self, texts: Iterable[str]) -> RowArray:
        """A row for each query, to be compared with the rows of documents; the same as theirs unless a kind differs."""
        return self.encode(texts)

    @abstractmethod
    def fit_encode(self, texts: Iterable[str]) -> RowArray:
        """`fit` and `encode` of the same texts, going through them only once."""

    @property
    def grouped(self) -> bool:
        """Whether a document has several rows, of which the best counts."""
        return False

    def fit_encode_groups(self, texts: Iterable[str]) -> tuple[RowArray, np.ndarray]:
        """For grouped features: all rows of all documents, and where those of each begin and the last ends."""
        raise TypeError(f"{self.name} gives one row a document: use fit_encode")

    @property
    def tokenizer(self) -> Tokenizer:
        """The function that cuts texts into words."""
        return tokenizer(as_published=bool(getattr(self, "as_published", False)))

    def words(self, text: str) -> list[str]:
        """The words of a text."""
        return self.tokenizer(text)

    @property
    def terms(self) -> Sequence[str]:
        """The word each column stands for; empty where columns stand for no words."""
        return ()

    def parts(self, text: str) -> QueryParts | None:
        """A query in its words, by which a score is divided exactly; None where dense rows are no sum over words."""
        return None

    @property
    def word_columns(self) -> Mapping[str, int] | None:
        """The column of each word that has a vector; None if these features have no vectors of words."""
        return None

    def word_rows(self, columns: Sequence[int]) -> np.ndarray:
        """The vectors of the words of some columns."""
        raise TypeError(f"{self.name} has no vectors of words")

    @abstractmethod
    def save_learned(self, folder: Path) -> None:
        """Writes what was learned, as `.npy` and JSON files."""

    @abstractmethod
    def load_learned(self, folder: Path) -> None:
        """Takes up what was written."""

    def save(self, folder: Path) -> None:
        """Makes the folder and writes name, parameters and all that was learned."""
        folder.mkdir(parents=True)
        self.save_learned(folder)
        form = {"name": self.name, "parameters": self.parameters}
        (folder / "features.json").write_text(json.dumps(form, indent=1), "utf-8")


class CountedFeatures(Features):
    """Features that need to know only how often each word stands in a text."""

    _vocabulary_: Vocabulary

    def from_counts(self) -> CountedFeatures | None:
        """Itself."""
        return self

    @abstractmethod
    def fit_counts(self, counts: Counts) -> Self:
        """Learns from counts; columns without a count are none of the vocabulary."""

    def learns_from(self, documents: int) -> np.ndarray:
        """Which of so many documents are enough to learn from: all, unless a kind says otherwise."""
        return np.arange(documents)

    @property
    def vocabulary(self) -> Sequence[str]:
        """The words that were learned, in alphabetical order."""
        return self._vocabulary_.terms

    @abstractmethod
    def encode_counts(self, counts: Counts) -> RowArray:
        """The rows of documents of which the counts are given, over any terms."""

    def encode_query_counts(self, counts: Counts) -> RowArray:
        """The rows of queries."""
        return self.encode_counts(counts)

    def fit(self, texts: Iterable[str]) -> Self:
        """Counts and learns."""
        return self.fit_counts(count(texts, self.tokenizer))

    def encode(self, texts: Iterable[str]) -> RowArray:
        """Counts and encodes, some hundred texts at a time."""
        return stacked([self.encode_counts(self._count(batch)) for batch in batches(texts)])

    def encode_queries(self, texts: Iterable[str]) -> RowArray:
        """Counts and encodes queries."""
        return stacked([self.encode_query_counts(self._count(batch)) for batch in batches(texts)])

    def fit_encode(self, texts: Iterable[str]) -> RowArray:
        """Counts once."""
        counts = count(texts, self.tokenizer)
        return self.fit_counts(counts).encode_counts(counts)

    def _count(self, texts: Iterable[str]) -> Counts:
        known = self._vocabulary_
        return count_known(texts, self.tokenizer, known.terms, known.columns)


class SequenceFeatures(CountedFeatures):
    """Features that learn from words in their order; rows still need only counts, unless a kind says otherwise."""

    def from_counts(self) -> None:
        """None: counts have no order."""
        return

    @abstractmethod
    def fit_stream(self, stream: TokenStream) -> Self:
        """Learns from texts on a stream."""

    def encode_stream(self, stream: TokenStream) -> RowArray:
        """The rows of the documents on a stream."""
        return self.encode_counts(stream.counts())

    def fit_counts(self, counts: Counts) -> Self:
        """Cannot be: counts have no order."""
        raise TypeError(f"{self.name} learns from words in their order: use fit or fit_stream")

    def fit(self, texts: Iterable[str]) -> Self:
        """Records the texts and learns."""
        return self.fit_stream(tokenized(texts, self.tokenizer))

    def fit_encode(self, texts: Iterable[str]) -> RowArray:
        """Records once."""
        stream = tokenized(texts, self.tokenizer)
        return self.fit_stream(stream).encode_stream(stream)


class Vocabulary:
    """The terms of the columns, in alphabetical order, and back."""

    def __init__(self, terms: Sequence[str]) -> None:
        self.terms = list(terms)
        self.columns = {term: column for column, term in enumerate(self.terms)}

    def __len__(self) -> int:
        return len(self.terms)

    def save(self, folder: Path) -> None:
        """Writes `terms.json`."""
        (folder / "terms.json").write_text(json.dumps(self.terms, ensure_ascii=False), "utf-8")

    @classmethod
    def load(cls, folder: Path) -> Vocabulary:
        """Reads what `save` wrote."""
        return cls(json.loads((folder / "terms.json").read_text("utf-8")))


def batches(texts: Iterable[str], size: int = _BATCH) -> Iterator[list[str]]:
    """The texts a few at a time; one empty batch where there are none, so that there is always a shape."""
    source = iter(texts)
    batch = list(islice(source, size))
    yield batch
    while batch := list(islice(source, size)):
        yield batch


def stacked(rows: Sequence[RowArray]) -> RowArray:
    """Rows of batches in one array."""
    if len(rows) == 1:
        return rows[0]
    if isinstance(rows[0], np.ndarray):
        return np.concatenate(list(rows))
    return csr_array(vstack(list(rows), format="csr"))


def some_texts(name: str, number: int) -> None:
    """Refuses to learn from nothing."""
    if not number:
        raise ForeartError(f"{name} cannot learn from no texts: give it at least one")
