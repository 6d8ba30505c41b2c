"""A vector for each text, learned together with those of its words: the paragraph vectors of Le and Mikolov (2014)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import ClassVar, Literal, Self

import numpy as np

from foreart.errors import ForeartError, IndexingError
from foreart.features.base import SequenceFeatures, Vocabulary, some_texts
from foreart.features.counting.count_rows import Counts
from foreart.features.counting.token_stream import TokenStream
from foreart.features.vectors.gensim_door import TokenChunks
from foreart.features.vectors.paragraph_model import (
    METHODS,
    NO_WORD,
    Model,
    infer,
    load_model,
    make_model,
    save_model,
    train,
)
from foreart.features.vectors.word_vectors import at_least_one, unit

# Bytes by which a text is known again.
_DIGEST = 16
_STEP = 1 << 22


@dataclass(kw_only=True, eq=False)
class Doc2Vec(SequenceFeatures):
    """Trained by gensim, with the extra `word2vec`. The defaults are the paper's, and gensim's where it names none.

    A text that was learned from has the vector it got in training, known again by its words; any other text is
    inferred: its own vector is trained, `infer_epochs` rounds (0 means as many as `epochs`), while all else stands
    still. Both go through whole texts, in pieces of at most 10,000 words, without overlap. `method` says how the words
    around and the text's vector foretell a word: by their mean (gensim's default), by their concatenation (as the paper
    writes), or by the text's vector alone. With more than one worker, threads decide the vectors and no seed can.
    """

    name: ClassVar[str] = "doc2vec"
    dense: ClassVar[bool] = True

    dimensions: int = 50
    window: int = 8
    min_count: int = 5
    epochs: int = 18
    infer_epochs: int = 0
    method: Literal["mean", "concatenation", "bag"] = "mean"
    negative: int = 5
    sample: float = 1e-3
    as_published: bool = False
    seed: int = 0
    workers: int = 1

    def fit_stream(self, stream: TokenStream) -> Self:
        """Learns from all words that occur often enough."""
        self.check()
        some_texts(self.name, len(stream))
        totals = _totals(stream)
        known = totals >= self.min_count
        often = {stream.terms[column]: int(totals[column]) for column in np.flatnonzero(known).tolist()}
        self._vocabulary_ = Vocabulary(list(often))
        pieces = TokenChunks(stream, known)
        tags: dict[bytes, int] = {}
        numbers = [tags.setdefault(_digest(words), len(tags)) for words in pieces.texts()]
        self._tags_ = tags
        self._model_ = self._new_model()
        self.documents_ = unit(train(self._model_, pieces, numbers, often, epochs=self.epochs))
        return self

    def encode(self, texts: Iterable[str]) -> np.ndarray:
        """The vectors of texts that were learned from, and inferred ones of others, of length 1."""
        columns = self._vocabulary_.columns
        return self._rows([word for word in self.words(text) if word in columns] for text in texts)

    def encode_queries(self, texts: Iterable[str]) -> np.ndarray:
        """The same as for documents."""
        return self.encode(texts)

    def encode_stream(self, stream: TokenStream) -> np.ndarray:
        """The same for texts on a stream."""
        columns = self._vocabulary_.columns
        known = np.array([term in columns for term in stream.terms], dtype=bool)
        return self._rows(TokenChunks(stream, known).texts())

    def encode_counts(self, counts: Counts) -> np.ndarray:
        """Cannot be: counts have no order."""
        raise TypeError(f"{self.name} reads words in their order: use encode or encode_stream")

    def save_learned(self, folder: Path) -> None:
        """Words, the arrays of the model, and the texts that were learned from as digests and vectors."""
        save_model(folder, self._model_)
        np.save(folder / "digests.npy", np.frombuffer(b"".join(self._tags_), dtype=np.uint8).reshape(-1, _DIGEST))
        np.save(folder / "documents.npy", self.documents_)

    def load_learned(self, folder: Path) -> None:
        """Takes up what `save_learned` wrote."""
        self._model_ = load_model(folder, self._new_model())
        self._vocabulary_ = Vocabulary(sorted(word for word in self._model_.wv.index_to_key if word != NO_WORD))
        self._tags_ = {row.tobytes(): tag for tag, row in enumerate(np.load(folder / "digests.npy"))}
        self.documents_ = np.load(folder / "documents.npy")
        if self.documents_.shape != (len(self._tags_), self.dimensions):
            raise IndexingError(
                f"{folder}: {len(self._tags_)} texts but {self.documents_.shape} vectors; build the index anew"
            )

    def _rows(self, texts: Iterable[list[str]]) -> np.ndarray:
        found = [self._row(words) for words in texts]
        return np.array(found, dtype=np.float32).reshape(len(found), self.dimensions)

    def _row(self, words: list[str]) -> np.ndarray:
        if not words:
            return np.zeros(self.dimensions, dtype=np.float32)
        digest = _digest(words)
        if digest in self._tags_:
            trained: np.ndarray = self.documents_[self._tags_[digest]]
            return trained
        found = infer(
            self._model_,
            words,
            key=int.from_bytes(digest, "big"),
            seed=self.seed,
            epochs=self.infer_epochs or self.epochs,
        )
        inferred: np.ndarray = unit(found[None])[0]
        return inferred

    def _new_model(self) -> Model:
        settings = {
            "vector_size": self.dimensions,
            "window": self.window,
            "negative": self.negative,
            "sample": self.sample,
            "seed": self.seed,
            "workers": self.workers,
        }
        return make_model(settings, method=self.method)

    def check(self) -> None:
        """Refuses parameters without a meaning."""
        at_least_one(self, "dimensions", "window", "min_count", "epochs", "negative", "workers")
        if self.infer_epochs < 0:
            raise ForeartError(f"infer_epochs is {self.infer_epochs}; it can be 0 or more")
        if self.method not in METHODS:
            raise ForeartError(f"method is {self.method!r}; it can be {', '.join(METHODS)}")


def _totals(stream: TokenStream) -> np.ndarray:
    """How often each word occurs, some words at a time: counting makes each eight bytes long."""
    found = np.zeros(len(stream.terms), dtype=np.int64)
    for start in range(0, len(stream.ids), _STEP):
        found += np.bincount(stream.ids[start : start + _STEP], minlength=len(found))
    return found


def _digest(words: Sequence[str]) -> bytes:
    """A text as its known words; the same in every process, as Python's own hash is not."""
    return blake2b(" ".join(words).encode("utf-8"), digest_size=_DIGEST).digest()
