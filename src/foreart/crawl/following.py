"""The links of a kept patent: its citations, optionally the citing documents and its family."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from foreart.crawl.candidate import Candidate
from foreart.errors import BadNumber
from foreart.identifiers.numbers import number_key, parse_number

MALFORMED = "no publication number"


@dataclass(frozen=True, slots=True)
class Following:
    """The links that are followed besides the citations of a patent."""

    citing: bool = False
    family: bool = False


def targets(found: Candidate, following: Following) -> Iterator[str]:
    """The numbers a patent links to, each once, in the order listed; never its own."""
    own = (found.id, number_key(found.id))
    listed = [*found.cites]
    if following.citing:
        listed += found.citing
    if following.family:
        listed += found.relatives
    for number in dict.fromkeys(listed):
        if number not in own:
            yield number


def spelled(number: str) -> str:
    """A number normalised for remote sources; `""` if it is not a publication number."""
    try:
        parsed = parse_number(number)
    except BadNumber:
        return ""
    return "" if "/" in parsed.number else str(parsed)  # US10/755135 is an application, which has no page
