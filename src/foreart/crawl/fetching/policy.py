"""How a crawl behaves towards a server: how often it asks, how long it waits, who it says it is, when it gives up."""

from __future__ import annotations

import email.utils
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version

from foreart.crawl.fetching.http import Limits

AGENT = "foreart"
# Asked to come back later, or the server is in trouble: worth another attempt.
LATER = frozenset((408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524))
REFUSALS = frozenset((401, 402, 403, 407, 451))
GONE = frozenset((404, 410))
MOVED = frozenset((301, 302, 303, 307, 308))


@dataclass(frozen=True, slots=True)
class CrawlPolicy:
    """Requests a second to each host, and what else makes a welcome visitor. Seconds, where it is about time."""

    rate: float = 0.5
    jitter: float = 0.2
    connections: int = 1
    attempts: int = 5
    first_wait: float = 2.0
    longest_wait: float = 300.0
    patience: float = 900.0  # who asks for more than this in Retry-After is left alone
    contact: str = ""
    robots: bool = True
    fresh: float = 7 * 86400.0  # a page of the cache that is younger is not asked for again
    retry_unit: float = 1.0  # what one of Retry-After is; at the EPO a millisecond
    hosts: frozenset[str] = frozenset()  # other hosts to which this source may send us on
    limits: Limits = field(default_factory=Limits)

    @property
    def headers(self) -> dict[str, str]:
        """Who is asking."""
        contact = " ".join(self.contact.split()).encode("ascii", "replace").decode("ascii")
        about = f"patent citation crawl; {contact}" if contact else "patent citation crawl"
        named = {"User-Agent": f"{AGENT}/{version('foreart')} ({about})", "Accept-Encoding": "gzip"}
        return {**named, "From": contact} if "@" in contact else named

    def backoff(self, attempt: int, chance: random.Random) -> float:
        """How long to wait before attempt number `attempt` + 2: twice as long each time, not in step with others."""
        wait = min(self.longest_wait, self.first_wait * 2.0**attempt)
        return float(wait * chance.uniform(0.75, 1.25))

    def retry_after(self, headers: Mapping[str, str]) -> float | None:
        """The seconds a server asks to be left alone, if it says so."""
        value = headers.get("retry-after", "").strip()
        if value.isascii() and value.isdigit():
            return float(value[:9]) * self.retry_unit
        try:
            moment = email.utils.parsedate_to_datetime(value).timestamp()
        except (ValueError, TypeError, OverflowError):
            return None
        return max(0.0, moment - time.time())
