"""The contract of a source: the documents of a number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from foreart.crawl.candidate import Answer, Candidate
from foreart.crawl.fetching.fetcher import Fetcher

Judge = Callable[[Candidate], str]


class Source(Protocol):
    """A source of documents.

    `place` (a URL or path) distinguishes sources of the same name: a crawl continues only with the same one.
    `knows_citing` says whether it knows citing documents. A remote source has `connections`: the number of threads
    that may use it at once.
    """

    name: str
    place: str
    connections: int
    knows_citing: bool

    @property
    def note(self) -> str:
        """What it is waiting for, if anything."""

    def fetch(self, number: str, judge: Judge) -> Answer:
        """The documents of a number. `judge` returns why one will not be kept, so that a source can fetch less.

        Raises Refused to stop the crawl, Unreachable if a later attempt may succeed.
        """

    def stop(self) -> None:
        """Ends waits in other threads."""

    def close(self) -> None:
        """Closes files and connections."""


class RemoteSource:
    """Base class of remote sources: a fetcher and a URL."""

    def __init__(self, fetcher: Fetcher, place: str) -> None:
        self.place = place
        self.connections = fetcher.policy.connections
        self._fetcher = fetcher

    @property
    def note(self) -> str:
        """What it is waiting for, if anything."""
        return self._fetcher.note

    def stop(self) -> None:
        """Ends waits in other threads."""
        self._fetcher.stop()

    def close(self) -> None:
        """Closes connections."""
        self._fetcher.close()
