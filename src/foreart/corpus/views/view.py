"""All documents of a corpus as one table of arrays, one row each, shared by search, learning and evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from math import ceil
from typing import Any

import numpy as np

from foreart.corpus.views.day_columns import UNDATED, DayColumns
from foreart.corpus.views.hashes import hashed
from foreart.corpus.views.lookups import ALONE, BANDS, Lookups
from foreart.corpus.views.string_tables import IdTable, StringTable
from foreart.corpus.views.view_columns import Coded, Inverted, Ragged, inverse
from foreart.errors import StaleIndex

__all__ = ["ALONE", "UNDATED", "CorpusView"]
# Sketches that agree in fewer bytes may have no common band.
_MIN_AGREEING = 64 - BANDS + 1


@dataclass(frozen=True, eq=False)
class CorpusView:
    """One state of a corpus, identified by its fingerprint. Rows are in order of arrival, unless `aligned` reorders.

    - `published`, `filed` and `priority` are positions in `dates`, sorted ISO dates of which the first is empty;
      `spans` has the first and the last day of each. `estimated` marks estimated publication dates.
    - `families` has the row after which the family of each row is named, `ALONE` if there is no other member.
    - `numbers` are sorted hashes of publication numbers without kind code; `own`, `cited` and `named` (in the text) are
      positions in it.
    - `applicants` and `inventors` are hashed after `parties.folded_name`, `classes` by main group.
    - `lookups` are computed from the other columns when a view is written.
    - `sketches` are 64 bytes per text: the share of equal bytes of two sketches estimates the Jaccard similarity of
      their shingles.
    """

    corpus: str
    ids: IdTable
    serials: np.ndarray  # int64
    contents: np.ndarray  # V16
    dates: StringTable
    spans: np.ndarray  # int32, two columns
    published: np.ndarray  # int32
    filed: np.ndarray  # int32
    priority: np.ndarray  # int32
    estimated: np.ndarray  # bool
    families: np.ndarray  # int32
    countries: Coded
    kinds: Coded
    types: Coded
    languages: Coded
    depths: Coded
    numbers: np.ndarray  # uint64
    own: np.ndarray  # int32
    cited: Ragged
    named: Ragged
    applicants: Inverted
    inventors: Inverted
    classes: Inverted
    sketches: np.ndarray  # uint8, 64 columns
    lookups: Lookups

    @classmethod
    def of(cls, **columns: Any) -> CorpusView:  # noqa: ANN401 the fields of this class
        """The view of columns, with their look-ups."""
        names = ("families", "own", "numbers", "cited", "named", "classes", "sketches")
        days = DayColumns.of(*(columns[name] for name in ("spans", "published", "filed", "priority")))
        return cls(**columns, lookups=Lookups.of(**{name: columns[name] for name in names}, days=days))

    def __len__(self) -> int:
        return len(self.serials)

    def date(self, column: np.ndarray, row: int) -> str:
        """The ISO date of a row in a column of dates; `""` if it is unknown."""
        return self.dates[int(column[row])].decode()

    @property
    def days(self) -> np.ndarray:
        """The first day of the date that decides on prior art; `date_spans.EARLIEST` if a document has none."""
        return self.lookups.days.deciding

    def family(self, row: int) -> str:
        """The name of the family of a row; `""` if it has none."""
        code = int(self.families[row])
        return "" if code == ALONE else self.ids[code]

    def members(self, rows: Iterable[int]) -> np.ndarray:
        """The given rows and all rows of their families, in increasing order."""
        chosen = np.fromiter(rows, dtype=np.int64)
        codes = np.unique(self.families[chosen])
        return np.union1d(chosen, self.lookups.by_family.rows_with(codes[codes != ALONE]))

    def positions(self, hashes: np.ndarray) -> np.ndarray:
        """The positions of hashes in `numbers`, without those that it does not contain."""
        positions = np.searchsorted(self.numbers, hashes)
        positions = positions[positions < len(self.numbers)]
        return positions[np.isin(self.numbers[positions], hashes)].astype(np.int32)

    def rows_of(self, keys: Iterable[str]) -> np.ndarray:
        """The rows with these publication numbers (without kind code), in increasing order."""
        return self.rows_at(self.positions(hashed(keys)))

    def rows_at(self, positions: np.ndarray) -> np.ndarray:
        """The rows whose own numbers are at these positions of `numbers`, in increasing order."""
        return np.sort(self.lookups.by_number.rows_with(np.unique(positions)))

    def sketched(self, sketch: bytes, share: float) -> np.ndarray:
        """The rows whose sketch agrees with one in at least a share of its bytes, in order."""
        wanted = np.frombuffer(sketch, dtype=np.uint8)
        needed = ceil(share * len(wanted))
        if needed < _MIN_AGREEING:
            raise ValueError(f"sketches that agree in less than {_MIN_AGREEING} bytes are not all found")
        rows = self.lookups.sharing_a_band(self.sketches, wanted)
        agreeing = np.count_nonzero(self.sketches[rows] == wanted, axis=1)
        found: np.ndarray = rows[agreeing >= needed].astype(np.int64)
        return found

    def aligned(self, ids: Sequence[str]) -> CorpusView:
        """The view with its rows in the order of `ids`, a permutation of its own; itself if the order is the same."""
        if self.ids == ids:
            return self
        by_id = {number: row for row, number in enumerate(self.ids)}
        if len(ids) != len(self) or any(number not in by_id for number in ids):
            raise StaleIndex("the corpus has changed since this index was built: run `foreart build` again")
        rows = np.array([by_id[number] for number in ids], dtype=np.int64)
        alone = self.families == ALONE
        families = np.where(alone, ALONE, inverse(rows)[np.where(alone, 0, self.families)])[rows]
        plain = ("serials", "contents", "published", "filed", "priority", "estimated", "own", "sketches")
        columns = ("countries", "kinds", "types", "languages", "depths", "cited", "named")
        changed = {
            "ids": IdTable.of(ids),
            "families": families.astype(np.int32),
            **{name: getattr(self, name)[rows] for name in plain},
            **{name: getattr(self, name).take(rows) for name in (*columns, "applicants", "inventors", "classes")},
        }
        return CorpusView.of(
            **{
                each.name: changed.get(each.name, getattr(self, each.name))
                for each in fields(self)
                if each.name != "lookups"
            }
        )
