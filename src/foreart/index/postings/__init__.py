"""Counts of words, by word and by document: one index for every weighting and every measure."""

from foreart.index.postings.snapshot import Snapshot
from foreart.index.postings.store import load, verify
from foreart.index.postings.updating import Report, update

__all__ = ["Report", "Snapshot", "load", "update", "verify"]
