"""A rate limiter with jitter for the requests to one host."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable

# The maximum delay, in seconds, that is made up for on a busy machine.
_CATCH_UP = 0.05


class RateLimiter:
    """Slots for requests to one host; the mean interval is that of the rate, single ones vary by `jitter`."""

    def __init__(
        self, rate: float, *, jitter: float = 0.2, seed: int = 1, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._interval = 1.0 / rate
        self._jitter = jitter
        self._random = random.Random(seed)  # noqa: S311 no secret
        self._clock = clock
        self._allowed = 0.0
        self._next: float | None = None
        self._lock = threading.Lock()

    def reserve(self) -> float:
        """Reserves the next slot; returns the seconds until it."""
        with self._lock:
            now = self._clock()
            interval = max(self._interval, self._allowed)
            # A small delay is made up for, or the rate would never be reached.
            late = min(interval, max(self._jitter * interval, _CATCH_UP))
            slot = now if self._next is None else max(self._next, now - late)
            self._next = slot + interval * (1 + self._jitter * self._random.uniform(-1, 1))
            return max(0.0, slot - now)

    def pause(self, seconds: float) -> None:
        """Gives no slot for the next seconds."""
        with self._lock:
            self._next = max(self._next or 0.0, self._clock() + seconds)

    def slow_down(self, interval: float) -> None:
        """Sets a permanent minimum of seconds between slots."""
        with self._lock:
            self._interval = max(self._interval, interval)

    def allow(self, interval: float) -> None:
        """Sets a minimum of seconds between slots, until the next call."""
        with self._lock:
            self._allowed = interval
