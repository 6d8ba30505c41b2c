"""Ranking weights learned from the citations of a corpus."""

from foreart.learning.learning import learn

__all__ = ["learn"]
