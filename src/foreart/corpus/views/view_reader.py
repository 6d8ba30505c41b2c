"""Builds the view of a corpus: one table is read each time, lists and texts only of new documents."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from foreart.corpus.corpus import Corpus
from foreart.corpus.relations.signature import PERMUTATIONS
from foreart.corpus.views.hashes import hash64, main_group
from foreart.corpus.views.string_tables import IdTable, StringTable
from foreart.corpus.views.text_facts import Progress, TextFacts, text_facts
from foreart.corpus.views.view import ALONE, CorpusView
from foreart.corpus.views.view_columns import Coded, Ragged, offsets
from foreart.corpus.views.view_reuse import Reuse
from foreart.errors import StaleIndex
from foreart.identifiers.date_spans import span
from foreart.identifiers.parties import folded_name

_CODED = ("country", "kind", "document_type", "language", "depth")
_PATENTS = (
    "SELECT serial, id, content, coalesce(family, ''), key, published, filed, priority, "  # noqa: S608 names only
    f"{', '.join(_CODED)} FROM patent LEFT JOIN family USING (serial) ORDER BY serial"
)
# One query for each run of documents that have to be read.
_LISTS = {
    "cited": "SELECT serial, cited FROM citation WHERE serial BETWEEN ? AND ? ORDER BY serial",
    "applicants": "SELECT serial, name FROM applicant WHERE serial BETWEEN ? AND ? ORDER BY serial",
    "classes": "SELECT serial, symbol FROM class WHERE serial BETWEEN ? AND ? ORDER BY serial",
}


def read_view(
    corpus: Corpus, before: CorpusView | None = None, *, workers: int = 1, progress: Progress | None = None
) -> CorpusView:
    """The view of a corpus; `workers` processes read the texts of documents that are not in the view `before`.

    Of documents that are in it, only the row of the table patent is read.
    """
    fingerprint = corpus.fingerprint
    patents = _Patents.read(corpus)
    serials = np.array(patents.serials, dtype=np.int64)
    reuse = Reuse.of(before, patents.ids, patents.contents)
    fresh = reuse.fresh
    cited = _hashes_by_row(_pairs(corpus, "cited", serials[fresh]), serials[fresh])
    lists = {name: _Pairs.read(_pairs(corpus, name, serials[fresh]), serials) for name in ("applicants", "classes")}
    facts = list(text_facts(corpus, serials[fresh].tolist(), workers=workers, progress=progress))
    if corpus.fingerprint != fingerprint:
        raise StaleIndex(
            f"the corpus {corpus.path} changed while it was read: build again when no other process writes to it"
        )
    cited = reuse.hashes(lambda view: view.cited, cited)
    named = reuse.hashes(lambda view: view.named, Ragged.of(each.named for each in facts))
    keys = patents.keys.hashes
    numbers = np.unique(np.concatenate([cited.values, named.values, keys]))
    dates, spans, (published, filed, priority) = patents.dates()
    applicants, classes, inventors = lists["applicants"], lists["classes"], _inventors(fresh, facts)
    return CorpusView.of(
        corpus=fingerprint,
        ids=IdTable.of(patents.ids),
        serials=serials,
        contents=np.frombuffer(b"".join(patents.contents), dtype="V16"),
        dates=dates,
        spans=spans,
        published=published,
        filed=filed,
        priority=priority,
        estimated=reuse.column(lambda view: view.estimated, np.array([each.estimated for each in facts], dtype=bool)),
        families=patents.family_rows(),
        countries=patents.columns["country"].coded(),
        kinds=patents.columns["kind"].coded(),
        types=patents.columns["document_type"].coded(),
        languages=patents.columns["language"].coded(),
        depths=patents.columns["depth"].coded(),
        numbers=numbers,
        own=np.searchsorted(numbers, keys)[patents.keys.array].astype(np.int32),
        cited=_as_positions(cited, numbers),
        named=_as_positions(named, numbers),
        applicants=reuse.inverted(lambda view: view.applicants, *applicants.columns, folded_name),
        inventors=reuse.inverted(lambda view: view.inventors, *inventors.columns, folded_name),
        classes=reuse.inverted(lambda view: view.classes, *classes.columns, main_group),
        sketches=reuse.column(lambda view: view.sketches, _sketches(facts)),
    )


@dataclass(slots=True)
class _Codes:
    """Dictionary encoding: codes in order of first appearance, since a million rows have few distinct values."""

    table: dict[str, int] = field(default_factory=dict)
    codes: array[int] = field(default_factory=lambda: array("i"))

    def add(self, value: str) -> None:
        self.codes.append(self.table.setdefault(value, len(self.table)))

    @property
    def array(self) -> np.ndarray:
        return np.array(self.codes, dtype=np.int64)

    def coded(self) -> Coded:
        return Coded.of(list(self.table), self.array)

    @property
    def hashes(self) -> np.ndarray:
        """The hashes of the values, by code."""
        return np.array(list(map(hash64, self.table)), dtype=np.uint64)


@dataclass(slots=True)
class _Pairs:
    """Pairs of row and value, several per row."""

    values: _Codes
    rows: np.ndarray

    @classmethod
    def read(cls, pairs: Iterable[tuple[int, str]], serials: np.ndarray) -> _Pairs:
        values, owners = _Codes(), array("q")
        for serial, value in pairs:
            owners.append(serial)
            values.add(value)
        return cls(values, np.searchsorted(serials, np.array(owners, dtype=np.int64)))

    @property
    def columns(self) -> tuple[list[str], np.ndarray, np.ndarray]:
        """The distinct values, and the code and the row of each pair."""
        return list(self.values.table), self.values.array, self.rows


@dataclass(slots=True)
class _Patents:
    """The columns of the table patent."""

    serials: array[int] = field(default_factory=lambda: array("q"))
    ids: list[str] = field(default_factory=list)
    contents: list[bytes] = field(default_factory=list)
    keys: _Codes = field(default_factory=_Codes)
    families: _Codes = field(default_factory=_Codes)
    dated: _Codes = field(default_factory=lambda: _Codes({"": 0}))
    columns: dict[str, _Codes] = field(default_factory=lambda: {name: _Codes() for name in _CODED})

    @classmethod
    def read(cls, corpus: Corpus) -> _Patents:
        patents = cls()
        for serial, number, content, family, key, *others in corpus.connection.execute(_PATENTS):
            patents.serials.append(serial)
            patents.ids.append(number)
            patents.contents.append(content)
            patents.families.add(family)
            patents.keys.add(key)
            for date in others[:3]:
                patents.dated.add(date)
            for column, value in zip(patents.columns.values(), others[3:], strict=True):
                column.add(value)
        return patents

    def dates(self) -> tuple[StringTable, np.ndarray, np.ndarray]:
        """The table of dates, its spans, and the three columns of positions in it."""
        coded = self.dated.coded()
        spans = np.array([span(text.decode()) for text in coded.values], dtype=np.int32)
        return coded.values, spans, np.ascontiguousarray(coded.codes.reshape(-1, 3).T, dtype=np.int32)

    def family_rows(self) -> np.ndarray:
        """The row after which each family is named; the first row of the family if that one was removed."""
        codes = self.families.array
        names, firsts = np.unique(codes, return_index=True)
        rows = {number: row for row, number in enumerate(self.ids)}
        named = np.full(len(self.families.table), ALONE, dtype=np.int32)
        for (name, code), first in zip(self.families.table.items(), firsts[np.argsort(names)].tolist(), strict=True):
            named[code] = rows.get(name, first) if name else ALONE
        family_rows: np.ndarray = named[codes]
        return family_rows


def _pairs(corpus: Corpus, name: str, serials: np.ndarray) -> Iterator[tuple[int, str]]:
    """The pairs of some patents and their values in a list; serials are in increasing order."""
    for run in np.split(serials, np.flatnonzero(np.diff(serials) > 1) + 1):
        if len(run):
            yield from corpus.connection.execute(_LISTS[name], (int(run[0]), int(run[-1])))


def _hashes_by_row(pairs: Iterable[tuple[int, str]], serials: np.ndarray) -> Ragged:
    """The distinct hashes of each patent's values, in increasing order; no dictionary, since most values are rare."""
    owners, hashes = array("q"), array("Q")
    for serial, value in pairs:
        owners.append(serial)
        hashes.append(hash64(value))
    rows = np.searchsorted(serials, np.array(owners, dtype=np.int64))
    values = np.array(hashes, dtype=np.uint64)
    order = np.lexsort((values, rows))
    rows, values = rows[order], values[order]
    first = np.ones(len(rows), dtype=bool)
    first[1:] = (rows[1:] != rows[:-1]) | (values[1:] != values[:-1])
    return Ragged(offsets(np.searchsorted(rows[first], np.arange(len(serials) + 1))), values[first])


def _sketches(facts: list[TextFacts]) -> np.ndarray:
    return np.frombuffer(b"".join(each.sketch for each in facts), dtype=np.uint8).reshape(-1, PERMUTATIONS)


def _as_positions(lists: Ragged, numbers: np.ndarray) -> Ragged:
    return Ragged(lists.starts, np.searchsorted(numbers, lists.values).astype(np.int32))


def _inventors(fresh: np.ndarray, facts: list[TextFacts]) -> _Pairs:
    names, owners = _Codes(), array("q")
    for row, each in zip(fresh.tolist(), facts, strict=True):
        for name in each.inventors:
            names.add(name)
            owners.append(row)
    return _Pairs(names, np.array(owners, dtype=np.int64))
