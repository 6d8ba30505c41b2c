"""The application: routes, the guard before them, and the handler of errors behind them."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

# Before the framework is imported, which traces requests if a tracer is configured in the environment.
os.environ["OTEL_SDK_DISABLED"] = "true"

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.types import ASGIApp

from foreart.server.desk import Desk
from foreart.server.error_answers import ERRORS, add_error_handlers
from foreart.server.routes import (
    corpus_routes,
    draft_routes,
    event_routes,
    job_routes,
    kept_routes,
    matter_routes,
    page_routes,
    quality_routes,
    reason_routes,
    review_routes,
    search_routes,
    session_routes,
    study_routes,
)
from foreart.server.security.request_guard import RequestGuard
from foreart.server.server_settings import ServerSettings

API_ROUTERS = (
    session_routes.ROUTER,
    draft_routes.ROUTER,
    search_routes.ROUTER,
    reason_routes.ROUTER,
    kept_routes.ROUTER,
    corpus_routes.ROUTER,
    study_routes.ROUTER,
    quality_routes.ROUTER,
    matter_routes.ROUTER,
    review_routes.ROUTER,
    event_routes.ROUTER,
    job_routes.ROUTER,
)
_NO_TELEMETRY: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}


def make_app(settings: ServerSettings) -> ASGIApp:
    """The server as an ASGI application, guarded."""
    desk = Desk(settings.checked())
    return RequestGuard(make_api(desk), settings, desk.access)


def make_api(desk: Desk) -> FastAPI:
    """All routes without the guard."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        desk.open()
        yield
        desk.close()

    app = FastAPI(
        title="foreart",
        version=version("foreart"),
        summary="Finds a patent application's prior art, on this machine.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry=_NO_TELEMETRY,
        lifespan=lifespan,
    )
    app.state.desk = desk
    for router in API_ROUTERS:
        app.include_router(router, prefix="/api", responses=ERRORS)
    app.include_router(page_routes.ROUTER)
    add_error_handlers(app)
    return app
