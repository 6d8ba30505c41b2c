"""Searches of drafts, similar documents, facets, the map, and documents."""

from __future__ import annotations

import json
import secrets
import time
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal, get_args

from fastapi import APIRouter, Body, Query, Response
from pydantic import Field

from foreart.server.downloads import file_responses, made_download
from foreart.server.json_answers import json_bytes
from foreart.server.routes.asked_search import AskedSearch, CanWait, LibraryName, Number, search_arguments
from foreart.server.routes.draft_routes import checked_name
from foreart.server.routes.session_routes import DeskOf
from foreart.server.work.corpus_tasks import citations_task, facets_task
from foreart.server.work.map_layout import map_task
from foreart.server.work.search_tasks import document_task, search_file_task, search_task

ROUTER = APIRouter(tags=["search"])
ReportForm = Literal["json", "csv", "html"]


@dataclass(frozen=True)
class SearchBody(AskedSearch):
    """A search; with `keep`, a name, it is kept and listed under `/api/searches`."""

    keep: Annotated[str, Field(max_length=120)] = ""


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The result of a search, as `foreart search --json` prints it."""

    foreart: str
    draft: dict[str, Any]
    cutoff: dict[str, Any]
    regime: str
    corpus: dict[str, Any]
    filters: dict[str, Any]
    removed: dict[str, Any]
    compared: int
    scored: int
    hits: list[dict[str, Any]]
    left_out_count: int
    left_out: list[dict[str, Any]]
    own_family: list[dict[str, Any]]
    missing_terms: list[str]
    scores: dict[str, Any]
    search: str | None = None
    ok: Literal[True] = True


@ROUTER.post("/search", response_model=SearchAnswer)
async def search(desk: DeskOf, asked: Annotated[SearchBody, Body()], can_wait: CanWait) -> Response:
    """The prior art of a draft, best first."""
    name = checked_name(asked.keep) if asked.keep else ""
    folder = desk.library(asked.library)
    found = await desk.pool.run(search_task, folder, can_wait=can_wait, **search_arguments(desk, asked))
    if not name:
        return json_bytes(found, extra={"search": None})
    hits = json.loads(found)["hits"]
    kept = {
        "name": name,
        "time": time.time(),
        "asked": {key: value for key, value in asdict(asked).items() if key != "keep"},
        "hits": [{key: hit[key] for key in ("rank", "id", "score", "status", "title", "published")} for hit in hits],
        "seen": [number for hit in hits for number in (hit["id"], *(one["id"] for one in hit["family_members"]))],
    }
    desk.searches.put(search_id := secrets.token_urlsafe(12), kept)
    return json_bytes(found, extra={"search": search_id})


@ROUTER.post(
    "/search/file",
    response_class=Response,
    responses=file_responses(get_args(ReportForm)),
)
async def search_file(
    desk: DeskOf, asked: Annotated[AskedSearch, Body()], form: Annotated[ReportForm, Query(description="The form.")]
) -> Response:
    """The result as a file: JSON as of `foreart search --json`, a CSV table, or the HTML report."""
    folder = desk.library(asked.library)
    found = await desk.pool.run(search_file_task, folder, **search_arguments(desk, asked), form=form)
    return made_download(found, "prior-art", form)


@ROUTER.post("/similar", response_model=SearchAnswer)
async def similar(desk: DeskOf, asked: Annotated[AskedSearch, Body()], can_wait: CanWait) -> Response:
    """The documents most similar to a patent of the corpus, as a search for it finds them."""
    folder = desk.library(asked.library)
    return json_bytes(await desk.pool.run(search_task, folder, can_wait=can_wait, **search_arguments(desk, asked)))


@dataclass(frozen=True, slots=True)
class FacetsAnswer:
    """How the documents that may be hits divide; `documents` pass the filters, `admissible` of them can count."""

    documents: int
    admissible: int
    statuses: list[dict[str, Any]]
    years: list[dict[str, Any]]
    countries: list[dict[str, Any]]
    languages: list[dict[str, Any]]
    depths: list[dict[str, Any]]
    subclasses: list[dict[str, Any]]
    groups: list[dict[str, Any]]
    applicants: list[dict[str, Any]]
    removed: dict[str, int]
    unknown: dict[str, int]
    ok: Literal[True] = True


@ROUTER.post("/facets", response_model=FacetsAnswer)
async def facets(desk: DeskOf, asked: Annotated[AskedSearch, Body()]) -> Response:
    """Counts of the documents that a search would rank, by year, class, office and so on."""
    return json_bytes(await desk.pool.run(facets_task, desk.library(asked.library), **search_arguments(desk, asked)))


@dataclass(frozen=True, slots=True)
class MapAnswer:
    """The neighbourhood of a draft in two dimensions; `trustworthiness` is 1 if all neighbours shown are real ones."""

    layout: str
    trustworthiness: float | None
    neighbours: int
    draft: dict[str, float]
    points: list[dict[str, Any]]
    classes: dict[str, str]
    ok: Literal[True] = True


@ROUTER.post("/map", response_model=MapAnswer)
async def neighbourhood(desk: DeskOf, asked: Annotated[AskedSearch, Body()]) -> Response:
    """The 500 best documents in two dimensions by PCA; `/api/jobs/map` makes a better picture."""
    return json_bytes(await desk.pool.run(map_task, desk.library(asked.library), **search_arguments(desk, asked)))


@dataclass(frozen=True, slots=True)
class DocumentAnswer:
    """A document, as `foreart show --json` prints it, and where its description says what figures show."""

    id: str
    ok: Literal[True] = True


@ROUTER.get("/documents/{number}", response_model=DocumentAnswer)
async def document(desk: DeskOf, number: Number, can_wait: CanWait, library: LibraryName = "") -> Response:
    """A document of the corpus: all its fields and its text."""
    return json_bytes(await desk.pool.run(document_task, desk.library(library), can_wait=can_wait, number=number))


@dataclass(frozen=True, slots=True)
class CitationsAnswer:
    """The documents of the corpus that a document cites, that cite it, and its family: id, title, published."""

    id: str
    cites: list[dict[str, str]]
    cited_by: list[dict[str, str]]
    family: list[dict[str, str]]
    ok: Literal[True] = True


@ROUTER.get("/documents/{number}/citations", response_model=CitationsAnswer)
async def citations(desk: DeskOf, number: Number, can_wait: CanWait, library: LibraryName = "") -> Response:
    """What a document cites, what cites it, and its family, as far as they are in the corpus."""
    return json_bytes(await desk.pool.run(citations_task, desk.library(library), can_wait=can_wait, number=number))
