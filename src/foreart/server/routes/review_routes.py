"""The review of a matter: what to read next, whether reading may end, and the files made of it."""

from __future__ import annotations

import base64
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from fastapi import APIRouter, Body, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import ConfigDict, Field

from foreart.errors import BadRequest
from foreart.review.casework.matter_forms import FORMS, text_preview
from foreart.review.casework.matter_snapshot import snapshot_of
from foreart.review.matters import Matter
from foreart.review.matters.export_options import ExportOptions, MatterForm
from foreart.review.matters.matter_events import ExportMade
from foreart.server.desk import Desk
from foreart.server.downloads import download
from foreart.server.json_answers import answer, json_bytes
from foreart.server.routes.asked_search import STRICT, LibraryName
from foreart.server.routes.matter_bodies import RaterName
from foreart.server.routes.matter_routes import opened_matter
from foreart.server.routes.reason_routes import Few, ReasonsAnswer
from foreart.server.routes.session_routes import DeskOf
from foreart.server.work.matter_tasks import (
    matter_explain_task,
    matter_preview_task,
    matter_report_task,
    queue_task,
    stopping_task,
)

TYPES = {form.media_type.partition(";")[0] for form in FORMS.values()}
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


@dataclass(frozen=True)
class MatterExplainBody:
    """The documents to explain, and whose judgements count."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    numbers: Annotated[Few, Field(min_length=1)] = field(default_factory=list)
    rater: RaterName = ""
    words: Annotated[int, Field(ge=1, le=200)] = 15


@ROUTER.post("/matters/{matter}/explain", response_model=ReasonsAnswer)
async def explain_in_matter(
    request: Request,
    desk: DeskOf,
    matter: str,
    asked: Annotated[MatterExplainBody, Body()],
    library: LibraryName = "",
) -> Response:
    """The channels of the search and the channel of judgements, which sum to the score in the queue."""
    found = await opened_matter(request, desk, library, matter)
    return json_bytes(
        await desk.pool.run(
            matter_explain_task,
            desk.library(library),
            snapshot=snapshot_of(found).for_review(),
            rater=asked.rater,
            numbers=asked.numbers,
            words=asked.words,
        )
    )


_FILE: dict[str, Any] = {
    "response_class": Response,
    "responses": {200: {"description": "The file.", "content": {kind: {} for kind in sorted(TYPES)}}},
}


@ROUTER.get("/matters/{matter}/export", **_FILE)
async def export_matter(
    request: Request,
    desk: DeskOf,
    matter: str,
    form: Annotated[str, Query(description="The form, as of `foreart matter export`.", max_length=40)] = "json",
    rater: Annotated[RaterName, Query(description="Who exports.")] = "",
    library: LibraryName = "",
) -> Response:
    """A matter or its search report as a file, not encrypted. Only the export by POST is kept in the matter's log."""
    found = await opened_matter(request, desk, library, matter)
    return await _exported(desk, desk.library(library), found, form, ExportOptions(rater=rater), logged=False)


_Line = Annotated[str, Field(max_length=200)]


@dataclass(frozen=True)
class ExportBody:
    """A form, and facts for the head of a report that a draft does not have; `leave_out` names parts."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    form: Annotated[str, Field(max_length=40)] = "json"
    rater: RaterName = ""
    docket: _Line = ""
    application_number: _Line = ""
    examiner: _Line = ""
    art_unit: _Line = ""
    items_before: Annotated[int, Field(ge=0, le=100_000)] = 0
    searcher: _Line = ""
    place: _Line = ""
    abstracts: bool = False
    leave_out: Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=20)] = field(default_factory=list)


@ROUTER.post("/matters/{matter}/export", **_FILE)
async def export_report(
    request: Request, desk: DeskOf, matter: str, asked: Annotated[ExportBody, Body()], library: LibraryName = ""
) -> Response:
    """The same with the facts of a report's head: docket, application number, examiner, earlier items of an IDS."""
    found = await opened_matter(request, desk, library, matter)
    return await _exported(desk, desk.library(library), found, asked.form, _options_of(asked), logged=True)


@dataclass(frozen=True, slots=True)
class PreviewAnswer:
    """What the file will show: the parts of its `sheet`, or the beginning of its `text`; `cut` if there is more."""

    sheet: dict[str, Any] | None
    text: str
    cut: bool
    ok: Literal[True] = True


@ROUTER.post("/matters/{matter}/preview", response_model=PreviewAnswer)
async def preview_report(
    request: Request, desk: DeskOf, matter: str, asked: Annotated[ExportBody, Body()], library: LibraryName = ""
) -> Response:
    """What an export would show, without making a file; the log of the matter stays as it is."""
    found = await opened_matter(request, desk, library, matter)
    form, options = known_form(asked.form), _options_of(asked)
    if form.is_report:
        snapshot = snapshot_of(found).for_report()
        return json_bytes(
            await desk.pool.run(
                matter_preview_task, desk.library(library), snapshot=snapshot, form=asked.form, options=options
            )
        )
    return answer(asdict(text_preview(await run_in_threadpool(found.content, asked.form, options))))


def known_form(name: str) -> MatterForm[Matter]:
    """The form of that name."""
    if name not in FORMS:
        raise BadRequest(f"there is no such form of export; there are {', '.join(FORMS)}")
    return FORMS[name]


def _options_of(asked: ExportBody) -> ExportOptions:
    head = {name: value for name, value in asdict(asked).items() if name not in ("form", "leave_out")}
    return ExportOptions(**head, leave_out=tuple(asked.leave_out))


async def _exported(
    desk: Desk, folder: Path, matter: Matter, form: str, options: ExportOptions, *, logged: bool
) -> Response:
    """The file as a download, kept as an event if it is `logged`. What needs the corpus is made by a worker."""
    made = known_form(form)
    if made.is_report:
        snapshot = snapshot_of(matter).for_report()
        told = await desk.pool.run(matter_report_task, folder, snapshot=snapshot, form=form, options=options)
        data = base64.b64decode(json.loads(told))
    else:
        data = await run_in_threadpool(matter.content, form, options)
    name = f"{matter.name}{f'-{form}' if made.is_report else ''}{made.suffix}"
    if logged:
        await run_in_threadpool(lambda: matter.append(ExportMade(form, name, len(data)), rater=options.rater))
    return download(data, name, made.media_type)
