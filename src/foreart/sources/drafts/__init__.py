"""Reads an attorney's file as a draft."""

from foreart.sources.drafts.correcting import corrected_draft
from foreart.sources.drafts.draft_files import draft_of_bytes, draft_of_text, read_draft
from foreart.sources.drafts.sidecar import correction_of, sidecar_of, write_sidecar

__all__ = [
    "corrected_draft",
    "correction_of",
    "draft_of_bytes",
    "draft_of_text",
    "read_draft",
    "sidecar_of",
    "write_sidecar",
]
