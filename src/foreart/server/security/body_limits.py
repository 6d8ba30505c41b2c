"""Limits of request bodies: size and time."""

from __future__ import annotations

import asyncio
import time

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive, Scope

from foreart.server.server_settings import MAX_BODY, ServerSettings

CHUNK_SECONDS = 20.0
_LEAST_RATE = 32 << 10  # bytes per second of a body, on average
_GRACE = 30.0


class LimitedBody:
    """Receives a body of limited size; one that comes too slowly is refused."""

    def __init__(self, receive: Receive, limit: int, *, chunk_seconds: float = CHUNK_SECONDS) -> None:
        self._receive = receive
        self._limit = limit
        self._chunk_seconds = chunk_seconds
        self._size = 0
        self._started = time.monotonic()
        self._complete = False
        self._ended = asyncio.Event()

    async def disconnected(self) -> None:
        """Waits until the body is complete and then until the client has gone."""
        await self._ended.wait()
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def __call__(self) -> Message:
        """The next message of the body; afterwards those of the connection."""
        if self._complete:
            return await self._receive()
        try:
            message = await asyncio.wait_for(self._receive(), self._chunk_seconds)
        except TimeoutError:
            raise HTTPException(408, "the body came too slowly") from None
        if message["type"] == "http.request":
            self._size += len(message.get("body", b""))
            self._complete = not message.get("more_body", False)
            if self._complete:
                self._ended.set()
            if self._size > self._limit:
                raise HTTPException(413, too_large(self._limit))
            if time.monotonic() - self._started > _GRACE + self._size / _LEAST_RATE:
                raise HTTPException(408, "the body came too slowly")
        return message


def body_limit(scope: Scope, settings: ServerSettings) -> int:
    """The largest body of a request: uploads of drafts and of files for the corpus may be larger."""
    if scope["method"] == "POST" and scope["path"] == "/api/drafts":
        return settings.max_draft
    if scope["method"] == "POST" and scope["path"] == "/api/corpus/files":
        return settings.max_upload
    return MAX_BODY


def too_large(limit: int) -> str:
    """The sentence for a body over the limit."""
    return f"the body has more than {limit >> 20} MB, the limit of this server"
