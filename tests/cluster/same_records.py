"""Compares what two homes give: bit for bit, or with scores to a millionth."""

from __future__ import annotations

import re
from typing import Any

# What a home that stores rounded weights may be off.
ROUNDED = 1e-6
_SHOWN = 5
_PLACE = re.compile(r"\.parts\[\d+\]\.rank$")


def differences(expected: Any, found: Any, *, tolerance: float = 0.0, place: str = "") -> list[str]:
    """Where two records differ; numbers may by `tolerance`, those above 1 by that share. Order counts.

    With a tolerance the place of a hit in one channel may be the next one: two documents may be nearer than that.
    """
    if isinstance(expected, bool) or not isinstance(expected, float | int) or not isinstance(found, float | int):
        if isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
            pairs = [(expected[key], found[key], f"{place}.{key}") for key in expected]
        elif isinstance(expected, list | tuple) and isinstance(found, list | tuple) and len(expected) == len(found):
            pairs = [
                (one, other, f"{place}[{at}]") for at, (one, other) in enumerate(zip(expected, found, strict=True))
            ]
        else:
            return [] if expected == found else [f"{place}: {expected!r:.200} is {found!r:.200}"]
        every = [text for one, other, at in pairs for text in differences(one, other, tolerance=tolerance, place=at)]
        return every[:_SHOWN]
    allowed = 1.0 if tolerance and _PLACE.search(place) else tolerance * max(1.0, abs(expected))
    off = abs(expected - found) > allowed if tolerance else expected != found
    return [f"{place}: {expected!r} is {found!r}"] if off else []
