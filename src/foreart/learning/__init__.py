"""Ranking weights learned from the citations of a corpus."""

from foreart.learning.training import learn

__all__ = ["learn"]
