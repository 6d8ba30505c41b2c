"""Locations of texts in a document, with labels that people can look up and programs can parse."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from foreart.document.patent import Claim, Patent

Part = Literal["description", "claim", "abstract", "title"]

_LINES = re.compile(r"\d+:\d+(?:-\d+)?")


@dataclass(frozen=True, slots=True)
class Place:
    """One paragraph, one claim, the abstract or the title.

    `number` is the printed number, `""` if there is none; `ordinal` counts the paragraphs (without headings) or claims
    of the stored text from 1. `language` is set if the text is a translation.
    """

    part: Part
    ordinal: int = 1
    number: str = ""
    language: str = ""

    @property
    def label(self) -> str:
        """The citation form: `[0012]`, `col. 3:45`, `paragraph 12` if counted, `claim 3`, `abstract`, `title`."""
        name: str = self.part
        if self.part == "claim":
            name = f"claim {self.number}"
        elif self.part == "description":
            name = self._paragraph()
        return f"{name} ({self.language})" if self.language else name

    def _paragraph(self) -> str:
        if not self.number:
            return f"paragraph {self.ordinal}"
        return self.number if _LINES.fullmatch(self.number) else f"[{self.number}]"


def places(patent: Patent) -> Iterator[tuple[Place, str]]:
    """All texts of a document that can be quoted, each with its place: description, claims, abstract, title.

    Headings are excluded, because they state nothing.
    """
    ordinal = 0
    for paragraph in patent.description:
        if not paragraph.is_heading:
            ordinal += 1
            yield Place("description", ordinal, paragraph.number), paragraph.text
    yield from _front(patent.claims, patent.abstract, patent.title, "")
    for other in patent.translations:
        yield from _front(other.claims, other.abstract, other.title, other.language)


def _front(claims: tuple[Claim, ...], abstract: str, title: str, language: str) -> Iterator[tuple[Place, str]]:
    for ordinal, claim in enumerate(claims, start=1):
        yield Place("claim", ordinal, str(claim.number), language), claim.text
    if abstract:
        yield Place("abstract", language=language), abstract
    if title:
        yield Place("title", language=language), title


def text_fingerprint(patent: Patent) -> str:
    """A hash of all quotable texts of a document, independent of the rest of its record."""
    digest = hashlib.blake2b(digest_size=8)
    for place, text in places(patent):
        digest.update(f"{place.label}\0{text}\0".encode("utf-8", "replace"))
    return digest.hexdigest()
