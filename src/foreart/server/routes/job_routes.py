"""Jobs: started, followed by events, cancelled."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Header, Path, Query, Response
from fastapi.responses import StreamingResponse

from foreart.server.desk import Desk
from foreart.server.json_answers import answer
from foreart.server.routes.asked_search import AskedSearch, LibraryName, search_arguments
from foreart.server.routes.session_routes import DeskOf
from foreart.server.work.jobs import Job
from foreart.server.work.library_jobs import build_job, doctor_job, learn_job, map_job, sample_job

ROUTER = APIRouter(tags=["jobs"])
JobId = Annotated[str, Path(max_length=80)]
HEARTBEAT = 15.0
_LOOK = 0.2


@dataclass(frozen=True, slots=True)
class JobAnswer:
    """A job: its state (waiting, running, done, failed, cancelled), last progress, and result or error."""

    job: str
    kind: str
    library: str
    state: Literal["waiting", "running", "done", "failed", "cancelled"]
    started: float
    progress: dict[str, Any] | None
    result: Any
    error: str
    ok: Literal[True] = True


@dataclass(frozen=True, slots=True)
class JobsAnswer:
    """All jobs, the latest first."""

    jobs: list[dict[str, Any]]
    ok: Literal[True] = True


@ROUTER.get("/jobs", response_model=JobsAnswer)
def jobs(desk: DeskOf) -> Response:
    """All jobs of this start, the latest first."""
    return answer({"jobs": [{**job.to_record(), "result": None} for job in desk.jobs.all()]})


@ROUTER.post("/jobs/build", response_model=JobAnswer, status_code=202)
def build(desk: DeskOf, library: LibraryName = "") -> Response:
    """Builds all indexes that the default ranking needs."""
    return started(desk, "build", build_job, library)


@ROUTER.post("/jobs/learn", response_model=JobAnswer, status_code=202)
def learn(desk: DeskOf, library: LibraryName = "", seed: Annotated[int, Query(ge=0, lt=2**32)] = 0) -> Response:
    """Learns the weights of the ranking from the citations of the corpus."""
    return started(desk, "learn", learn_job, library, seed=seed)


@ROUTER.post("/jobs/doctor", response_model=JobAnswer, status_code=202)
def doctor(desk: DeskOf, library: LibraryName = "") -> Response:
    """Checks corpus, indexes and installation; changes nothing."""
    return started(desk, "doctor", doctor_job, library)


@ROUTER.post("/jobs/sample", response_model=JobAnswer, status_code=202)
def sample(desk: DeskOf, library: LibraryName = "") -> Response:
    """Adds the sample corpus, 50 invented patents, and builds the indexes."""
    return started(desk, "sample", sample_job, library)


@ROUTER.post("/jobs/map", response_model=JobAnswer, status_code=202)
def better_map(desk: DeskOf, asked: Annotated[AskedSearch, Body()]) -> Response:
    """The neighbourhood of a draft by t-SNE; its result is that of `/api/map`."""
    return started(desk, "map", map_job, asked.library, **search_arguments(desk, asked))


@ROUTER.get("/jobs/{job}", response_model=JobAnswer)
def job_state(desk: DeskOf, job: JobId) -> Response:
    """The state of a job, and its result when it is done."""
    return answer(desk.jobs.get(job).to_record())


@ROUTER.delete("/jobs/{job}", response_model=JobAnswer)
def cancel(desk: DeskOf, job: JobId) -> Response:
    """Cancels a job; what it has stored stays, and the same job resumes."""
    found = desk.jobs.get(job)
    desk.jobs.cancel(found)
    return answer(found.to_record())


@ROUTER.get(
    "/jobs/{job}/events",
    response_class=StreamingResponse,
    responses={200: {"description": "Server-sent events.", "content": {"text/event-stream": {"schema": {}}}}},
)
def events(
    desk: DeskOf,
    job: JobId,
    last_event_id: Annotated[str, Header(description="The last event seen; later ones follow.", max_length=20)] = "",
) -> StreamingResponse:
    """Progress and end of a job as server-sent events with ids; a comment every 15 s keeps the connection."""
    last = int(last_event_id) if last_event_id.isascii() and last_event_id.isdigit() else 0
    return StreamingResponse(event_stream(desk.jobs.get(job), last), media_type="text/event-stream")


async def event_stream(job: Job, last: int, *, heartbeat: float = HEARTBEAT, look: float = _LOOK) -> AsyncIterator[str]:
    """The events after `last` until the job has ended, and a comment whenever nothing has happened for a while."""
    quiet = 0.0
    while True:
        ended = job.ended
        for number, name, data in list(job.events):
            if number > last:
                last, quiet = number, 0.0
                yield f"id: {number}\nevent: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
        if ended:
            return
        await asyncio.sleep(look)
        quiet += look
        if quiet >= heartbeat:
            quiet = 0.0
            yield ": waiting\n\n"


def started(desk: Desk, kind: str, task: Any, library: str, **arguments: Any) -> Response:  # noqa: ANN401
    """Starts a job of a library and answers its state."""
    folder = desk.library(library)
    job = desk.jobs.start(kind, task, library or next(iter(desk.libraries)), folder, **arguments)
    return answer(job.to_record(), status=202)
