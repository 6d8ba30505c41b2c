"""All documents of a corpus as one table of arrays, a row each: what search, learning and evaluation ask of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from foreart.corpus.views.hashes import hashed
from foreart.corpus.views.string_tables import IdTable, StringTable
from foreart.corpus.views.view_columns import Coded, Inverted, Ragged, inverse
from foreart.errors import StaleIndex
from foreart.identifiers.date_spans import LATEST

ALONE = -1
UNDATED = 0  # the place of the date that is not known


@dataclass(frozen=True, eq=False)
class CorpusView:
    """One state of a corpus, named by its fingerprint. Rows are in order of arrival, unless `aligned` reorders them.

    - `published`, `filed` and `priority` are places in `dates`, ISO texts in order of which the first is empty; `spans`
      has the first and the last day that each can mean. `estimated` says that a date of publication is.
    - `families` has the row after which the family of each row is named, `ALONE` where there is no other member.
    - `numbers` are hashes of publication numbers without kind code, in order; `own`, `cited` and `named` (in the text)
      are places in it.
    - `applicants` and `inventors` are hashed as `parties.folded_name` folds them, `classes` by main group.
    - `sketches` are 64 bytes of the text: the share that two of them have in common estimates that of their shingles.
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

    def __len__(self) -> int:
        return len(self.serials)

    def date(self, places: np.ndarray, row: int) -> str:
        """The ISO text of a row in a column of dates; `""` if it is not known."""
        return self.dates[int(places[row])].decode()

    @cached_property
    def days(self) -> np.ndarray:
        """The first day of the date that orders prior art; `date_spans.EARLIEST` where a document has none.

        It is the earlier of priority and filing, else the publication.
        """
        published, filed, priority = (self.spans[dates, 0] for dates in (self.published, self.filed, self.priority))
        known = np.minimum(
            np.where(self.filed == UNDATED, LATEST, filed), np.where(self.priority == UNDATED, LATEST, priority)
        )
        return np.where(known == LATEST, published, known)

    def family(self, row: int) -> str:
        """The name of the family of a row; `""` if it is alone."""
        code = int(self.families[row])
        return "" if code == ALONE else self.ids[code]

    def members(self, rows: Iterable[int]) -> np.ndarray:
        """All rows of the families of some rows, and these rows, in order."""
        chosen = np.fromiter(rows, dtype=np.int64)
        codes = np.unique(self.families[chosen])
        return np.union1d(chosen, _in_order(self._by_family, codes[codes != ALONE]))

    def places(self, hashes: np.ndarray) -> np.ndarray:
        """The places of some hashes in `numbers`; those that are not there are left out."""
        at = np.searchsorted(self.numbers, hashes)
        at = at[at < len(self.numbers)]
        return at[np.isin(self.numbers[at], hashes)].astype(np.int32)

    def numbered(self, keys: Iterable[str]) -> np.ndarray:
        """The rows of some publication numbers without kind code, in order."""
        return self.placed(self.places(hashed(keys)))

    def placed(self, places: np.ndarray) -> np.ndarray:
        """The rows whose own numbers are at some places of `numbers`, in order."""
        return np.sort(_in_order(self._by_number, np.unique(places)))

    @cached_property
    def _by_family(self) -> tuple[np.ndarray, np.ndarray]:
        order = np.argsort(self.families, kind="stable")
        return order, self.families[order]

    @cached_property
    def _by_number(self) -> tuple[np.ndarray, np.ndarray]:
        order = np.argsort(self.own, kind="stable")
        return order, self.own[order]

    def aligned(self, ids: Sequence[str]) -> CorpusView:
        """The view with its rows in the order of some ids, which are all there are; itself if they stand so."""
        if self.ids == ids:
            return self
        places = {number: row for row, number in enumerate(self.ids)}
        if len(ids) != len(self) or any(number not in places for number in ids):
            raise StaleIndex("the corpus has changed since this index was built: run `foreart build` again")
        rows = np.array([places[number] for number in ids], dtype=np.int64)
        alone = self.families == ALONE
        families = np.where(alone, ALONE, inverse(rows)[np.where(alone, 0, self.families)])[rows]
        plain = ("serials", "contents", "published", "filed", "priority", "estimated", "own", "sketches")
        columns = ("countries", "kinds", "types", "languages", "depths", "cited", "named")
        return replace(
            self,
            ids=IdTable.of(ids),
            families=families.astype(np.int32),
            **{name: getattr(self, name)[rows] for name in plain},
            **{name: getattr(self, name).take(rows) for name in (*columns, "applicants", "inventors", "classes")},
        )


def _in_order(sorted_by: tuple[np.ndarray, np.ndarray], wanted: np.ndarray) -> np.ndarray:
    """The rows that have one of the wanted values, by an order of rows and their values in that order."""
    order, values = sorted_by
    firsts, lasts = (np.searchsorted(values, wanted, side=side).tolist() for side in ("left", "right"))
    parts = [order[first:last] for first, last in zip(firsts, lasts, strict=True)]
    return np.concatenate([np.empty(0, np.int64), *parts])
