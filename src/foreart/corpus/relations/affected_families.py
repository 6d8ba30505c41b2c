"""Which patents may be in another family after a change: those connected with what changed, and no others.

Families are connected by links (numbers, applications, priorities) and by equal bands of signatures. A set that is
closed under both is grouped without looking at any other patent, with the result that grouping all would have.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator

import numpy as np

from foreart.corpus.relations.signature import PERMUTATIONS, band_keys

# The patents whose families must be computed again, in a temporary table of the connection.
AFFECTED = "SELECT serial FROM temp.affected"
_MAX_PARAMETERS = 900
_READ = 1 << 16
# From this share of the patents on, grouping all of them is no more work.
_MOST = 0.5
_SLOTS = np.uint64((1 << 20) - 1)
# A patent as it is, and the members of its family.
_RECORD = (
    "INSERT OR IGNORE INTO family_change SELECT serial, coalesce(minhash, x'') FROM patent "
    "LEFT JOIN signature USING (serial) WHERE serial = :serial OR serial IN "
    "(SELECT serial FROM family WHERE family = (SELECT family FROM family WHERE serial = :serial))"
)
# All patents that have a link to one of the serials that stand for `{}`.
_LINKED = (
    "SELECT serial FROM patent WHERE family_id != '' AND family_id IN "
    "(SELECT family_id FROM patent WHERE serial IN ({}))",
    "SELECT serial FROM patent WHERE key IN (SELECT key FROM patent WHERE serial IN ({}))",
    "SELECT serial FROM patent WHERE application_number != '' AND application_number IN "
    "(SELECT application_number FROM patent WHERE serial IN ({}))",
    "SELECT serial FROM tie WHERE number IN (SELECT number FROM tie WHERE serial IN ({}))",
    "SELECT serial FROM patent WHERE key IN (SELECT number FROM tie WHERE sort = 'relative' AND serial IN ({}))",
    "SELECT serial FROM patent WHERE application_number != '' AND application_number IN "
    "(SELECT number FROM tie WHERE sort = 'relative' AND serial IN ({}))",
    "SELECT serial FROM tie WHERE number IN (SELECT key FROM patent WHERE serial IN ({}))",
    "SELECT serial FROM tie WHERE number IN (SELECT application_number FROM patent WHERE serial IN ({}))",
)


def record_added(connection: sqlite3.Connection, serial: int) -> None:
    """Notes that a patent is new."""
    connection.execute("INSERT OR IGNORE INTO family_change VALUES (?, x'')", (serial,))


def record_change(connection: sqlite3.Connection, serial: int) -> None:
    """Notes a patent that is about to be replaced or removed, as it is, with the members of its family."""
    connection.execute(_RECORD, {"serial": serial})


def find_affected(connection: sqlite3.Connection) -> bool:
    """Fills the temporary table with the patents to group again; false if these are too many to tell them apart."""
    changed = dict(connection.execute("SELECT serial, minhash FROM family_change"))
    (patents,) = connection.execute("SELECT count(*) FROM patent").fetchone()
    affected: set[int] = set(changed)
    bands: _SignatureBands | None = None
    new: Collection[int] = affected
    while new:
        if len(affected) > _MOST * patents:
            return False
        bands = bands or _SignatureBands(connection, [minhash for minhash in changed.values() if minhash])
        linked = set(_linked(connection, new))
        linked |= bands.alike(linked | set(new))
        new = linked - affected
        affected |= new
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS affected (serial INTEGER PRIMARY KEY)")
    connection.execute("DELETE FROM temp.affected")
    connection.executemany("INSERT INTO temp.affected VALUES (?)", ((serial,) for serial in sorted(affected)))
    return True


def read_signatures(connection: sqlite3.Connection, only: str = "") -> tuple[np.ndarray, np.ndarray]:
    """Serials and signatures of the patents that have one, in order of arrival; `only` is a condition."""
    cursor = connection.execute(f"SELECT serial, minhash FROM signature {only} ORDER BY serial")  # noqa: S608
    serials, matrices = [np.empty(0, np.int64)], [np.empty((0, PERMUTATIONS), "<u4")]
    while rows := cursor.fetchmany(_READ):
        serials.append(np.array([serial for serial, _ in rows], dtype=np.int64))
        matrices.append(np.frombuffer(b"".join(minhash for _, minhash in rows), "<u4").reshape(-1, PERMUTATIONS))
    return np.concatenate(serials), np.concatenate(matrices)


class _SignatureBands:
    """The bands of all signatures, and of those that patents had before they changed."""

    def __init__(self, connection: sqlite3.Connection, former: list[bytes]) -> None:
        self._serials, signatures = read_signatures(connection)
        self._keys = band_keys(signatures)
        self._former = band_keys(np.frombuffer(b"".join(former), "<u4").reshape(-1, PERMUTATIONS))

    def alike(self, serials: Collection[int]) -> set[int]:
        """The patents that share a band with one of these; the first time also with what changed patents were."""
        own = np.isin(self._serials, np.fromiter(serials, np.int64, len(serials)))
        wanted = np.concatenate([self._keys[own], self._former])
        self._former = wanted[:0]
        found = np.zeros(len(self._serials), dtype=bool)
        for band in range(self._keys.shape[1]):
            found |= _among(self._keys[:, band], np.unique(wanted[:, band]))
        return set(self._serials[found].tolist())


def _among(keys: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """A mask of the keys that are wanted; most are ruled out by a table of their last bits."""
    slots = np.zeros(int(_SLOTS) + 1, dtype=bool)
    slots[wanted & _SLOTS] = True
    mask: np.ndarray = slots[keys & _SLOTS]
    mask[mask] = np.isin(keys[mask], wanted)
    return mask


def _linked(connection: sqlite3.Connection, serials: Collection[int]) -> Iterator[int]:
    """The patents with a link to one of these."""
    wanted = list(serials)
    for start in range(0, len(wanted), _MAX_PARAMETERS):
        batch = wanted[start : start + _MAX_PARAMETERS]
        marks = ", ".join("?" * len(batch))
        for query in _LINKED:
            yield from (serial for (serial,) in connection.execute(query.format(marks), batch))
