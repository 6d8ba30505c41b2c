"""Reads an attorney's file as a draft."""

from foreart.sources.drafts.correcting import corrected_draft
from foreart.sources.drafts.draft_files import read_draft
from foreart.sources.drafts.sidecar import sidecar_of, write_sidecar

__all__ = ["corrected_draft", "read_draft", "sidecar_of", "write_sidecar"]
