"""Reads patents and drafts from files."""

from foreart.sources.drafts.draft_files import read_draft
from foreart.sources.patent_files import Document, files, parse_record, raw_records, read, scan
from foreart.sources.readers import READERS

__all__ = ["READERS", "Document", "files", "parse_record", "raw_records", "read", "read_draft", "scan"]
