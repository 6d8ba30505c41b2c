"""The corpus: patents in one SQLite file, found by number or selected."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType

import zstandard

from foreart.corpus.packing import pack, unpack
from foreart.corpus.schema import computed_fingerprint, connect, stored_fingerprint
from foreart.corpus.selection import EVERYTHING, Selection, where
from foreart.corpus.writer import Summary, Writer
from foreart.document.patent import Patent
from foreart.document.reject import Reject
from foreart.errors import NotInCorpus
from foreart.identifiers.numbers import loose_number


class Corpus:
    """The patents in one SQLite file. Many processes can read while one writes."""

    def __init__(self, path: str | Path, *, create: bool = False) -> None:
        self.path = Path(path)
        self._connection = connect(self.path, create=create)
        self._fingerprint: tuple[tuple[int, int], str] | None = None

    def __enter__(self) -> Corpus:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()

    @property
    def connection(self) -> sqlite3.Connection:
        """The database connection, for the other modules of this package."""
        return self._connection

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM patent").fetchone()[0])

    def __contains__(self, number: str) -> bool:
        return bool(self.find(number))

    def __getitem__(self, number: str) -> Patent:
        """The patent with that number; without a kind code, the latest publication with it."""
        ids = self.find(number)
        if not ids:
            raise NotInCorpus(f"{number} is not in the corpus {self.path}")
        row = self._connection.execute(
            "SELECT json FROM record JOIN patent USING (serial) WHERE id = ?", (ids[-1],)
        ).fetchone()
        return unpack(row[0])

    def latest(self, number: str) -> str:
        """The id of a number, with or without kind code: the latest publication with it."""
        ids = self.find(number)
        if not ids:
            raise NotInCorpus(f"{number[:60]} is not in the corpus")
        return ids[-1]

    def former_record(self, number: str) -> bytes | None:
        """The stored record of a patent as it was indexed, if it has changed since: see `IndexedCorpus`."""
        return None

    def find(self, number: str) -> list[str]:
        """The stored ids of a number: itself if it is one, else all that match without kind code, by date."""
        wanted = loose_number(number)
        exact = self._connection.execute("SELECT id FROM patent WHERE id = ?", (str(wanted),)).fetchone()
        if exact:
            return [exact[0]]
        rows = self._connection.execute(
            "SELECT id, kind FROM patent WHERE key = ? ORDER BY published, id", (wanted.key,)
        ).fetchall()
        same_kind = [id_ for id_, kind in rows if not wanted.kind or not kind or kind[:1] == wanted.kind[:1]]
        return same_kind or [id_ for id_, _ in rows]

    def ids(self, selection: Selection = EVERYTHING) -> list[str]:
        """The ids of a selection, in order of arrival."""
        clause, values = where(selection)
        rows = self._connection.execute(f"SELECT id FROM patent WHERE {clause} ORDER BY serial", values)  # noqa: S608
        return [row[0] for row in rows]

    def overview(self, selection: Selection = EVERYTHING, *, limit: int = 0) -> list[tuple[str, str, str, str]]:
        """Id, publication date, text depth and title of a selection, in order of arrival."""
        clause, values = where(selection)
        return self._connection.execute(
            f"SELECT id, published, depth, title FROM patent WHERE {clause} ORDER BY serial LIMIT ?",  # noqa: S608
            [*values, limit or -1],
        ).fetchall()

    def __iter__(self) -> Iterator[Patent]:
        return self.select()

    def select(self, selection: Selection = EVERYTHING) -> Iterator[Patent]:
        """The patents of a selection, one at a time, in order of arrival."""
        clause, values = where(selection)
        rows = self._connection.execute(f"SELECT serial FROM patent WHERE {clause} ORDER BY serial", values)  # noqa: S608
        # One query per patent: a long read transaction would keep the WAL from shrinking.
        for (serial,) in rows.fetchall():
            row = self._connection.execute("SELECT json FROM record WHERE serial = ?", (serial,)).fetchone()
            if row is not None:  # not removed meanwhile
                yield unpack(row[0])

    def add(self, items: Iterable[Patent | Reject]) -> Summary:
        """Stores patents, replaces those that changed, skips those that did not; rejects go to the ledger."""
        with Writer(self._connection, self.path) as writer:
            for item in items:
                writer.add(item if isinstance(item, Reject) else pack(item))
        return writer.summary

    def remove(self, ids: Iterable[str]) -> int:
        """Removes patents; returns how many were stored."""
        with Writer(self._connection, self.path) as writer:
            return writer.remove(ids)

    @property
    def has_citations(self) -> bool:
        """Whether any document names others on its front page: without citations no ranking can be learned."""
        return bool(self.connection.execute("SELECT EXISTS (SELECT 1 FROM citation)").fetchone()[0])

    def rejects(self) -> Iterator[Reject]:
        """The ledger: every record that could not be read, by file and position."""
        # Positions are numbers of documents or bytes, so a longer text is a later position.
        rows = self._connection.execute(
            "SELECT file, position, reason, raw, format FROM reject ORDER BY file, length(position), position"
        )
        for file, position, reason, raw, form in rows:
            yield Reject(file, position, reason, zstandard.ZstdDecompressor().decompress(raw), form)

    @property
    def fingerprint(self) -> str:
        """A hash of all ids and contents, independent of the order in which patents were added.

        It is computed once after a change and then kept in the file, so that opening a corpus does not read it.
        """
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        state = int(version), self._connection.total_changes
        if self._fingerprint is None or self._fingerprint[0] != state:
            fingerprint = stored_fingerprint(self._connection) or computed_fingerprint(self._connection, int(version))
            self._fingerprint = (int(version), self._connection.total_changes), fingerprint
        return self._fingerprint[1]
