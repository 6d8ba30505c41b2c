"""The frontier of a crawl: waiting numbers and decisions, stored in the corpus and consistent after an interruption."""

from __future__ import annotations

import sqlite3
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

State = Literal["waiting", "kept", "rejected", "missing", "failed", "alias"]
STATES: tuple[State, ...] = ("waiting", "kept", "rejected", "missing", "failed", "alias")

_PREFETCH = 256
_NO_LIMIT = 1 << 30
_NEXT = (
    "SELECT number, depth FROM crawl_number WHERE crawl = ? AND state = 'waiting' AND depth <= ? "
    "ORDER BY depth, serial LIMIT ?"
)
_INSERT = (
    "INSERT OR IGNORE INTO crawl_number (crawl, number, depth, state, reason, detail) "
    "VALUES (?, ?, ?, 'waiting', '', '')"
)
_STEP = "INSERT OR IGNORE INTO crawl_step SELECT ?, serial FROM crawl_number WHERE crawl = ? AND number = ?"
_KNOWN = "SELECT serial, depth, state, reason FROM crawl_number WHERE crawl = ? AND number = ?"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A waiting number and its distance from the nearest seed."""

    number: str
    depth: int


@dataclass(frozen=True, slots=True)
class CrawlEntry:
    """The state of one number of a crawl, with the reason."""

    number: str
    depth: int
    state: State
    reason: str
    detail: str


class Frontier:
    """The numbers of one crawl. Changes are part of the open transaction; the writer of the corpus commits it.

    Numbers are taken breadth-first: by the distance from a seed, then in order of discovery, so the same answers lead
    to the same corpus whenever they arrive.
    """

    def __init__(self, connection: sqlite3.Connection, identity: str) -> None:
        self._connection = connection
        self._identity = identity
        self._crawl = 0
        self._queue: deque[Waiting] = deque()
        self._taken: set[str] = set()
        self.counts: Counter[tuple[State, str]] = Counter()

    def begin(self, seeds: Iterable[str], *, again: Iterable[str] = ()) -> None:
        """Starts or continues the crawl: failed numbers wait again, and so do those rejected for a reason in `again`.

        New seeds are added to the others.
        """
        self._open()
        self._connection.execute("INSERT OR IGNORE INTO crawl (asked) VALUES (?)", (self._identity,))
        row = self._connection.execute("SELECT crawl FROM crawl WHERE asked = ?", (self._identity,)).fetchone()
        self._crawl = int(row[0])
        wait = "UPDATE crawl_number SET state = 'waiting', reason = '', detail = '' WHERE crawl = ? AND state = "
        self._connection.execute(f"{wait} 'failed'", (self._crawl,))
        for reason in again:
            self._connection.execute(f"{wait} 'rejected' AND reason = ?", (self._crawl, reason))
        self.counts = _counted(self._connection, self._crawl)
        self._reach(seeds, 0)

    def take(self, depth: int | None = None) -> Waiting | None:
        """The next waiting number within a depth; each is returned once."""
        if not self._queue:
            limit = _NO_LIMIT if depth is None else depth
            rows = self._connection.execute(_NEXT, (self._crawl, limit, _PREFETCH + len(self._taken))).fetchall()
            self._queue.extend(Waiting(number, steps) for number, steps in rows if number not in self._taken)
        while self._queue:
            waiting = self._queue.popleft()
            if self.state(waiting.number) == "waiting":  # not decided under another spelling meanwhile
                self._taken.add(waiting.number)
                return waiting
        return None

    def release(self, number: str) -> None:
        """Ends the processing of a number that was taken."""
        self._taken.discard(number)

    def undo(self) -> None:
        """Rolls back the changes since the last commit of the writer."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        self.counts = _counted(self._connection, self._crawl)

    def state(self, number: str) -> State | None:
        """The state of a number; None if it is unknown."""
        row = self._connection.execute(_KNOWN, (self._crawl, number)).fetchone()
        return None if row is None else row[2]

    def waiting(self, depth: int | None = None) -> int:
        """How many numbers wait within a depth."""
        if depth is None:
            return self.counts["waiting", ""]
        row = self._connection.execute(
            "SELECT count(*) FROM crawl_number WHERE crawl = ? AND state = 'waiting' AND depth <= ?",
            (self._crawl, depth),
        ).fetchone()
        return int(row[0])

    def decide(self, number: str, state: State, reason: str = "", detail: str = "") -> None:
        """Sets the state of a known number."""
        self._open()
        serial, _, before = self._known(number)
        self._connection.execute(
            "UPDATE crawl_number SET state = ?, reason = ?, detail = ? WHERE serial = ?",
            (state, reason, _storable(detail), serial),
        )
        self.counts[before] -= 1
        self.counts[state, reason] += 1

    def follow(self, number: str, targets: Iterable[str]) -> None:
        """Adds the links of a kept patent: new numbers wait from now on."""
        self._open()
        serial, depth, _ = self._known(number)
        self._reach(targets, depth + 1, serial)

    def refuse(self, number: str, targets: Iterable[str], reason: str) -> None:
        """Rejects links of a kept patent that cannot be fetched."""
        _, depth, _ = self._known(number)
        for target in targets:
            if self.state(target) is None:
                self._reach([target], depth + 1)
                self.decide(target, "rejected", reason)

    def alias(self, number: str, ids: Iterable[str]) -> None:
        """Marks a number as another spelling of these ids, which get its depth."""
        self.decide(number, "alias")
        serial, depth, _ = self._known(number)
        self._reach(ids, depth, serial)

    def depth(self, number: str) -> int:
        """The distance of a number from the nearest seed."""
        return self._known(number)[1]

    def _open(self) -> None:
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")

    def _known(self, number: str) -> tuple[int, int, tuple[State, str]]:
        row = self._connection.execute(_KNOWN, (self._crawl, number)).fetchone()
        return int(row[0]), int(row[1]), (row[2], row[3])

    def _reach(self, numbers: Iterable[str], depth: int, origin: int | None = None) -> None:
        """Stores numbers at a depth; a number whose depth decreases passes this on to its links."""
        listed = list(numbers)
        before = self._connection.total_changes
        self._connection.executemany(_INSERT, [(self._crawl, number, depth) for number in listed])
        self.counts["waiting", ""] += self._connection.total_changes - before
        nearer: deque[tuple[int, int, State]] = deque()
        if origin is None:
            for number in listed:
                serial, known, (state, _) = self._known(number)
                if known > depth:
                    nearer.append((serial, depth, state))
        else:
            self._connection.executemany(_STEP, [(origin, self._crawl, number) for number in listed])
            nearer.extend(self._beyond(origin, depth))
        while nearer:
            serial, depth, state = nearer.popleft()
            self._connection.execute("UPDATE crawl_number SET depth = ? WHERE serial = ?", (depth, serial))
            self._queue.clear()  # the order may have changed
            if state in ("kept", "alias"):
                nearer.extend(self._beyond(serial, depth + (state == "kept")))

    def _beyond(self, serial: int, depth: int) -> Iterator[tuple[int, int, State]]:
        """The links of a number with a greater depth than `depth`."""
        rows = self._connection.execute(
            "SELECT serial, state FROM crawl_step JOIN crawl_number ON serial = target WHERE origin = ? AND depth > ?",
            (serial, depth),
        )
        for target, state in rows.fetchall():
            yield int(target), depth, state


