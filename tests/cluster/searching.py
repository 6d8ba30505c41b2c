"""Searches beside a test that harms a cluster meanwhile, and what the searches had to say."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from foreart.document.draft import Draft
from foreart.library import Library


class Searching:
    """Searches in a thread until it is stopped; keeps every list and every error."""

    def __init__(self, folder: Path, on: str, draft: Draft, *, index: str = "") -> None:
        self._index = index
        self.results: list[tuple[tuple[str, float], ...]] = []
        self.seconds: list[float] = []
        self.errors: list[BaseException] = []
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(folder, on, draft))

    def _run(self, folder: Path, on: str, draft: Draft) -> None:
        with Library(folder, on=on) as library:
            while not self._stopped.is_set():
                began = time.monotonic()
                try:
                    result = library.search(draft, index=self._index, passages=False)
                except Exception as error:  # noqa: BLE001 every one is reported
                    self.errors.append(error)
                    return
                self.results.append(tuple((hit.id, hit.score) for hit in result))
                self.seconds.append(time.monotonic() - began)

    def __enter__(self) -> Searching:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()

    def wait_for(self, more: int, *, seconds: float = 240) -> None:
        """Waits until so many more searches have an answer; fails at the first that has none."""
        wanted, deadline = len(self.results) + more, time.monotonic() + seconds
        while len(self.results) < wanted and not self.errors and time.monotonic() < deadline:
            time.sleep(0.02)
        if self.errors:
            raise self.errors[0]
        assert len(self.results) >= wanted
