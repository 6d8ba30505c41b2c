"""A draft as data: the application whose prior art is sought, frozen, without the file it came from."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass

from foreart.patent import Claim, Paragraph


@dataclass(frozen=True, slots=True, repr=False)
class Draft:
    """One unpublished application. Dates are ISO texts, `""` if the text names none; `notes` say what was not read.

    The text is secret: printing a draft, or an error that carries one, shows its size and fingerprint only.
    """

    title: str = ""
    abstract: str = ""
    description: tuple[Paragraph, ...] = ()
    claims: tuple[Claim, ...] = ()
    priority: str = ""
    filed: str = ""
    language: str = ""
    source: str = ""
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        size = f"{len(self.description)} paragraphs, {len(self.claims)} claims"
        return f"<Draft {self.fingerprint[:8]}: {size}>"

    @property
    def description_text(self) -> str:
        """The description in reading order, a line a paragraph."""
        return "\n".join(paragraph.text for paragraph in self.description)

    @property
    def claims_text(self) -> str:
        """All claims with their numbers."""
        return "\n".join(f"{claim.number}. {claim.text}" for claim in self.claims)

    @property
    def fingerprint(self) -> str:
        """A hash of all text, the same for the same words in another file format or another line width."""
        parts = (self.title, self.abstract, self.description_text, self.claims_text)
        text = "\0".join(" ".join(unicodedata.normalize("NFKC", part).split()) for part in parts)
        return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()
