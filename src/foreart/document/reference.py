"""A document that is no patent, by what identifies it: author, title, where it appeared, date and pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from foreart.errors import BadRequest

LiteratureForm = Literal["article", "book", "web page", "other"]
LITERATURE_FORMS: tuple[LiteratureForm, ...] = get_args(LiteratureForm)
_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")
_LONGEST, _MOST_AUTHORS = 500, 100


@dataclass(frozen=True, slots=True)
class LiteratureReference:
    """Literature as a person enters it. Authors are `Last, First`, `published` is an ISO date as far as it is known.

    `item` is the journal, book, conference or site that it appeared in, `volume` also has the issue (`12-3`),
    `identifier` is a DOI or an address, `language` a code of two letters.
    """

    title: str
    authors: tuple[str, ...] = ()
    item: str = ""
    published: str = ""
    volume: str = ""
    pages: str = ""
    publisher: str = ""
    place: str = ""
    identifier: str = ""
    language: str = ""
    form: LiteratureForm = "article"

    def __post_init__(self) -> None:
        if not self.title.strip():
            raise BadRequest("literature needs a title")
        for value in (self.title, *self.authors, *self._others):
            if len(value) > _LONGEST:
                raise BadRequest(f"a field of literature has {len(value):,} characters; there may be {_LONGEST}")
        if len(self.authors) > _MOST_AUTHORS or not all(author.strip() for author in self.authors):
            raise BadRequest(f"literature has up to {_MOST_AUTHORS} authors, each with a name")
        if self.published and not _DATE.fullmatch(self.published):
            raise BadRequest(f"{self.published[:40]!r} is not a date: write 2014-03-10, 2014-03 or 2014")
        if self.form not in LITERATURE_FORMS:
            raise BadRequest(f"{self.form!r} is not a form of literature; there are {', '.join(LITERATURE_FORMS)}")

    @property
    def _others(self) -> tuple[str, ...]:
        return self.item, self.volume, self.pages, self.publisher, self.place, self.identifier, self.language

    @property
    def citation(self) -> str:
        """The reference on one line, in the order of PTO/SB/08a: authors in capitals, titles, date, pages, publisher.

        >>> LiteratureReference("Springs", ("Hartwell, R.",), "J. Mech.", "1998", "12-3", "101-109").citation
        'HARTWELL, R.; “Springs”; J. Mech.; 1998; pages 101-109; volume-issue 12-3'
        """
        pages = f"page{'s' * bool(re.search(r'[-–,]', self.pages))} {self.pages}" if self.pages else ""
        volume = f"volume-issue {self.volume}" if self.volume else ""
        where = ", ".join(filter(None, (self.publisher, self.place)))
        parts = ("; ".join(self.authors).upper(), f"“{self.title}”", self.item, self.published, pages, volume, where)
        return "; ".join(filter(None, (*parts, self.identifier)))


def literature_id(event: int) -> str:
    """The id of literature in a matter, by the event that added it; no publication number can be one."""
    return f"NPL-{event}"


def is_literature(document: str) -> bool:
    """Whether an id is that of literature in a matter."""
    return re.fullmatch(r"NPL-[1-9]\d*", document) is not None
