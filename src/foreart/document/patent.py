"""A patent as data: one publication of a patent office, independent of files and databases."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Literal

from foreart.identifiers.numbers import Number, loose_number

Category = Literal["examiner", "applicant", "other", "unknown"]
Depth = Literal["full", "abstract", "title", "empty"]
Position = Literal["first", "later"]
Value = Literal["inventive", "additional"]

CATEGORIES: tuple[Category, ...] = ("examiner", "applicant", "other", "unknown")
DEPTHS: tuple[Depth, ...] = ("full", "abstract", "title", "empty")


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim: the text without its printed number, each element of the claim on its own line."""

    number: int
    text: str
    depends_on: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph of the description with its printed number and its heading.

    A heading is a paragraph too (`is_heading`), so that the description reads in its printed order.
    """

    text: str
    number: str = ""
    heading: str = ""
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class Symbol:
    """A class symbol of the CPC or IPC, `A61B 17/70`, with its position and value where the source gives them."""

    symbol: str
    position: Position | None = None
    value: Value | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """A cited patent: who cited it, and the letters (X, Y, A, …) and phase of a search report."""

    id: str
    category: Category = "unknown"
    letters: str = ""
    phase: str = ""


@dataclass(frozen=True, slots=True)
class Literature:
    """A non-patent citation, as printed in the source."""

    text: str
    category: Category = "unknown"
    letters: str = ""
    phase: str = ""


@dataclass(frozen=True, slots=True)
class Translation:
    """The same publication in another language."""

    language: str
    title: str = ""
    abstract: str = ""
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a patent was read from: file (and archive member), position in it, name of the reader."""

    file: str
    position: str = ""
    format: str = ""


@dataclass(frozen=True)
class Patent:
    """One publication. Dates are ISO strings (`2007-11-20`, or `1907-10` if the day is unknown), `""` if unknown."""

    id: str
    title: str = ""
    abstract: str = ""
    claims: tuple[Claim, ...] = ()
    description: tuple[Paragraph, ...] = ()
    published: str = ""
    published_estimated: bool = False
    filed: str = ""
    priority: str = ""
    cpc: tuple[Symbol, ...] = ()
    ipc: tuple[Symbol, ...] = ()
    uspc: tuple[str, ...] = ()
    locarno: tuple[str, ...] = ()
    applicants: tuple[str, ...] = ()
    inventors: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    literature: tuple[Literature, ...] = ()
    application_number: str = ""
    priority_numbers: tuple[str, ...] = ()
    family_id: str = ""
    family_refs: tuple[str, ...] = ()
    language: str = ""
    document_type: str = ""
    publication_status: str = ""
    translations: tuple[Translation, ...] = ()
    collection: str = ""
    origins: tuple[Origin, ...] = ()

    @cached_property
    def number(self) -> Number:
        """The id split into country, number and kind."""
        return loose_number(self.id)

    @property
    def country(self) -> str:
        """The two-letter code of the publishing office."""
        return self.number.country

    @property
    def kind(self) -> str:
        """The kind code, or `""`."""
        return self.number.kind

    @property
    def description_text(self) -> str:
        """The description in reading order, one line per paragraph."""
        return "\n".join(paragraph.text for paragraph in self.description)

    @property
    def claims_text(self) -> str:
        """All claims with their numbers."""
        return "\n".join(f"{claim.number}. {claim.text}" for claim in self.claims)

    @property
    def depth(self) -> Depth:
        """How much text there is: `full` has a description, `abstract` an abstract or claims, `title` only a title."""
        if self.description:
            return "full"
        if self.abstract or self.claims:
            return "abstract"
        return "title" if self.title else "empty"

    @property
    def effective_date(self) -> str:
        """The date that orders prior art: priority, else filing, else publication."""
        return self.priority or self.filed or self.published


_NOT_CONTENT = ("id", "origins")


def merge(stored: Patent, new: Patent) -> Patent:
    """The fields of `new`, and those of `stored` that `new` leaves empty: no record loses what another had.

    Offices publish one document in parts (OPS: biblio, claims, description; file wrappers: SPEC, CLM, ABST), and a
    title-only list added after the full texts must not empty them.
    """
    kept = {
        field.name: getattr(stored, field.name)
        for field in fields(Patent)
        if field.name not in _NOT_CONTENT and not getattr(new, field.name) and getattr(stored, field.name)
    }
    if not kept:
        return new
    if new.published:
        kept.pop("published_estimated", None)
    origins = (*(origin for origin in stored.origins if origin not in new.origins), *new.origins)
    return replace(new, **kept, origins=origins)
