"""Parses what the USPTO's text formats share: names, countries, relatives, claims and citations as lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from foreart.document.claims import numbered_claim
from foreart.document.patent import Category, Claim
from foreart.identifiers.dates import iso_date
from foreart.identifiers.numbers import application_number
from foreart.sources.formats.st36 import publication_id

# Series codes by their first filing day (MPEP 503); designs have 29 since October 1992.
_SERIES = (
    ("1998-01-01", "09"),
    ("1993-01-01", "08"),
    ("1987-01-01", "07"),
    ("1979-01-01", "06"),
    ("1970-01-01", "05"),
    ("1960-01-01", "04"),
    ("1948-01-01", "03"),
    ("1935-01-01", "02"),
)
# Codes of the 1970s, before ISO and WIPO agreed.
_OLD_COUNTRIES = {"DT": "DE", "DL": "DD", "JA": "JP", "OE": "AT", "SW": "SE", "UK": "GB", "SF": "FI", "WI": "WO"}
_ACCENT = re.compile(r"(?<=[A-Za-z])/([A-Za-z])/ ?(?=[a-z]|$)")
_LATE = re.compile(
    r"(?:,\s*+|(?<!\s)\s*+)\b(?:deceased|late of\b.*|executors?|executrix|administrators?|administratrix|heirs?)\b.*$"
)
_PROVISIONAL = re.compile(r"\b(6[0-3])/(\d{3}),?\s?(\d{3})\b")
_PROVISIONAL_SERIES = re.compile(r"^US6[0-3]/")
_FILED = re.compile(
    r"\b(?:filed|dated)\s+(?:on\s+)?(?:or about\s+)?([A-Z][a-z]{2,8}\.?\s+\d{1,2},\s*\d{4}|\d{1,2}/\d{1,2}/\d{4})"
)


@dataclass(frozen=True, slots=True)
class Relative:
    """A related application: its number, its filing date, and the number of its publication or grant."""

    application: str = ""
    filed: str = ""
    publication: str = ""


def person(name: str) -> str:
    """A name with the given name first: `Ann B. Hall, Jr.` for `Hall, Jr.; Ann B.`; organisations unchanged."""
    flat = _ACCENT.sub(r"\1", " ".join(name.split()))
    family, semicolon, given = (part.strip() for part in flat.partition(";"))
    if not semicolon:
        return family
    return f"{_LATE.sub('', given)} {family}".strip()


def country(code: str) -> str:
    """The two-letter code for the three-character codes of the text files: `JPX`, `GB2`."""
    two = code.strip().upper()[:2]
    return _OLD_COUNTRIES.get(two, two)


def application(serial: str, *, series: str = "", filed: str = "") -> str:
    """The US application number from its serial number; a missing series code follows from the filing date."""
    text = serial.strip()
    if not text:
        return ""
    digits = re.sub(r"\D", "", text)
    if not digits or "PCT" in text.upper():
        return application_number(text, country="US")
    if "/" in text or len(digits) > 7:
        return application_number(_two_places(text) if "/" in text else digits, country="US")
    code = "29" if series.strip().upper() == "D" else series.strip().zfill(2) if series.strip() else series_of(filed)
    return application_number(code + digits[:6].zfill(6), country="US") if code else f"US{digits}"


def _two_places(text: str) -> str:
    series, _, serial = text.partition("/")
    return ("29" if series.strip().upper() == "D" else series.strip().zfill(2)) + re.sub(r"\D", "", serial).zfill(6)


def series_of(filed: str) -> str:
    """The series code of applications with this filing date; `""` if the date does not determine it."""
    if not filed or filed >= "2001-11-01":
        return ""
    return next((code for day, code in _SERIES if filed >= day), "")


def provisionals(text: str) -> list[Relative]:
    """The provisional applications that a cross-reference names; before 2001 they are given nowhere else.

    >>> provisionals("the benefit of U.S. Provisional Application No. 60/053,770, filed Jul. 25, 1997.")
    [Relative(application='US60/053770', filed='1997-07-25', publication='')]
    """
    if "rovisional" not in text and "PROVISIONAL" not in text:
        return []
    found: list[Relative] = []
    for match in _PROVISIONAL.finditer(text):
        date = _FILED.search(text, match.end(), match.end() + 160)
        number = application_number(f"{match[1]}{match[2]}{match[3]}", country="US")
        found.append(Relative(number, iso_date(date[1]) if date else ""))
    return found


def is_provisional(number: str) -> bool:
    """Whether an application number is that of a provisional application."""
    return _PROVISIONAL_SERIES.match(number) is not None


def priority_date(dates: Iterable[str], filed: str) -> str:
    """The earliest claimed date that is not after the filing date."""
    first = min((date for date in dates if date), default="")
    return first if not filed or first < filed else filed


def owners(names: Iterable[str]) -> tuple[str, ...]:
    """Distinct applicants and assignees, ignoring case; persons (`Park; Ann`) only if there is no company."""
    known = list({name.casefold(): name for name in reversed(list(names)) if name}.values())[::-1]
    companies = [name for name in known if ";" not in name]
    return tuple(person(name) for name in companies or known)


_CITED_BY = re.compile(r"(?<![\s,;])[\s,;]*+\bcited by (examiner|applicant|other|third party)\b\.?", re.IGNORECASE)
_CATEGORIES: dict[str, Category] = {"examiner": "examiner", "applicant": "applicant"}


def cited_by(text: str) -> tuple[str, Category]:
    """A citation without the words for the citing party, and the category they mean."""
    match = _CITED_BY.search(text)
    if not match:
        return text.strip(), "unknown"
    return (text[: match.start()] + text[match.end() :]).strip(), _CATEGORIES.get(match[1].lower(), "other")


_PRINTED = re.compile(r"^\[?\s*(\d{1,4})\s?[.)]\s*(?=\D)")
_RUN_IN = re.compile(r"\b(of|to|in|by|with|under)(claims? ?\d)")
_RUN_ON = re.compile(r"\b(claims? ?\d{1,4})([a-z]{2,})")
_CANCELED = re.compile(
    r"^(\d{1,4})\s*+\.?\s*+(?:-|\u2013|\bto\b|\bthrough\b)\s*+(\d{1,4})\s?\.?\s*+\(?\s*+cancel", re.IGNORECASE
)
_KIND = re.compile(r"^[A-Z]\d?$")
_DATE = re.compile(r"^(?:1[6-9]|20)\d\d(?:0\d|1[0-2])\d\d$")


def claims_of(lines: Iterable[str]) -> tuple[Claim, ...]:
    """Claims from lines: each starts where the next number is printed; lines without a number are its elements."""
    found: list[tuple[int, list[str]]] = []
    expected = 1
    for line in (_with_spaces(line) for line in lines):
        canceled, printed = _CANCELED.match(line), _PRINTED.match(line)
        number = int(printed[1]) if printed else 0
        if canceled and int(canceled[1]) >= expected:
            found.append((int(canceled[1]), [line]))
            expected = int(canceled[2]) + 1
        elif printed and (number == expected or (expected < number < expected + 100 and _is_closed(found))):
            found.append((number, [line[printed.end() :]]))
            expected = number + 1
        elif found and line:
            found[-1][1].append(line)
        elif line:
            found.append((1, [line]))
            expected = 2
    texts = ((number, "\n".join(part for part in parts if part)) for number, parts in _unmerged(found))
    return tuple(
        Claim(number, text) if _CANCELED.match(text) else numbered_claim(number, text) for number, text in texts if text
    )


def _with_spaces(line: str) -> str:
    """Restores the spaces around references to claims: `ofclaim 1further`."""
    flat = " ".join(line.split())
    return _RUN_ON.sub(r"\1 \2", _RUN_IN.sub(r"\1 \2", flat)) if "claim" in flat else flat


def _is_closed(found: list[tuple[int, list[str]]]) -> bool:
    return not found or found[-1][1][-1][-1:] in (".", ")", "]", "")


def _unmerged(found: list[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    """Splits claims where a number is missing: it may be inside the claim before, because scans lose line breaks."""
    successors = [number for number, _ in found[1:]] + [0]
    for (number, parts), following in zip(found, successors, strict=False):
        current, text = number, "\n".join(parts)
        while current + 1 < following and not _CANCELED.match(text):
            inner = re.search(rf"(?<=[.;])\s+{current + 1}\s?\.\s+(?=[A-Z])", text)
            if not inner:
                break
            yield current, [text[: inner.start()]]
            current, text = current + 1, text[inner.end() :]
        yield current, [text]


def cited_patent(text: str, country_code: str = "") -> str:
    """The number in a line that describes a cited patent: `JP A-10-229296 19980800`, `4006340 19770200 Gorinas`.

    The number ends where a kind code, a date or a name starts; office, kind, date and name may each be missing.
    """
    tokens = text.split()
    office = country_code
    if tokens and len(tokens[0]) == 2 and tokens[0].isalpha() and tokens[0].isupper():
        office = tokens.pop(0)
    number, kind = "", ""
    for token in tokens:
        if token == office and not number:
            continue
        if number and (_DATE.match(token) or not any(char.isdigit() for char in token) or _KIND.match(token)):
            kind = token if _KIND.match(token) else ""
            break
        number += token
    if office and number.startswith(office):
        number = number[len(office) :].lstrip("-")
    if not any(char.isdigit() for char in number):
        return ""
    return publication_id(f"{office}-" if re.match(r"[A-Z]\d?-\d", number) else office, number, kind)
