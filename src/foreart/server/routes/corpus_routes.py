"""What is in the libraries, and files for them."""

from __future__ import annotations

import json
import os
import re
import secrets
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from starlette.exceptions import HTTPException

from foreart.server.desk import UPLOADS, Desk
from foreart.server.json_answers import answer, json_bytes
from foreart.server.json_store import private_folder
from foreart.server.routes.asked_search import LibraryName, file_body
from foreart.server.routes.draft_routes import refuse_form
from foreart.server.routes.job_routes import JobAnswer
from foreart.server.routes.session_routes import DeskOf
from foreart.server.work.corpus_tasks import rejects_task, state_task, stats_task
from foreart.server.work.library_jobs import add_job

ROUTER = APIRouter(tags=["corpus"])
_PLAIN = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class LibrariesAnswer:
    """The libraries: name, documents, rejects, fingerprint, indexes, whether there are citations, what is searched and
    learned.
    """

    libraries: list[dict[str, Any]]
    ok: Literal[True] = True


@ROUTER.get("/libraries", response_model=LibrariesAnswer)
async def libraries(desk: DeskOf) -> Response:
    """The libraries that are offered, and what each has."""
    states = [
        {"name": name, **json.loads(await desk.pool.run(state_task, folder))} for name, folder in desk.libraries.items()
    ]
    return answer({"libraries": states})


@dataclass(frozen=True, slots=True)
class StatsAnswer:
    """The statistics of a corpus, as `foreart stats --json` prints them."""

    documents: int
    ok: Literal[True] = True


@ROUTER.get("/stats", response_model=StatsAnswer)
async def stats(desk: DeskOf, library: LibraryName = "") -> Response:
    """Years, classes, citations, text depth, lengths, and what is missing."""
    return json_bytes(await desk.pool.run(stats_task, desk.library(library)))


@dataclass(frozen=True, slots=True)
class RejectsAnswer:
    """Records that could not be read, as `foreart rejects --json` prints them; `next`: the following."""

    rejects: list[dict[str, Any]]
    next: int | None
    ok: Literal[True] = True


@ROUTER.get("/rejects", response_model=RejectsAnswer)
async def rejects(
    desk: DeskOf,
    library: LibraryName = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
) -> Response:
    """The records that could not be read, by file and position."""
    return json_bytes(await desk.pool.run(rejects_task, desk.library(library), limit=limit, offset=offset))


@ROUTER.post(
    "/corpus/files",
    response_model=JobAnswer,
    status_code=202,
    openapi_extra=file_body("The bytes of a file with patents, in any format that `foreart formats` lists."),
)
async def add_file(
    request: Request,
    desk: DeskOf,
    name: Annotated[str, Query(description="The name of the file, for the ledger.", max_length=255)] = "upload",
    library: LibraryName = "",
) -> Response:
    """Adds the patents of a file to the corpus, as a job. These are published documents: never send a draft here."""
    refuse_form(request)
    folder = desk.library(library)
    path = await _received(request, desk, name)
    try:
        named = library_name(desk, library)
        done = partial(path.unlink, missing_ok=True)
        job = desk.jobs.start("add", add_job, named, folder, after=done, paths=[str(path)])
    except HTTPException:
        path.unlink(missing_ok=True)
        raise
    return answer(job.to_record(), status=202)


def library_name(desk: Desk, name: str) -> str:
    """The name of a library; without one, that of the first."""
    return name or next(iter(desk.libraries))


async def _received(request: Request, desk: Desk, name: str) -> Path:
    """The body in a private file of the library: a weekly file of an office does not fit into memory."""
    folder = desk.home / UPLOADS
    private_folder(folder)
    plain = _PLAIN.sub("-", name.replace("\\", "/").rpartition("/")[2]).strip("-.")[:80] or "upload"
    path = folder / f"{secrets.token_hex(4)}-{plain}"
    size = 0
    try:
        with open(path, "xb", opener=_private) as file:
            async for chunk in request.stream():
                size += len(chunk)
                file.write(chunk)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    if not size:
        path.unlink()
        raise HTTPException(422, "the file is empty")
    return path


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
