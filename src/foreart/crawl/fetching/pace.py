"""When the next request to a host may go out: no more often than allowed, never in step, later when asked to wait."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable

# Seconds that a busy machine may keep us from a turn without anybody's fault.
_HICCUP = 0.05


class Pace:
    """Turns at one host. The mean distance of turns is that of the rate; single ones differ by a share of it."""

    def __init__(
        self, rate: float, *, jitter: float = 0.2, seed: int = 1, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._distance = 1.0 / rate
        self._jitter = jitter
        self._chance = random.Random(seed)  # noqa: S311 no secret
        self._clock = clock
        self._allowed = 0.0
        self._next: float | None = None
        self._lock = threading.Lock()

    def turn(self) -> float:
        """Takes the next turn; how many seconds from now it comes."""
        with self._lock:
            now = self._clock()
            distance = max(self._distance, self._allowed)
            # Who comes a little late does not lose the time, or the rate would never be reached.
            late = min(distance, max(self._jitter * distance, _HICCUP))
            slot = now if self._next is None else max(self._next, now - late)
            self._next = slot + distance * (1 + self._jitter * self._chance.uniform(-1, 1))
            return max(0.0, slot - now)

    def pause(self, seconds: float) -> None:
        """No turn before so many seconds have passed."""
        with self._lock:
            self._next = max(self._next or 0.0, self._clock() + seconds)

    def slow_down(self, distance: float) -> None:
        """For good, at least so many seconds lie between two turns."""
        with self._lock:
            self._distance = max(self._distance, distance)

    def allow(self, distance: float) -> None:
        """Until something else is said, at least so many seconds lie between two turns."""
        with self._lock:
            self._allowed = distance
