"""Pairs of a query and a document with a score and a label: 1 = cited (relevant), 0 = random or not relevant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from foreart.evaluation.trec.qrels import Qrels
from foreart.evaluation.trec.run import RankedList, Run
from foreart.evaluation.trec.trec_files import Keys, matched

_MISSING = float("-inf")


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """Pairs in columns: `places` is the position of each pair's query in `queries`. −∞ is the lowest score."""

    queries: tuple[str, ...]
    places: np.ndarray
    scores: np.ndarray
    labels: np.ndarray

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def cited(self) -> int:
        """The number of pairs labelled 1."""
        return int(self.labels.sum())

    def only(self, queries: Sequence[str]) -> Labelled:
        """The pairs of some queries, in the given order; a query without pairs stays in the list."""
        positions = {query: position for position, query in enumerate(queries)}
        names = matched(self.queries, queries)
        new = np.array([positions[names[query]] if query in names else -1 for query in self.queries], dtype=np.int64)
        moved = new[self.places] if len(self.queries) else self.places
        kept = moved >= 0
        return Labelled(tuple(queries), moved[kept], self.scores[kept], self.labels[kept])


def labelled_pairs(pairs: Iterable[tuple[str, Sequence[float] | np.ndarray, Sequence[float] | np.ndarray]]) -> Labelled:
    """The pairs of (query, scores of its cited documents, scores of its random ones)."""
    queries: list[str] = []
    places, scores, labels = [np.empty(0, np.int64)], [np.empty(0)], [np.empty(0)]
    for place, (query, cited, random) in enumerate(pairs):
        queries.append(query)
        places.append(np.full(len(cited) + len(random), place))
        scores += [np.asarray(cited, dtype=np.float64), np.asarray(random, dtype=np.float64)]
        labels += [np.ones(len(cited)), np.zeros(len(random))]
    return Labelled(tuple(queries), *(np.concatenate(parts) for parts in (places, scores, labels)))


def joined(first: Labelled, second: Labelled) -> Labelled:
    """The pairs of two sets of queries."""
    return Labelled(
        (*first.queries, *second.queries),
        np.concatenate([first.places, second.places + len(first.queries)]),
        np.concatenate([first.scores, second.scores]),
        np.concatenate([first.labels, second.labels]),
    )


def run_pairs(run: Run, qrels: Qrels, random: Sequence[str]) -> Labelled:
    """The pairs of every query with its relevant documents and the random ones; −∞ for scores missing from the run."""
    keys = Keys()
    names = matched(qrels.queries, run.rankings)
    others = [keys[number] for number in random]

    def pairs() -> Iterable[tuple[str, list[float], list[float]]]:
        for query in qrels.queries:
            known = _scores(run.rankings.get(names.get(query, "")), keys)
            cited = dict.fromkeys(keys[number] for number in qrels.relevant(query))
            yield query, [known.get(key, _MISSING) for key in cited], [known.get(key, _MISSING) for key in others]

    return labelled_pairs(pairs())


def judged_pairs(run: Run, qrels: Qrels) -> Labelled:
    """The pairs of every query with the documents judged relevant and not relevant."""
    keys = Keys()
    names = matched(qrels.queries, run.rankings)

    def pairs() -> Iterable[tuple[str, list[float], list[float]]]:
        for query, grades in qrels.grades.items():
            known = _scores(run.rankings.get(names.get(query, "")), keys)
            best = by_key(grades, keys)
            sides = ([key for key, grade in best.items() if (grade > 0) == wanted] for wanted in (True, False))
            relevant, other = ([known.get(key, _MISSING) for key in side] for side in sides)
            yield query, relevant, other

    return labelled_pairs(pairs())


def by_key(grades: Mapping[str, int], keys: Keys) -> dict[str, int]:
    """Grades by number without kind code; of several publications of one number the best counts."""
    best: dict[str, int] = {}
    for number, grade in grades.items():
        best[keys[number]] = max(grade, best.get(keys[number], grade))
    return best


def _scores(ranked_list: RankedList | None, keys: Keys) -> dict[str, float]:
    """The score of each number in a ranking; the best of several publications of one number."""
    scores: dict[str, float] = {}
    if ranked_list is not None:
        for number, score in zip(ranked_list.ids, ranked_list.scores.tolist(), strict=True):
            scores.setdefault(keys[number], score)
    return scores
