"""One spelling for each publication number, whatever the office, site or attorney wrote."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from foreart.errors import BadNumber

# Number series of the US that carry letters: design, plant, reissue, statutory invention, defensive, improvement, X.
_US_SERIES = "PP|RE|RX|AI|D|H|T|X"
_KIND = r"[A-Z]\d?"
_WORDS = re.compile(
    r"\b(?:PATENTS?|PAT|PUBLICATION|PUBL?|APPLICATION|APPLN?|NUMBER|NOS?|NR|SERIAL|SER)\b\.?", re.IGNORECASE
)
_NOISE = re.compile(r"[\s,.'\u2019\u00a0\u2009\u202f_]+")
_DASHES = re.compile(r"[\u2010-\u2015\u2212]")
_MIDDLE_KIND = re.compile(rf"^([A-Z]{{2}})-({_KIND})-(.+)$")
_WHOLE = re.compile(rf"^([A-Z]{{2}})-?([A-Z]{{0,3}}\d[\d/-]*?)-?({_KIND})?$")
_US_WITHOUT_COUNTRY = re.compile(rf"^(?:{_US_SERIES})\d")
_APPLICATION = re.compile(r"^(\d{2})/(\d{6})$")


@dataclass(frozen=True, slots=True)
class Number:
    """A publication number in its parts, already in the one spelling."""

    country: str
    number: str
    kind: str = ""

    def __str__(self) -> str:
        return f"{self.country}{self.number}{self.kind}"

    @property
    def key(self) -> str:
        """What two spellings of one document share: no kind code, no leading zeros."""
        if not self.country:
            return self.number
        letters = re.match(r"[A-Z]*", self.number)
        head = letters.group() if letters else ""
        return f"{self.country}{head}{self.number[len(head) :].lstrip('0') or '0'}"


@lru_cache(maxsize=65536)
def parse_number(text: str, *, country: str = "") -> Number:
    """The parts of a publication number; `country` is taken where the text names none.

    >>> str(parse_number("US 7,585,299 B2"))
    'US7585299B2'
    >>> str(parse_number("WO 96/25012"))
    'WO1996025012'
    """
    cleaned = _WORDS.sub(" ", _DASHES.sub("-", text.strip().replace("U.S.", "US")))
    cleaned = _NOISE.sub("", cleaned).upper().strip("-/#:;")
    if _US_WITHOUT_COUNTRY.match(cleaned):
        cleaned = "US" + cleaned
    elif country and cleaned[:1].isdigit():
        cleaned = country.upper() + cleaned
    middle = _MIDDLE_KIND.match(cleaned)
    if middle:  # EP-A2-1186247: the kind code stands before the number in search reports
        cleaned = f"{middle[1]}{middle[3]}" + ("" if _ends_in_kind(middle[3]) else middle[2])
    whole = _WHOLE.match(cleaned)
    if not whole:
        raise BadNumber(f"{_short(text)} is not a publication number; one looks like US7585299B2 or EP1000000A1")
    office, body, kind = whole[1], whole[2].strip("-/"), whole[3] or ""
    return Number(office, _body(office, body), kind)


def normalise(text: str, *, country: str = "") -> str:
    """The one spelling of a publication number, with its kind code where it is known."""
    return str(parse_number(text, country=country))


def loose_number(text: str) -> Number:
    """The parts of a publication number, or a free id as it is: research collections number documents as they like."""
    try:
        return parse_number(text)
    except BadNumber:
        return Number("", text.strip())


def number_key(text: str) -> str:
    """What matching compares: country and number without kind code and leading zeros; a free id as it is."""
    return loose_number(text).key


def application_number(text: str, *, country: str) -> str:
    """The one spelling of an application number; US ones as series/serial, `US10/755135`.

    The slash keeps it apart from publication numbers: US10755135 is also a granted patent.
    """
    cleaned = _NOISE.sub("", _DASHES.sub("-", text)).upper()
    if cleaned.startswith("PCT"):
        return cleaned
    office = country.upper()
    if office and cleaned.startswith(office):
        cleaned = cleaned[len(office) :]
    if office == "US":
        digits = re.sub(r"[^\d]", "", cleaned)
        if len(digits) == 8 and "PCT" not in cleaned:
            return f"US{digits[:2]}/{digits[2:]}"
        if digits and len(digits) <= 6 and cleaned.isdigit():
            return f"US{digits}"
    return office + cleaned.replace("-", "")


def _ends_in_kind(body: str) -> bool:
    return re.search(rf"\d{_KIND}$", body) is not None


def _body(office: str, body: str) -> str:
    """The number proper, in the spelling of its office."""
    if office == "WO":
        return _wo_body(body)
    if _APPLICATION.match(body):
        return body
    body = re.sub(r"[/-]", "", body)
    series = re.match(rf"({_US_SERIES})0*(\d+)$", body) if office == "US" else None
    if series:
        return series[1] + series[2]
    if not body.isdigit():
        return body
    if office == "US" and re.match(r"(19|20)\d{8}$", body):  # DOCDB writes the serial with six digits
        return f"{body[:4]}0{body[4:]}"
    bare = body.lstrip("0") or "0"
    return bare.zfill(7) if office == "EP" else bare


def _wo_body(body: str) -> str:
    """WO numbers as year and six digits: `96/25012`, `9625012` and `1996/025012` are one document."""
    digits = re.sub(r"[/-]", "", body)
    long = re.match(r"(19[7-9]\d|20\d\d)/?-?(\d{5,6})$", body) if "/" in body or len(digits) >= 10 else None
    if long:
        return long[1] + long[2].zfill(6)
    short = re.match(r"(\d\d)[/-]?(\d{5,6})$", body)
    if short:
        return ("19" if int(short[1]) >= 78 else "20") + short[1] + short[2].zfill(6)
    return digits


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return repr(flat if len(flat) <= 40 else flat[:37] + "...")
