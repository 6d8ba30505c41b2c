"""Where in a document the score lies: the paragraph whose words weigh most."""

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
    for place, paragraph in enumerate(patent.description):
        if paragraph.is_heading:
            continue
        shared = contributions.keys() & set(words(paragraph.text))
        weight = fsum(contributions[word] for word in shared)  # the same in every order
        if weight > best[0]:
            best = (weight, place)
    weight, place = best
    if place < 0:
        return None
    found = patent.description[place]
    return Passage(found.text, found.number, found.heading, min(1.0, weight / sum(contributions.values())))
