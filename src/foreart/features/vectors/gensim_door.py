"""The one door to gensim, and texts as gensim takes them: cut where it would silently stop reading."""

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

# gensim's compiled loops drop whatever follows the 10,000th word of a text.
PIECE = 10_000


def gensim(module: str, kind: str) -> ModuleType:
    """One of the modules `word2vec` and `doc2vec` of gensim, for a kind of features."""
    try:
        return importlib.import_module(f"gensim.models.{module}")
    except ImportError:
        raise MissingExtra(_asking(kind, sys.version_info[:2]), "word2vec") from None


def _asking(kind: str, python: tuple[int, int]) -> str:
    if python < (3, 14):
        return kind
    return (
        f"{kind} cannot be had on Python {python[0]}.{python[1]}, as gensim is made for 3.13 and older: use `ppmi` "
        "instead, whose word vectors come with foreart itself; on Python 3.13 it"
    )


def _bare(piece: list[str], text: int) -> list[str]:
    return piece


@dataclass(frozen=True)
class TokenChunks:
    """The known words of all texts of a stream, piece after piece, as often as training asks; `wrap` dresses them.

    Words that are not known are left out here, as gensim would leave them out; so what it reads is the same.
    """

    stream: TokenStream
    known: np.ndarray
    wrap: Callable[[list[str], int], Any] = _bare

    def __iter__(self) -> Iterator[Any]:
        for number, words in enumerate(self.texts()):
            for piece in cut(words):
                yield self.wrap(piece, number)

    def texts(self) -> Iterator[list[str]]:
        """The known words of each text."""
        names = np.array(self.stream.terms, dtype=object)
        for ids in self.stream:
            yield names[ids[self.known[ids]]].tolist()


def cut(words: Sequence[str]) -> Iterator[list[str]]:
    """As few pieces as can be of almost equal length, none longer than gensim reads; no word is in two of them."""
    number = -(-len(words) // PIECE)
    for piece in range(number):
        yield list(words[len(words) * piece // number : len(words) * (piece + 1) // number])
