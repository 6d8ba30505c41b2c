"""What the citations of a corpus teach about ranking it."""

from foreart.learning.learning import learn

__all__ = ["learn"]
