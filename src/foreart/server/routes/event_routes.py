"""Events of a matter: appended, and sent to other tabs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Header, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from foreart.document.reference import LiteratureReference, is_literature
from foreart.errors import MatterError, NotInCorpus
from foreart.review.labels import rater_name
from foreart.review.matters import Event, Logged, Matter, event_json
from foreart.review.matters.matter_events import (
    CategoryGiven,
    CriteriaSet,
    DocumentJudged,
    DraftKept,
    FamilyIgnored,
    HighlightsSet,
    LiteratureKept,
    NoteWritten,
    SearchKept,
    SeedSet,
    StoppingRuleSet,
)
from foreart.server.desk import Desk
from foreart.server.json_answers import answer
from foreart.server.routes.asked_search import LibraryName
from foreart.server.routes.matter_bodies import (
    AnyEventBody,
    CategoryBody,
    CriteriaBody,
    DraftVersionBody,
    HighlightBody,
    IgnoreBody,
    JudgementBody,
    LiteratureBody,
    NoteBody,
    SeedBody,
    ShownBody,
    StepBody,
    StoppingBody,
)
from foreart.server.routes.session_routes import DeskOf
from foreart.server.work.matter_tasks import located_task

ROUTER = APIRouter(tags=["matters"])
HEARTBEAT = 15.0
_LOOK = 0.3

_REFERENCE = tuple(item.name for item in fields(LiteratureReference))
Located = tuple[str, tuple[str, ...]]
_MADE: Mapping[type, Callable[[Any, Located], Event]] = {
    JudgementBody: lambda body, at: DocumentJudged(at[0], body.judgement, at[1], body.seen),
    CategoryBody: lambda body, at: _category(body, at[0]),
    NoteBody: lambda body, at: NoteWritten(body.text, at[0], body.replaces),
    HighlightBody: lambda body, at: HighlightsSet(body.name, tuple(body.words), body.colour, body.shown),
    SeedBody: lambda body, at: SeedSet(at[0], body.withdrawn),
    IgnoreBody: lambda body, at: FamilyIgnored(at[0], at[1], body.withdrawn),
    LiteratureBody: lambda body, at: LiteratureKept(
        LiteratureReference(
            **{name: getattr(body, name) for name in _REFERENCE if name != "authors"}, authors=tuple(body.authors)
        ),
        at[0],
        tuple(body.places),
        body.translated,
        body.withdrawn,
    ),
    CriteriaBody: lambda body, at: CriteriaSet(body.text),
    StoppingBody: lambda body, at: StoppingRuleSet(body.target, body.confidence),
}


@dataclass(frozen=True, slots=True)
class AppendedAnswer:
    """The event as it was kept, null if there was nothing to undo or to note; `last` is the number of the last event.

    `unseen` is the event of another tab that this judgement replaced without having seen it. `undo` and `redo` are the
    events that these would concern now.
    """

    event: dict[str, Any] | None
    last: int
    unseen: int | None
    undo: int | None
    redo: int | None
    ok: Literal[True] = True


@ROUTER.post("/matters/{matter}/events", response_model=AppendedAnswer)
async def append_event(
    request: Request, desk: DeskOf, matter: str, asked: Annotated[AnyEventBody, Body()], library: LibraryName = ""
) -> Response:
    """Appends a judgement, category, note or another event; it is on the disk when this answers."""
    folder = desk.library(library)
    session = desk.matters.session(request)
    found = await run_in_threadpool(desk.matters.matter, session, folder, matter)
    at = await located(desk, folder, found, getattr(asked, "document", ""))
    logged = await run_in_threadpool(_appended, desk, found, asked, at)
    state, rater = found.state, asked.rater and rater_name(asked.rater)
    return answer(
        {
            "event": told(logged) if logged else None,
            "last": state.last,
            "unseen": state.unseen.get(logged.n) if logged else None,
            "undo": state.undo.get(rater),
            "redo": state.redo.get(rater),
        }
    )


def _category(body: CategoryBody, document: str) -> CategoryGiven:
    letters = "".join(body.category.upper().split())
    return CategoryGiven(document, letters, tuple(sorted(set(body.claims))), body.withdrawn)


async def located(desk: Desk, folder: Path, matter: Matter, number: str) -> Located:
    """The id of a document and its family; what the matter knows stays known when the corpus loses it."""
    if not number:
        return "", ()
    if is_literature(number):
        if number in {item.event.document for item in matter.state.literature}:
            return number, ()
        raise NotInCorpus(f"{number} is not in the matter {matter.name}")
    try:
        found = json.loads(await desk.pool.run(located_task, folder, number=number))
        return found["document"], tuple(found["family"])
    except NotInCorpus:
        for item in matter.state.judgements:
            if number in (item.event.document, *item.event.family):
                return item.event.document, item.event.family
        raise


def _appended(desk: Desk, matter: Matter, asked: Any, at: Located) -> Logged[Event] | None:  # noqa: ANN401 a body
    if isinstance(asked, StepBody):
        return matter.undo(rater=asked.rater) if asked.kind == "undo" else matter.redo(rater=asked.rater)
    if isinstance(asked, ShownBody):
        return matter.show(asked.documents, rater=asked.rater)
    if isinstance(asked, DraftVersionBody):
        return matter.keep_draft(desk.drafts.get(asked.draft).draft, desk=asked.draft, rater=asked.rater)
    logged = matter.append(_MADE[type(asked)](asked, at), rater=asked.rater)
    # A new item of literature has got its id.
    return next((item for item in matter.state.literature if item.n == logged.n), logged)


def told(logged: Logged[Event]) -> dict[str, Any]:
    """An event for a page: of drafts and searches only that there is a new one."""
    long = isinstance(logged.event, DraftKept | SearchKept)
    record = event_json(logged)
    return {key: record[key] for key in ("n", "time", "rater", "kind")} if long else record


@ROUTER.get(
    "/matters/{matter}/events",
    response_class=StreamingResponse,
    responses={200: {"description": "Server-sent events.", "content": {"text/event-stream": {"schema": {}}}}},
)
async def matter_events(
    request: Request,
    desk: DeskOf,
    matter: str,
    library: LibraryName = "",
    last_event_id: Annotated[str, Header(description="The last event seen; later ones follow.", max_length=20)] = "",
) -> StreamingResponse:
    """New events of a matter as server-sent events, whoever appended them; a comment every 15 s."""
    folder, session = desk.library(library), desk.matters.session(request)
    found = await run_in_threadpool(desk.matters.matter, session, folder, matter)
    seen = int(last_event_id) if last_event_id.isascii() and last_event_id.isdigit() else found.state.last
    stream = _stream(lambda: desk.matters.matter(session, folder, matter), seen)
    return StreamingResponse(stream, media_type="text/event-stream")


async def _stream(opened: Callable[[], Matter], last: int) -> AsyncIterator[str]:
    quiet = 0.0
    while True:
        try:
            events = (await run_in_threadpool(opened)).events
        except MatterError as error:  # sealed, purged, or the session has ended
            yield f"event: closed\ndata: {json.dumps({'error': str(error)}, ensure_ascii=False)}\n\n"
            return
        for logged in events[last:]:
            last, quiet = logged.n, 0.0
            yield f"id: {logged.n}\nevent: appended\ndata: {json.dumps(told(logged), ensure_ascii=False)}\n\n"
        await asyncio.sleep(_LOOK)
        quiet += _LOOK
        if quiet >= HEARTBEAT:
            quiet = 0.0
            yield ": waiting\n\n"
