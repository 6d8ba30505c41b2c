"""Rare terms that draft and document share, and the paragraphs of the document with most of the shared words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import fsum

import numpy as np

from foreart.search.charting.claim_words import has_weight
from foreart.search.explaining.bridges import Bridge, WordStatistics
from foreart.search.explaining.reasons import Extract, SharedTerm
from foreart.search.explaining.term_places import Located, ngrams
from foreart.search.missing import rare_limit

TERMS, EXTRACTS = 12, 3
# Maximum length of an n-gram, and its minimum occurrences in each text.
_LONGEST, _TIMES = 4, 2
# How many shared words of an extract are listed.
_MARKED = 24


def shared_rare_terms(
    draft: Located,
    document: Located,
    contributions: Mapping[str, float],
    statistics: WordStatistics,
    language: str,
) -> tuple[SharedTerm, ...]:
    """The rare words and n-grams of both texts, by what their words contribute to the similarity of texts."""
    limit = rare_limit(statistics.documents)
    shared = [word for word in contributions if word in document.places and word in draft.places]
    df = dict(zip(shared, statistics.frequencies(shared), strict=True))
    rare = [
        word for word in shared if 0 < df[word] <= limit and _has_content(word, language) and contributions[word] > 0
    ]
    runs = _shared_ngrams(draft, document, {word for word in df if _has_content(word, language)})
    weights: dict[tuple[str, ...], float] = {(word,): contributions[word] for word in rare}
    weights |= {ngram: fsum(contributions[word] for word in ngram) for ngram in runs}
    shown: list[SharedTerm] = []
    for ngram in sorted(weights, key=lambda ngram: (-weights[ngram], ngram)):
        if len(shown) == TERMS:
            break
        documents = df[ngram[0]] if len(ngram) == 1 else _documents_with(ngram, statistics)
        if documents <= limit and not _inside(ngram, shown):
            term = " ".join(ngram)
            shown.append(SharedTerm(term, documents, weights[ngram], draft.of(ngram), document.of(ngram)))
    return tuple(shown)


def _documents_with(words: Iterable[str], statistics: WordStatistics) -> int:
    """How many documents have all of some words."""
    return int(np.logical_and.reduce([statistics.rows_with(word) for word in words]).sum())


def _has_content(word: str, language: str) -> bool:
    return word.isalpha() and len(word) > 2 and has_weight(word, language)


def _inside(ngram: tuple[str, ...], shown: Sequence[SharedTerm]) -> bool:
    """Whether a term is part of one that is shown already."""
    return any(f" {' '.join(ngram)} " in f" {item.term} " for item in shown)


def _shared_ngrams(draft: Located, document: Located, fit: set[str]) -> set[tuple[str, ...]]:
    """N-grams of two to four words that occur in both texts more than once."""
    mine, theirs = (
        Counter(ngram for piece in side.pieces for ngram in ngrams(piece.words, fit, _LONGEST))
        for side in (draft, document)
    )
    return {ngram for ngram, times in mine.items() if times >= _TIMES and theirs[ngram] >= _TIMES}


def extracts(document: Located, contributions: Mapping[str, float], bridges: Iterable[Bridge]) -> tuple[Extract, ...]:
    """The paragraph whose words contribute most to the similarity, then those that add most to what is covered."""
    total = fsum(value for value in contributions.values() if value > 0)
    left = {word: value for word, value in contributions.items() if value > 0}
    chosen: list[Extract] = []
    bridged = {item.document.term: item.draft.term for item in reversed(tuple(bridges))}
    sets = [set(piece.words) for piece in document.pieces]
    for _ in range(EXTRACTS):
        gains = [fsum(left[word] for word in left.keys() & words) for words in sets]
        best = int(np.argmax(gains)) if gains else 0
        if not gains or not gains[best]:
            break
        piece = document.pieces[best]
        shared = sorted(sets[best] & contributions.keys(), key=lambda word: (-contributions[word], word))
        joined = f" {' '.join(piece.words)} "
        across = tuple((theirs, mine) for theirs, mine in bridged.items() if f" {theirs} " in joined)
        share = fsum(max(0.0, contributions[word]) for word in shared) / total
        chosen.append(Extract(piece.text, piece.spot, min(1.0, share), tuple(shared[:_MARKED]), across))
        left = {word: value for word, value in left.items() if word not in sets[best]}
    return tuple(chosen)
