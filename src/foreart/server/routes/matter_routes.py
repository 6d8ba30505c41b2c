"""Matters: created, opened, searched, sealed and purged."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Request, Response
from fastapi.concurrency import run_in_threadpool

from foreart.document.draft import Draft
from foreart.errors import BadRequest, DamagedMatter, MatterError, WrongPassphrase
from foreart.library import Library
from foreart.records.record_data import SearchRecord
from foreart.review.matters import Matter, list_matters, matter_json, state_json
from foreart.review.matters.matter_opening import purge
from foreart.review.matters.purging import draft_ids
from foreart.server.desk import Desk
from foreart.server.json_answers import answer
from foreart.server.routes.asked_search import LibraryName, options_of_body
from foreart.server.routes.matter_bodies import MatterSearchBody, NewMatterBody, NewPassphraseBody, PassphraseBody
from foreart.server.routes.session_routes import DeskOf
from foreart.server.work.matter_tasks import draft_task, matter_search_task
from foreart.typed_json import from_json, to_json

ROUTER = APIRouter(tags=["matters"])


@dataclass(frozen=True, slots=True)
class MattersAnswer:
    """Matters, the last changed first: name, sealed, size, changed, and the title unless it is sealed and not open."""

    matters: list[dict[str, Any]]
    ok: Literal[True] = True


@dataclass(frozen=True, slots=True)
class MatterAnswer:
    """A matter: its counts, its state, and how far its raters agree; `check` changes with every event."""

    name: str
    title: str
    sealed: bool
    created: str
    events: int
    check: str
    raters: list[str]
    drafts: int
    searches: int
    judged: int
    relevant: int
    maybe: int
    size: int
    state: dict[str, Any]
    agreement: list[dict[str, Any]]
    ok: Literal[True] = True


@ROUTER.get("/matters", response_model=MattersAnswer)
async def matters(request: Request, desk: DeskOf, library: LibraryName = "") -> Response:
    """The matters of a library."""
    folder, session = desk.library(library), desk.matters.session(request)
    return answer({"matters": await run_in_threadpool(_listed, desk, folder, session)})


@ROUTER.post("/matters", response_model=MatterAnswer)
async def new_matter(
    request: Request, desk: DeskOf, asked: Annotated[NewMatterBody, Body()], library: LibraryName = ""
) -> Response:
    """Creates a matter; one with a passphrase is sealed, and open for this session."""
    folder, session = desk.library(library), desk.matters.session(request)

    def made() -> Matter:
        with Library(folder) as opened:
            opened.matter(asked.name, create=True, title=asked.title, passphrase=asked.passphrase).close()
        if asked.passphrase:
            return desk.matters.unlock(session, folder, asked.name, asked.passphrase)
        return desk.matters.matter(session, folder, asked.name)

    return answer(_record(await run_in_threadpool(made)))


@ROUTER.get("/matters/{matter}", response_model=MatterAnswer)
async def matter(request: Request, desk: DeskOf, matter: str, library: LibraryName = "") -> Response:
    """What a matter contains."""
    return answer(_record(await opened_matter(request, desk, library, matter)))


@ROUTER.post("/matters/{matter}/open", response_model=MatterAnswer)
async def open_matter(
    request: Request, desk: DeskOf, matter: str, given: Annotated[PassphraseBody, Body()], library: LibraryName = ""
) -> Response:
    """Opens a sealed matter for this session."""
    session = desk.matters.session(request)
    found = await run_in_threadpool(desk.matters.unlock, session, desk.library(library), matter, given.passphrase)
    return answer(_record(found))


@dataclass(frozen=True, slots=True)
class ClosedAnswer:
    """Whether the matter is sealed, so that it must be opened again."""

    name: str
    sealed: bool
    ok: Literal[True] = True


@ROUTER.post("/matters/{matter}/close", response_model=ClosedAnswer)
async def close_matter(request: Request, desk: DeskOf, matter: str, library: LibraryName = "") -> Response:
    """Forgets the passphrase of a matter in this session."""
    found = await opened_matter(request, desk, library, matter)
    desk.matters.close(desk.matters.session(request), desk.library(library), matter)
    return answer({"name": found.name, "sealed": found.is_sealed})


@ROUTER.post("/matters/{matter}/seal", response_model=MatterAnswer)
async def seal_matter(
    request: Request, desk: DeskOf, matter: str, given: Annotated[PassphraseBody, Body()], library: LibraryName = ""
) -> Response:
    """Encrypts a matter; it stays open for this session, and other sessions need the passphrase."""
    found = await opened_matter(request, desk, library, matter)
    await run_in_threadpool(found.seal, given.passphrase)
    return answer(_record(found))


@ROUTER.post("/matters/{matter}/passphrase", response_model=MatterAnswer)
async def change_passphrase(
    request: Request, desk: DeskOf, matter: str, given: Annotated[NewPassphraseBody, Body()], library: LibraryName = ""
) -> Response:
    """Gives a sealed matter another passphrase; it stays open for this session, and others need the new one."""
    session = desk.matters.session(request)
    found = await run_in_threadpool(
        desk.matters.change_passphrase, session, desk.library(library), matter, given.passphrase, given.new
    )
    return answer(_record(found))


@dataclass(frozen=True, slots=True)
class SearchedAnswer:
    """The event of the search, how many hits it has, and the date by which documents count."""

    event: int
    hits: int
    cutoff: dict[str, Any]
    ok: Literal[True] = True


@ROUTER.post("/matters/{matter}/search", response_model=SearchedAnswer)
async def search_matter(
    request: Request, desk: DeskOf, matter: str, asked: Annotated[MatterSearchBody, Body()], library: LibraryName = ""
) -> Response:
    """Searches for the draft of a matter, or for a new version of it, and keeps the record."""
    folder = desk.library(asked.library or library)
    found = await opened_matter(request, desk, asked.library or library, matter)
    await _keep_draft(desk, folder, found, asked)
    state = found.state
    if state.draft is None:
        raise MatterError(f"the matter {matter} has no draft yet: upload one and name it")
    options = {**options_of_body(desk, asked), "passages": False}
    options.pop("rater", None)
    options["ignore"] = [*options.get("ignore", ()), *(item.event.document for item in state.ignored)]
    made = json.loads(await desk.pool.run(matter_search_task, folder, draft=state.draft, options=options))
    record: SearchRecord = from_json(SearchRecord, made["record"])
    logged = await run_in_threadpool(lambda: found.keep_search(record, rater=asked.rater))
    return answer({"event": logged.n, "hits": len(record.hits), "cutoff": to_json(record.cutoff)})


@dataclass(frozen=True, slots=True)
class PurgedAnswer:
    """The files that were deleted, with their sizes, and what that cannot promise."""

    removed: list[dict[str, Any]]
    notes: list[str]
    ok: Literal[True] = True


@ROUTER.delete("/matters/{matter}", response_model=PurgedAnswer)
async def purge_matter(request: Request, desk: DeskOf, matter: str, library: LibraryName = "") -> Response:
    """Deletes a matter with the drafts that it used; a sealed one that is not open, without knowing those."""
    folder, session = desk.library(library), desk.matters.session(request)

    def purged() -> dict[str, Any]:
        drafts: list[str] = []
        try:
            found = desk.matters.matter(session, folder, matter)
            drafts = draft_ids(found.events)
            made = found.purge()
        except (WrongPassphrase, DamagedMatter):
            made = purge(folder, matter)
        desk.matters.close_for_all(folder, matter)
        removed = [{"file": file.file, "bytes": file.size} for file in made.files]
        for name in drafts:
            removed += [{"file": file, "bytes": size} for file, size in desk.forget_draft(name)]
        return {"removed": removed, "notes": list(made.notes)}

    return answer(await run_in_threadpool(purged))


async def opened_matter(request: Request, desk: Desk, library: str, name: str) -> Matter:
    """A matter of this session."""
    session = desk.matters.session(request)
    return await run_in_threadpool(desk.matters.matter, session, desk.library(library), name)


async def _keep_draft(desk: Desk, folder: Path, matter: Matter, asked: MatterSearchBody) -> None:
    """Keeps a draft that is named as a version of the matter's."""
    if asked.draft and asked.number:
        raise BadRequest("give either `draft`, the id of an uploaded draft, or `number`, a patent of the corpus")
    if asked.draft:
        found = desk.drafts.get(asked.draft).draft
    elif asked.number:
        made = json.loads(await desk.pool.run(draft_task, folder, number=asked.number))
        found = from_json(Draft, made["draft"])
    else:
        return
    await run_in_threadpool(lambda: matter.keep_draft(found, desk=asked.draft, rater=asked.rater))


def _listed(desk: Desk, folder: Path, session: str) -> list[dict[str, Any]]:
    found = []
    for entry in list_matters(folder):
        title = None
        if not entry.problem and (not entry.sealed or desk.matters.is_open(session, folder, entry.name)):
            title = desk.matters.matter(session, folder, entry.name).state.title
        found.append({**asdict(entry), "title": title})
    return found


def _record(matter: Matter) -> dict[str, Any]:
    agreement = [asdict(item) for item in matter.agreement()]
    return {**matter_json(matter), "state": state_json(matter.state), "agreement": agreement}
