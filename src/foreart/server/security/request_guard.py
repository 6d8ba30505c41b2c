"""Checks every request before it reaches a route: Host, origin, access and body; adds headers and a line in the log."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from contextlib import suppress

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from foreart.child_process import type_and_place
from foreart.server.error_answers import error_answer, unexpected
from foreart.server.security.access import Access
from foreart.server.security.body_limits import LimitedBody, body_limit, too_large
from foreart.server.security.response_headers import headers_for
from foreart.server.server_settings import ServerSettings

LOG = logging.getLogger("foreart.server")
MOST_REQUESTS = 200
_METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
_SAFE = ("GET", "HEAD", "OPTIONS")
_OWN_SITE = ("same-origin", "none")
# What needs no token: the trade of a token or password for a session.
_FREE = (("POST", "/api/session"), ("GET", "/api/session"), ("HEAD", "/api/session"))


class RequestGuard:
    """The one middleware; it is outside of everything, so no answer is without its headers.

    At most `most` requests run at once, streams of events included.
    """

    def __init__(self, app: ASGIApp, settings: ServerSettings, access: Access, *, most: int = MOST_REQUESTS) -> None:
        self._most = most
        self._running = 0
        self._app = app
        self._settings = settings
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or refuses it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        started, status = time.monotonic(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message).update(headers_for(scope["path"], secure=self._settings.is_secure))
            await send(message)

        self._running += 1
        try:
            await self._checked(scope, receive, sending)
        except HTTPException as error:
            await error_answer(error.status_code, str(error.detail), dict(error.headers or {}))(scope, receive, sending)
        except Exception as error:  # noqa: BLE001 the last resort: every request is answered
            LOG.error("%s", type_and_place(error))
            if not status:
                await unexpected()(scope, receive, sending)
        finally:
            self._running -= 1
            method = scope["method"] if scope["method"] in _METHODS else "-"
            # 499, as other servers say: the client went away before the answer.
            LOG.info("%s %s %s %.0f ms", method, _template(scope), status or 499, 1000 * (time.monotonic() - started))

    async def _checked(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if self._running > self._most:
            raise HTTPException(503, "the server is busy: try again in a few seconds", {"Retry-After": "2"})
        self._check_host(headers)
        bearer = _bearer(headers)
        self._check_access(scope, headers, bearer)
        self._check_site(scope, headers, bearer)
        limit = body_limit(scope, self._settings)
        length = headers.get("content-length", "0")
        if length.isascii() and length.isdigit() and int(length[:20]) > limit:
            raise HTTPException(413, too_large(limit))
        inner = _as_get(scope)
        try:
            await self._answered(inner, LimitedBody(receive, limit), send)
        finally:
            scope["route"] = inner.get("route")  # for the log

    async def _answered(self, scope: Scope, body: LimitedBody, send: Send) -> None:
        """Runs the route; if its client goes away meanwhile, its work leaves the queue of the workers."""
        route = asyncio.ensure_future(self._app(scope, body, send))
        gone = asyncio.ensure_future(body.disconnected())
        try:
            await asyncio.wait((route, gone), return_when=asyncio.FIRST_COMPLETED)
            if route.done():
                route.result()
        finally:
            for task in (route, gone):
                if task.cancel():
                    with suppress(asyncio.CancelledError):
                        await task

    def _check_host(self, headers: Headers) -> None:
        """Only our own names: a page of another name that resolves to this machine is refused."""
        host = headers.get("host", "").lower()
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        if len(headers.getlist("host")) != 1 or name not in self._settings.hosts:
            raise HTTPException(400, "this server is not known by that name: use the address that it printed")

    def _check_site(self, scope: Scope, headers: Headers, bearer: str | None) -> None:
        """Refuses requests that another site makes a browser send; pages themselves may be linked to."""
        if scope["method"] in _SAFE and not scope["path"].startswith("/api/"):
            return
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site is not None:
            allowed = site in _OWN_SITE
        elif origin is not None:
            scheme = "https" if self._settings.is_secure else "http"
            allowed = origin.lower() == f"{scheme}://{headers.get('host', '').lower()}"
        else:
            allowed = scope["method"] in _SAFE or bearer is not None
        if not allowed:
            raise HTTPException(403, "the request comes from another site, or without a token from a program")

    def _check_access(self, scope: Scope, headers: Headers, bearer: str | None) -> None:
        if not scope["path"].startswith("/api/") or (scope["method"], scope["path"]) in _FREE or self._access.is_open:
            return
        client = client_of(scope)
        if bearer is not None:
            if self._access.is_token(bearer, client) or self._access.is_session(bearer):
                return
            if wait := self._access.wait(client):
                raise HTTPException(429, "too many failed attempts: wait", {"Retry-After": str(math.ceil(wait))})
            raise HTTPException(401, "the token is not that of this start", {"WWW-Authenticate": "Bearer"})
        session = cookie_parser(headers.get("cookie", "")).get(self._access.cookie, "")
        if not session or not self._access.is_session(session):
            raise HTTPException(
                401, "sign in first: open the address that `foreart serve` printed", {"WWW-Authenticate": "Bearer"}
            )


def _as_get(scope: Scope) -> Scope:
    """HEAD is GET, whose body the connection leaves out; but a stream of events would never end for it."""
    if scope["method"] != "HEAD" or scope["path"].endswith("/events"):
        return scope
    return {**scope, "method": "GET"}


def _template(scope: Scope) -> str:
    """The template of the route: a path may name a draft or what somebody typed. Routers do not know their prefix."""
    route = str(getattr(scope.get("route"), "path", "-"))
    return f"/api{route}" if scope["path"].startswith("/api/") and route != "-" else route


def client_of(scope: Scope) -> str:
    """The address of a client."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def _bearer(headers: Headers) -> str | None:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None
