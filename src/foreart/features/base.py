"""The contract of all kinds of features: parameters, state learned from texts, and rows."""

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

# Sparse rows (words) or dense rows (dimensions). A kind of features always returns the same of the two.
RowArray: TypeAlias = csr_array | np.ndarray

_BATCH = 256


@dataclass(frozen=True, eq=False)
class QueryParts:
    """A query as a sum of rows, one per word; the word `""` is a constant part.

    `total` is the sum, a multiple of the query's row; `products` returns the dot product of each part with a row.
    """

    words: Sequence[str]
    total: np.ndarray
    products: Callable[[np.ndarray], np.ndarray]


class Features(ABC):
    """The constructor only stores its parameters; attributes learned by `fit` end in `_`.

    Texts are any iterable and are read once, so that no corpus has to fit in memory.
    """

    name: ClassVar[str]
    dense: ClassVar[bool] = False
    # Whether word vectors are similar for words that occur together, rather than for words that replace each other.
    topical: ClassVar[bool] = False
    # The score of a query row and a document row: `linear` is the dot product, `cosine` divides it by both lengths.
    measure: ClassVar[Literal["cosine", "linear"]] = "cosine"
    # Whether `fit` reads the texts.
    learns: ClassVar[bool] = True
    # How an index stores them: as rows, or as postings of counts that are weighted at query time.
    stored_as: ClassVar[Literal["rows", "words"]] = "rows"

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - called only if an attribute is missing
        if name.endswith("_") and not name.startswith("__"):
            raise NotFitted(f"{self.name} is not fitted: call fit first")
        raise AttributeError(name)

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments of the constructor: enough to make equal features."""
        return {name: getattr(self, name) for name in list(inspect.signature(type(self)).parameters)}

    def check(self) -> None:
        """Raises an error for invalid parameters."""
        return

    def from_counts(self) -> CountedFeatures | None:
        """Itself, if it can be fitted and encode from word counts alone, as postings have them."""
        return None

    @abstractmethod
    def fit(self, texts: Iterable[str]) -> Self:
        """Learns from texts."""

    @abstractmethod
    def encode(self, texts: Iterable[str]) -> RowArray:
        """A row for each document; unknown words are ignored, and a text without known words is all zero."""

    def encode_queries(self, texts: Iterable[str]) -> RowArray:
        """A row for each query, comparable with the rows of documents; by default the same as `encode`."""
        return self.encode(texts)

    @abstractmethod
    def fit_encode(self, texts: Iterable[str]) -> RowArray:
        """`fit` and `encode` of the same texts, reading them only once."""

    @property
    def grouped(self) -> bool:
        """Whether a document has several rows and scores by the best of them."""
        return False

    def encode_groups(self, texts: Iterable[str]) -> tuple[RowArray, np.ndarray]:
        """For grouped features: all rows of some documents, and the offsets of each document's rows."""
        raise TypeError(f"{self.name} has one row per document: use encode")

    def fit_encode_groups(self, texts: Iterable[str]) -> tuple[RowArray, np.ndarray]:
        """For grouped features: all rows of all documents, and the offsets of each document's rows."""
        raise TypeError(f"{self.name} has one row per document: use fit_encode")

    @property
    def tokenizer(self) -> Tokenizer:
        """The function that splits texts into words."""
        return tokenizer(as_published=bool(getattr(self, "as_published", False)))

    def words(self, text: str) -> list[str]:
        """The words of a text."""
        return self.tokenizer(text)

    @property
    def terms(self) -> Sequence[str]:
        """The word of each column; empty if columns are not words."""
        return ()

    def parts(self, text: str) -> QueryParts | None:
        """A query split by word, which divides a score exactly; None if dense rows are not sums over words."""
        return None

    @property
    def word_columns(self) -> Mapping[str, int] | None:
        """The column of each word that has a vector; None if there are no word vectors."""
        return None

    def word_rows(self, columns: Sequence[int]) -> np.ndarray:
        """The word vectors of some columns."""
        raise TypeError(f"{self.name} has no word vectors")

    @abstractmethod
    def save_learned(self, folder: Path) -> None:
        """Writes the learned state as `.npy` and JSON files."""

    @abstractmethod
    def load_learned(self, folder: Path) -> None:
        """Reads the files of `save_learned`."""

    def save(self, folder: Path) -> None:
        """Creates the folder and writes name, parameters and learned state."""
        folder.mkdir(parents=True)
        self.save_learned(folder)
        record = {"name": self.name, "parameters": self.parameters}
        (folder / "features.json").write_text(json.dumps(record, indent=1), "utf-8")


