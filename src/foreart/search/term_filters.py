"""Terms that a document must have, or must not: words, phrases, beginnings of words."""

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
# A letter that stands in no text, so that a cut word shows whether it had a star.
_MARK = "\ue000"

# The text of a row, from the corpus.
Reader = Callable[[int], str]
# For a word, and whether it is a beginning, the rows that have it.
Lookup = Callable[[str, bool], np.ndarray]


@dataclass(frozen=True)
class Term:
    """Words in a row; `open_ended` says of each whether it is only a beginning."""

    text: str
    words: tuple[str, ...]
    open_ended: tuple[bool, ...]

    def __str__(self) -> str:
        return self.text

    def candidates(self, lookup: Lookup) -> np.ndarray:
        """The rows that have all the words, anywhere."""
        masks = [lookup(word, star) for word, star in zip(self.words, self.open_ended, strict=True)]
        every: np.ndarray = np.logical_and.reduce(masks)
        return every

    def stands_in(self, text: str) -> bool:
        """Whether the words stand in a text, one after the other, whatever is between them that is no word."""
        plain = text if unicodedata.is_normalized("NFKC", text) else unicodedata.normalize("NFKC", text)
        lowered = plain.lower()
        found = self._pattern.search(lowered)
        while found is not None and _in_word(lowered, found.start()):
            found = self._pattern.search(lowered, found.start() + 1)
        return found is not None

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        words = (
            re.escape(word) + (r"[^\W_]*" if star else "")
            for word, star in zip(self.words, self.open_ended, strict=True)
        )
        # Without a look behind the first letter, which would make the search ten times as long.
        return re.compile(r"[\W_]+".join(words) + r"(?![^\W_])")


def _in_word(text: str, place: int) -> bool:
    """Whether a place lies inside a word, behind its first letter."""
    return place > 0 and text[place - 1].isalnum()


def term_of(text: str) -> Term:
    """The term that a person wrote: a word, several words as a phrase (quotes may stand around it), `screw*`.

    >>> term_of('"Pedicle screw*"').words, term_of("x-ray").words
    (('pedicle', 'screw'), ('x', 'ray'))
    """
    inner = text.strip().strip("\"“”„'").strip()
    marked = _STARRED.sub(rf"\1{_MARK}", inner)
    if "*" in marked:
        raise BadRequest(f"{text!r}: a * can only stand at the end of a word, as in screw*")
    words, stars = _with_stars(marked)
    if not words:
        raise BadRequest(f"{text!r} has no word to look for")
    return Term(inner, words, stars)


def _with_stars(marked: str) -> tuple[tuple[str, ...], tuple[bool, ...]]:
    """The words, and for each whether a mark stood behind it."""
    words: list[str] = []
    stars: list[bool] = []
    pieces = marked.split(_MARK)
    for place, piece in enumerate(pieces):
        cut = tokens(piece)
        words += cut
        stars += [False] * len(cut)
        if place < len(pieces) - 1:
            stars[-1] = True
    return tuple(words), tuple(stars)


def rows_of(term: Term, among: np.ndarray, lookup: Lookup | None, read: Reader) -> np.ndarray:
    """Which of some rows have a term: words by the lookup, phrases and what it does not know by reading the texts."""
    mask = among & term.candidates(lookup) if lookup is not None else among.copy()
    if lookup is not None and len(term.words) == 1:
        return mask
    for row in np.flatnonzero(mask).tolist():
        mask[row] = term.stands_in(read(row))
    return mask


def terms_of(texts: Iterable[str]) -> Iterator[Term]:
    """Each term once, in the order given."""
    yield from {term.text: term for term in map(term_of, texts)}.values()
