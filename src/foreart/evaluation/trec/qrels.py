"""Relevance judgements: TREC qrels, read and written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from foreart.errors import BadFile
from foreart.evaluation.trec.trec_files import lines, spelled, write_lines

_FORM = "query, 0, document, grade"


@dataclass(frozen=True, slots=True)
class Qrels:
    """Grades by query and document, in the order of the file; 1 and above is relevant, 0 and below not relevant.

    Ids are in foreart's spelling; they are matched without the kind code.
    """

    grades: Mapping[str, Mapping[str, int]]

    def __len__(self) -> int:
        return len(self.grades)

    @property
    def queries(self) -> tuple[str, ...]:
        """The ids of all queries."""
        return tuple(self.grades)

    def relevant(self, query: str) -> tuple[str, ...]:
        """The documents relevant to a query."""
        return tuple(number for number, grade in self.grades[query].items() if grade > 0)

    def only(self, queries: Iterable[str]) -> Qrels:
        """The judgements of some of the queries."""
        wanted = set(queries)
        return Qrels({query: grades for query, grades in self.grades.items() if query in wanted})


def qrels_of(judgements: Iterable[tuple[str, str, int]]) -> Qrels:
    """The qrels of (query, document, grade); ids in any spelling."""
    grades: dict[str, dict[str, int]] = {}
    for query, number, grade in judgements:
        grades.setdefault(spelled(query), {})[spelled(number)] = grade
    return Qrels(grades)


def read_qrels(path: str | Path) -> Qrels:
    """The qrels of a file, lines of `query 0 document grade`, plain or gzipped."""
    grades: dict[str, dict[str, int]] = {}
    for line in lines(path, fields=4, form=_FORM):
        query, number = (spelled(text) for text in (line.fields[0], line.fields[2]))
        try:
            grade = int(line.fields[3])
        except ValueError:
            raise line.bad(f"the grade is {line.fields[3]!r}, which is not a whole number") from None
        if grades.setdefault(query, {}).setdefault(number, grade) != grade:
            raise line.bad(f"{number} was graded {grades[query][number]} for {query} before, and now {grade}")
    if not grades:
        raise BadFile(f"{path} has no judgements; a line should be: {_FORM}")
    return Qrels(grades)


def write_qrels(qrels: Qrels, path: str | Path) -> None:
    """Writes qrels in TREC format; gzipped if the name ends in `.gz`."""
    write_lines(
        path,
        (
            (query, "0", number, str(grade))
            for query, grades in qrels.grades.items()
            for number, grade in grades.items()
        ),
    )
