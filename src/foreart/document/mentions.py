"""Finds and normalises patent numbers in running text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from foreart.errors import BadNumber
from foreart.identifiers.numbers import application_number, normalise

Kind = Literal["publication", "application"]

_SP = r"[\s\u00a0\u2009\u202f]"
_DASH = r"[-\u2010-\u2014]"
_KIND = r"(?:[\s/-]?[ABCTUSYE][1-9]?(?![\w'’]|\.\w))?"
# By office: its names, the codes before its numbers, and the formats of those numbers.
_US_SHAPE = (
    rf"20[0-4]\d(?:\s?[/-]\s?\d{{6,7}}|{_SP}\d{{7}})|20[0-4]\d0?\d{{6}}|\d{{1,2}}[,.'’]\s?\d{{3}}[,.'’]\s?\d{{3}}"
    rf"|(?:1[0-2]|\d){_SP}\d{{3}}{_SP}\d{{3}}|\d{{7,8}}"
    r"|(?:RE|Re\.?|D|Des\.?|PP|H)\s?\d{1,3},?\d{3}|\d,\d{3}(?=\s+[Tt]o\b)"
)
_DE_SHAPE = (
    rf"[12]0{_SP}?(?:19|20)\d\d{_SP}?\d{{3}}{_SP}?\d{{3}}(?:\.\d)?|\d{{1,3}}{_SP}\d\d{_SP}\d{{3}}(?:\.\d)?"
    rf"|\d{{1,3}}{_SP}\d{{3}}{_SP}\d{{3}}|\d{{1,2}}[.,]\d{{3}}[.,]\d{{3}}|\d{{7,8}}"
)
_JP_SHAPE = (
    rf"(?:19|20)\d\d{_SP}?(?:{_DASH}|/){_SP}?\d{{1,6}}|(?:19|20)\d{{8}}|(?:H|S|R|Hei|Sho|HEI"
    rf"|SHO)[-.\s]?{_SP}?\d{{1,2}}{_SP}?(?:{_DASH}|/){_SP}?\d{{2,6}}"
    rf"|[HS]\d{{7,8}}|\d{{1,2}}{_SP}?{_DASH}{_SP}?\d{{3,6}}|\d{{7}}|\d,\d{{3}},\d{{3}}"
)
_PLAIN_SHAPE = (
    rf"\d{{1,3}}(?:{_SP}\d{{3}}){{2,3}}|\d{{1,3}}(?:[,.]\d{{3}}){{1,3}}|\d{{2,4}}/\d{{5,6}}|\d{{6,13}}(?:\.\d(?!\d))?"
)
_OFFICES: dict[str, tuple[str, str, str]] = {
    "EP": (
        r"European|EPO|[Ee]uropäische[nrs]?",
        r"EP[OB]?",
        rf"\d{_SP}?\d{{3}}{_SP}?\d{{3}}|\d[.,]\d{{3}}[.,]\d{{3}}|\d{{3}}{_SP}?\d{{3}}",
    ),
    "WO": (
        r"PCT|International|[Ii]nternationale[nrs]?|WIPO",
        r"WO",
        r"(?:19[7-9]\d|20\d\d)\s?[/-]?\s?\d{5,6}|\d\d\s?[/-]\s?\d{5,6}|[089]\d{6}",
    ),
    "DE": (r"German|[Dd]eutsche[nrs]?|DT", r"D[ET](?:\s?[-/]?\s?(?:OS|PS|AS|GM|GbM|GBM|Gbm))?", _DE_SHAPE),
    "JP": (r"Japanese|Japan\.?|[Jj]apanische[nrs]?|JPO?", r"JP", _JP_SHAPE),
    "GB": (r"British|U\.?K\.?|United\s+Kingdom|Great\s+Britain|[Bb]ritische[nrs]?", r"GB", _PLAIN_SHAPE),
    "FR": (r"French|[Ff]ranzösische[nrs]?", r"FR", _PLAIN_SHAPE),
    "CN": (r"Chinese|China", r"CN", _PLAIN_SHAPE),
    "KR": (r"Korean?", r"KR", rf"[12]0{_DASH}?(?:19|20)\d\d{_DASH}?\d{{7}}|10{_DASH}\d{{6,7}}|{_PLAIN_SHAPE}"),
    "CA": (r"Canadian|Canada", r"CA", _PLAIN_SHAPE),
    "AU": (r"Australian?", r"AU", _PLAIN_SHAPE),
    "CH": (r"Swiss|[Ss]chweizer(?:ische[nrs]?)?", r"CH", _PLAIN_SHAPE),
    "AT": (r"Austrian|[Öö]sterreichische[nrs]?", r"AT", _PLAIN_SHAPE),
    "TW": (r"Taiwan(?:ese)?", r"TW", rf"I\d{{6}}|{_PLAIN_SHAPE}"),
    "RU": (r"Russian", r"RU", _PLAIN_SHAPE),
    "SU": (r"Soviet", r"SU", _PLAIN_SHAPE),
    "NL": (r"Dutch|Netherlands", r"NL", _PLAIN_SHAPE),
    "SE": (r"Swedish", r"SE", _PLAIN_SHAPE),
    "US": (
        r"U\.?\s?S\.?(?:\s?A\.)?|United\s+States(?:\s+of\s+America)?|American|US-?amerikanische[nrs]?",
        r"US",
        _US_SHAPE,
    ),
}  # fmt: skip
_PATENT = (
    r"(?i:patent\w*|pats?\b|publications?\b|publ?s?\b|laid|kokai|kokoku|offenlegung\w*|auslege\w*|gebrauchsmuster\w*"
    r"|anmeldung\w*)"
)
_FILL = (
    r"(?i:\b(?:patent\w*|pats?|publications?|publ?s?|published|applications?|appl?s?|appln|pre-?grant|granted"
    r"|unexamined|examined|utility"
    r"|models?|laid|open|disclosures?|kokai|kokoku|reissued?|design|specifications?|documents?|serial|ser|nos?|nr"
    r"|numbers?|num|hei|sho"
    r"|offenlegung\w*|auslege\w*|gebrauchsmuster\w*|anmeldung\w*|mit|der|den|und|and|the|dem|veröffentlichungs\w*"
    r"|issued|under)\b\.?"
    r"|[\s:#(,°/-])*"
)
_WELL_KNOWN = ("US", "EP", "WO", "DE", "JP")
# Codes of the other offices are also words, places and databases: alone they need seven digits or a kind code.
_UNMISTAKABLE = re.compile(r"\d{7}|\d[A-Z]\d?$")
# Application numbers of these offices look like publication numbers.
_FILED_ALIKE = ("JP", "KR", "CN", "TW", "GB", "AU", "FR")
_IS_FILED = re.compile(
    r"^(?!.*(?:publi|laid|open|kokai|kokoku|examined|grant)).*(?:appl|anmeldung)", re.IGNORECASE | re.DOTALL
)
_SERIES = re.compile(
    r"(?:\bU\.?\s?S\.?|\bSer(?:ial|\.)?\s*Nos?\.?|\b[Aa]pplications?\b|\bAppl?n?\.)[^.;\n]{0,60}?(?:Nos?\.?"
    r"|Numbers?)?\s*+"
    r"(?<![\d/])((?:0[1-9]|[1-3]\d|6[0-4]|29)\s?/\s?\d{3}[,.]?\d{3})(?!\d)"
)
_PCT = re.compile(r"\bPCT\s?/\s?([A-Z]{2})\s?(\d{4}|\d{2})\s?/\s?(\d{5,6})\b")
# US patents named without their office; the commas distinguish them from other seven-digit numbers.
_BARE = re.compile(r"\b(?:[Pp]atents?|[Pp]ats?\.?|PATENTS?)\s*(?:[Nn](?:os?|umbers?)\.?)\s*(?=\d{1,2},\d{3},\d{3})")


# Patterns are compiled on first use: they are large, and most processes read no draft.
@cache
def _lead(office: str) -> re.Pattern[str]:
    """The text before the numbers of an office."""
    names, code, _ = _OFFICES[office]
    direct = (
        rf"(?<![\w/]){code}(?:\s?{_DASH}\s?[ABCUTY][1-9]?(?=[\s\u2010-\u2014-]))?\s?{_DASH}?{_SP}?"
        r"(?=\d|[HSR]|RE|PP|D\d)"
    )
    named = (
        rf"(?<![\w/])(?:{names}|{code})(?=\W)\W{{0,3}}(?={_FILL}{_PATENT}){_FILL}"
        rf"(?:{code}{_FILL}(?:[ABU][1-9]?\s?{_DASH}\s?)?)?"
    )
    return re.compile(rf"(?:(?P<direct>{direct})|{named})")


@cache
def _shape(office: str) -> re.Pattern[str]:
    """One number of an office."""
    return re.compile(rf"(?:{_OFFICES[office][2]})(?![\d%]|[.,/]\d){_KIND}")


@cache
def _next(office: str) -> re.Pattern[str]:
    """The text between two numbers of an office in a list."""
    code = rf"{_OFFICES[office][1]}(?:{_DASH}[AB][1-9]?{_DASH})?\s?{_DASH}?\s?"
    # After a semicolon the office code is required, else the number is something else.
    return re.compile(
        rf"(?:\s*(?:,|&|/|\band\b|\bor\b|\bund\b|\boder\b|\bsowie\b))+\s*(?:{code}|Nos?\.?\s*)?|\s*;\s*(?:and\s+)?{code}"
    )


@cache
def _anchor() -> re.Pattern[str]:
    """Matches the name of any office; the exact patterns are tried only there."""
    offices = "|".join(rf"(?P<{office}>{names}|{code})" for office, (names, code, _) in _OFFICES.items())
    return re.compile(rf"(?<![\w/])(?=[A-ZÖ]|deu|eur|jap|int|bri|fra|sch|öst)(?:{offices})")


@dataclass(frozen=True, slots=True)
class Mention:
    """A number as printed, its span, and its normalised form; `application` numbers are not publications."""

    printed: str
    number: str
    start: int
    end: int
    kind: Kind = "publication"


def mentions(text: str) -> tuple[Mention, ...]:
    """The patents that a text mentions, in order; lengths, telephone numbers and amounts are skipped.

    >>> [item.number for item in mentions("See US 5,123,456 and EP 1 234 567 B1; 1,234,567 cells of 10 mm.")]
    ['US5123456', 'EP1234567B1']
    """
    covered: dict[int, Mention] = {}
    for found in (*_applications(text), *_publications(text)):
        if not any(offset in covered for offset in range(found.start, found.end)):
            covered.update(dict.fromkeys(range(found.start, found.end), found))
    return tuple(sorted(set(covered.values()), key=lambda item: item.start))


def _publications(text: str) -> Iterator[Mention]:
    ends: dict[str, int] = {}
    for anchor in _anchor().finditer(text):
        office = anchor.lastgroup or ""
        # Inside a list that has already been read: reading it again from each entry would take quadratic time.
        if anchor.start() < ends.get(office, 0):
            continue
        found = _lead(office).match(text, anchor.start())
        if found:
            sure = found["direct"] is None or office in _WELL_KNOWN
            filed = office in _FILED_ALIKE and _IS_FILED.search(found[0]) is not None
            for mention in _listed(text, office, found.end(), sure=sure, filed=filed):
                ends[office] = mention.end
                yield mention
    for found in _BARE.finditer(text):
        yield from _listed(text, "US", found.end())


def _listed(text: str, office: str, start: int, *, sure: bool = True, filed: bool = False) -> Iterator[Mention]:
    """The number at offset `start`, and those listed after it."""
    shape = _shape(office)
    found = shape.match(text, start)
    while found:
        printed = found[0].rstrip()
        try:
            number = normalise(_spelling(printed, office), country=office)
        except BadNumber:
            return
        if not _possible(number) or not (sure or _UNMISTAKABLE.search(number)):
            return
        kind: Kind = "application" if filed else "publication"
        yield Mention(printed, number, found.start(), found.start() + len(printed), kind)
        between = _next(office).match(text, found.end())
        found = shape.match(text, between.end()) if between else None


def _applications(text: str) -> Iterator[Mention]:
    for found in _SERIES.finditer(text):
        number = application_number(re.sub(r"[\s,.]", "", found[1]), country="US")
        yield Mention(found[1], number, *found.span(1), "application")
    for found in _PCT.finditer(text):
        serial = found[3].zfill(6) if len(found[2]) == 4 else found[3]
        yield Mention(found[0], f"PCT/{found[1]}{found[2]}/{serial}", *found.span(), "application")


def _spelling(printed: str, office: str) -> str:
    """A spelling that `normalise` understands: Japanese era years as the offices write them, series without dots."""
    flat = re.sub(rf"{_SP}+", "", printed)
    if office == "JP":
        era = re.match(r"(?:([HSR])(?:ei|ho|EI|HO)?[-.]?)?(\d{1,2})[-\u2010-\u2014/](\d{2,6})(\D\d?)?$", flat)
        if era:  # without a letter, small years are Heisei (from 1989), large ones Showa
            letter = era[1] or ("H" if int(era[2]) <= 31 else "S")
            return f"JP{letter}{int(era[2]):02d}{era[3].zfill(6)}{era[4] or ''}"
        year = re.match(r"((?:19|20)\d\d)[-\u2010-\u2014/](\d{1,6})(\D\d?)?$", flat)
        if year:
            return f"JP{year[1]}{year[2].zfill(6)}{year[3] or ''}"
    if office == "US":
        flat = re.sub(r"^Des\.?", "D", re.sub(r"^Re\.?", "RE", flat))
    if office in ("DE", "CN", "GB"):
        flat = re.sub(r"\.\d(?=[A-Z]|$)", "", flat)  # a check digit
    return office + (flat if office in ("US", "WO") else re.sub(r"[.,'\u2010-\u2014/-]", "", flat))


def _possible(number: str) -> bool:
    """Whether the number has a length and year that its office uses."""
    digits = re.sub(r"\D", "", re.sub(r"(?<=\d)[A-Z]\d?$", "", number[2:]))
    if number.startswith("EP"):
        return len(digits) == 7
    if number.startswith("WO"):
        return len(digits) == 10 and 1978 <= int(digits[:4]) <= 2050
    if number.startswith("US"):
        return len(digits) <= 8 or (len(digits) == 11 and 2001 <= int(digits[:4]) <= 2050)
    return len(digits) >= 5
