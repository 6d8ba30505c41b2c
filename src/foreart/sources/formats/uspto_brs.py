"""USPTO search-system text (CSS, BRS): grants and applications, with a field code on each line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from foreart.document.paragraphs import numbered, under_headings
from foreart.document.patent import Citation, Literature, Paragraph, Patent, Position, Symbol, Value
from foreart.errors import BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import application_number, parse_number
from foreart.identifiers.symbols import class_symbol, locarno_symbol, uspc_symbol
from foreart.sources.formats import st36, uspto_text
from foreart.sources.formats.uspto import publication_status
from foreart.sources.formats.uspto_text import Relative
from foreart.sources.markup.dotcodes import readable
from foreart.sources.markup.xml import as_utf8
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.record_splitting import split
from foreart.sources.opening.stream import Stream
from foreart.sources.reader import Reader

_MARK = b"*** BRS DOCUMENT BOUNDARY ***"
_BOUNDARY = re.compile(re.escape(_MARK))
# Before each boundary are the index line of the next document (number, kind, date, application, size) and its title.
_INDEX = re.compile(r"^[A-Z0-9]{3,14}\t[A-Z]\d?\t\d{8}\t")
_FIELD = re.compile(r"^([A-Z][A-Z0-9]{1,4})(?: (.*)|\s*)$")
_EMPTY = ("", "N/A", "None", "NONE")

_ABSTRACT = ("ABPR", "ABTX", "ABTL", "ABEQ", "ABFN", "AB")
_CLAIMS = ("CLPR", "CLTX", "CLTL", "CLEQ", "CLFN", "DCPR", "DCTX", "DCTL", "DCEQ", "DCFN", "DCLM", "CLM")
_RELATED = ("PCTX", "PCPR", "PCTL", "PARN", "CRTX")
_DESCRIPTION = (
    *_RELATED, "PCEQ", "PCFN", "GOTX", "GOPR", "GOTL", "GOEQ", "GOFN", "GOVH", "BSTX", "BSPR", "BSTL", "BSEQ", "BSFN",
    "BSUM", "BGTX", "BGTL", "DRTX", "DRPR", "DRTL", "DREQ", "DRFN", "DRWD", "CHNL", "DETX", "DEPR", "DETL", "DEEQ",
    "DEFN", "DETD", "LPAR", "SQTX", "SQPR",
)  # fmt: skip
_POSITIONS: dict[str, Position] = {"F": "first", "L": "later"}
_VALUES: dict[str, Value] = {"I": "inventive", "A": "additional", "N": "additional"}

Fields = list[tuple[str, list[str]]]


def _sniff(head: bytes, name: str) -> bool:
    return _MARK in head


def _split(stream: Stream) -> Iterator[RawRecord]:
    return split(stream, _BOUNDARY, opens=b"***")


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one document; none for the index line before the first."""
    text = as_utf8(data, "cp1252").decode("utf-8", "replace")
    if not data.lstrip().startswith(_MARK):
        if _INDEX.match(text.lstrip()):
            return
        raise BadRecord("no document boundary")
    fields = list(_fields(text))
    identity = _identity(fields)
    filed = iso_date(_first(fields, "AFD", "APD", "AD", "FD"))
    relatives = list(_relatives(fields))
    serial = _first(fields, "APP", "APNR", "APSN", "ARD", "APN")
    own = uspto_text.application(serial, series=_first(fields, "SRC"), filed=filed)
    claimed = list(_foreign(fields))
    yield Patent(
        id=identity,
        title=readable(_first(fields, "TTL", "TI")),
        abstract="\n".join(_lines(fields, _ABSTRACT)),
        claims=uspto_text.claims_of(_lines(fields, _CLAIMS)),
        description=under_headings(_description(fields)),
        published=iso_date(_first(fields, "GISD", "ISD", "PGPD", "PD")),
        filed=filed,
        priority=uspto_text.priority_date([item.filed for item in (*claimed, *relatives)], filed),
        cpc=_cpc(fields),
        ipc=_ipc(fields),
        uspc=_uspc(fields),
        locarno=st36.unique(locarno_symbol(text) for text in _all(fields, "LOCC", "LOC")),
        applicants=uspto_text.owners((*_all(fields, "AANM"), *_all(fields, "ASNM", "ASNP"))),
        inventors=st36.unique(uspto_text.person(name) for name in _all(fields, "INNM") or _all(fields, "INV", "IN")),
        citations=tuple(_citations(fields)),
        literature=tuple(Literature(*uspto_text.cited_by(text)) for text in _all(fields, "ORPL", "OREF")),
        application_number=own,
        priority_numbers=st36.unique(item.application for item in (*claimed, *relatives) if _is_priority(item)),
        family_id=_first(fields, "FMID"),
        family_refs=st36.unique(ref for ref in _family(fields, relatives) if ref not in (own, identity)),
        language="en",
        document_type=document_type(identity) or "utility",
        publication_status=publication_status(identity),
    )


