"""How a crawl behaves towards servers: rate, retries, timeouts, user agent."""

from __future__ import annotations

import email.utils
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version

from foreart.crawl.fetching.http import Limits

AGENT = "foreart"
# Too many requests, or a server error: retried.
LATER = frozenset((408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524))
REFUSALS = frozenset((401, 402, 403, 407, 451))
GONE = frozenset((404, 410))
MOVED = frozenset((301, 302, 303, 307, 308))


@dataclass(frozen=True, slots=True)
class CrawlPolicy:
    """Requests per second to each host, and other limits; times in seconds."""

    rate: float = 0.5
    jitter: float = 0.2
    connections: int = 1
    attempts: int = 5
    first_wait: float = 2.0
    longest_wait: float = 300.0
    patience: float = 900.0  # a longer Retry-After ends the crawl
    contact: str = ""
    robots: bool = True
    fresh: float = 7 * 86400.0  # cached pages younger than this are not requested again
    retry_unit: float = 1.0  # the unit of Retry-After; a millisecond at the EPO
    hosts: frozenset[str] = frozenset()  # other hosts that this source may redirect to
    limits: Limits = field(default_factory=Limits)

    @property
    def headers(self) -> dict[str, str]:
        """The headers that identify the crawler."""
        contact = " ".join(self.contact.split()).encode("ascii", "replace").decode("ascii")
        about = f"patent citation crawl; {contact}" if contact else "patent citation crawl"
        named = {"User-Agent": f"{AGENT}/{version('foreart')} ({about})", "Accept-Encoding": "gzip"}
        return {**named, "From": contact} if "@" in contact else named

    def backoff(self, attempt: int, chance: random.Random) -> float:
        """Seconds to wait before attempt number `attempt` + 2: exponential backoff with jitter."""
        wait = min(self.longest_wait, self.first_wait * 2.0**attempt)
        return float(wait * chance.uniform(0.75, 1.25))

    def retry_after(self, headers: Mapping[str, str]) -> float | None:
        """The seconds of a Retry-After header, if there is one."""
        value = headers.get("retry-after", "").strip()
        if value.isascii() and value.isdigit():
            return float(value[:9]) * self.retry_unit
        try:
            moment = email.utils.parsedate_to_datetime(value).timestamp()
        except (ValueError, TypeError, OverflowError):
            return None
        return max(0.0, moment - time.time())
