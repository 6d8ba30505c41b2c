"""Rare terms that draft and document share, and the pieces of the document that have most of the shared words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum

import numpy as np

from foreart.search.charting.claim_words import has_weight
from foreart.search.explaining.bridges import Bridge, Speech
from foreart.search.explaining.reasons import Extract, SharedTerm
from foreart.search.explaining.term_places import Located
from foreart.search.missing import rare_limit

TERMS, EXTRACTS = 12, 3
_LONGEST = 4
_TIMES = 2
_MARKED = 24


def shared_rare_terms(
    draft: Located,
    document: Located,
    contributions: Mapping[str, float],
    speech: Speech,
    language: str,
) -> tuple[SharedTerm, ...]:
    """The rare words, and runs of words, of both texts, by what their words add to the likeness of texts."""
    limit = rare_limit(speech.documents)
    shared = [word for word in contributions if word in document.places and word in draft.places]
    df = dict(zip(shared, speech.frequencies(shared), strict=True))
    rare = [word for word in shared if 0 < df[word] <= limit and _says(word, language) and contributions[word] > 0]
    runs = _shared_runs(draft, document, {word for word in df if _says(word, language)})
    weights: dict[tuple[str, ...], float] = {(word,): contributions[word] for word in rare}
    weights |= {run: fsum(contributions[word] for word in run) for run in runs}
    found: list[SharedTerm] = []
    for run in sorted(weights, key=lambda run: (-weights[run], run)):
        if len(found) == TERMS:
            break
        number = (
            df[run[0]] if len(run) == 1 else int(np.logical_and.reduce([speech.having(word) for word in run]).sum())
        )
        if number <= limit and not _inside(run, found):
            term = " ".join(run)
            found.append(SharedTerm(term, number, weights[run], draft.of(run), document.of(run)))
    return tuple(found)


def _says(word: str, language: str) -> bool:
    return word.isalpha() and len(word) > 2 and has_weight(word, language)


def _inside(run: tuple[str, ...], found: Sequence[SharedTerm]) -> bool:
    """Whether all that a term says was said by a longer one."""
    return any(f" {' '.join(run)} " in f" {item.term} " for item in found)


def _shared_runs(draft: Located, document: Located, fit: set[str]) -> set[tuple[str, ...]]:
    """Runs of two to four words that stand in both texts more than once."""
    mine, theirs = (_runs(side, fit) for side in (draft, document))
    return {run for run, times in mine.items() if times >= _TIMES and theirs.get(run, 0) >= _TIMES}


def _runs(side: Located, fit: set[str]) -> dict[tuple[str, ...], int]:
    found: dict[tuple[str, ...], int] = {}
    for piece in side.pieces:
        words = piece.words
        for start, word in enumerate(words):
            if word not in fit:
                continue
            for end in range(start + 2, min(start + _LONGEST, len(words)) + 1):
                if words[end - 1] not in fit:
                    break
                run = tuple(words[start:end])
                found[run] = found.get(run, 0) + 1
    return found


def extracts(document: Located, contributions: Mapping[str, float], bridges: Iterable[Bridge]) -> tuple[Extract, ...]:
    """The piece whose words add most to the likeness, then those that add most of what is not yet there."""
    total = fsum(value for value in contributions.values() if value > 0)
    left = {word: value for word, value in contributions.items() if value > 0}
    found: list[Extract] = []
    bridged = {item.document.term: item.draft.term for item in reversed(tuple(bridges))}
    sets = [set(piece.words) for piece in document.pieces]
    for _ in range(EXTRACTS):
        gains = [fsum(left[word] for word in left.keys() & words) for words in sets]
        place = int(np.argmax(gains)) if gains else 0
        if not gains or not gains[place]:
            break
        piece = document.pieces[place]
        shared = sorted(sets[place] & contributions.keys(), key=lambda word: (-contributions[word], word))
        joined = f" {' '.join(piece.words)} "
        across = tuple((theirs, mine) for theirs, mine in bridged.items() if f" {theirs} " in joined)
        share = fsum(max(0.0, contributions[word]) for word in shared) / total
        found.append(Extract(piece.text, piece.spot, min(1.0, share), tuple(shared[:_MARKED]), across))
        left = {word: value for word, value in left.items() if word not in sets[place]}
    return tuple(found)
