"""Texts become rows of numbers."""

from foreart.features.base import CountedFeatures, Features, RowArray, TapedFeatures
from foreart.features.counts import Counts, count
from foreart.features.table import FEATURES, load
from foreart.features.tape import Tape, record
from foreart.features.tfidf import Tfidf

__all__ = [
    "FEATURES",
    "CountedFeatures",
    "Counts",
    "Features",
    "RowArray",
    "Tape",
    "TapedFeatures",
    "Tfidf",
    "count",
    "load",
    "record",
]
