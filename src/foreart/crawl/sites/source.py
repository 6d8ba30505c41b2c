"""What a crawl asks of a source: the document of a number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from foreart.crawl.candidate import Answer, Candidate
from foreart.crawl.fetching.fetcher import Visitor

Judge = Callable[[Candidate], str]


class Source(Protocol):
    """Where documents come from.

    `place` says which one of its kind it is: a crawl goes on only with the same one. `tells_citing` says whether it
    knows what cites a document. One with `connections` lies in the network, and so many threads may ask it at once.
    """

    name: str
    place: str
    connections: int
    tells_citing: bool

    @property
    def note(self) -> str:
        """What it is waiting for, if for anything."""

    def fetch(self, number: str, judge: Judge) -> Answer:
        """The documents of a number. `judge` says why one will not be kept, for those who can save themselves work.

        Raises Refused to stop the crawl, Unreachable for what may succeed another time.
        """

    def stop(self) -> None:
        """Ends waiting in other threads."""

    def close(self) -> None:
        """Lets go of files and connections."""


class RemoteSource:
    """What sources in the network share: a visitor with policy."""

    def __init__(self, visitor: Visitor, place: str) -> None:
        self.place = place
        self.connections = visitor.policy.connections
        self._visitor = visitor

    @property
    def note(self) -> str:
        """What it is waiting for, if for anything."""
        return self._visitor.note

    def stop(self) -> None:
        """Ends waiting in other threads."""
        self._visitor.stop()

    def close(self) -> None:
        """Lets go of connections."""
        self._visitor.close()
