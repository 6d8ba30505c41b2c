"""Connections: a request's head comes within seconds, and one that cannot be read is answered as all errors are."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from foreart.server.security.response_headers import headers_for

HEAD_SECONDS = 10.0


class BoundedConnection(H11Protocol):
    """uvicorn's connection with a time limit for heads, which it has only between requests."""

    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as the base
        """Waits for the first head."""
        super().connection_made(transport)
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self.timeout_keep_alive_handler)

    def data_received(self, data: bytes) -> None:
        """Waits on while a head is incomplete; its further bytes give it no more time."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_timer()
        elif self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_SECONDS, self.timeout_keep_alive_handler)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the time limit."""
        self._stop_timer()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """The time between requests is limited by uvicorn."""
        self._stop_timer()
        super().on_response_complete()

    def timeout_keep_alive_handler(self) -> None:
        """Closes the connection, unless a request is being answered."""
        if self.conn.their_state is h11.IDLE or (self.cycle is not None and self.cycle.response_complete):
            super().timeout_keep_alive_handler()

    def send_400_response(self, msg: str) -> None:
        """Answers what is no request in the shape of all errors; never with what was sent."""
        body = json.dumps({"ok": False, "error": "the request is not readable", "status": 400}).encode()
        headers: list[Any] = [(name.encode(), value.encode()) for name, value in headers_for("", secure=False).items()]
        headers += [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        try:
            for event in (
                h11.Response(status_code=400, headers=[*headers, (b"connection", b"close")]),
                h11.Data(data=body),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        except h11.LocalProtocolError:  # an answer has begun already
            pass
        self.transport.close()

    def _stop_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
