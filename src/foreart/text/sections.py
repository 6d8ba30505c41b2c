"""The text of a patent or a draft that is compared: the full text or one section, always with the title."""

from __future__ import annotations

from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.errors import ForeartError

# In reading order: Helmers et al. (2019) use title, abstract, description, claims as the full text.
SECTIONS: dict[str, tuple[str, ...]] = {
    "full": ("abstract", "description", "claims"),
    "abstract": ("abstract",),
    "claims": ("claims",),
    "description": ("description",),
    "abstract-claims": ("abstract", "claims"),
}


def section_text(document: Patent | Draft, sections: str = "full") -> str:
    """The chosen sections as one string, one per line; claims without their printed numbers."""
    if sections not in SECTIONS:
        raise ForeartError(f"unknown sections {sections!r}; choose one of {', '.join(SECTIONS)}")
    parts = {
        "abstract": lambda: document.abstract,
        "description": lambda: document.description_text,
        "claims": lambda: "\n".join(claim.text for claim in document.claims),
    }
    texts = [document.title, *(parts[name]() for name in SECTIONS[sections])]
    return "\n".join(text for text in texts if text)
