"""USPTO APS text (Green Book, 1976–2001): grants, single or in weekly files, with a field code on each line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from foreart.document.claims import references
from foreart.document.paragraphs import under_headings
from foreart.document.patent import Citation, Claim, Literature, Paragraph, Patent, Symbol
from foreart.errors import BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import application_number
from foreart.identifiers.symbols import fixed_symbol, locarno_symbol, uspc_symbol
from foreart.sources.formats import st36, uspto_text
from foreart.sources.formats.uspto_text import Relative
from foreart.sources.markup.dotcodes import readable
from foreart.sources.markup.xml import as_utf8
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.record_splitting import split
from foreart.sources.opening.stream import Stream
from foreart.sources.reader import Reader

_BOUNDARY = re.compile(rb"^PATN[ \t]*\r?$", re.MULTILINE)
_SNIFF = re.compile(rb"^PATN[ \t]*\r?\n(?:[A-Z]{3} .*\n){0,3}WKU ", re.MULTILINE)
_GROUP = re.compile(r"^([A-Z]{4})\s*$")
_FIELD = re.compile(r"^([A-Z][A-Z0-9]{2})(?: {1,2}(.*)|\s*)$")
_NUMBER = re.compile(r"^(PP|RE|RX|AI|[DHTX])?0*(\d+)$")
_RULE = re.compile(r"^[\s_=-]*$")
_GAP = re.compile(r"(?<=\S)\s{2,}(?=\S)")
_LOCARNO = re.compile(r"^D\s*(\d{4})$")
_DIGITS = re.compile(r"\d+")

_SECTIONS = ("GOVT", "PARN", "BSUM", "DRWD", "DETD")
# These files have no kind codes. Utility and plant patents of 2001 have one of two, which the file does not state.
_KINDS = {"": "A", "D": "S", "PP": "P", "RE": "E", "RX": "E", "H": "H", "T": "I4"}
_KINDS_SINCE_2001 = {"D": "S1", "RE": "E1", "H": "H1"}
_PERSONS = ("04", "05", "4", "5")


@dataclass(slots=True)
class ApsGroup:
    """One group of a record: its name and its fields, each with a code and lines."""

    name: str
    fields: list[tuple[str, list[str]]] = field(default_factory=list)

    def value(self, code: str) -> str:
        """The first field of a code, on one line."""
        return next((_flat(lines) for name, lines in self.fields if name == code), "")

    def raw(self, code: str) -> list[str]:
        """All fields of a code with their fixed-width layout."""
        return [lines[0].rstrip() for name, lines in self.fields if name == code]


def _sniff(head: bytes, name: str) -> bool:
    return _SNIFF.search(head) is not None


def _split(stream: Stream) -> Iterator[RawRecord]:
    return split(stream, _BOUNDARY, opens=b"PATN")


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one record; none for the header of a weekly file."""
    groups = list(_groups(as_utf8(data, "cp1252").decode("utf-8", "replace")))
    if not groups or groups[0].name != "PATN":
        if data.lstrip().startswith(b"HHHHHT"):
            return
        raise BadRecord("no PATN line")
    head = groups[0]
    published = iso_date(head.value("ISD"))
    identity = _identity(head.value("WKU"), published)
    filed = iso_date(head.value("APD"))
    relatives = list(_relatives(groups))
    own = uspto_text.application(head.value("APN"), series=head.value("SRC"), filed=filed)
    priorities = [(iso_date(item.value("APD")), item) for item in groups if item.name == "PRIR"]
    dates = [date for date, _ in priorities] + [relative.filed for relative in relatives]
    first = _only(groups, "CLAS")
    yield Patent(
        id=identity,
        title=readable(head.value("TTL")),
        abstract="\n".join(item.text for item in _paragraphs(groups, ("ABST",))),
        claims=tuple(_claims(groups)),
        description=under_headings(_paragraphs(groups, _SECTIONS)),
        published=published,
        filed=filed,
        priority=uspto_text.priority_date(dates, filed),
        ipc=_ipc(first),
        uspc=st36.unique(uspc_symbol(text) for code in ("OCL", "XCL") for text in first.raw(code)),
        locarno=st36.unique(locarno_symbol(match[1]) for text in first.raw("ICL") if (match := _LOCARNO.match(text))),
        applicants=_applicants(groups),
        inventors=st36.unique(uspto_text.person(item.value("NAM")) for item in groups if item.name == "INVT"),
        citations=tuple(_citations(groups)),
        literature=tuple(Literature(item.text) for item in _paragraphs(groups, ("OREF",)) if item.text),
        application_number=own,
        priority_numbers=st36.unique(_priority_numbers([item for _, item in priorities], relatives)),
        family_refs=st36.unique(ref for ref in _family(relatives) if ref not in (own, identity)),
        language="en",
        document_type=document_type(identity) or "utility",
    )


def _groups(text: str) -> Iterator[ApsGroup]:
    """Collects lines into groups and fields; a line without a code continues the field before it."""
    group: ApsGroup | None = None
    for line in text.splitlines():
        start = _GROUP.match(line)
        if start:
            if group:
                yield group
            group = ApsGroup(start[1])
            continue
        if group is None:
            continue
        code = _FIELD.match(line)
        if code:
            group.fields.append((code[1], [code[2] or ""]))
        elif group.fields:
            group.fields[-1][1].append(line)
    if group:
        yield group


