"""The corpus as it was when its indexes were published: what changed since, and records in their indexed form."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from foreart.corpus.corpus import Corpus
from foreart.corpus.packing import unpack
from foreart.corpus.views import CorpusView
from foreart.document.patent import Patent
from foreart.errors import StaleIndex

_PUBLISHED = "published"


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """What happened to a corpus since a view of it.

    `removed` are rows of the view, `former` the ids of replaced and removed documents.
    """

    added: int
    removed: np.ndarray
    former: frozenset[str]

    @property
    def note(self) -> str:
        """One sentence for the reader of a list; `""` if nothing changed that it must know."""
        told = []
        replaced = len(self.former) - len(self.removed)
        if self.added:
            told.append(_told(self.added, "added", "not searched yet"))
        if replaced:
            told.append(_told(replaced, "replaced", "searched and shown as they were"))
        return f"{'; '.join(told)}: `foreart build`" if told else ""


class IndexedCorpus(Corpus):
    """A corpus read through a view: an id of the view is read as it was indexed, though replaced or removed since.

    `find` is of the corpus as it is: no number leads to a removed document.
    """

    def __init__(self, corpus: Corpus, view: CorpusView, changes: Changes) -> None:
        # The connection is that of the corpus: nothing is opened, and nothing must be closed.
        self.path, self._connection, self._fingerprint = corpus.path, corpus.connection, None
        self.view, self.changes = view, changes

    @property
    def fingerprint(self) -> str:
        """That of the view, another one if documents were removed since: what a search sees is then another corpus."""
        removed = sorted(self.view.ids[row] for row in self.changes.removed.tolist())
        if not removed:
            return self.view.corpus
        return hashlib.blake2b("\0".join([self.view.corpus, *removed]).encode(), digest_size=16).hexdigest()

    def contents(self) -> Iterator[tuple[str, bytes]]:
        """Id and content hash of each document that searches see."""
        removed = set(self.changes.removed.tolist())
        pairs = zip(self.view.ids, self.view.contents.tolist(), strict=True)
        return (pair for row, pair in enumerate(pairs) if row not in removed)

    def close(self) -> None:
        """Leaves the file open: it belongs to the corpus."""

    def __getitem__(self, number: str) -> Patent:
        """The patent with that number, as it was indexed."""
        if self.view.ids.row(number) is None:
            ids = self.find(number)
            if not ids or self.view.ids.row(ids[-1]) is None:
                return super().__getitem__(number)
            number = ids[-1]
        return unpack(self._as_indexed(number)[1])

    def record(self, number: str) -> bytes:
        """The stored record of a document of the view, as it was indexed."""
        return self._as_indexed(number)[1]

    def former_record(self, number: str) -> bytes | None:
        """The record of a patent as it was indexed, if it was replaced or removed since."""
        if self.view.ids.row(number) is None:
            return None
        same, record = self._as_indexed(number)
        return None if same else record

    def _as_indexed(self, number: str) -> tuple[bool, bytes]:
        """The record of a document of the view, and whether it is still that of the corpus.

        Its content is compared at each reading: another process may replace or remove it during a search.
        """
        indexed, run = self.view.contents[self.view.ids.row(number)].tobytes(), self._connection.execute
        now = run("SELECT content, json FROM record JOIN patent USING (serial) WHERE id = ?", (number,)).fetchone()
        if now is not None and now[0] == indexed:
            return True, bytes(now[1])
        former = run("SELECT json FROM superseded WHERE id = ? AND content = ?", (number, indexed)).fetchone()
        if former is None:  # two builds were published since this view was opened
            raise _outdated(number)
        return False, bytes(former[0])


def as_indexed(corpus: Corpus, view: CorpusView) -> IndexedCorpus:
    """The corpus as the documents of a published view were indexed."""
    return IndexedCorpus(corpus, view, changes_since(corpus, view))


def changes_since(corpus: Corpus, view: CorpusView) -> Changes:
    """What changed since a published view; costs time by the number of changes, not of documents.

    StaleIndex if the corpus does not know what was published: an older foreart built the indexes.
    """
    run = corpus.connection.execute
    if not _has_log(corpus):
        if corpus.fingerprint != view.corpus:
            raise StaleIndex(f"the corpus {corpus.path} has changed since this index was built: run `foreart build`")
        return Changes(0, np.empty(0, np.int64), frozenset())
    last = int(view.serials.max(initial=0))
    added = int(run("SELECT count(*) FROM patent WHERE serial > ?", (last,)).fetchone()[0])
    known: dict[str, set[bytes]] = {}
    for number, content in run("SELECT id, content FROM superseded"):
        known.setdefault(number, set()).add(content)
    removed: list[int] = []
    former: set[str] = set()
    for number, versions in known.items():
        row = view.ids.row(number)
        if row is None:  # added since, and replaced or removed since
            continue
        indexed = view.contents[row].tobytes()
        now = run("SELECT serial, content FROM patent WHERE id = ?", (number,)).fetchone()
        if now is None:
            removed.append(row)
            # SQLite gives the serial of a removed last patent to the next one.
            added += bool(run("SELECT 1 FROM patent WHERE serial = ?", (int(view.serials[row]),)).fetchone())
        else:
            added -= now[0] > last
        if now is None or now[1] != indexed:
            if indexed not in versions:
                raise _outdated(number)
            former.add(number)
    return Changes(added, np.array(sorted(removed), dtype=np.int64), frozenset(former))


def keep_former_records(corpus: Corpus) -> None:
    """From now on the corpus keeps what is replaced or removed; called before indexes are built."""
    corpus.connection.execute("INSERT OR IGNORE INTO meta VALUES (?, '0')", (_PUBLISHED,))


def drop_former_records(corpus: Corpus) -> None:
    """After a state was published: drops records that only states before the last one have.

    Those of the last state stay until the next build, for searches that have begun.
    """
    run = corpus.connection.execute
    run("BEGIN IMMEDIATE")
    try:
        run("DELETE FROM superseded WHERE state < (SELECT value + 0 FROM meta WHERE key = ?)", (_PUBLISHED,))
        run("UPDATE meta SET value = value + 1 WHERE key = ?", (_PUBLISHED,))
        run("COMMIT")
    except sqlite3.Error:
        run("ROLLBACK")
        raise


def _has_log(corpus: Corpus) -> bool:
    try:
        row = corpus.connection.execute("SELECT value FROM meta WHERE key = ?", (_PUBLISHED,)).fetchone()
    except sqlite3.OperationalError:
        return False
    return row is not None and int(row[0]) > 0


def _outdated(number: str) -> StaleIndex:
    return StaleIndex(f"{number} has changed, and the indexes were built again since: search again")


def _told(documents: int, happened: str, state: str) -> str:
    if documents == 1:
        return f"1 document was {happened} since and is {state.replace('they were', 'it was')}"
    return f"{documents:,} documents were {happened} since and are {state}"
