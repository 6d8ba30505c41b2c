"""The draft's most important rare terms, reported if no hit has any of them: the hits may be off-topic."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from foreart.index import QueryTerm

TERMS = 5
# A term is rare if at most this share of documents has it; in a small corpus, at most this number of documents.
RARE, FEW = 0.05, 3
_MIN_LENGTH = 3
# Fewer rare terms than this do not characterise a subject.
MIN_TERMS = 3


def rare_limit(documents: int) -> float:
    """The maximum document frequency of a rare term."""
    return max(FEW, RARE * documents)


def rare_terms(terms: Iterable[QueryTerm], documents: int, *, own: int = 0) -> tuple[str, ...]:
    """The most important words of a draft that few documents have besides the `own` ones of its family."""
    rare = [
        item
        for item in terms
        if own < item.documents <= rare_limit(documents)
        and len(item.word) >= _MIN_LENGTH
        and item.word.isalpha()
        and item.weight > 0
    ]
    rare.sort(key=lambda item: (-item.weight, item.word))
    return tuple(item.word for item in rare[:TERMS]) if len(rare) >= MIN_TERMS else ()


def missing_terms(rare: tuple[str, ...], shared: Collection[str]) -> tuple[str, ...]:
    """All rare terms if none of them is among the words that hits share with the draft; else nothing."""
    return () if any(term in shared for term in rare) else rare
