"""What selections ask of the documents of a segment, as arrays: columns of codes, and lists of documents by value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Protocol

import numpy as np

# Each has one value for a document; the table of values is in order of their bytes, and so are their codes.
COLUMNS = ("published", "country", "kind", "language", "depth")


class Described(Protocol):
    """A patent as a selection sees it (`foreart.corpus.scanning.Fact`)."""

    @property
    def classes(self) -> Sequence[str]:
        """The symbols of CPC and IPC."""

    @property
    def applicants(self) -> Sequence[str]:
        """The names of applicants."""


@dataclass(frozen=True)
class FactArrays:
    """What a segment stores beside its words, each array a file piece.

    `column_codes[c, d]` is the place of the value of document d in the table of column c, whose strings are numbers
    `column_firsts[c]` to `column_firsts[c + 1]` of `column_letters`. The documents that have class symbol s are
    `class_docs[class_starts[s]:class_starts[s + 1]]`; symbols are in order of their bytes, so that those of all symbols
    with one beginning lie together. Applicants are listed likewise.
    """

    column_codes: np.ndarray  # uint16
    column_firsts: np.ndarray  # uint32
    column_letters: np.ndarray  # uint8
    column_ends: np.ndarray  # int64
    class_letters: np.ndarray
    class_ends: np.ndarray
    class_starts: np.ndarray  # uint32
    class_docs: np.ndarray  # uint16
    applicant_letters: np.ndarray
    applicant_ends: np.ndarray
    applicant_starts: np.ndarray
    applicant_docs: np.ndarray

    def named(self) -> dict[str, np.ndarray]:
        """The arrays by name, in a fixed order."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


class Table(Sequence[bytes]):
    """Strings in order of their bytes."""

    def __init__(self, letters: np.ndarray, ends: np.ndarray) -> None:
        self.letters, self.ends = letters, ends

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, number: int) -> bytes:  # type: ignore[override] # one at a time: a slice would be a copy
        if not 0 <= number < len(self):
            raise IndexError(number)
        return bytes(self.letters[self.ends[number] : self.ends[number + 1]])


def fact_arrays(documents: Iterable[Described]) -> FactArrays:
    """The arrays of documents in their order."""
    known = list(documents)
    columns = [_coded([str(getattr(fact, name)).encode("utf-8", "replace") for fact in known]) for name in COLUMNS]
    return _together(
        columns,
        _listed(
            (name.encode("utf-8", "replace"), number) for number, fact in enumerate(known) for name in fact.classes
        ),
        _listed(
            (name.encode("utf-8", "replace"), number) for number, fact in enumerate(known) for name in fact.applicants
        ),
    )


def gathered(parts: Sequence[FactArrays], sources: np.ndarray, documents: np.ndarray) -> FactArrays:
    """The arrays of documents of several segments, in a new order: number n is `documents[n]` of part `sources[n]`."""
    columns = []
    for column in range(len(COLUMNS)):
        values: np.ndarray = np.empty(len(documents), dtype=object)
        for source, part in enumerate(parts):
            mine = np.flatnonzero(sources == source)
            table = np.array(list(table_of(part, column)), dtype=object)
            values[mine] = table[part.column_codes[column][documents[mine]]]
        columns.append(_coded(values.tolist()))
    lists = []
    for kind in ("class", "applicant"):
        pairs: list[tuple[bytes, int]] = []
        for source, part in enumerate(parts):
            pairs += _kept(part, kind, documents, np.flatnonzero(sources == source))
        lists.append(_listed(pairs))
    return _together(columns, *lists)


def table_of(part: FactArrays, column: int) -> Table:
    """The values of a column."""
    first, last = int(part.column_firsts[column]), int(part.column_firsts[column + 1])
    return Table(part.column_letters, part.column_ends[first : last + 1])


_Coded = tuple[list[bytes], np.ndarray]
_Listed = tuple[list[bytes], np.ndarray, np.ndarray]


def _coded(values: list[bytes]) -> _Coded:
    table = sorted(set(values))
    places = {value: place for place, value in enumerate(table)}
    return table, np.array([places[value] for value in values], dtype=np.uint16)


def _listed(pairs: Iterable[tuple[bytes, int]]) -> _Listed:
    inverted: dict[bytes, set[int]] = {}
    for value, document in pairs:
        inverted.setdefault(value, set()).add(document)
    table = sorted(inverted)
    starts = np.zeros(len(table) + 1, dtype=np.uint32)
    np.cumsum([len(inverted[value]) for value in table], out=starts[1:])
    return table, starts, np.array([place for value in table for place in sorted(inverted[value])], dtype=np.uint16)


def _kept(part: FactArrays, kind: str, documents: np.ndarray, mine: np.ndarray) -> list[tuple[bytes, int]]:
    """The pairs of value and new number of those documents of a part that are taken."""
    letters, ends, starts, docs = (getattr(part, f"{kind}_{name}") for name in ("letters", "ends", "starts", "docs"))
    renamed = np.full(part.column_codes.shape[1], -1, dtype=np.int64)
    renamed[documents[mine]] = mine
    new = renamed[docs]
    values = np.repeat(np.arange(len(starts) - 1), np.diff(starts.astype(np.int64)))
    table = Table(letters, ends)
    kept = np.flatnonzero(new >= 0)
    texts = {value: table[value] for value in np.unique(values[kept]).tolist()}
    return [(texts[value], place) for value, place in zip(values[kept].tolist(), new[kept].tolist(), strict=True)]


def _together(columns: Sequence[_Coded], classes: _Listed, applicants: _Listed) -> FactArrays:
    letters, ends = _strings([value for table, _ in columns for value in table])
    firsts = np.cumsum([0, *(len(table) for table, _ in columns)]).astype(np.uint32)
    codes = np.stack([codes for _, codes in columns])
    return FactArrays(
        codes, firsts, letters, ends, *_strings(classes[0]), *classes[1:], *_strings(applicants[0]), *applicants[1:]
    )


def _strings(values: list[bytes]) -> tuple[np.ndarray, np.ndarray]:
    ends = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum([len(value) for value in values], out=ends[1:])
    return np.frombuffer(b"".join(values), dtype=np.uint8), ends
