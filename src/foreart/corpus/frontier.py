"""Which numbers of a crawl wait, and what became of the others: kept in the corpus, whole after any interruption."""

from __future__ import annotations

import sqlite3
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

State = Literal["waiting", "kept", "rejected", "missing", "failed", "alias"]
STATES: tuple[State, ...] = ("waiting", "kept", "rejected", "missing", "failed", "alias")

_AHEAD = 256
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
    """A number whose turn has come."""

    number: str
    depth: int


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one number."""

    number: str
    depth: int
    state: State
    reason: str
    detail: str


class Frontier:
    """The numbers of one crawl. What it writes lies in the transaction that is open; the writer of the corpus ends it.

    Numbers have their turn breadth-first: the fewest steps from a seed, then in the order in which they were found,
    so the same answers lead to the same corpus whenever they come.
    """

    def __init__(self, connection: sqlite3.Connection, asked: str) -> None:
        self._connection = connection
        self._asked = asked
        self._crawl = 0
        self._ahead: deque[Waiting] = deque()
        self._taken: set[str] = set()
        self.counts: Counter[tuple[State, str]] = Counter()

    def begin(self, seeds: Iterable[str], *, again: Iterable[str] = ()) -> None:
        """Takes up the crawl that was asked for: those that failed wait again, and those rejected for a reason `again`.

        Seeds that are new are added to the others.
        """
        self._open()
        self._connection.execute("INSERT OR IGNORE INTO crawl (asked) VALUES (?)", (self._asked,))
        row = self._connection.execute("SELECT crawl FROM crawl WHERE asked = ?", (self._asked,)).fetchone()
        self._crawl = int(row[0])
        wait = "UPDATE crawl_number SET state = 'waiting', reason = '', detail = '' WHERE crawl = ? AND state = "
        self._connection.execute(f"{wait} 'failed'", (self._crawl,))
        for reason in again:
            self._connection.execute(f"{wait} 'rejected' AND reason = ?", (self._crawl, reason))
        self.counts = _counted(self._connection, self._crawl)
        self._reach(seeds, 0)

    def take(self, depth: int | None = None) -> Waiting | None:
        """The next number that waits, at most so many steps from a seed; it is not given twice."""
        if not self._ahead:
            limit = _NO_LIMIT if depth is None else depth
            rows = self._connection.execute(_NEXT, (self._crawl, limit, _AHEAD + len(self._taken))).fetchall()
            self._ahead.extend(Waiting(number, steps) for number, steps in rows if number not in self._taken)
        while self._ahead:
            found = self._ahead.popleft()
            if self.state(found.number) == "waiting":  # and was not decided under another spelling
                self._taken.add(found.number)
                return found
        return None

    def release(self, number: str) -> None:
        """A number that was taken is not in hand any more."""
        self._taken.discard(number)

    def undo(self) -> None:
        """Takes back what was noted since the writer last ended a transaction."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        self.counts = _counted(self._connection, self._crawl)

    def state(self, number: str) -> State | None:
        """What became of a number; None if it never came up."""
        row = self._connection.execute(_KNOWN, (self._crawl, number)).fetchone()
        return None if row is None else row[2]

    def waiting(self, depth: int | None = None) -> int:
        """How many numbers wait, at most so many steps from a seed."""
        if depth is None:
            return self.counts["waiting", ""]
        row = self._connection.execute(
            "SELECT count(*) FROM crawl_number WHERE crawl = ? AND state = 'waiting' AND depth <= ?",
            (self._crawl, depth),
        ).fetchone()
        return int(row[0])

    def decide(self, number: str, state: State, reason: str = "", detail: str = "") -> None:
        """What becomes of a number that came up."""
        self._open()
        serial, _, before = self._known(number)
        self._connection.execute(
            "UPDATE crawl_number SET state = ?, reason = ?, detail = ? WHERE serial = ?",
            (state, reason, _storable(detail), serial),
        )
        self.counts[before] -= 1
        self.counts[state, reason] += 1

    def follow(self, number: str, targets: Iterable[str]) -> None:
        """Where a kept patent leads: numbers that never came up wait from now on."""
        self._open()
        serial, depth, _ = self._known(number)
        self._reach(targets, depth + 1, serial)

    def refuse(self, number: str, targets: Iterable[str], reason: str) -> None:
        """What a kept patent lists and nobody can be asked for."""
        _, depth, _ = self._known(number)
        for target in targets:
            if self.state(target) is None:
                self._reach([target], depth + 1)
                self.decide(target, "rejected", reason)

    def alias(self, number: str, ids: Iterable[str]) -> None:
        """A number turned out to be another spelling of these ids, which are as near to a seed as it is."""
        self.decide(number, "alias")
        serial, depth, _ = self._known(number)
        self._reach(ids, depth, serial)

    def depth(self, number: str) -> int:
        """How many steps a number is away from the nearest seed."""
        return self._known(number)[1]

    def _open(self) -> None:
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")

    def _known(self, number: str) -> tuple[int, int, tuple[State, str]]:
        row = self._connection.execute(_KNOWN, (self._crawl, number)).fetchone()
        return int(row[0]), int(row[1]), (row[2], row[3])

    def _reach(self, numbers: Iterable[str], depth: int, origin: int | None = None) -> None:
        """Notes numbers at a depth; what is nearer than was thought brings nearer what it leads to."""
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
            self._ahead.clear()  # its turn may come before that of others
            if state in ("kept", "alias"):
                nearer.extend(self._beyond(serial, depth + (state == "kept")))

    def _beyond(self, serial: int, depth: int) -> Iterator[tuple[int, int, State]]:
        """Where a number leads that was thought to be farther away."""
        rows = self._connection.execute(
            "SELECT serial, state FROM crawl_step JOIN crawl_number ON serial = target WHERE origin = ? AND depth > ?",
            (serial, depth),
        )
        for target, state in rows.fetchall():
            yield int(target), depth, state


def crawls(connection: sqlite3.Connection) -> dict[str, Mapping[tuple[State, str], int]]:
    """Every crawl of a corpus by what was asked, and how many numbers are in which state for which reason."""
    if not _has_crawls(connection):
        return {}
    rows = connection.execute("SELECT asked, crawl FROM crawl ORDER BY crawl").fetchall()
    return {asked: _counted(connection, crawl) for asked, crawl in rows}


def fates(connection: sqlite3.Connection, asked: str, *, states: Iterable[State] = STATES) -> Iterator[Fate]:
    """What became of the numbers of a crawl, in the order in which they came up."""
    wanted = tuple(states)
    rows = connection.execute(
        f"SELECT number, depth, state, reason, detail FROM crawl_number JOIN crawl USING (crawl) "  # noqa: S608 marks only
        f"WHERE asked = ? AND state IN ({', '.join('?' * len(wanted))}) ORDER BY serial",
        (asked, *wanted),
    )
    for row in rows:
        yield Fate(*row)


def _has_crawls(connection: sqlite3.Connection) -> bool:
    """A file that could only be read may be older than crawls."""
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'crawl'").fetchone() is not None


def _counted(connection: sqlite3.Connection, crawl: int) -> Counter[tuple[State, str]]:
    rows = connection.execute(
        "SELECT state, reason, count(*) FROM crawl_number WHERE crawl = ? GROUP BY 1, 2", (crawl,)
    )
    return Counter({(state, reason): int(number) for state, reason, number in rows})


def _storable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