def _fields(text: str) -> Iterator[tuple[str, list[str]]]:
    """Fields with their lines; the index line of the next document ends this one."""
    code, lines = "", list[str]()
    for line in text.splitlines()[1:]:
        if _INDEX.match(line):
            break
        start = _FIELD.match(line)
        if start:
            if code:
                yield code, lines
            code, lines = start[1], [start[2] or ""]
        else:
            lines.append(line)
    if code:
        yield code, lines


def _flat(lines: Iterable[str]) -> str:
    return " ".join(" ".join(lines).split())


def _all(fields: Fields, *codes: str) -> list[str]:
    """The values of all fields with these codes, in order."""
    values = (_flat(lines) for code, lines in fields if code in codes)
    return [value for value in values if value not in _EMPTY]


def _first(fields: Fields, *codes: str) -> str:
    """The first value of the first of these codes that has any."""
    return next((value for code in codes for value in _all(fields, code)), "")


def _identity(fields: Fields) -> str:
    given = _first(fields, "DID")
    if given:
        return str(parse_number(given))
    number = _first(fields, "DWKU", "WKU", "PGNR", "PN")
    if not number:
        raise BadRecord("no publication number")
    return st36.publication_id("US", number.removeprefix("US"), _first(fields, "APT", "KD", "PGKC"))


def _lines(fields: Fields, codes: tuple[str, ...]) -> Iterator[str]:
    for code, lines in fields:
        if code in codes:
            yield from (line for line in _text(code, lines).split("\n") if line)


def _text(code: str, lines: list[str]) -> str:
    """The text of a field: tables keep their rows, other texts become one line."""
    if code.endswith("TL") and len(lines) > 1:
        rows = (re.sub(r"(?<=\S)\s{2,}(?=\S)", " | ", readable(line).strip()) for line in lines)
        return "\n".join(row for row in rows if row.strip("_-= |"))
    return " ".join(readable(_flat(lines)).split())


def _description(fields: Fields) -> Iterator[Paragraph]:
    """Paragraphs and headings; paragraphs are indented by one more space."""
    for code, lines in fields:
        if code in _DESCRIPTION:
            text = _text(code, lines)
            is_heading = code == "GOVH" or (not lines[0].startswith(" ") and _can_be_heading(code, text))
            yield Paragraph(text, is_heading=True) if is_heading else numbered(text)


def _can_be_heading(code: str, text: str) -> bool:
    """Whether an unindented line can be a heading: tables, equations and footnotes are not indented either."""
    return not code.endswith(("TL", "EQ", "FN")) and len(text) < 200 and text[-1:] not in (".", ";", ",")


def _cpc(fields: Fields) -> tuple[Symbol, ...]:
    """`H H05K H05K9/0066 20130101 F I 20151201 US`: as published if given, else the current classes."""
    groups = _all(fields, "CPOG") or _all(fields, "CPCG")
    if groups:
        return _symbols((parts[2], *parts[4:6]) for parts in (text.split() for text in groups) if len(parts) > 5)
    inventive = _all(fields, "CPOI") or _all(fields, "CPCI")
    additional = _all(fields, "CPOA") or _all(fields, "CPCA")
    return _symbols([*((text, "", "I") for text in inventive), *((text, "", "A") for text in additional)])


def _ipc(fields: Fields) -> tuple[Symbol, ...]:
    """`20060101 A H05K H05K9/00 F I B US H 20151201`."""
    groups = _all(fields, "IPCG") or _all(fields, "CIPG")
    if groups:
        return _symbols((parts[3], *parts[4:6]) for parts in (text.split() for text in groups) if len(parts) > 5)
    listed = (
        ("IPCP", "F", "I"),
        ("IPCS", "L", "I"),
        ("IPCN", "L", "N"),
        ("IPC", "", ""),
        ("ICL", "", ""),
        ("IPCX", "", ""),
    )
    return _symbols((text, position, value) for code, position, value in listed for text in _all(fields, code))


