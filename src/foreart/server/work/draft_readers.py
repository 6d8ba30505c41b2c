"""Reads uploaded drafts, each in a child process, few at once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from fastapi.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from foreart.child_process import in_child
from foreart.sources.drafts.upload_reading import read_upload


class DraftReaders:
    """A bounded number of uploads at a time, in memory and in child processes: each may take a gigabyte."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._turn = asyncio.Semaphore(at_once)
        self._places = at_once + waiting

    @contextmanager
    def place(self) -> Iterator[None]:
        """A place for one upload while it is received and read; 503 if all are taken."""
        if self._places <= 0:
            raise HTTPException(503, "too many drafts are being read: try again in a few seconds", {"Retry-After": "5"})
        self._places -= 1
        try:
            yield
        finally:
            self._places += 1

    async def read(self, data: bytes, name: str, corrections: Mapping[str, Any]) -> Any:  # noqa: ANN401 JSON
        """The draft as JSON; the sentence of an error names the file."""
        async with self._turn:
            return json.loads(await run_in_threadpool(in_child, read_upload, data, name, corrections, what=name))
