"""What a search knows of every document before it compares any: dates, families, by row; kept between searches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from foreart.corpus import Corpus
from foreart.corpus.family_names import family_of
from foreart.corpus.fronts import dated, estimated, state
from foreart.search.law.date_arrays import DateArrays
from foreart.search.law.priority import Dated, is_design

ALONE = -1
_GONE = (0, "", "", "", "", "", "", "")


@dataclass(frozen=True, slots=True, eq=False)
class FamilyArrays:
    """The number of the family of each row, `ALONE` where it shares none, and the families' names by number."""

    codes: np.ndarray  # int32
    names: tuple[str, ...]

    @classmethod
    def of(cls, names: Iterable[str]) -> FamilyArrays:
        """The arrays of the family names of rows in their order, `""` where a row is alone."""
        table: dict[str, int] = {}
        codes = [table.setdefault(name, len(table)) if name else ALONE for name in names]
        return cls(np.array(codes, dtype=np.int32), tuple(table))

    def name(self, row: int) -> str:
        """The family of a row; `""` if it is alone."""
        code = int(self.codes[row])
        return "" if code == ALONE else self.names[code]

    def members(self, rows: Iterable[int]) -> np.ndarray:
        """All rows of the families of some rows, and these rows, in order."""
        chosen = np.fromiter(rows, dtype=np.int64)
        codes = np.unique(self.codes[chosen])
        return np.union1d(chosen, np.flatnonzero(np.isin(self.codes, codes[codes != ALONE])))


class Standing:
    """The documents of a corpus by the rows of a ranker, for as long as neither changes."""

    def __init__(self, corpus: Corpus, ids: Sequence[str]) -> None:
        self.state = state(corpus)
        self.fingerprint = corpus.fingerprint
        self._asked = ids
        self.ids = list(ids)
        self.row = {number: row for row, number in enumerate(self.ids)}
        # What is gone from the corpus makes an index stale, which is told by whoever compares fingerprints.
        found = [_GONE] * len(self.ids)
        for record in dated(corpus):
            row = self.row.get(record[1])
            if row is not None:
                found[row] = record
        self.serials = np.array([record[0] for record in found], dtype=np.int64)
        self._dates = DateArrays.of((_dated(*record[2:]) for record in found), told=False)
        families = family_of(corpus)
        self.families = FamilyArrays.of(families.get(number, "") for number in self.ids)

    def __len__(self) -> int:
        return len(self.ids)

    def holds(self, corpus: Corpus, ids: Sequence[str]) -> bool:
        """Whether this is still what the corpus and a ranker have."""
        return self.state == state(corpus) and (ids is self._asked or list(ids) == self.ids)

    def dates(self, corpus: Corpus, *limits: int) -> DateArrays:
        """The dates of all rows; which of those near one of some days are estimated is looked up, and kept."""
        rows = self._dates.untold(*limits)
        if len(rows):
            self._dates = self._dates.told(rows, estimated(corpus, self.serials[rows].tolist()))
        return self._dates


def _dated(published: str, filed: str, priority: str, country: str, kind: str, document_type: str) -> Dated:
    return Dated(published, filed, priority, country, kind, design=is_design(kind, document_type))
