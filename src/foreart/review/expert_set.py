"""Which pairs an expert judges: for some targets all that they cite, and random documents of high, middle, low score.

Helmers et al. (2019), Supporting Information S2: ten targets, 151 cited and 299 random pairs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from foreart.errors import ForeartError

Stratum = Literal["cited", "high", "middle", "low"]
# Cosine and Jaccard of a target with each of some documents.
PairSimilarity = Callable[[str, Sequence[str]], tuple[Iterable[float], Iterable[float]]]

STRATA: dict[Stratum, str] = {
    "cited": "all that the target cites",
    "high": "the random documents of highest cosine",
    "middle": "the random documents in the middle of the ranking by cosine",
    "low": "the random documents of lowest cosine",
}


@dataclass(frozen=True, slots=True)
class Item:
    """One pair of the set with all that the rater must not know."""

    target: str
    document: str
    cited: bool
    stratum: Stratum
    cosine: float
    jaccard: float


def choose_targets(
    cited: Mapping[str, Sequence[str]], *, number: int = 10, min_cited: int = 5, max_cited: int = 50, seed: int = 1
) -> tuple[str, ...]:
    """Targets drawn from those that cite neither too few documents to learn from nor too many to judge."""
    enough = sorted(target for target, found in cited.items() if min_cited <= len(found) <= max_cited)
    if len(enough) < number:
        raise ForeartError(
            f"only {len(enough):,} targets cite {min_cited} to {max_cited} documents of the corpus, fewer than the "
            f"{number} asked for: ask for fewer (--number), or change --min-cited and --max-cited"
        )
    return tuple(random.Random(seed).sample(enough, number))  # noqa: S311


def strata(scores: Mapping[str, float], *, each: int = 10) -> dict[str, Stratum]:
    """The stratum of each document that is taken: the first, the middle and the last of the ranking.

    Equal scores are ranked by id. Of n documents, the middle are those from rank (n − each) // 2 + 1 on.
    """
    ranked = sorted(scores, key=lambda document: (-scores[document], document))
    if len(ranked) < 3 * each:
        raise ForeartError(
            f"{len(ranked):,} random documents are too few for {each} of high, middle and low score: "
            f"make pairs with at least {3 * each} (`foreart pairs --random`), or take fewer of each (--each)"
        )
    middle = (len(ranked) - each) // 2
    taken: dict[str, Stratum] = dict.fromkeys(ranked[:each], "high")
    taken.update(dict.fromkeys(ranked[middle : middle + each], "middle"))
    taken.update(dict.fromkeys(ranked[len(ranked) - each :], "low"))
    return taken


def expert_set(
    targets: Sequence[str],
    *,
    cited: Mapping[str, Sequence[str]],
    others: Sequence[str],
    similarity: PairSimilarity,
    each: int = 10,
    seed: int = 1,
) -> tuple[Item, ...]:
    """The pairs of all targets, target by target, in random order; `others` are the random documents."""
    items: list[Item] = []
    for target in targets:
        found = _items(target, tuple(cited.get(target, ())), others, similarity, each)
        # A text as seed is hashed the same way in every process, and each target has a shuffle of its own.
        random.Random(f"{seed} {target}").shuffle(found)  # noqa: S311
        items += found
    return tuple(items)


def _items(
    target: str, cited: Sequence[str], others: Sequence[str], similarity: PairSimilarity, each: int
) -> list[Item]:
    asked = (*cited, *others)
    cosine, jaccard = similarity(target, asked)
    score = dict(zip(asked, zip(map(float, cosine), map(float, jaccard), strict=True), strict=True))
    stratum: dict[str, Stratum] = dict.fromkeys(cited, "cited")
    stratum |= strata({document: score[document][0] for document in others}, each=each)
    return [
        Item(target, document, name == "cited", name, *score[document]) for document, name in sorted(stratum.items())
    ]
