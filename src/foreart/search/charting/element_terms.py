"""The words of an element that count, with their weights and neighbours."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from foreart.search.charting.claim_words import has_weight
from foreart.text.stems import forms, normalised_word, stem
from foreart.text.tokens import WORD

# The document frequency of each of some words.
Frequencies = Callable[[Sequence[str]], Iterable[int]]

_BRACKETED = re.compile(r"[(\[]\s*\d{1,4}[a-zA-Z]?['′]*(?:\s*[,;/–-]\s*\d{1,4}[a-zA-Z]?['′]*)*\s*[)\]]")
_REFERRING = re.compile(
    r"\b(?:claims?|anspr(?:uch\w*|üchen?)|revendications?)\s+\d[\d\s,–-]*(?:(?:to|and|or|bis|und|oder|à|et|ou)\s+\d+)*",
    re.IGNORECASE,
)
_LETTER = re.compile(r"\s*\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})[.)]\s", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,4}[a-z]?")
# A word in very few documents may be a misprint: in a large corpus document frequencies below 5 count as 5.
_RAREST, _LARGE = 5, 2000
_MIN_IDF = 0.1


@dataclass(frozen=True, slots=True)
class ElementTerm:
    """The forms of one word of an element: its first form, its weight, and the terms next to it."""

    stem: str
    word: str
    weight: float
    neighbours: frozenset[str]


def terms_of(
    text: str, language: str, idf: Mapping[str, float], numerals: Mapping[str, str] | None = None
) -> tuple[ElementTerm, ...]:
    """The terms of an element in order; `idf` is by stem, `numerals` maps reference numerals to names."""
    words = [(stem(word, language), word) for word in counted_words(text, language, numerals or {})]
    neighbours: dict[str, set[str]] = {key: set() for key, _ in words}
    for (left, _), (right, _) in pairwise(words):
        if left != right:
            neighbours[left].add(right)
            neighbours[right].add(left)
    first = {key: word for key, word in reversed(words)}
    return tuple(
        ElementTerm(key, first[key], idf[key], frozenset(neighbours[key]))
        for key in dict.fromkeys(key for key, _ in words)
    )


def counted_words(text: str, language: str, numerals: Mapping[str, str]) -> list[str]:
    """The words that count: without stop words, reference numerals, list markers and claim numbers."""
    for pattern in (_BRACKETED, _REFERRING):
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    opening = _LETTER.match(text)
    words = [normalised_word(match[0]) for match in WORD.finditer(text, opening.end() if opening else 0)]
    kept = [
        word
        for before, word in zip(("", *words), words, strict=False)
        if has_weight(word, language) and not _is_numeral(word, before, numerals, language)
    ]
    return kept or [word for word in words if not word.isdigit()] or words


def idf_by_stem(words: Iterable[str], language: str, frequencies: Frequencies, documents: int) -> dict[str, float]:
    """ln(N / df) of words by stem; df is that of the most frequent form of a word."""
    wanted = {stem(word, language): forms(word, language) for word in words}
    all_forms = list(dict.fromkeys(form for word_forms in wanted.values() for form in word_forms))
    df = dict(zip(all_forms, frequencies(all_forms), strict=True))
    rarest = min(_RAREST, documents // _LARGE)
    return {
        key: max(_MIN_IDF, log((documents + 1) / (max(rarest, *(df[form] for form in word_forms)) + 1)))
        for key, word_forms in wanted.items()
    }


def _is_numeral(word: str, before: str, numerals: Mapping[str, str], language: str) -> bool:
    """Whether a number is the reference numeral of the word before it."""
    if not _NUMBER.fullmatch(word) or word not in numerals or not before:
        return False
    return stem(before, language) == stem(normalised_word(numerals[word].split()[-1]), language)
