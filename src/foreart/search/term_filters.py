"""Terms that a document must or must not have: words, phrases, prefixes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from foreart.errors import BadRequest
from foreart.text import tokens

_STARRED = re.compile(r"([^\W_])\*+(?=\W|$)")
# A private-use character that marks a starred word through tokenization.
_MARK = "\ue000"

# The text of a row, from the corpus.
Reader = Callable[[int], str]
# For a word, and whether it is a prefix, the rows that have it.
Lookup = Callable[[str, bool], np.ndarray]


@dataclass(frozen=True)
class Term:
    """A sequence of words; `open_ended` says for each whether it is a prefix."""

    text: str
    words: tuple[str, ...]
    open_ended: tuple[bool, ...]

    def __str__(self) -> str:
        return self.text

    def candidates(self, lookup: Lookup) -> np.ndarray:
        """The rows that have all the words, anywhere."""
        masks = [lookup(word, star) for word, star in zip(self.words, self.open_ended, strict=True)]
        all_words: np.ndarray = np.logical_and.reduce(masks)
        return all_words

    def occurs_in(self, text: str) -> bool:
        """Whether the words occur in a text in sequence, with anything but words between them."""
        plain = text if unicodedata.is_normalized("NFKC", text) else unicodedata.normalize("NFKC", text)
        lowered = plain.lower()
        match = self._pattern.search(lowered)
        while match is not None and _in_word(lowered, match.start()):
            match = self._pattern.search(lowered, match.start() + 1)
        return match is not None

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        words = (
            re.escape(word) + (r"[^\W_]*" if star else "")
            for word, star in zip(self.words, self.open_ended, strict=True)
        )
        # Without a lookbehind at the first letter, which would make the search ten times slower.
        return re.compile(r"[\W_]+".join(words) + r"(?![^\W_])")


def _in_word(text: str, offset: int) -> bool:
    """Whether an offset is inside a word, after its first letter."""
    return offset > 0 and text[offset - 1].isalnum()


def term_of(text: str) -> Term:
    """Parses a term: a word, several words as a phrase (quotes are optional), `screw*`.

    >>> term_of('"Pedicle screw*"').words, term_of("x-ray").words
    (('pedicle', 'screw'), ('x', 'ray'))
    """
    inner = text.strip().strip("\"“”„'").strip()
    marked = _STARRED.sub(rf"\1{_MARK}", inner)
    if "*" in marked:
        raise BadRequest(f"{text!r}: a * is only allowed at the end of a word, as in screw*")
    words, stars = _with_stars(marked)
    if not words:
        raise BadRequest(f"{text!r} has no word to search for")
    return Term(inner, words, stars)


def _with_stars(marked: str) -> tuple[tuple[str, ...], tuple[bool, ...]]:
    """The words, and for each whether a mark followed it."""
    words: list[str] = []
    stars: list[bool] = []
    pieces = marked.split(_MARK)
    for position, piece in enumerate(pieces):
        piece_words = tokens(piece)
        words += piece_words
        stars += [False] * len(piece_words)
        if position < len(pieces) - 1:
            stars[-1] = True
    return tuple(words), tuple(stars)


def rows_of(term: Term, among: np.ndarray, lookup: Lookup | None, read: Reader) -> np.ndarray:
    """Which of some rows have a term: single words by the lookup, phrases by reading the texts."""
    mask = among & term.candidates(lookup) if lookup is not None else among.copy()
    if lookup is not None and len(term.words) == 1:
        return mask
    for row in np.flatnonzero(mask).tolist():
        mask[row] = term.occurs_in(read(row))
    return mask


def terms_of(texts: Iterable[str]) -> Iterator[Term]:
    """Each term once, in the order given."""
    yield from {term.text: term for term in map(term_of, texts)}.values()
