"""Runs the server on a socket of its own until it is stopped."""

from __future__ import annotations

import logging
import socket
import sys
from collections.abc import Callable
from dataclasses import replace

import uvicorn

from foreart.errors import BadRequest
from foreart.server.application import make_app
from foreart.server.security.connections import BoundedConnection
from foreart.server.server_settings import ServerSettings, bracketed

_QUIET = ("uvicorn", "uvicorn.error", "uvicorn.access", "asyncio", "fastapi")


def run_server(settings: ServerSettings, ready: Callable[[str], None]) -> None:
    """Serves until Ctrl-C or SIGTERM; `ready` gets the address when it can be opened."""
    listening = _bound(settings.checked())
    settings = replace(settings, port=listening.getsockname()[1])
    _set_logs()
    config = uvicorn.Config(
        make_app(settings),
        access_log=False,
        log_config=None,
        proxy_headers=settings.behind_proxy,
        server_header=False,
        date_header=True,
        limit_concurrency=512,  # connections; the guard limits requests
        timeout_keep_alive=20,
        timeout_graceful_shutdown=3,
        h11_max_incomplete_event_size=64 << 10,
        http=BoundedConnection,
        ws="none",
        ssl_certfile=settings.certfile,
        ssl_keyfile=settings.keyfile,
    )
    server = _Announcing(config, lambda: ready(address_of(settings)))
    with listening:
        server.run(sockets=[listening])


def address_of(settings: ServerSettings) -> str:
    """The address to open, with the token behind `#`, which browsers do not send."""
    scheme = "https" if settings.certfile else "http"
    host = settings.address if settings.is_loopback or not settings.host_names else settings.host_names[0]
    return f"{scheme}://{bracketed(host)}:{settings.port}/" + (f"#{settings.token}" if settings.token else "")


class _Announcing(uvicorn.Server):
    """Tells when it accepts requests."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def _bound(settings: ServerSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.address else socket.AF_INET
    listening = socket.socket(
        family, socket.SOCK_STREAM, socket.IPPROTO_TCP
    )  # asyncio sets TCP_NODELAY only for sockets made with this protocol
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.address.strip("[]"), settings.port))
    except OSError as error:
        listening.close()
        raise BadRequest(
            f"cannot listen on {settings.address}, port {settings.port}: {error.strerror}; --port takes another one"
        ) from None
    return listening


def _set_logs() -> None:
    """Our own line for each request; those of libraries could have paths or texts in them."""
    ours = logging.getLogger("foreart.server")
    ours.setLevel(logging.INFO)
    ours.propagate = False
    if not ours.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        ours.addHandler(handler)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.CRITICAL)