def _symbols(items: Iterable[tuple[str, ...]]) -> tuple[Symbol, ...]:
    found: dict[str, Symbol] = {}
    for text, position, value in items:
        symbol = class_symbol(text)
        if symbol and symbol not in found:
            found[symbol] = Symbol(symbol, _POSITIONS.get(position), _VALUES.get(value))
    return tuple(found.values())


def _uspc(fields: Fields) -> tuple[str, ...]:
    issued = [*_all(fields, "CIOR", "CIPR"), *_all(fields, "CIXR", "CISR")]
    current = [*_all(fields, "CCOR", "CCPR"), *_all(fields, "CCXR", "CCSR")]
    return st36.unique(uspc_symbol(text) for text in issued or current)


def _citations(fields: Fields) -> Iterator[Citation]:
    groups = [(code, text) for code, text in _flattened(fields, "URGP", "FRGP")]
    for code, text in groups:
        described, category = uspto_text.cited_by(text)
        number = uspto_text.cited_patent(described, "US" if code == "URGP" else "")
        if number:
            yield Citation(number, category)
    if groups:
        return
    country = ""
    for code, text in _flattened(fields, "URPN", "FRCO", "FRCC", "FRPN"):
        if code in ("FRCO", "FRCC"):
            country = text
        else:
            yield Citation(uspto_text.cited_patent(text, "US" if code == "URPN" else uspto_text.country(country)))


def _flattened(fields: Fields, *codes: str) -> list[tuple[str, str]]:
    items = ((code, _flat(lines)) for code, lines in fields if code in codes)
    return [(code, text) for code, text in items if text not in _EMPTY]


def _foreign(fields: Fields) -> Iterator[Relative]:
    """Claimed foreign priorities: groups of country, number and date."""
    country = number = ""
    for code, text in [*_flattened(fields, "PRCO", "PRC", "PRCC", "PRAN", "PRN", "PRAD"), ("PRCO", "")]:
        if code == "PRAD":
            yield Relative(application_number(number, country=country) if number else "", iso_date(text))
            number = ""
        elif code in ("PRAN", "PRN"):
            number = text
        else:
            country = text


def _relatives(fields: Fields) -> Iterator[Relative]:
    """Parents and provisionals (number, date, patent), the international application, the original of a reissue."""
    number = ""
    dated = False
    for code, text in _flattened(
        fields, "RLAN", "RLFD", "RLAD", "RLPN", "PCAN", "PTAN", "PCT", "PCAD", "PTAD", "PCFD", "REAN", "RANR", "READ"
    ):
        if code in ("RLAN", "PCAN", "PTAN", "PCT", "REAN", "RANR"):
            number = uspto_text.application(text)
            yield Relative(number)
        elif code == "RLPN":
            yield Relative(publication=uspto_text.cited_patent(text, "US"))
        else:
            dated = True
            yield Relative(number, iso_date(text))
    for text in _all(fields, "REPN"):
        yield Relative(publication=uspto_text.cited_patent(text, "US"))
    if not dated:
        yield from uspto_text.provisionals(" ".join(_all(fields, *_RELATED)))


def _is_priority(item: Relative) -> bool:
    """Foreign priorities and provisionals; a US parent or PCT application is a relative."""
    return uspto_text.is_provisional(item.application) or not item.application.startswith(("US", "PCT"))


def _family(fields: Fields, relatives: Iterable[Relative]) -> Iterator[str]:
    for item in relatives:
        if not uspto_text.is_provisional(item.application):
            yield item.application
        yield item.publication
    for text in _all(fields, "RLCN"):
        yield uspto_text.application(text)
    for text in _all(fields, "PDID") or _all(fields, "PPNR"):
        yield uspto_text.cited_patent(text, "US")
    for text in _all(fields, "PCPN", "PTPN"):
        yield st36.publication_id("", text)


READER = Reader(
    name="uspto-brs",
    title="USPTO search-system text (CSS/BRS dump), grants and applications",
    sniff=_sniff,
    split=_split,
    parse=parse,
)
