"""Turns texts into rows of numbers. Kinds other than tf-idf are made by name: `make("lsa", {"dimensions": 250})`."""

from foreart.features.base import CountedFeatures, Features, QueryParts, RowArray, SequenceFeatures, WordFeatures
from foreart.features.bm25 import Bm25
from foreart.features.counting.count_rows import Counts, count
from foreart.features.counting.token_stream import TokenStream, tokenized
from foreart.features.feature_kinds import FEATURES, load, make
from foreart.features.tfidf import Tfidf

__all__ = [
    "FEATURES",
    "Bm25",
    "CountedFeatures",
    "Counts",
    "Features",
    "QueryParts",
    "RowArray",
    "SequenceFeatures",
    "Tfidf",
    "TokenStream",
    "WordFeatures",
    "count",
    "load",
    "make",
    "tokenized",
]
