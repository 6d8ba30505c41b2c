"""A draft as data: the application whose prior art is searched for, without the file it was read from."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass, field, replace

from foreart.document.claims import independent_claims
from foreart.document.elements import Element, elements
from foreart.document.headings import SectionName
from foreart.document.mentions import Mention, mentions
from foreart.document.outline import Section, sections_of
from foreart.document.patent import Claim, Paragraph, Patent


@dataclass(frozen=True, slots=True, repr=False)
class Draft:
    """One unpublished application. Dates are ISO strings, `""` if the text has none; `notes` say what was not read.

    `sections` divide the description, `elements` are those of the independent claims, `citations` the patent numbers in
    the description (offsets in `description_text`), `grounds` the sources of title, dates, people and language, `path`
    its file, if it has one. The text is secret: printing a draft, or an error that carries one, shows only its size and
    fingerprint.
    """

    title: str = ""
    abstract: str = ""
    description: tuple[Paragraph, ...] = ()
    claims: tuple[Claim, ...] = ()
    priority: str = ""
    filed: str = ""
    language: str = ""
    applicants: tuple[str, ...] = ()
    inventors: tuple[str, ...] = ()
    source: str = ""
    notes: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    elements: tuple[Element, ...] = ()
    citations: tuple[Mention, ...] = ()
    grounds: tuple[tuple[str, str], ...] = ()
    path: str = field(default="", compare=False)

    def __repr__(self) -> str:
        size = f"{len(self.description)} paragraphs, {len(self.claims)} claims"
        return f"<Draft {self.fingerprint[:8]}: {size}>"

    @property
    def description_text(self) -> str:
        """The description in reading order, one line per paragraph."""
        return "\n".join(paragraph.text for paragraph in self.description)

    @property
    def claims_text(self) -> str:
        """All claims with their numbers."""
        return "\n".join(f"{claim.number}. {claim.text}" for claim in self.claims)

    @property
    def fingerprint(self) -> str:
        """A hash of the full text; it does not depend on the file format or line width."""
        parts = (self.title, self.abstract, self.description_text, self.claims_text)
        text = "\0".join(" ".join(unicodedata.normalize("NFKC", part).split()) for part in parts)
        return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()

    def section_text(self, *names: SectionName) -> str:
        """The paragraphs of some sections of the description in reading order, without their headings."""
        return "\n".join(
            paragraph.text
            for section in self.sections
            if section.name in names
            for paragraph in self.description[section.start : section.end]
            if not paragraph.is_heading
        )

    def ground(self, what: str) -> str:
        """The source of the title, a date, the people or the language."""
        return dict(self.grounds).get(what, "")


def analysed(draft: Draft) -> Draft:
    """Adds sections, the elements of independent claims and the patents cited in the description."""
    split = [item for claim in independent_claims(draft.claims) for item in elements(claim.text, claim.number)]
    return replace(
        draft,
        sections=draft.sections or sections_of(draft.description),
        elements=draft.elements or tuple(split),
        citations=mentions(draft.description_text),
    )


def draft_of_patent(patent: Patent) -> Draft:
    """A published document as a draft: its text, dates and claims.

    Front-page citations and classes are left out, as a draft has none; patent numbers come from the text only.
    """
    return analysed(outlined(patent))


def outlined(patent: Patent) -> Draft:
    """A published document as a draft with its sections only, which is cheaper than `analysed`."""
    return Draft(
        title=patent.title,
        abstract=patent.abstract,
        description=patent.description,
        claims=patent.claims,
        priority=patent.priority,
        filed=patent.filed,
        language=patent.language,
        applicants=patent.applicants,
        inventors=patent.inventors,
        source=patent.id,
        sections=sections_of(patent.description),
        grounds=tuple(
            (name, f"{patent.id} as published")
            for name in ("title", "priority", "filed", "language")
            if getattr(patent, name)
        ),
    )
