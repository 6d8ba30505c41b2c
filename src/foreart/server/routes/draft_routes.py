"""Drafts: upload, what was understood, corrections."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from foreart.document.draft_record import draft_record
from foreart.errors import BadRequest
from foreart.library import SAMPLE
from foreart.server.desk import Desk
from foreart.server.draft_store import StoredDraft
from foreart.server.json_answers import answer
from foreart.server.routes.asked_search import LibraryName, file_body
from foreart.server.routes.session_routes import DeskOf
from foreart.server.work.search_tasks import known_task
from foreart.sources.drafts.sidecar import KEYS, written

ROUTER = APIRouter(tags=["drafts"])
Corrections = Annotated[dict[str, Any], Body(description="As in the sidecar of a draft: title, priority, claims, …")]
_SAMPLE = SAMPLE / "drafts" / "insulin-pump.txt"
_NOT_SHOWN = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff/\\]")


@dataclass(frozen=True, slots=True)
class DraftAnswer:
    """A draft: its id, what was understood, as `foreart draft --json` prints it, and its corrections.

    `understood` is the sidecar that would be written, `borders` the sections of `paragraphs`.
    """

    draft: str
    name: str
    title: str
    language: str
    dates: dict[str, str | None]
    applicants: list[str]
    inventors: list[str]
    sections: list[dict[str, Any]]
    claims: list[dict[str, Any]]
    notes: list[str]
    fingerprint: str
    source: str
    grounds: dict[str, str] = field(default_factory=dict)
    numerals: list[dict[str, Any]] = field(default_factory=list)
    figures: list[dict[str, Any]] = field(default_factory=list)
    citations: list[dict[str, Any]] = field(default_factory=list)
    applications: list[dict[str, Any]] = field(default_factory=list)
    abstract: str = ""
    paragraphs: list[dict[str, Any]] = field(default_factory=list)
    corrections: dict[str, Any] = field(default_factory=dict)
    understood: dict[str, Any] = field(default_factory=dict)
    borders: list[dict[str, Any]] = field(default_factory=list)
    in_corpus: dict[str, bool] = field(default_factory=dict)
    ok: Literal[True] = True


@ROUTER.post(
    "/drafts",
    response_model=DraftAnswer,
    openapi_extra=file_body("The bytes of the file: DOCX, PDF, ODT, RTF, HTML, Markdown, text, or an office's XML."),
)
async def add_draft(
    request: Request,
    desk: DeskOf,
    name: Annotated[str, Query(description="The name of the file, only to be shown.", max_length=255)] = "draft",
    library: LibraryName = "",
) -> Response:
    """Reads a draft: the body is the file itself. Answers what was understood."""
    refuse_form(request)
    with desk.readers.place():
        return await _added(desk, shown_name(name), await request.body(), library)


@ROUTER.post("/drafts/sample", response_model=DraftAnswer)
async def add_sample_draft(desk: DeskOf, library: LibraryName = "") -> Response:
    """Reads an invented draft, to try the desk with."""
    with desk.readers.place():
        return await _added(desk, _SAMPLE.name, _SAMPLE.read_bytes(), library)


@dataclass(frozen=True, slots=True)
class DraftsAnswer:
    """The drafts of the desk, the latest first: id, name, title and time."""

    drafts: list[dict[str, Any]]
    ok: Literal[True] = True


@ROUTER.get("/drafts", response_model=DraftsAnswer)
def drafts(desk: DeskOf) -> Response:
    """The drafts that were uploaded, the latest first."""
    listed = [
        {"draft": item.id, "name": item.name, "title": item.draft.title, "added": item.added}
        for item in desk.drafts.all()
    ]
    return answer({"drafts": listed})


@ROUTER.get("/drafts/{draft}", response_model=DraftAnswer)
async def draft(desk: DeskOf, draft: str, library: LibraryName = "") -> Response:
    """What was understood of a draft."""
    return await _answered(desk, desk.drafts.get(draft), desk.library(library))


@ROUTER.patch("/drafts/{draft}", response_model=DraftAnswer)
async def correct_draft(desk: DeskOf, draft: str, corrections: Corrections, library: LibraryName = "") -> Response:
    """Corrects how a draft was understood; a key with null takes its correction back."""
    if not set(corrections) <= set(KEYS):  # the sentence of the reader names the key, which may be a word of the draft
        raise BadRequest(f"the corrections: there is no key of that name; there are {', '.join(KEYS)}")
    folder = desk.library(library)
    async with desk.turn(draft):
        stored = desk.drafts.get(draft)
        merged = {key: value for key, value in {**stored.corrections, **corrections}.items() if value is not None}
        with desk.readers.place():
            found = await desk.readers.read(desk.drafts.source(draft), stored.name, merged)
        changed = await run_in_threadpool(desk.drafts.correct, stored, merged, found)
        await run_in_threadpool(desk.forget_grades, draft, stored.draft, changed.draft)
    return await _answered(desk, changed, folder)


@dataclass(frozen=True, slots=True)
class RemovedAnswer:
    """The files that were deleted, with their sizes."""

    removed: list[dict[str, Any]]
    ok: Literal[True] = True


@ROUTER.delete("/drafts/{draft}", response_model=RemovedAnswer)
async def remove_draft(desk: DeskOf, draft: str) -> Response:
    """Removes a draft from the server and from its disk; unlinking is no erasure on SSDs and in snapshots."""
    async with desk.turn(draft):
        removed = await run_in_threadpool(desk.remove_draft, draft)
    return answer({"removed": [{"file": name, "bytes": size} for name, size in removed]})


def refuse_form(request: Request) -> None:
    """A form would be read as a text that begins with the head of the form."""
    if request.headers.get("content-type", "").lower().startswith("multipart/"):
        raise HTTPException(415, "send the file itself as the body, not as a form: `curl --data-binary @FILE`")


def shown_name(name: str) -> str:
    """A name that can be shown anywhere: no path, no control characters, not too long."""
    return _NOT_SHOWN.sub(" ", name.replace("\\", "/").rpartition("/")[2]).strip()[:120] or "draft"


async def _added(desk: Desk, shown: str, data: bytes, library: str) -> Response:
    folder = desk.library(library)  # before anything is kept
    found = await desk.readers.read(data, shown, {})
    stored = await run_in_threadpool(desk.drafts.add, shown, data, found)
    return await _answered(desk, stored, folder)


async def _answered(desk: Desk, stored: StoredDraft, folder: Path) -> Response:
    record = await run_in_threadpool(_record, stored)
    numbers = sorted({item["number"] for item in record["citations"]})[:500]
    known = json.loads(await desk.pool.run(known_task, folder, numbers=numbers)) if numbers else {}
    return answer({"draft": stored.id, "name": stored.name, **record, "in_corpus": known})


def _record(stored: StoredDraft) -> dict[str, Any]:
    found = stored.draft
    return {
        **draft_record(found),
        "abstract": found.abstract,
        "paragraphs": [
            {"number": item.number, "text": item.text, "heading": item.is_heading} for item in found.description
        ],
        "corrections": dict(stored.corrections),
        "understood": written(found),
        "borders": [{"name": item.name, "start": item.start, "end": item.end} for item in found.sections],
    }


def checked_name(value: str) -> str:
    """A name that a client gives to something kept; 422 if nothing of it can be shown."""
    if not (name := _NOT_SHOWN.sub(" ", value).strip()[:120]):
        raise HTTPException(422, "name: it has no letters")
    return name
