"""The only module that imports gensim, and texts in chunks that it reads in full."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from foreart.errors import MissingExtra
from foreart.features.counting.token_stream import TokenStream

# gensim's compiled loops ignore words after the 10,000th of a text.
CHUNK_WORDS = 10_000


def gensim(module: str, kind: str) -> ModuleType:
    """Imports the module `word2vec` or `doc2vec` of gensim for a kind of features."""
    try:
        return importlib.import_module(f"gensim.models.{module}")
    except ImportError:
        raise MissingExtra(_requirement(kind, sys.version_info[:2]), "word2vec") from None


def _requirement(kind: str, python: tuple[int, int]) -> str:
    if python < (3, 14):
        return kind
    return (
        f"{kind} is not available on Python {python[0]}.{python[1]}, as gensim supports 3.13 and older: use `ppmi` "
        "instead, whose word vectors need no extra; on Python 3.13 it"
    )


def _unwrapped(chunk: list[str], text: int) -> list[str]:
    return chunk


@dataclass(frozen=True)
class TokenChunks:
    """The known words of all texts of a stream in chunks, iterable any number of times; `wrap` converts each chunk.

    Unknown words are left out, as gensim would do.
    """

    stream: TokenStream
    known: np.ndarray
    wrap: Callable[[list[str], int], Any] = _unwrapped

    def __iter__(self) -> Iterator[Any]:
        for text, words in enumerate(self.texts()):
            for chunk in chunks(words):
                yield self.wrap(chunk, text)

    def texts(self) -> Iterator[list[str]]:
        """The known words of each text."""
        names = np.array(self.stream.terms, dtype=object)
        for ids in self.stream:
            yield names[ids[self.known[ids]]].tolist()


def chunks(words: Sequence[str]) -> Iterator[list[str]]:
    """As few chunks as possible, of almost equal length and without overlap, none longer than gensim reads."""
    count = -(-len(words) // CHUNK_WORDS)
    for chunk in range(count):
        yield list(words[len(words) * chunk // count : len(words) * (chunk + 1) // count])
