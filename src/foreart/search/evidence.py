"""The paragraph of a document that contributes most to its score."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import fsum

from foreart.document.patent import Patent
from foreart.search.hits import Passage


def best_passage(
    patent: Patent, contributions: Mapping[str, float], *, words: Callable[[str], list[str]]
) -> Passage | None:
    """The paragraph whose distinct words contribute most to the score of its document; None if none contributes."""
    best: tuple[float, int] = (0.0, -1)
    known, contribution = frozenset(contributions), contributions.__getitem__
    for position, paragraph in enumerate(patent.description):
        if paragraph.is_heading:
            continue
        weight = fsum(map(contribution, known.intersection(words(paragraph.text))))  # independent of the order
        if weight > best[0]:
            best = (weight, position)
    weight, position = best
    if position < 0:
        return None
    best_paragraph = patent.description[position]
    return Passage(
        best_paragraph.text,
        best_paragraph.number,
        best_paragraph.heading,
        min(1.0, weight / sum(contributions.values())),
    )
