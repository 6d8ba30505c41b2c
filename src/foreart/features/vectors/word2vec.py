"""Word vectors by skip-gram with negative sampling, as in Helmers et al. (2019)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from foreart.features.counting.token_stream import TokenStream
from foreart.features.vectors.gensim_models import TokenChunks, gensim
from foreart.features.vectors.word_vectors import WordVectorFeatures, require_positive

_TRAINING_WORDS = 100_000_000


@dataclass(kw_only=True, eq=False)
class Word2Vec(WordVectorFeatures):
    """Trained by gensim, with the extra `word2vec`. Defaults are those of the paper, else of gensim.

    `epochs` 0 means as many as it takes to see 100 million words, at most five (gensim's default): more takes hours and
    hardly changes the vectors. More than one worker is faster, but the order of updates then depends on thread timing:
    only one worker is reproducible. Texts are passed to gensim in chunks of at most 10,000 words, without overlap.
    """

    name: ClassVar[str] = "word2vec"

    dimensions: int = 200
    window: int = 5
    min_count: int = 5
    negative: int = 13
    epochs: int = 0
    sample: float = 1e-3
    tf: Literal["count", "binary", "log"] = "count"
    idf: bool = True
    as_published: bool = False
    seed: int = 0
    workers: int = 1

    def _vectors(self, stream: TokenStream, totals: np.ndarray, kept: np.ndarray) -> np.ndarray:
        words = [stream.terms[column] for column in kept.tolist()]
        model = gensim("word2vec", self.name).Word2Vec(
            vector_size=self.dimensions,
            window=self.window,
            min_count=1,  # already filtered
            sg=1,
            negative=self.negative,
            sample=self.sample,
            seed=self.seed,
            workers=self.workers,
        )
        model.build_vocab_from_freq(dict(zip(words, totals[kept].tolist(), strict=True)))
        chunks = TokenChunks(stream, totals >= self.min_count)
        total_words = int(totals[kept].sum())
        model.train(chunks, total_words=total_words, epochs=self.epochs or enough_epochs(total_words))
        found: np.ndarray = model.wv.vectors[[model.wv.key_to_index[word] for word in words]]
        return found

    def check(self) -> None:
        """Raises an error for invalid parameters."""
        super().check()
        require_positive(self, "negative", "workers")


def enough_epochs(words: int) -> int:
    """One to five epochs, to see about 100 million words.

    >>> enough_epochs(7_000_000), enough_epochs(30_000_000), enough_epochs(101_000_000)
    (5, 3, 1)
    """
    return max(1, min(5, round(_TRAINING_WORDS / max(1, words))))
