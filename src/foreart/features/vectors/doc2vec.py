"""Paragraph vectors (Le and Mikolov 2014): a vector for each text, learned together with those of its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import ClassVar, Literal, Self

import numpy as np

from foreart.errors import ForeartError, IndexingError
from foreart.features.base import SequenceFeatures, Vocabulary, require_texts
from foreart.features.counting.count_rows import Counts
from foreart.features.counting.token_stream import TokenStream
from foreart.features.vectors.gensim_models import TokenChunks
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
from foreart.features.vectors.word_vectors import require_positive, unit

_DIGEST = 16  # bytes
_STEP = 1 << 22


@dataclass(kw_only=True, eq=False)
class Doc2Vec(SequenceFeatures):
    """Trained by gensim, with the extra `word2vec`. Defaults are those of the paper, else of the gensim of its time.

    Every row is inferred, also that of a training text: its vector is trained for `infer_epochs` rounds, with a
    learning rate that falls from `infer_rate`, and all other weights frozen. Vectors from training are dropped: they
    cannot be compared with inferred ones. Full texts are used, in chunks of at most 10,000 words, without overlap.
    `method` says how the context words and the text vector predict a word: by their sum (as the authors' scripts do),
    by their mean (the default of today's gensim), by their concatenation (as the paper writes), or by the text vector
    alone. `negative` is the number of words drawn as counterexamples; with 0 the prediction is a hierarchical softmax.
    With more than one worker the vectors depend on thread timing, and no seed reproduces them.
    """

    name: ClassVar[str] = "doc2vec"
    dense: ClassVar[bool] = True

    dimensions: int = 50
    window: int = 8
    min_count: int = 5
    epochs: int = 18
    infer_epochs: int = 5
    infer_rate: float = 0.1
    method: Literal["sum", "mean", "concatenation", "bag"] = "sum"
    negative: int = 0
    sample: float = 0.0
    as_published: bool = False
    seed: int = 0
    workers: int = 1

    def fit_stream(self, stream: TokenStream) -> Self:
        """Learns from all words that occur at least `min_count` times."""
        self.check()
        require_texts(self.name, len(stream))
        totals = _totals(stream)
        known = totals >= self.min_count
        frequencies = {stream.terms[column]: int(totals[column]) for column in np.flatnonzero(known).tolist()}
        self._vocabulary_ = Vocabulary(list(frequencies))
        self._model_ = self._new_model()
        train(self._model_, TokenChunks(stream, known), frequencies, epochs=self.epochs)
        return self

    def encode(self, texts: Iterable[str]) -> np.ndarray:
        """The inferred unit vectors of the texts."""
        columns = self._vocabulary_.columns
        return self._rows([word for word in self.words(text) if word in columns] for text in texts)

    def encode_queries(self, texts: Iterable[str]) -> np.ndarray:
        """The same as for documents."""
        return self.encode(texts)

    def encode_stream(self, stream: TokenStream) -> np.ndarray:
        """As `encode`, for the texts of a stream."""
        columns = self._vocabulary_.columns
        known = np.array([term in columns for term in stream.terms], dtype=bool)
        return self._rows(TokenChunks(stream, known).texts())

    def encode_counts(self, counts: Counts) -> np.ndarray:
        """Not supported: counts have no word order."""
        raise TypeError(f"{self.name} reads words in order: use encode or encode_stream")

    def save_learned(self, folder: Path) -> None:
        """Words and the arrays of the model."""
        save_model(folder, self._model_)

    def load_learned(self, folder: Path) -> None:
        """Reads the files of `save_learned`."""
        if (folder / "documents.npy").exists():
            raise IndexingError(
                f"{folder}: foreart 0.1.0 stored vectors from training, which cannot be compared with inferred ones; "
                "rebuild the index"
            )
        self._model_ = load_model(folder, self._new_model())
        self._vocabulary_ = Vocabulary(sorted(word for word in self._model_.wv.index_to_key if word != NO_WORD))

    def _rows(self, texts: Iterable[list[str]]) -> np.ndarray:
        rows = [self._row(words) for words in texts]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self.dimensions)

    def _row(self, words: list[str]) -> np.ndarray:
        if not words:
            return np.zeros(self.dimensions, dtype=np.float32)
        found = infer(
            self._model_, words, key=_key(words), seed=self.seed, epochs=self.infer_epochs, rate=self.infer_rate
        )
        inferred: np.ndarray = unit(found[None])[0]
        return inferred

    def _new_model(self) -> Model:
        settings = {
            "vector_size": self.dimensions,
            "window": self.window,
            "negative": self.negative,
            "hs": int(not self.negative),
            "sample": self.sample,
            "seed": self.seed,
            "workers": self.workers,
        }
        return make_model(settings, method=self.method)

    def check(self) -> None:
        """Raises an error for invalid parameters."""
        require_positive(self, "dimensions", "window", "min_count", "epochs", "infer_epochs", "workers")
        if self.infer_rate <= 0:
            raise ForeartError(f"infer_rate is {self.infer_rate}; it can be any number above 0")
        for name in ("negative", "sample"):
            if getattr(self, name) < 0:
                raise ForeartError(f"{name} is {getattr(self, name)}; it can be 0 or more")
        if self.method not in METHODS:
            raise ForeartError(f"method is {self.method!r}; it can be {', '.join(METHODS)}")


def _totals(stream: TokenStream) -> np.ndarray:
    """The count of each word, in steps: `bincount` copies its input to eight bytes per word."""
    totals = np.zeros(len(stream.terms), dtype=np.int64)
    for start in range(0, len(stream.ids), _STEP):
        totals += np.bincount(stream.ids[start : start + _STEP], minlength=len(totals))
    return totals


def _key(words: Sequence[str]) -> int:
    """A hash of the known words of a text; unlike Python's `hash`, the same in every process."""
    return int.from_bytes(blake2b(" ".join(words).encode("utf-8"), digest_size=_DIGEST).digest(), "big")
