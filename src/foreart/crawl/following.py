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


def targets(document: Candidate, following: Following) -> Iterator[str]:
    """The distinct numbers a patent links to, in the order listed, without its own."""
    own = (document.id, number_key(document.id))
    listed = [*document.cites]
    if following.citing:
        listed += document.citing
    if following.family:
        listed += document.relatives
    for number in dict.fromkeys(listed):
        if number not in own:
            yield number


def normalised(number: str) -> str:
    """A number normalised for remote sources; `""` if it is not a publication number."""
    try:
        parsed = parse_number(number)
    except BadNumber:
        return ""
    return "" if "/" in parsed.number else str(parsed)  # US10/755135 is an application, which has no page
