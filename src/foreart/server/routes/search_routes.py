"""Searches of drafts, and documents."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from fastapi import APIRouter, Body, Path, Query, Response
from pydantic import ConfigDict, Field

from foreart.document.draft import Draft
from foreart.document.patent import Depth
from foreart.errors import BadRequest
from foreart.regimes import Regime
from foreart.server.desk import Desk
from foreart.server.json_answers import json_bytes
from foreart.server.routes.session_routes import DeskOf
from foreart.server.work.search_tasks import document_task, search_task

ROUTER = APIRouter(tags=["search"])
Terms = Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=500)]
Number = Annotated[str, Path(description="A publication number, with or without kind code.", max_length=80)]
LibraryName = Annotated[str, Query(description="The name of a library; the first one without it.", max_length=200)]


@dataclass(frozen=True)
class SearchBody:
    """What to search for, a draft by its id or a patent of the corpus by its number, and the options of a search."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    draft: Annotated[str, Field(max_length=80)] = ""
    number: Annotated[str, Field(max_length=80)] = ""
    library: Annotated[str, Field(max_length=200)] = ""
    k: Annotated[int, Field(ge=1, le=1000)] = 20
    cutoff: Annotated[str, Field(max_length=40)] = ""
    regime: Regime = "any"
    index: Annotated[str, Field(max_length=64)] = ""
    ranking: Annotated[str, Field(max_length=40)] = "auto"
    emphasise: Terms = field(default_factory=list)
    emphasise_paragraphs: Terms = field(default_factory=list)
    emphasise_classes: Terms = field(default_factory=list)
    published_from: Annotated[str, Field(max_length=40)] = ""
    published_to: Annotated[str, Field(max_length=40)] = ""
    classes: Terms = field(default_factory=list)
    countries: Terms = field(default_factory=list)
    kinds: Terms = field(default_factory=list)
    languages: Terms = field(default_factory=list)
    applicants: Terms = field(default_factory=list)
    depths: list[Depth] = field(default_factory=list)
    must: Terms = field(default_factory=list)
    without: Terms = field(default_factory=list)
    ignore: Annotated[list[Annotated[str, Field(max_length=80)]], Field(max_length=5000)] = field(default_factory=list)
    only_new: Annotated[list[Annotated[str, Field(max_length=80)]], Field(max_length=5000)] = field(
        default_factory=list
    )
    exact: bool = False
    passages: bool = True

    def options(self) -> dict[str, Any]:
        """The options of the search: what `SearchOptions` has."""
        return {name: value for name, value in asdict(self).items() if name not in ("draft", "number", "library")}


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
    ok: Literal[True] = True


@ROUTER.post("/search", response_model=SearchAnswer)
async def search(desk: DeskOf, asked: Annotated[SearchBody, Body()]) -> Response:
    """The prior art of a draft, best first."""
    found = asked_draft(desk, asked.draft, asked.number)
    return json_bytes(
        await desk.pool.run(search_task, desk.library(asked.library), draft=found, options=asked.options())
    )


@ROUTER.get("/documents/{number}", response_model=dict[str, Any])
async def document(desk: DeskOf, number: Number, library: LibraryName = "") -> Response:
    """A document of the corpus, as `foreart show --json` prints it."""
    return json_bytes(await desk.pool.run(document_task, desk.library(library), number=number))


def asked_draft(desk: Desk, draft: str, number: str) -> Draft | str:
    """The draft of an id, or the number of a patent of the corpus."""
    if bool(draft) == bool(number):
        raise BadRequest("give either `draft`, the id of an uploaded draft, or `number`, a patent of the corpus")
    return desk.drafts.get(draft).draft if draft else number
