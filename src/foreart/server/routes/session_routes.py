"""Sign in and out, and what the server offers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib.metadata import version
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from foreart.server.desk import Desk, desk_of
from foreart.server.json_answers import answer
from foreart.server.security.access import SESSION_SECONDS
from foreart.server.security.request_guard import client_of

ROUTER = APIRouter(tags=["session"])
DeskOf = Annotated[Desk, Depends(desk_of)]


@dataclass(frozen=True, slots=True)
class SignIn:
    """The token of the start, or the password."""

    token: str = ""
    password: str = ""


@dataclass(frozen=True, slots=True)
class SessionAnswer:
    """Whether there is a session, what opens one, and the libraries offered."""

    signed_in: bool
    by: str
    libraries: list[str]
    foreart: str
    ok: Literal[True] = True


@ROUTER.get("/session", response_model=SessionAnswer)
def session(request: Request, desk: DeskOf) -> Response:
    """Whether the browser is signed in; by `token`, `password` or `nothing`."""
    value = request.cookies.get(desk.access.cookie, "")
    signed_in = desk.access.is_open or desk.access.is_session(value)
    return answer(_session(desk, signed_in=signed_in))


@ROUTER.post("/session", response_model=SessionAnswer)
async def sign_in(request: Request, desk: DeskOf, given: Annotated[SignIn, Body()]) -> Response:
    """Trades the token or the password for a cookie."""
    client = client_of(request.scope)
    # A right token always opens: it cannot be guessed, so nobody else's failures may lock its owner out.
    if not desk.access.is_open and not (given.token and desk.access.is_token(given.token, client)):
        if wait := desk.access.wait(client):
            raise HTTPException(429, "too many failed attempts: wait", {"Retry-After": str(math.ceil(wait))})
        if not given.password or not await run_in_threadpool(desk.access.is_password, given.password, client):
            raise HTTPException(401, "the token or password is not right", {"WWW-Authenticate": "Bearer"})
    signed = answer(_session(desk, signed_in=True))
    signed.set_cookie(
        desk.access.cookie,
        desk.access.open_session(),
        max_age=SESSION_SECONDS,
        path="/",
        secure=desk.settings.is_secure,
        httponly=True,
        samesite="strict",
    )
    return signed


@ROUTER.delete("/session", response_model=SessionAnswer)
def sign_out(request: Request, desk: DeskOf) -> Response:
    """Ends the session of the browser."""
    desk.matters.close_session(desk.matters.session(request))
    desk.access.close_session(request.cookies.get(desk.access.cookie, ""))
    signed = answer(_session(desk, signed_in=False))
    signed.delete_cookie(desk.access.cookie, path="/")
    return signed


def _session(desk: Desk, *, signed_in: bool) -> dict[str, Any]:
    by = "nothing" if desk.access.is_open else "password" if desk.settings.password else "token"
    return {
        "signed_in": signed_in,
        "by": by,
        "libraries": list(desk.libraries) if signed_in else [],
        "foreart": version("foreart"),
    }
