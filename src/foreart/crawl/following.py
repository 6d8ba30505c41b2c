"""Where a kept patent leads: what it cites, on request what cites it and the rest of its family."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from foreart.crawl.candidate import Candidate
from foreart.errors import BadNumber
from foreart.identifiers.numbers import number_key, parse_number

MALFORMED = "no publication number"


@dataclass(frozen=True, slots=True)
class Following:
    """What is followed besides the citations that a patent makes."""

    citing: bool = False
    family: bool = False


def targets(found: Candidate, following: Following) -> Iterator[str]:
    """The numbers a patent leads to, each once, in the order in which it lists them; never itself."""
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
    """The one spelling of a number that a source in the network can be asked for; `""` for what is none."""
    try:
        parsed = parse_number(number)
    except BadNumber:
        return ""
    return "" if "/" in parsed.number else str(parsed)  # US10/755135 is an application, of which no page is made