def crawls(connection: sqlite3.Connection) -> dict[str, Mapping[tuple[State, str], int]]:
    """The crawls of a corpus by identity, with the count of numbers by state and reason."""
    if not _has_crawls(connection):
        return {}
    rows = connection.execute("SELECT asked, crawl FROM crawl ORDER BY crawl").fetchall()
    return {identity: _counted(connection, crawl) for identity, crawl in rows}


def crawl_entries(
    connection: sqlite3.Connection, identity: str, *, states: Iterable[State] = STATES
) -> Iterator[CrawlEntry]:
    """The numbers of a crawl with their states, in order of discovery."""
    wanted = tuple(states)
    rows = connection.execute(
        f"SELECT number, depth, state, reason, detail FROM crawl_number JOIN crawl USING (crawl) "  # noqa: S608 marks only
        f"WHERE asked = ? AND state IN ({', '.join('?' * len(wanted))}) ORDER BY serial",
        (identity, *wanted),
    )
    for row in rows:
        yield CrawlEntry(*row)


def _has_crawls(connection: sqlite3.Connection) -> bool:
    """Whether the table exists: a read-only file of version 1 is not migrated."""
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'crawl'").fetchone() is not None


def _counted(connection: sqlite3.Connection, crawl: int) -> Counter[tuple[State, str]]:
    rows = connection.execute(
        "SELECT state, reason, count(*) FROM crawl_number WHERE crawl = ? GROUP BY 1, 2", (crawl,)
    )
    return Counter({(state, reason): int(number) for state, reason, number in rows})


def _storable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