def _flat(lines: Iterable[str]) -> str:
    return " ".join(" ".join(lines).split())


def _only(groups: Iterable[ApsGroup], name: str) -> ApsGroup:
    """All fields of the groups of one name as one group."""
    return ApsGroup(name, [item for group in groups if group.name == name for item in group.fields])


def _identity(wku: str, published: str) -> str:
    """The publication number: the last of nine characters is a check digit."""
    flat = wku.replace(" ", "").upper()
    match = _NUMBER.match(flat[:8] if len(flat) == 9 else flat)
    if not match or not int(match[2]):
        raise BadRecord("no publication number" if not flat else f"{flat[:20]!r} is not a patent number")
    letters = match[1] or ""
    kinds = _KINDS_SINCE_2001 if published >= "2001-01-02" else _KINDS
    return f"US{letters}{match[2]}{kinds.get(letters, '')}"


def _paragraphs(groups: Iterable[ApsGroup], names: tuple[str, ...]) -> Iterator[Paragraph]:
    for group in groups:
        if group.name in names:
            for code, lines in group.fields:
                text = _text(code, lines)
                if text:
                    yield Paragraph(text, is_heading=code == "PAC")


def _text(code: str, lines: list[str]) -> str:
    """The text of a field: tables keep their rows, other texts become one line."""
    if code != "TBL":
        return " ".join(readable(_flat(lines)).split())
    rows = (_GAP.sub(" | ", readable(line).strip()) for line in lines if not _RULE.match(line))
    return "\n".join(" ".join(row.split()) for row in rows if row.strip())


def _claims(groups: Iterable[ApsGroup]) -> Iterator[Claim]:
    """Claims: each starts with a field for its number; designs have one without."""
    for group in groups:
        if group.name not in ("CLMS", "DCLM"):
            continue
        count = 0
        for number, texts in _numbered(group):
            count = number or count + 1
            printed = re.compile(rf"^(\[?)\s*{count}\s?[.)]\s*")
            text = printed.sub(r"\1", "\n".join(texts), count=1).strip()
            if text:
                yield Claim(count, text, references(text, count))


def _numbered(group: ApsGroup) -> Iterator[tuple[int, list[str]]]:
    """The texts of each claim with the number of its NUM field, 0 if there is none."""
    number, texts = 0, list[str]()
    for code, lines in group.fields:
        if code == "STM":
            continue
        if code == "NUM":
            if texts:
                yield number, texts
            digits = _DIGITS.search(_flat(lines))
            number, texts = int(digits[0][:4]) if digits else 0, []
            continue
        text = _text(code, lines)
        if text:
            texts.append(text)
    if texts:
        yield number, texts


def _ipc(classes: ApsGroup) -> tuple[Symbol, ...]:
    texts = (text for text in classes.raw("ICL") if not _LOCARNO.match(text))
    return tuple(Symbol(symbol) for symbol in st36.unique(fixed_symbol(text) for text in texts))


def _applicants(groups: Iterable[ApsGroup]) -> tuple[str, ...]:
    assignees = [item for item in groups if item.name == "ASSG"]
    owners = [(item.value("COD") in _PERSONS, uspto_text.person(item.value("NAM"))) for item in assignees]
    companies = [name for is_person, name in owners if name and not is_person]
    return st36.unique(companies or (name for _, name in owners))


def _citations(groups: Iterable[ApsGroup]) -> Iterator[Citation]:
    """Cited patents; these files do not have the citing party."""
    for item in groups:
        number = item.value("PNO").replace(" ", "")
        if not number or not any(char.isdigit() for char in number):
            continue
        if item.name == "UREF":
            yield Citation(st36.publication_id("US", number.removeprefix("US")))
        elif item.name == "FREF":
            yield Citation(st36.publication_id(uspto_text.country(item.value("CNT")), number))


def _relatives(groups: list[ApsGroup]) -> Iterator[Relative]:
    """Parents, the original patent of a reissue, the international application, and provisionals."""
    for item in groups:
        if item.name in ("RLAP", "REIS"):
            filed = iso_date(item.value("APD"))
            number = uspto_text.application(item.value("APN"), series=item.value("SRC"), filed=filed)
            patent = item.value("PNO").replace(" ", "")
            yield Relative(number, filed, st36.publication_id("US", patent) if patent.strip("0") else "")
        elif item.name == "PCTA":
            publication = item.value("PCP")
            yield Relative(
                uspto_text.application(item.value("PCN")),
                iso_date(item.value("PD3")),
                st36.publication_id("", publication) if publication else "",
            )
        elif item.name == "PARN":
            yield from uspto_text.provisionals(" ".join(_flat(lines) for _, lines in item.fields))


def _priority_numbers(claimed: Iterable[ApsGroup], relatives: Iterable[Relative]) -> Iterator[str]:
    for item in claimed:
        number = item.value("APN")
        if number:
            yield application_number(number, country=uspto_text.country(item.value("CNT")))
    yield from (relative.application for relative in relatives if uspto_text.is_provisional(relative.application))


def _family(relatives: Iterable[Relative]) -> Iterator[str]:
    for relative in relatives:
        if not uspto_text.is_provisional(relative.application):  # provisionals are priorities, not relatives
            yield relative.application
        yield relative.publication


READER = Reader(
    name="uspto-aps",
    title="USPTO grants, APS text (Green Book, 1976 to 2001), single or weekly",
    sniff=_sniff,
    split=_split,
    parse=parse,
)
