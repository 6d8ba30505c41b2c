"""Applicants and inventors: normalises names, and compares the people of two documents."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Protocol

Agreement = Literal["same", "other", "unclear", "unknown"]
# Titles and legal forms that sources write, abbreviate or omit; none of them is a name by itself.
_DROPPED = frozenset({
    "dr", "prof", "dipl", "ing", "mr", "mrs", "ms", "jr", "sr", "the", "inc", "incorporated", "corp", "corporation",
    "co", "company", "ltd", "limited", "llc", "plc", "gmbh", "mbh", "ag", "aktiengesellschaft", "kg",
})  # fmt: skip
_DOTTED = re.compile(r"\b(?:\w\.){2,}\w?")  # G.m.b.H.
_APOSTROPHES = str.maketrans("", "", "'\u2019\u02bc`")


class Named(Protocol):
    """Anything with applicants and inventors: a draft or a patent."""

    @property
    def applicants(self) -> Sequence[str]:
        """The applicants as written."""

    @property
    def inventors(self) -> Sequence[str]:
        """The inventors as written."""


@dataclass(frozen=True, slots=True)
class Parties:
    """The folded names of a document's applicants and inventors."""

    applicants: frozenset[str] = frozenset()
    inventors: frozenset[str] = frozenset()

    @classmethod
    def of(cls, *documents: Named) -> Parties:
        """The names of all given documents."""
        return cls(
            folded_names(name for document in documents for name in document.applicants),
            folded_names(name for document in documents for name in document.inventors),
        )

    def agreement(self, other: Parties) -> Agreement:
        """Whether both name the same people.

        `same`: they share a name. `other`: both name inventors, who share not even a surname or given name. `unclear`:
        both name people, but a spelling, a marriage or an assignment may hide that they are the same. `unknown`: one
        of them names nobody.
        """
        if (self.applicants | self.inventors) & (other.applicants | other.inventors):
            return "same"
        if self.inventors and other.inventors:
            return "unclear" if _words(self.inventors) & _words(other.inventors) else "other"
        return "unclear" if self.applicants and other.applicants else "unknown"


@lru_cache(maxsize=65536)
def folded_name(name: str) -> str:
    """A name for comparison: without case, accents, punctuation, titles, legal forms and middle initials, words sorted.

    >>> folded_name("Smith, John A."), folded_name("SMITH John"), folded_name("Dr. John Smith")
    ('john smith', 'john smith', 'john smith')
    """
    plain = unicodedata.normalize("NFKD", name.translate(_APOSTROPHES)).casefold()
    plain = _DOTTED.sub(lambda match: joined if (joined := match[0].replace(".", "")) in _DROPPED else match[0], plain)
    letters = (char for char in plain if not unicodedata.category(char).startswith("M"))
    words = "".join(char if char.isalnum() else " " for char in letters).split()
    kept = [word for word in words if word not in _DROPPED] or words
    full = [word for word in kept if len(word) > 1]
    return " ".join(sorted(full if len(full) > 1 else kept))


def folded_names(names: Iterable[str]) -> frozenset[str]:
    """The folded names, without empty ones."""
    return frozenset(map(folded_name, names)) - {""}


def _words(names: Iterable[str]) -> set[str]:
    return {word for name in names for word in name.split() if len(word) > 1}
