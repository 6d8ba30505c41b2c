"""What requests of the API have in common: a draft or a patent, and the options of a search."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from fastapi import Depends, Header, Path, Query
from pydantic import ConfigDict, Field
from starlette.exceptions import HTTPException

from foreart.document.draft import Draft
from foreart.document.patent import Depth
from foreart.errors import BadRequest
from foreart.regimes import Regime
from foreart.server.desk import Desk

Terms = Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=500)]
LONGEST_ID = 200  # collections have ids of their own
Numbers = Annotated[list[Annotated[str, Field(max_length=LONGEST_ID)]], Field(max_length=5000)]
Number = Annotated[str, Path(description="A publication number, with or without kind code.", max_length=LONGEST_ID)]
LibraryName = Annotated[str, Query(description="The name of a library; the first one without it.", max_length=200)]
HitStatus = Literal["prior art", "novelty only", "mentioned", "date unknown"]
STRICT = ConfigDict(extra="forbid")
_IN_BACKGROUND = re.compile(r"(?:^|[,\s])u=7(?:$|[,;\s])")
_PRIORITY = "`u=7` (RFC 9218): the request can wait, and starts when a worker would be idle."


def can_wait(priority: Annotated[str, Header(description=_PRIORITY, max_length=100)] = "") -> bool:
    """Whether a request is one that nobody waits for yet: a page that fetches ahead, or a program's batch."""
    return bool(_IN_BACKGROUND.search(priority))


CanWait = Annotated[bool, Depends(can_wait)]


@dataclass(frozen=True)
class AskedSearch:
    """What to search for, a draft by its id or a patent of the corpus by its number, and the options of a search.

    `new_since` is the id of a kept search, whose hits are left out.
    """

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    draft: Annotated[str, Field(max_length=80)] = ""
    number: Annotated[str, Field(max_length=LONGEST_ID)] = ""
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
    statuses: list[HitStatus] = field(default_factory=list)
    ignore: Numbers = field(default_factory=list)
    only_new: Numbers = field(default_factory=list)
    new_since: Annotated[str, Field(max_length=80)] = ""
    exact: bool = False
    passages: bool = True


_NOT_OPTIONS = ("draft", "number", "library", "new_since")


def options_of_body(desk: Desk, asked: AskedSearch) -> dict[str, Any]:
    """The options of the search: what `SearchOptions` has."""
    names = AskedSearch.__dataclass_fields__.keys()
    options = {name: value for name, value in asdict(asked).items() if name in names and name not in _NOT_OPTIONS}
    if asked.new_since:
        kept = desk.searches.get(asked.new_since)
        if kept is None:
            raise HTTPException(404, "there is no kept search of that id")
        options["only_new"] = [*asked.only_new, *kept["seen"]]
    return options


def file_body(description: str) -> dict[str, Any]:
    """The schema of a request whose body is the bytes of a file."""
    content = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
    return {"requestBody": {"required": True, "description": description, "content": content}}


def search_arguments(desk: Desk, asked: AskedSearch) -> dict[str, Any]:
    """What a task that searches is given."""
    return {"draft": asked_draft(desk, asked.draft, asked.number), "options": options_of_body(desk, asked)}


def asked_draft(desk: Desk, draft: str, number: str) -> Draft | str:
    """The draft of an id, or the number of a patent of the corpus."""
    if bool(draft) == bool(number):
        raise BadRequest("give either `draft`, the id of an uploaded draft, or `number`, a patent of the corpus")
    return desk.drafts.get(draft).draft if draft else number
