"""Stores patents in one SQLite file and finds them by number."""

from foreart.corpus.corpus import Corpus
from foreart.corpus.packing import Packed, pack
from foreart.corpus.selection import EVERYTHING, Selection
from foreart.corpus.writer import BATCH_BYTES, Summary, Writer

__all__ = ["BATCH_BYTES", "EVERYTHING", "Corpus", "Packed", "Selection", "Summary", "Writer", "pack"]
