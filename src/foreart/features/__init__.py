"""Texts become rows of numbers."""

from foreart.features.base import CountedFeatures, Features, RowArray, TapedFeatures
from foreart.features.bm25 import Bm25
from foreart.features.counts import Counts, count
from foreart.features.doc2vec import Doc2Vec
from foreart.features.embedding import Embedding
from foreart.features.kpca import Kpca
from foreart.features.lsa import Lsa
from foreart.features.ppmi import Ppmi
from foreart.features.table import FEATURES, load, make
from foreart.features.tape import Tape, record
from foreart.features.tfidf import Tfidf
from foreart.features.word2vec import Word2Vec

__all__ = [
    "FEATURES",
    "Bm25",
    "CountedFeatures",
    "Counts",
    "Doc2Vec",
    "Embedding",
    "Features",
    "Kpca",
    "Lsa",
    "Ppmi",
    "RowArray",
    "Tape",
    "TapedFeatures",
    "Tfidf",
    "Word2Vec",
    "count",
    "load",
    "make",
    "record",
]
