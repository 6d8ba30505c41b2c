"""Normalises names of people and companies in registers: surname first, followed by country and title."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from foreart.identifiers.parties import folded_name, folded_names

_COUNTRY = re.compile(r"(?<!\s)\s*+\[[A-Z]{2}\]\s*+$")
_TITLE = re.compile(r"^(?:(?:dr|prof|dipl|ing|mag|ir|phys|chem|univ|h\.c)\b[.-]?\s?){1,6}", re.IGNORECASE)
_SUFFIX = re.compile(r"^(?:jr|sr|ii|iii|iv)\.?$", re.IGNORECASE)
_NOT_NAMED = re.compile(
    r"\b(?:designation of the inventor|not yet been filed|inventor.{0,40}\bwaived)\b", re.IGNORECASE
)


def printed_name(name: str) -> str:
    """The name without country (`[NL]`), stray commas and entities that were escaped twice (`&amp;`)."""
    flat = " ".join((html.unescape(name) if "&" in name else name).split())
    return _COUNTRY.sub("", flat).strip(" ,;")


def given_first(name: str) -> str:
    """A person's name, given name first; unchanged without a comma, because the end of the surname is unknown.

    >>> given_first("KOSMAN, WILHELMUS JACOBUS"), given_first("Schmidt, Hans, Dr."), given_first("FANG HOWARD L [US]")
    ('WILHELMUS JACOBUS KOSMAN', 'Dr. Hans Schmidt', 'FANG HOWARD L')
    """
    plain = printed_name(name)
    if _NOT_NAMED.search(plain):
        return ""
    family, *rest = [part.strip() for part in plain.split(",") if part.strip()] or [""]
    titles = [part for part in rest if (title := _TITLE.match(part)) and title.end() == len(part)]
    suffixes = [part for part in rest if _SUFFIX.match(part)]
    given = [part for part in rest if part not in titles and part not in suffixes]
    return " ".join((*titles, *given, family, *suffixes))


def people(names: Iterable[str]) -> tuple[str, ...]:
    """Distinct inventors, given name first; case is ignored."""
    return _once(given_first(name) for name in names)


def owners(names: Iterable[str], inventors: Iterable[str]) -> tuple[str, ...]:
    """Applicants that are not inventors; if there are no others, the inventors who applied."""
    printed = [printed_name(name) for name in names]
    named = folded_names(map(printed_name, inventors))
    companies = _once(name for name in printed if folded_name(name) not in named)
    return companies or people(printed)


def _once(names: Iterable[str]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for name in names:
        if name:
            found.setdefault(name.casefold(), name)
    return tuple(found.values())
