"""What people keep on the desk: searches, grades of a chart that they override, highlights and references."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from fastapi import APIRouter, Body, Path, Response
from pydantic import ConfigDict, Field
from starlette.exceptions import HTTPException

from foreart.server.desk import Desk
from foreart.server.json_answers import answer
from foreart.server.routes.asked_search import LONGEST_ID, STRICT
from foreart.server.routes.draft_routes import RemovedAnswer
from foreart.server.routes.session_routes import DeskOf

ROUTER = APIRouter(tags=["kept"])
KeptId = Annotated[str, Path(max_length=80)]


@dataclass(frozen=True, slots=True)
class SearchesAnswer:
    """Kept searches, the latest first: id, name, time, and what was asked."""

    searches: list[dict[str, Any]]
    ok: Literal[True] = True


@dataclass(frozen=True, slots=True)
class KeptSearchAnswer:
    """A kept search: its name and time, what was asked, and the hits it had."""

    search: str
    name: str
    time: float
    asked: dict[str, Any]
    hits: list[dict[str, Any]]
    ok: Literal[True] = True


@ROUTER.get("/searches", response_model=SearchesAnswer)
def searches(desk: DeskOf) -> Response:
    """The searches that were kept with `keep`, the latest first."""
    found = [(name, kept) for name in desk.searches.names() if (kept := desk.searches.get(name))]
    listed = [
        {"search": name, "name": kept["name"], "time": kept["time"], "asked": kept["asked"], "hits": len(kept["hits"])}
        for name, kept in sorted(found, key=lambda item: -item[1]["time"])
    ]
    return answer({"searches": listed})


@ROUTER.get("/searches/{search}", response_model=KeptSearchAnswer)
def kept_search(desk: DeskOf, search: KeptId) -> Response:
    """A kept search with its hits as they were."""
    kept = desk.searches.get(search)
    if kept is None:
        raise HTTPException(404, "there is no kept search of that id")
    return answer({"search": search, **{key: kept[key] for key in ("name", "time", "asked", "hits")}})


@ROUTER.delete("/searches/{search}", response_model=RemovedAnswer)
def remove_search(desk: DeskOf, search: KeptId) -> Response:
    """Removes a kept search."""
    if desk.searches.get(search) is None:
        raise HTTPException(404, "there is no kept search of that id")
    return answer({"removed": [{"file": name, "bytes": size} for name, size in desk.searches.remove(search)]})


@dataclass(frozen=True)
class GradeBody:
    """A person's grade of a cell of the chart, 5 disclosed to 1 not found; null takes it back."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    row: Annotated[str, Field(min_length=1, max_length=40)]
    reference: Annotated[str, Field(min_length=1, max_length=LONGEST_ID)]
    grade: Annotated[int, Field(ge=1, le=5)] | None = None


@dataclass(frozen=True, slots=True)
class GradesAnswer:
    """The grades that people gave, by row of the chart and reference."""

    grades: dict[str, dict[str, int]]
    ok: Literal[True] = True


@ROUTER.get("/drafts/{draft}/grades", response_model=GradesAnswer)
def grades(desk: DeskOf, draft: KeptId) -> Response:
    """The grades that a person gave to cells of the draft's chart."""
    desk.drafts.get(draft)
    return answer({"grades": desk.grades.get(draft) or {}})


@ROUTER.put("/drafts/{draft}/grades", response_model=GradesAnswer)
def set_grade(desk: DeskOf, draft: KeptId, given: Annotated[GradeBody, Body()]) -> Response:
    """Keeps a person's grade of a cell beside the computed one."""
    desk.drafts.get(draft)

    def changed(found: dict[str, Any]) -> dict[str, Any]:
        row = {
            reference: grade for reference, grade in found.get(given.row, {}).items() if reference != given.reference
        }
        if given.grade is not None:
            row[given.reference] = given.grade
        return {key: value for key, value in {**found, given.row: row}.items() if value}

    return answer({"grades": desk.grades.change(draft, changed)})


@dataclass(frozen=True)
class Highlight:
    """A group of words that a person highlights in one of six colours."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    name: Annotated[str, Field(max_length=60)]
    words: Annotated[list[Annotated[str, Field(max_length=80)]], Field(max_length=200)]
    colour: Annotated[int, Field(ge=1, le=6)] = 1
    on: bool = True


@dataclass(frozen=True)
class WorkspaceBody:
    """What to keep beside a draft; null leaves a part as it is."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    highlights: Annotated[list[Highlight], Field(max_length=30)] | None = None
    references: (
        Annotated[list[Annotated[str, Field(min_length=1, max_length=LONGEST_ID)]], Field(max_length=50)] | None
    ) = None
    claims: Annotated[str, Field(max_length=200)] | None = None
    purpose: Literal["novelty", "invalidity"] | None = None


@dataclass(frozen=True, slots=True)
class WorkspaceAnswer:
    """Highlights; references, claims (`""` for independent ones, `all`, or numbers) and purpose of the chart."""

    highlights: list[dict[str, Any]] = field(default_factory=list)
    references: list[str] = field(default_factory=list)
    claims: str = ""
    purpose: str = "novelty"
    ok: Literal[True] = True


@ROUTER.get("/drafts/{draft}/workspace", response_model=WorkspaceAnswer)
def workspace(desk: DeskOf, draft: KeptId) -> Response:
    """What a person keeps beside a draft: highlights, and the choices of its chart."""
    desk.drafts.get(draft)
    return answer(_workspace(desk, draft))


@ROUTER.put("/drafts/{draft}/workspace", response_model=WorkspaceAnswer)
def set_workspace(desk: DeskOf, draft: KeptId, given: Annotated[WorkspaceBody, Body()]) -> Response:
    """Keeps highlights and the choices of the chart beside the draft; they are removed with it."""
    desk.drafts.get(draft)
    changes = {name: value for name, value in asdict(given).items() if value is not None}
    if "references" in changes:
        changes["references"] = list(dict.fromkeys(changes["references"]))
    desk.workspaces.put(draft, {**_workspace(desk, draft), **changes})
    return answer(_workspace(desk, draft))


def _workspace(desk: Desk, draft: str) -> dict[str, Any]:
    blank = {"highlights": [], "references": [], "claims": "", "purpose": "novelty"}
    return {**blank, **(desk.workspaces.get(draft) or {})}
