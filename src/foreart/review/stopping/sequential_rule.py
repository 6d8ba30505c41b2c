"""When reading may end: a target and a confidence that were fixed before, and ten looks in a row."""

from __future__ import annotations

from collections.abc import Sequence

from foreart.errors import BadRequest
from foreart.review.stopping.unread_estimate import recall_of

# The estimate is looked at after every document, and a single look may be lucky.
LOOKS = 10
# Below this many relevant documents nothing can be estimated.
FEWEST = 3


def checked_rule(target: float, confidence: float) -> tuple[float, float]:
    """Target and confidence, or BadRequest."""
    for name, value in (("target", target), ("confidence", confidence)):
        if not 0.5 <= value < 1.0:
            raise BadRequest(f"the {name} of the stopping rule is {value!r}; it can be from 0.5 up to 0.99")
    return target, confidence


def holds(found: int, high: int, target: float) -> bool:
    """Whether even the upper end of what may be unread leaves the target reached."""
    return found >= FEWEST and recall_of(found, high) >= target


def in_a_row(looks: Sequence[bool]) -> int:
    """At how many of the latest looks the rule held without a break, ten at most."""
    latest = list(looks)[-LOOKS:]
    return next((count for count, held in enumerate(reversed(latest)) if not held), len(latest))
