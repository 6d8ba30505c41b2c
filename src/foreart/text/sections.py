"""What of a patent or a draft is compared: its full text, or one section; the title stands in every one."""

from __future__ import annotations

from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.errors import ForeartError

# In the order of reading: Helmers et al. (2019) take title, abstract, description, claims as the full text.
SECTIONS: dict[str, tuple[str, ...]] = {
    "full": ("abstract", "description", "claims"),
    "abstract": ("abstract",),
    "claims": ("claims",),
    "description": ("description",),
}


def section_text(document: Patent | Draft, sections: str = "full") -> str:
    """The chosen text in one string, a line a part; claims without their printed numbers."""
    if sections not in SECTIONS:
        raise ForeartError(f"there are no sections {sections!r}; there are {', '.join(SECTIONS)}")
    parts = {
        "abstract": lambda: document.abstract,
        "description": lambda: document.description_text,
        "claims": lambda: "\n".join(claim.text for claim in document.claims),
    }
    texts = [document.title, *(parts[name]() for name in SECTIONS[sections])]
    return "\n".join(text for text in texts if text)
