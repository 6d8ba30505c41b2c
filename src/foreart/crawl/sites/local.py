"""Another corpus as a source, without any network."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import cast

from foreart.corpus.copying import StoredRow, citing_ids, index_citing, packed_rows, stored_rows
from foreart.corpus.schema import connect_to_read
from foreart.crawl.candidate import Answer, Candidate
from foreart.crawl.sites.source import Judge
from foreart.document.patent import Category


class LocalCorpus:
    """The patents of another corpus, opened read-only. Rows are copied as they are, without parsing."""

    name = "corpus"
    connections = 0
    knows_citing = True
    note = ""

    def __init__(self, path: Path, *, citing: bool = False, place: str = "") -> None:
        self.place = place or str(path.resolve())
        self._connection = connect_to_read(path)
        self._citing = citing
        if citing:
            index_citing(self._connection)

    def fetch(self, number: str, judge: Judge) -> Answer:
        """All publications of a number."""
        return Answer(tuple(self._candidate(stored) for stored in stored_rows(self._connection, number)))

    def stop(self) -> None:
        """Does nothing: a local source never waits."""

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()

    def _candidate(self, stored: StoredRow) -> Candidate:
        family = tuple(number for sort, number in stored.ties if sort == "relative")
        return Candidate(
            id=stored.id,
            published=stored.published,
            country=stored.country,
            cpc=tuple(symbol for scheme, _, symbol in stored.classes if scheme == "cpc"),
            ipc=tuple(symbol for scheme, _, symbol in stored.classes if scheme == "ipc"),
            citation_categories=frozenset(cast(Category, category) for _, _, category in stored.citations),
            cites=tuple(key for _, key, _ in stored.citations if key not in family),
            relatives=family,
            citing=citing_ids(self._connection, stored.id) if self._citing else (),
            pack=partial(packed_rows, self._connection, stored),
        )
