"""Word vectors by skip-gram with negative sampling, as in Helmers et al. (2019)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from foreart.features.counting.token_stream import TokenStream
from foreart.features.vectors.gensim_door import TokenChunks, gensim
from foreart.features.vectors.word_vectors import WordVectorFeatures, at_least_one

_WORDS = 100_000_000


@dataclass(kw_only=True, eq=False)
class Word2Vec(WordVectorFeatures):
    """Trained by gensim, with the extra `word2vec`. The defaults are the paper's, and gensim's where it names none.

    `epochs` are the times that training goes through the texts; 0 means as often as it takes to see 100 million words,
    at most five times (gensim's default): more takes hours and the vectors of so many words hardly change any more.
    More than one worker is quicker, but then threads change the vectors in an order that no seed decides: only one
    worker gives the same rows again. Texts go to gensim in pieces of at most 10,000 words, without overlap.
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
            min_count=1,  # they are kept already
            sg=1,
            negative=self.negative,
            sample=self.sample,
            seed=self.seed,
            workers=self.workers,
        )
        model.build_vocab_from_freq(dict(zip(words, totals[kept].tolist(), strict=True)))
        pieces = TokenChunks(stream, totals >= self.min_count)
        words_kept = int(totals[kept].sum())
        model.train(pieces, total_words=words_kept, epochs=self.epochs or enough_epochs(words_kept))
        found: np.ndarray = model.wv.vectors[[model.wv.key_to_index[word] for word in words]]
        return found

    def check(self) -> None:
        """Refuses parameters without a meaning."""
        super().check()
        at_least_one(self, "negative", "workers")


def enough_epochs(words: int) -> int:
    """One to five, so that about a hundred million words are seen.

    >>> enough_epochs(7_000_000), enough_epochs(30_000_000), enough_epochs(101_000_000)
    (5, 3, 1)
    """
    return max(1, min(5, round(_WORDS / max(1, words))))
