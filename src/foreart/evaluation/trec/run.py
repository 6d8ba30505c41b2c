"""Ranked documents per query: TREC runs, read and written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from foreart.errors import BadFile, ForeartError
from foreart.evaluation.trec.qrels import Qrels
from foreart.evaluation.trec.trec_files import Keys, lines, matched, spelled, write_lines

_FORM = "query, Q0, document, rank, score, tag"


@dataclass(frozen=True, slots=True, eq=False)
class RankedList:
    """The documents of one query, best first.

    Rankings computed by foreart break ties by ascending id, as a search does; rankings from scores as trec_eval does.
    """

    ids: tuple[str, ...]
    scores: np.ndarray

    def __len__(self) -> int:
        return len(self.ids)

    def first(self, k: int) -> RankedList:
        """The k best."""
        return RankedList(self.ids[:k], self.scores[:k])


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Rankings by query. Ids are in foreart's spelling; they are matched without the kind code."""

    rankings: Mapping[str, RankedList]
    tag: str = "foreart"

    def __len__(self) -> int:
        return len(self.rankings)


def ranking(ids: Sequence[str], scores: Sequence[float] | np.ndarray) -> RankedList:
    """Documents in trec_eval's order: scores descend in single precision, equal ones by id descending.

    A score may be −∞ (not found), but neither NaN nor +∞.
    """
    values = np.asarray(scores, dtype=np.float64)
    if np.isnan(values).any() or np.isposinf(values).any():
        raise ForeartError("a score is NaN or infinite: such documents cannot be ranked")
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    order = np.lexsort((id_places(ids), single))[::-1]
    ordered = values[order]
    ordered.setflags(write=False)
    return RankedList(tuple(ids[position] for position in order.tolist()), ordered)


def id_places(ids: Sequence[str]) -> np.ndarray:
    """The position of each id in sorted order."""
    places = np.empty(len(ids), dtype=np.int64)
    places[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids))
    return places


def run_of(scores: Mapping[str, Mapping[str, float]], *, tag: str = "foreart") -> Run:
    """The run of scores by query and document; ids in any spelling, ties broken as in trec_eval."""
    ranked = {query: ranking(list(found), list(found.values())) for query, found in scores.items()}
    return Run(
        {spelled(query): RankedList(tuple(map(spelled, found.ids)), found.scores) for query, found in ranked.items()},
        tag,
    )


def condensed(run: Run, qrels: Qrels) -> Run:
    """The run without unjudged documents: fair where judgements are incomplete."""
    keys = Keys()
    names = matched(run.rankings, qrels.queries)
    return Run(
        {
            query: _restricted(run.rankings[query], {keys[number] for number in qrels.grades[name]}, keys)
            for query, name in names.items()
        },
        run.tag,
    )


def read_run(path: str | Path) -> Run:
    """The run of a file of `query Q0 document rank score tag`; the score decides, not the rank, as in trec_eval."""
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    seen: set[tuple[str, str]] = set()
    tag = "foreart"
    for line in lines(path, fields=6, form=_FORM):
        query, number, score = spelled(line.fields[0]), line.fields[2], _score(line.fields[4])
        if (query, spelled(number)) in seen:
            raise line.bad(f"{spelled(number)} is ranked twice for {query}")
        if not score < float("inf"):
            raise line.bad(f"the score is {line.fields[4]!r}, which is not a finite number")
        seen.add((query, spelled(number)))
        scores[query][number] = score
        tag = line.fields[5]
    if not scores:
        raise BadFile(f"{path} has no ranking; a line should be: {_FORM}")
    return run_of(scores, tag=tag)


def write_run(run: Run, path: str | Path) -> None:
    """Writes a run in TREC format, ranks from 1; gzipped if the name ends in `.gz`. Scores keep full precision."""
    write_lines(
        path,
        (
            (query, "Q0", number, str(rank), repr(score), run.tag)
            for query, ranked in run.rankings.items()
            for rank, (number, score) in enumerate(zip(ranked.ids, ranked.scores.tolist(), strict=True), start=1)
        ),
    )


def _score(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _restricted(ranked: RankedList, wanted: Iterable[str], keys: Keys) -> RankedList:
    allowed = frozenset(wanted)
    kept = [position for position, number in enumerate(ranked.ids) if keys[number] in allowed]
    return RankedList(tuple(ranked.ids[position] for position in kept), ranked.scores[kept])
