"""Words that tell whether a list is about the draft's subject: its weightiest rare terms, if no hit has any of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from foreart.search.ranker import AskedWord

TERMS = 5
# A term is rare if no more than this share of documents have it; in a small corpus, if no more than so many do.
RARE, FEW = 0.05, 3
_SHORTEST = 3
# Fewer rare terms than this say nothing of a subject.
LEAST = 3


def rare_limit(documents: int) -> float:
    """The most documents that may have a rare term."""
    return max(FEW, RARE * documents)


def rare_terms(asked: Iterable[AskedWord], documents: int, *, own: int = 0) -> tuple[str, ...]:
    """The weightiest words of a draft that few documents have beside the `own` of its family; none of too few."""
    rare = [
        item
        for item in asked
        if own < item.documents <= rare_limit(documents)
        and len(item.word) >= _SHORTEST
        and item.word.isalpha()
        and item.weight > 0
    ]
    rare.sort(key=lambda item: (-item.weight, item.word))
    return tuple(item.word for item in rare[:TERMS]) if len(rare) >= LEAST else ()


def missing_terms(rare: tuple[str, ...], shared: Collection[str]) -> tuple[str, ...]:
    """All rare terms if not one of them is among the words that hits share with the draft; else none."""
    return () if any(term in shared for term in rare) else rare
