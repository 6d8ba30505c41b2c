"""What people keep on the desk: searches, and grades of a chart that they override."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from fastapi import APIRouter, Body, Path, Response
from pydantic import ConfigDict, Field
from starlette.exceptions import HTTPException

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
    """A person's grade of a cell of the chart, 1 to 5; null takes it back."""

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