class CountedFeatures(Features):
    """Features that need only the count of each word in a text."""

    _vocabulary_: Vocabulary

    def from_counts(self) -> CountedFeatures | None:
        """Itself."""
        return self

    @abstractmethod
    def fit_counts(self, counts: Counts) -> Self:
        """Learns from counts; columns without a count are not part of the vocabulary."""

    def learns_from(self, documents: int) -> np.ndarray:
        """The rows to learn from, of this number of documents; all by default."""
        return np.arange(documents)

    @property
    def vocabulary(self) -> Sequence[str]:
        """The learned words, in alphabetical order."""
        return self._vocabulary_.terms

    @abstractmethod
    def encode_counts(self, counts: Counts) -> RowArray:
        """The rows of documents, from counts over any terms."""

    def encode_query_counts(self, counts: Counts) -> RowArray:
        """The rows of queries; by default the same as `encode_counts`."""
        return self.encode_counts(counts)

    def fit(self, texts: Iterable[str]) -> Self:
        """Counts and learns."""
        return self.fit_counts(count(texts, self.tokenizer))

    def encode(self, texts: Iterable[str]) -> RowArray:
        """Counts and encodes in batches."""
        return stacked([self.encode_counts(self._count(batch)) for batch in batches(texts)])

    def encode_queries(self, texts: Iterable[str]) -> RowArray:
        """Counts and encodes queries."""
        return stacked([self.encode_query_counts(self._count(batch)) for batch in batches(texts)])

    def fit_encode(self, texts: Iterable[str]) -> RowArray:
        """Counts once for both."""
        counts = count(texts, self.tokenizer)
        return self.fit_counts(counts).encode_counts(counts)

    def _count(self, texts: Iterable[str]) -> Counts:
        known = self._vocabulary_
        return count_known(texts, self.tokenizer, known.terms, known.columns)


class WordFeatures(CountedFeatures):
    """Features whose columns are words, weighted by document frequencies alone."""

    @abstractmethod
    def set_statistics(self, terms: Sequence[str], df: np.ndarray, *, documents: int, words: int) -> Self:
        """Sets document frequencies counted elsewhere, and the numbers of documents and words of their corpus."""

    @abstractmethod
    def encode_counts(self, counts: Counts) -> csr_array:
        """The weight of each word of each document."""


class SequenceFeatures(CountedFeatures):
    """Features that learn from the order of words; encoding needs only counts, unless a kind overrides it."""

    def from_counts(self) -> None:
        """None: counts have no word order."""
        return

    @abstractmethod
    def fit_stream(self, stream: TokenStream) -> Self:
        """Learns from the texts of a stream."""

    def encode_stream(self, stream: TokenStream) -> RowArray:
        """The rows of the texts of a stream."""
        return self.encode_counts(stream.counts())

    def fit_counts(self, counts: Counts) -> Self:
        """Not supported: counts have no word order."""
        raise TypeError(f"{self.name} learns from the order of words: use fit or fit_stream")

    def fit(self, texts: Iterable[str]) -> Self:
        """Tokenizes the texts and learns."""
        return self.fit_stream(tokenized(texts, self.tokenizer))

    def fit_encode(self, texts: Iterable[str]) -> RowArray:
        """Tokenizes once for both."""
        stream = tokenized(texts, self.tokenizer)
        return self.fit_stream(stream).encode_stream(stream)


class Vocabulary:
    """The terms of the columns in alphabetical order, and the column of each term."""

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
    """Texts in batches; one empty batch if there are none, so that results always have a shape."""
    source = iter(texts)
    batch = list(islice(source, size))
    yield batch
    while batch := list(islice(source, size)):
        yield batch


def stacked(rows: Sequence[RowArray]) -> RowArray:
    """Concatenates the rows of batches."""
    if len(rows) == 1:
        return rows[0]
    if isinstance(rows[0], np.ndarray):
        return np.concatenate(list(rows))
    return csr_array(vstack(list(rows), format="csr"))


def require_texts(name: str, count: int) -> None:
    """Raises an error if there are no texts to learn from."""
    if not count:
        raise ForeartError(f"{name} cannot learn from no texts: give it at least one")
