"""Builds the view of a corpus: its tables are read each time, its texts only for new documents."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from foreart.corpus.corpus import Corpus
from foreart.corpus.relations.signature import PERMUTATIONS
from foreart.corpus.views.fact_parts import facts_by_parts
from foreart.corpus.views.hashes import hash64, main_group
from foreart.corpus.views.string_tables import IdTable, StringTable
from foreart.corpus.views.text_facts import Progress, TextFacts, text_facts
from foreart.corpus.views.view import ALONE, CorpusView
from foreart.corpus.views.view_columns import Coded, Inverted, Ragged, offsets
from foreart.errors import StaleIndex
from foreart.identifiers.date_spans import span
from foreart.identifiers.parties import folded_name
from foreart.part_files import PartFolder

_CODED = ("country", "kind", "document_type", "language", "depth")
_PATENTS = (
    "SELECT serial, id, content, coalesce(family, ''), key, published, filed, priority, "  # noqa: S608 names only
    f"{', '.join(_CODED)} FROM patent LEFT JOIN family USING (serial) ORDER BY serial"
)
_LISTS = {
    "cited": "SELECT serial, cited FROM citation ORDER BY serial",
    "applicants": "SELECT serial, name FROM applicant ORDER BY serial",
    "classes": "SELECT serial, symbol FROM class ORDER BY serial",
}


def read_view(
    corpus: Corpus,
    before: CorpusView | None = None,
    *,
    workers: int = 1,
    parts: PartFolder | None = None,
    progress: Progress | None = None,
) -> CorpusView:
    """The view of a corpus; `workers` processes, or a pool, read the texts that are not in the view `before`."""
    fingerprint = corpus.fingerprint
    patents = _Patents.read(corpus)
    serials = np.array(patents.serials, dtype=np.int64)
    lists = {name: _Pairs.read(corpus.connection.execute(query), serials) for name, query in _LISTS.items()}
    kept = _kept(before, patents)
    fresh = np.flatnonzero(kept < 0)
    if parts is not None:
        facts = list(facts_by_parts(corpus, parts, fresh, serials[fresh].tolist(), progress=progress))
    else:
        facts = list(text_facts(corpus, serials[fresh].tolist(), workers=workers, progress=progress))
    if corpus.fingerprint != fingerprint:
        raise StaleIndex(
            f"the corpus {corpus.path} changed while it was read: build again when no other process writes to it"
        )
    cited = lists["cited"].hashed(len(serials))
    named = Ragged.of(_named(before, kept, iter(facts)))
    keys = patents.keys.hashes
    numbers = np.unique(np.concatenate([cited.values, named.values, keys]))
    dates, spans, (published, filed, priority) = patents.dates()
    old = (None, None) if before is None else (before.estimated, before.sketches)
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
        estimated=_merged(old[0], kept, np.array([each.estimated for each in facts], dtype=bool)),
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
        applicants=lists["applicants"].inverted(folded_name),
        inventors=_inventors(before, kept, fresh, facts),
        classes=lists["classes"].inverted(main_group),
        sketches=_merged(old[1], kept, _sketches(facts)),
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

    def inverted(self, fold: Callable[[str], str]) -> Inverted:
        return Inverted.of(list(self.values.table), self.values.array, self.rows, fold)

    def hashed(self, count: int) -> Ragged:
        """The distinct hashes of each row's values, in increasing order."""
        known, positions = np.unique(self.values.hashes, return_inverse=True)
        width = max(1, len(known))
        pairs = np.unique(self.rows * width + positions[self.values.array])
        rows, codes = np.divmod(pairs, width)
        return Ragged(offsets(np.searchsorted(rows, np.arange(count + 1))), known[codes])


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


def _kept(before: CorpusView | None, patents: _Patents) -> np.ndarray:
    """The row of each patent in the older view if its content is the same; -1 if it has to be read."""
    if before is None:
        return np.full(len(patents.ids), -1)
    rows = zip(range(len(before)), before.contents.tolist(), strict=True)
    old = dict(zip(before.ids, rows, strict=True))
    matches = (old.get(number, (-1, b"")) for number in patents.ids)
    kept = (row if content == new else -1 for (row, content), new in zip(matches, patents.contents, strict=True))
    return np.fromiter(kept, np.int64, len(patents.ids))


def _named(before: CorpusView | None, kept: np.ndarray, facts: Iterator[TextFacts]) -> Iterator[np.ndarray]:
    for row in kept.tolist():
        yield before.numbers[before.named.row(row)] if before is not None and row >= 0 else next(facts).named


def _merged(old: np.ndarray | None, kept: np.ndarray, read: np.ndarray) -> np.ndarray:
    """A column of which some rows are kept from an older view, and the others were read."""
    merged = np.zeros((len(kept), *read.shape[1:]), dtype=read.dtype)
    if old is not None:
        merged[kept >= 0] = old[kept[kept >= 0]]
    merged[kept < 0] = read
    return merged


def _sketches(facts: list[TextFacts]) -> np.ndarray:
    return np.frombuffer(b"".join(each.sketch for each in facts), dtype=np.uint8).reshape(-1, PERMUTATIONS)


def _as_positions(lists: Ragged, numbers: np.ndarray) -> Ragged:
    return Ragged(lists.starts, np.searchsorted(numbers, lists.values).astype(np.int32))


def _inventors(before: CorpusView | None, kept: np.ndarray, fresh: np.ndarray, facts: list[TextFacts]) -> Inverted:
    names, codes, rows = _Codes(), [], []
    if before is not None:
        names.table = {value.decode(): code for code, value in enumerate(before.inventors.values)}
        new_rows = np.full(len(before), -1)
        new_rows[kept[kept >= 0]] = np.flatnonzero(kept >= 0)
        moved = new_rows[before.inventors.rows]
        codes.append(before.inventors.codes[moved >= 0])
        rows.append(moved[moved >= 0])
    owners = array("q")
    for row, each in zip(fresh.tolist(), facts, strict=True):
        for name in each.inventors:
            names.add(name)
            owners.append(row)
    codes.append(names.array)
    rows.append(np.array(owners, dtype=np.int64))
    return Inverted.of(list(names.table), np.concatenate(codes), np.concatenate(rows), folded_name)
