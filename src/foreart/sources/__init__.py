"""Files of the outside world become patents."""

from foreart.sources.draft import read_draft
from foreart.sources.reading import Document, parse_piece, pieces, read, scan
from foreart.sources.table import READERS

__all__ = ["READERS", "Document", "parse_piece", "pieces", "read", "read_draft", "scan"]
