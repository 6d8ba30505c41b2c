"""Files of the outside world become patents."""

from foreart.sources.drafts.reading import read_draft
from foreart.sources.reading import Document, files, parse_piece, pieces, read, scan
from foreart.sources.table import READERS

__all__ = ["READERS", "Document", "files", "parse_piece", "pieces", "read", "read_draft", "scan"]
