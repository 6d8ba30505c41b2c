"""Finds a patent application's prior art: compares its whole text with the whole text of every patent in a corpus."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foreart.corpus import Corpus, Selection
    from foreart.document.draft import Draft
    from foreart.document.patent import Citation, Claim, Paragraph, Patent
    from foreart.document.reject import Reject
    from foreart.errors import ForeartError
    from foreart.library import Library
    from foreart.sources import read, read_draft, scan

__all__ = [
    "Citation",
    "Claim",
    "Corpus",
    "Draft",
    "ForeartError",
    "Library",
    "Paragraph",
    "Patent",
    "Reject",
    "Selection",
    "read",
    "read_draft",
    "scan",
]

# Where each public name lives; imported when it is first used, so that `import foreart` stays light.
_HOMES = {
    "Citation": "document.patent",
    "Claim": "document.patent",
    "Corpus": "corpus",
    "Draft": "document.draft",
    "ForeartError": "errors",
    "Library": "library",
    "Paragraph": "document.patent",
    "Patent": "document.patent",
    "Reject": "document.reject",
    "Selection": "corpus",
    "read": "sources",
    "read_draft": "sources",
    "scan": "sources",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'foreart' has no attribute {name!r}")
    return getattr(import_module(f"foreart.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
