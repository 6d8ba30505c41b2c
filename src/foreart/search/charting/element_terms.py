"""The words of an element that count, what each weighs, and beside which others it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from foreart.search.charting.claim_words import has_weight
from foreart.text.stems import forms, plain_word, stem
from foreart.text.tokens import WORD

# In how many documents each of some words stands, and how many documents there are.
Frequencies = Callable[[Sequence[str]], Iterable[int]]

_BRACKETED = re.compile(r"[(\[]\s*\d{1,4}[a-zA-Z]?['′]*(?:\s*[,;/–-]\s*\d{1,4}[a-zA-Z]?['′]*)*\s*[)\]]")
_REFERRING = re.compile(
    r"\b(?:claims?|anspr(?:uch\w*|üchen?)|revendications?)\s+\d[\d\s,–-]*(?:(?:to|and|or|bis|und|oder|à|et|ou)\s+\d+)*",
    re.IGNORECASE,
)
_LETTER = re.compile(r"\s*\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})[.)]\s", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,4}[a-z]?")
# A word of few documents could be a misprint: in a large corpus it weighs no more than one of a handful.
_RAREST, _LARGE = 5, 2000
_LEAST = 0.1


@dataclass(frozen=True, slots=True)
class ElementTerm:
    """The forms of one word of an element: how it stands there first, its weight, and the terms beside it."""

    stem: str
    word: str
    weight: float
    beside: frozenset[str]


def terms_of(
    text: str, language: str, idf: Mapping[str, float], numerals: Mapping[str, str] | None = None
) -> tuple[ElementTerm, ...]:
    """The terms of an element in their order; `idf` is by stem, `numerals` names what reference numerals stand for."""
    words = [(stem(word, language), word) for word in counted_words(text, language, numerals or {})]
    beside: dict[str, set[str]] = {key: set() for key, _ in words}
    for (one, _), (other, _) in pairwise(words):
        if one != other:
            beside[one].add(other)
            beside[other].add(one)
    first = {key: word for key, word in reversed(words)}
    return tuple(
        ElementTerm(key, first[key], idf[key], frozenset(beside[key])) for key in dict.fromkeys(key for key, _ in words)
    )


def counted_words(text: str, language: str, numerals: Mapping[str, str]) -> list[str]:
    """The words that count: without claim language, reference numerals, letters of lists and numbers of claims."""
    for pattern in (_BRACKETED, _REFERRING):
        text = pattern.sub(lambda found: " " * len(found[0]), text)
    opening = _LETTER.match(text)
    words = [plain_word(found[0]) for found in WORD.finditer(text, opening.end() if opening else 0)]
    kept = [
        word
        for before, word in zip(("", *words), words, strict=False)
        if has_weight(word, language) and not _is_numeral(word, before, numerals, language)
    ]
    return kept or [word for word in words if not word.isdigit()] or words


def idf_by_stem(words: Iterable[str], language: str, frequencies: Frequencies, documents: int) -> dict[str, float]:
    """ln(N / df) of words by their stem; the most frequent form of a word gives its df."""
    wanted = {stem(word, language): forms(word, language) for word in words}
    asked = list(dict.fromkeys(form for found in wanted.values() for form in found))
    df = dict(zip(asked, frequencies(asked), strict=True))
    rarest = min(_RAREST, documents // _LARGE)
    return {
        key: max(_LEAST, log((documents + 1) / (max(rarest, *(df[form] for form in found)) + 1)))
        for key, found in wanted.items()
    }


def _is_numeral(word: str, before: str, numerals: Mapping[str, str], language: str) -> bool:
    """Whether a number is the one by which the draft names the thing before it."""
    if not _NUMBER.fullmatch(word) or word not in numerals or not before:
        return False
    return stem(before, language) == stem(plain_word(numerals[word].split()[-1]), language)
