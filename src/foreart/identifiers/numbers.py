"""Normalises publication and application numbers, as offices, sites and attorneys write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from foreart.errors import BadNumber

# US number series with letters: design, plant, reissue, statutory invention, defensive, improvement, X.
_US_SERIES = "PP|RE|RX|AI|D|H|T|X"
_KIND = r"[A-Z]\d?"
_WORDS = re.compile(
    r"\b(?:PATENTS?|PAT|PUBLICATION|PUBL?|APPLICATION|APPLN?|NUMBER|NOS?|NR|SERIAL|SER)\b\.?", re.IGNORECASE
)
_NOISE = re.compile(r"[\s,.'\u2019\u00a0\u2009\u202f_]+")
_DASHES = re.compile(r"[\u2010-\u2015\u2212]")
_MIDDLE_KIND = re.compile(rf"^([A-Z]{{2}})-({_KIND})-(.+)$")
_PLAIN = re.compile(rf"([A-Z]{{2}})(\d+)({_KIND})?$")
_WHOLE = re.compile(rf"^([A-Z]{{2}})[-/]?([A-Z]{{0,3}}\d[\d/-]*?)-?({_KIND})?$")
_US_WITHOUT_COUNTRY = re.compile(rf"^(?:{_US_SERIES})\d")
_APPLICATION = re.compile(r"^(\d{2})/(\d{6})$")
# Application numbers of these offices end in a check digit, which half of all sources leave out.
_CHECK_DIGIT = re.compile(r"\s?\.\s?[\dXx]\s*$")
_WITH_CHECK_DIGIT = ("CN", "DE", "EP")
_PCT_EPODOC = re.compile(r"^WO(\d{4})([A-Z]{2})0*(\d{1,6})$")


@dataclass(frozen=True, slots=True)
class Number:
    """The parts of a normalised publication number."""

    country: str
    number: str
    kind: str = ""

    def __str__(self) -> str:
        return f"{self.country}{self.number}{self.kind}"

    @property
    def key(self) -> str:
        """The key for matching: without kind code and leading zeros."""
        if not self.country or "/" in self.number:  # a free id, or an application number
            return f"{self.country}{self.number}"
        letters = re.match(r"[A-Z]*", self.number)
        head = letters.group() if letters else ""
        return f"{self.country}{head}{self.number[len(head) :].lstrip('0') or '0'}"


@lru_cache(maxsize=65536)
def parse_number(text: str, *, country: str = "") -> Number:
    """The parts of a publication number; `country` is the default if the text has none.

    >>> str(parse_number("US 7,585,299 B2"))
    'US7585299B2'
    >>> str(parse_number("WO 96/25012"))
    'WO1996025012'
    """
    plain = _PLAIN.match(text)
    if plain:  # the fast path: most files write numbers this way
        return Number(plain[1], _body(plain[1], plain[2]), plain[3] or "")
    cleaned = _WORDS.sub(" ", _DASHES.sub("-", text.strip().replace("U.S.", "US")))
    cased = _NOISE.sub("", cleaned).strip("-/#:;")
    cleaned = cased.upper()
    if _US_WITHOUT_COUNTRY.match(cleaned):
        cleaned = "US" + cleaned
    elif country and cleaned[:1].isdigit():
        cleaned = country.upper() + cleaned
    middle = _MIDDLE_KIND.match(cleaned)
    if middle:  # EP-A2-1186247: search reports put the kind code before the number
        cleaned = f"{middle[1]}{middle[3]}" + ("" if _ends_in_kind(middle[3]) else middle[2])
    whole = _WHOLE.match(cleaned)
    if not whole:
        raise BadNumber(f"{_short(text)} is not a publication number; one looks like US7585299B2 or EP1000000A1")
    office, body, kind = whole[1], whole[2].strip("-/"), whole[3] or ""
    if office != "US" and body[0].isalpha() and not cased[:3].isupper():  # JPH0512345 is one, doc12345 is not
        raise BadNumber(f"{_short(text)} is not a publication number; one looks like US7585299B2 or EP1000000A1")
    return Number(office, _body(office, body), kind)


def normalise(text: str, *, country: str = "") -> str:
    """A publication number in normal form, with its kind code if it is known."""
    return str(parse_number(text, country=country))


def loose_number(text: str) -> Number:
    """The parts of a publication number, or a free id unchanged: research collections have ids of their own."""
    try:
        return parse_number(text)
    except BadNumber:
        return Number("", text.strip())


def number_key(text: str) -> str:
    """The key for matching: country and number without kind code and leading zeros; a free id unchanged."""
    return loose_number(text).key


def application_number(text: str, *, country: str) -> str:
    """An application number in normal form; US ones as series/serial, `US10/755135`.

    The slash distinguishes it from publication numbers: US10755135 is also a granted patent. Check digits are dropped.
    """
    if country.upper() in _WITH_CHECK_DIGIT:
        text = _CHECK_DIGIT.sub("", text)
    cleaned = _NOISE.sub("", _DASHES.sub("-", text)).upper()
    if cleaned.startswith("PCT"):
        return cleaned
    office = country.upper()
    if office and cleaned.startswith(office):
        cleaned = cleaned[len(office) :]
    if office == "US":
        provisional = re.match(r"(?:19|20)\d\d(6\d)(\d{6})-?P$", cleaned.lstrip("-"))
        if provisional:  # DOCDB writes the year before the number, US201161565678P
            return f"US{provisional[1]}/{provisional[2]}"
        digits = re.sub(r"[^\d]", "", cleaned)
        if len(digits) == 8 and "PCT" not in cleaned:
            return f"US{digits[:2]}/{digits[2:]}"
        if len(digits) == 12 and digits[:2] in ("19", "20"):  # DOCDB writes the year before series and serial
            return f"US{digits[4:6]}/{digits[6:]}"
        if digits and len(digits) <= 6 and cleaned.isdigit():
            return f"US{digits}"
    return office + cleaned.replace("-", "")


def docdb_application(number: str, *, country: str, kind: str = "") -> str:
    """The normal form of an application number in DOCDB format, as in DOCDB, OPS and MAREC.

    >>> docdb_application("2013064552", country="US", kind="W"), docdb_application("56964009", country="US", kind="A")
    ('PCT/US2013/064552', 'US56964009')
    """
    plain = re.sub(r"\D", "", number)
    if kind.upper() == "W" and len(plain) in (7, 10):
        return f"PCT/{country.upper()}{plain[:-6]}/{plain[-6:]}" if len(plain) == 10 else _early_pct(country, plain)
    if country.upper() == "US" and len(plain) == 8 and plain == number.strip():
        if kind.upper() == "P" and (plain[6:] >= "95" or plain[6:] <= "06"):
            return f"US60/{plain[:6]}"  # provisionals began in 1995, and their second series in 2007
        return f"US{plain}"  # six digits of serial and two of the year: the series is unknown
    return application_number(number, country=country)


def epodoc_application(number: str) -> str:
    """The normal form of an application number in EPODOC format, which starts with office and year.

    >>> epodoc_application("US201213547826"), epodoc_application("WO2002US36644")
    ('US13/547826', 'PCT/US02/36644')
    """
    flat = "".join(number.split()).upper()
    pct = _PCT_EPODOC.match(flat)
    if pct and int(pct[1]) >= 2004:
        return f"PCT/{pct[2]}{pct[1]}/{pct[3].zfill(6)}"
    if pct:
        return _early_pct(pct[2], pct[1][2:] + pct[3].zfill(5))
    return application_number(flat, country=flat[:2])


def _early_pct(country: str, digits: str) -> str:
    return f"PCT/{country.upper()}{digits[:2]}/{digits[2:]}"


def _ends_in_kind(body: str) -> bool:
    return re.search(rf"\d{_KIND}$", body) is not None


def _body(office: str, body: str) -> str:
    """The number without country and kind, normalised by the rules of its office."""
    if office == "WO":
        return _wo_body(body)
    if office == "US" and _APPLICATION.match(body):
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
    """A WO number as year and six digits: `96/25012`, `9625012` and `1996/025012` are the same document."""
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
