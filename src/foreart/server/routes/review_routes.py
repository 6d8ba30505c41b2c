"""The review of a matter: what to read next, whether reading may end, and the files made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from foreart.errors import BadRequest
from foreart.review.casework.matter_forms import FORMS
from foreart.review.casework.matter_snapshot import snapshot_of
from foreart.review.matters.matter_events import ExportMade
from foreart.server.json_answers import answer, json_bytes
from foreart.server.routes.asked_search import LibraryName
from foreart.server.routes.matter_bodies import RaterName
from foreart.server.routes.matter_routes import opened_matter
from foreart.server.routes.session_routes import DeskOf
from foreart.server.work.matter_tasks import queue_task, stopping_task

ROUTER = APIRouter(tags=["reviews"])
Rater = Annotated[RaterName, Query(description="Who reads.")]


@dataclass(frozen=True, slots=True)
class QueueAnswer:
    """The next documents of a rater with all that a judgement needs; `left` is how many there are.

    The score of each is that of the ranking plus `judgements.contribution`, which is the sum of its parts. `changes`
    say what is no longer as it was at the last search, `notes` what the reader should know of the order.
    """

    queue: list[dict[str, Any]]
    left: int
    last: int
    notes: list[str]
    changes: list[dict[str, str]]
    ok: Literal[True] = True


@ROUTER.get("/matters/{matter}/queue", response_model=QueueAnswer)
async def queue(
    request: Request,
    desk: DeskOf,
    matter: str,
    rater: Rater = "",
    limit: Annotated[int, Query(ge=1, le=200, description="How many documents.")] = 10,
    elsewhere: Annotated[float, Query(ge=0.0, le=1.0, description="0: more like these; 1: look elsewhere.")] = 0.0,
    library: LibraryName = "",
) -> Response:
    """What a rater has not judged yet, ordered by the ranking and the judgements so far."""
    found = await opened_matter(request, desk, library, matter)
    extra = {"last": found.state.last}
    if found.state.search is None:
        return answer({"queue": [], "left": 0, "notes": [], "changes": [], **extra})
    made = await desk.pool.run(
        queue_task,
        desk.library(library),
        snapshot=snapshot_of(found).for_review(),
        rater=rater,
        limit=limit,
        elsewhere=elsewhere,
    )
    return json_bytes(made, extra=extra)


@dataclass(frozen=True, slots=True)
class StoppingAnswer:
    """The estimate of what is unread: the median `left` with its interval, the share found, and a sentence.

    All of them are null where nothing can be estimated, and the sentence says why. `curve` has how many were found
    after each document, `rule` the target and confidence with every change of them in the log.
    """

    rater: str
    found: int
    read: int
    target: float
    confidence: float
    sentence: str
    left: int | None
    low: int | None
    high: int | None
    recall: float | None
    recall_low: float | None
    recall_high: float | None
    ahead: float | None
    beyond: float | None
    held: int
    may_stop: bool
    maybe: bool
    rule: dict[str, Any]
    curve: list[dict[str, int]]
    notes: list[str]
    changes: list[dict[str, str]]
    last: int
    ok: Literal[True] = True


@ROUTER.get("/matters/{matter}/stopping", response_model=StoppingAnswer)
async def stopping(
    request: Request,
    desk: DeskOf,
    matter: str,
    rater: Rater = "",
    maybe: Annotated[bool, Query(description="Whether `maybe` counts as found.")] = False,
    library: LibraryName = "",
) -> Response:
    """How many relevant documents are still unread, and whether the stopping rule lets reading end."""
    found = await opened_matter(request, desk, library, matter)
    extra = {"last": found.state.last}
    made = await desk.pool.run(
        stopping_task, desk.library(library), snapshot=snapshot_of(found).for_review(), rater=rater, maybe=maybe
    )
    return json_bytes(made, extra=extra)


@ROUTER.get(
    "/matters/{matter}/export",
    response_class=Response,
    responses={200: {"description": "The file.", "content": {form.media_type: {} for form in FORMS.values()}}},
)
async def export_matter(
    request: Request,
    desk: DeskOf,
    matter: str,
    form: Annotated[str, Query(description="The form, as of `foreart matter export`.", max_length=40)] = "json",
    rater: Annotated[RaterName, Query(description="Who exports.")] = "",
    library: LibraryName = "",
) -> Response:
    """A matter as a file, not encrypted."""
    if form not in FORMS:
        raise BadRequest(f"there is no such form of export; there are {', '.join(FORMS)}")
    found = await opened_matter(request, desk, library, matter)

    def made() -> bytes:
        data = found.content(form)
        found.append(ExportMade(form, f"{matter}{FORMS[form].suffix}", len(data)), rater=rater)
        return data

    data = await run_in_threadpool(made)
    # Always a download: a page made of documents must not run under our address.
    headers = {"Content-Disposition": f'attachment; filename="{found.name}{FORMS[form].suffix}"'}
    return Response(data, media_type=FORMS[form].media_type, headers=headers)
