"""Files of the outside world become patents."""

from foreart.sources.drafts.draft_files import read_draft
from foreart.sources.patent_files import Document, files, parse_piece, pieces, read, scan
from foreart.sources.readers import READERS

__all__ = ["READERS", "Document", "files", "parse_piece", "pieces", "read", "read_draft", "scan"]
