"""Texts become rows of numbers."""

from foreart.features.base import Features
from foreart.features.table import FEATURES, load
from foreart.features.tfidf import Tfidf

__all__ = ["FEATURES", "Features", "Tfidf", "load"]
