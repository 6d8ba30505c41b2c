"""Which documents of a corpus play the draft, and how they are divided so that none is judged by its own kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from foreart.identifiers.numbers import number_key
from foreart.search.ranking import Bibliography, Ground

# Documents with few of their citations in the corpus teach that almost everything is irrelevant. On the 179 targets of
# ../shared/data teachers with five citations or more gave MAP .49, those with one or more .44.
LEAST, MOST = 5, 600
# For the weights of neighbours citations count wherever they lead.
LEAST_LISTED, MOST_LISTED = 3, 1200
_ENOUGH = 20
# A lesson takes as long as the corpus is great: beyond so many documents there are fewer teachers, lest minutes become
# hours, but never less than a quarter.
_GREAT, _QUARTER = 50_000, 1 / 4
FOLDS = 3
# Two lists of citations that share so much of each other (cosine) stay on one side, unless that leaves almost nobody on
# the other: in narrow fields only lists that are more alike do, and in the end only families.
ALIKE = (0.2, 0.4, 0.6, 0.8, 2.0)
_ONE_SIDE = 1 / 2


@dataclass(frozen=True, slots=True)
class Teachers:
    """Rows that play the draft: `ranked` teach the weights of channels, `listed` those of neighbours."""

    ranked: tuple[int, ...]
    listed: tuple[int, ...]
    least: int


def teachers(ground: Ground, *, without: Sequence[str] = (), seed: int = 0) -> Teachers:
    """Documents with enough citations that were earlier than they; `without` are left out, with their families."""
    found = ground.bibliography
    counts = np.array([len(relevant(ground, row)) for row in range(len(found))])
    counts[_hidden(found, without)] = 0
    least = next((least for least in (LEAST, 3, 2, 1) if (counts >= least).sum() >= _ENOUGH), 1)
    # Documents that cite nothing of the corpus would teach of fields that it does not cover.
    listed = (np.diff(found.cited.starts) >= LEAST_LISTED) & (counts > 0)
    most, most_listed = (int(number * _part(len(found))) for number in (MOST, MOST_LISTED))
    ranked = _some(np.flatnonzero(counts >= least), most, seed)
    others = _some(np.setdiff1d(np.flatnonzero(listed), ranked), max(0, most_listed - len(ranked)), seed)
    return Teachers(ranked, tuple(sorted((*ranked, *others))), least)


def _part(documents: int) -> float:
    """Which part of the teachers there is time for in a corpus of so many documents."""
    return max(_QUARTER, min(1.0, _GREAT / max(documents, 1)))


def _hidden(found: Bibliography, without: Sequence[str]) -> list[int]:
    """The rows of some numbers, whatever their kind code, and of their families."""
    keys = {number_key(number) for number in without}
    rows = [row for row, number in enumerate(found.ids) if keys and number_key(number) in keys]
    return sorted({relative for row in rows for relative in found.relatives(row).tolist()})


def relevant(ground: Ground, row: int) -> np.ndarray:
    """The documents that one cites and that were known before it."""
    found = ground.bibliography
    cites = found.cites
    cited: np.ndarray = cites.indices[cites.indptr[row] : cites.indptr[row + 1]]
    if not len(cited):
        return cited
    earlier = cited[found.days[cited] < found.days[row]]
    return np.setdiff1d(earlier, found.relatives(row))


def _some(rows: np.ndarray, most: int, seed: int) -> tuple[int, ...]:
    chosen = rows.tolist()
    return tuple(sorted(chosen if len(chosen) <= most else Random(seed).sample(chosen, most)))  # noqa: S311 no secret


def folds(
    rows: Sequence[int], bibliography: Bibliography, *, others: Sequence[int] = (), count: int = FOLDS
) -> tuple[tuple[int, ...], ...]:
    """Divides rows so that families, and those whose lists of citations overlap, stay together, the largest first.

    Each of the `others` goes with the row of its family, else with that of the most similar list. There are fewer folds
    than asked for if there are not so many groups.
    """
    groups: list[list[int]] = []
    for alike in ALIKE:
        groups = sorted(overlapping(rows, bibliography, alike=alike), key=lambda group: (-len(group), group))
        if groups and len(groups[0]) <= _ONE_SIDE * len(rows):
            break
    made: list[list[int]] = [[] for _ in range(count)]
    for group in groups:
        min(made, key=len).extend(group)
    fold_of = {row: part for part in made for row in part}
    for row, nearest in zip(others, _nearest(others, rows, bibliography), strict=True):
        fold_of[nearest].append(row)
    return tuple(tuple(sorted(part)) for part in made if part)


def _nearest(others: Sequence[int], rows: Sequence[int], bibliography: Bibliography) -> list[int]:
    """For each of some rows the one of others that is of its family, else the one whose citations are most alike."""
    if not len(others):
        return []
    mine, theirs = (bibliography.lists[np.array(some, dtype=np.int64)] for some in (others, rows))
    lengths = np.sqrt(np.maximum(1.0, np.diff(theirs.indptr)))
    alike = (mine @ theirs.T).toarray() / lengths
    families = bibliography.families
    alike[(families[list(others)][:, None] == families[list(rows)]) & (families[list(others)][:, None] >= 0)] = np.inf
    return [rows[place] for place in np.argmax(alike, axis=1).tolist()]


def overlapping(rows: Sequence[int], bibliography: Bibliography, *, alike: float = ALIKE[0]) -> list[list[int]]:
    """Groups of rows that are linked by a family, or by lists of citations that are so much alike."""
    chosen = np.array(rows, dtype=np.int64)
    lists = bibliography.lists[chosen]
    lengths = np.sqrt(np.maximum(1.0, np.diff(lists.indptr)))
    shared = (lists @ lists.T).tocoo()
    near = shared.data / (lengths[shared.row] * lengths[shared.col]) >= alike
    families = bibliography.families[chosen]
    same = np.argwhere((families[:, None] == families[None, :]) & (families[:, None] >= 0))
    links = np.concatenate([np.stack([shared.row[near], shared.col[near]], axis=1), same])
    roots = list(range(len(chosen)))

    def root(place: int) -> int:
        while roots[place] != place:
            roots[place] = roots[roots[place]]
            place = roots[place]
        return place

    for one, other in links.tolist():
        first, second = sorted((root(one), root(other)))
        roots[second] = first
    groups: dict[int, list[int]] = defaultdict(list)
    for place, row in enumerate(chosen.tolist()):
        groups[root(place)].append(row)
    return list(groups.values())
