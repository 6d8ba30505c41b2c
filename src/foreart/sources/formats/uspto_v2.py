"""USPTO grants of 2001 to 2004: XML v2.5 and SGML v2.4 after WIPO's ST.32 (`<PATDOC>`), single or in weekly files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from foreart.document.claims import numbered_claim
from foreart.document.paragraphs import under_headings
from foreart.document.patent import Category, Citation, Claim, Literature, Paragraph, Patent, Symbol
from foreart.errors import BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import application_number
from foreart.identifiers.symbols import fixed_symbol, locarno_symbol, uspc_symbol
from foreart.sources.formats.st36 import earliest, publication_id, text_at, unique
from foreart.sources.formats.uspto import bracketed, publication_status, related_application
from foreart.sources.markup.sgml import parse_sgml
from foreart.sources.markup.text import line_of, text_of
from foreart.sources.markup.xml import Element
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.record_splitting import split
from foreart.sources.opening.stream import Stream
from foreart.sources.reader import Reader

_SNIFF = re.compile(rb"<!DOCTYPE\s+PATDOC\b|<PATDOC[\s>]")
# The SGML of 2001 has no XML declarations: a document starts with its document type. A declaration followed by a
# document type is one start.
_BOUNDARY = re.compile(
    rb"<\?xml(?=[ \t\r\n])(?:[^>]{0,120}\?>\s{0,8}<!DOCTYPE(?=\s))?|<!DOCTYPE(?=\s)|</PATDOC\s*>",
)
# Elements of a description that only contain others.
_WRAPPERS = {"RELAPP", "GOVINT", "BRFSUM", "DRWDESC", "DETDESC", "PARCONT", "BTEXT", "PATSPEC", "CRFLST", "APPENDIX"}
_MARKS: dict[str, Category] = {
    "CITED-BY-EXAMINER": "examiner",
    "CITED-BY-APPLICANT": "applicant",
    "CITED-BY-OTHER": "other",
}


def _sniff(head: bytes, name: str) -> bool:
    return _SNIFF.search(head) is not None


def _split(stream: Stream) -> Iterator[RawRecord]:
    return split(stream, _BOUNDARY, opens=(b"<?", b"<!"))


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one document."""
    root = parse_sgml(bracketed(data))
    if root.tag != "PATDOC":
        raise BadRecord(f"a <{root.tag}> instead of <PATDOC>")
    biblio = root.find("SDOBI")
    number = text_at(biblio, "B100/B110")
    if biblio is None or not number:
        raise BadRecord("no publication number")
    identity = publication_id(text_at(biblio, "B100/B190") or "US", number, text_at(biblio, "B100/B130"))
    kind = document_type(identity)
    application = related_application(text_at(biblio, "B200/B210"), series=text_at(biblio, "B200/B211US"))
    yield Patent(
        id=identity,
        title=text_at(biblio, "B500/B540"),
        abstract="\n".join(filter(None, (text_of(item) for item in root.iterfind("SDOAB")))),
        claims=_claims(root),
        description=under_headings(_blocks(root.iterfind("SDODE"))),
        published=iso_date(text_at(biblio, "B100/B140")),
        filed=iso_date(text_at(biblio, "B200/B220")),
        priority=_priority(biblio),
        ipc=() if kind == "design" else _ipc(biblio),
        uspc=unique(uspc_symbol(_raw(item)) for item in _classes(biblio, "B520", ("B521", "B522"))),
        locarno=_locarno(biblio) if kind == "design" else (),
        applicants=_applicants(biblio),
        inventors=unique(_person(item) for item in biblio.iterfind("B700/B720/B721")),
        citations=_citations(biblio),
        literature=_literature(biblio),
        application_number=application,
        priority_numbers=_priority_numbers(biblio),
        family_refs=tuple(ref for ref in _relatives(biblio) if ref not in (identity, application)),
        language="en",
        document_type=kind,
        publication_status=publication_status(identity),
    )


def _claims(root: Element) -> tuple[Claim, ...]:
    """Claims with the number in their id, `CLM-00012`; the single claim of a design is printed without a number."""
    found: list[Claim] = []
    for position, element in enumerate(root.iterfind("SDOCL//CLM"), start=1):
        number = _id_number(element.get("ID", "")) or position
        parents = (_id_number(reference.get("ID", "")) for reference in element.iter("CLREF"))
        found.append(numbered_claim(number, text_of(element), parents=filter(None, parents)))
    return tuple(found)


def _id_number(identity: str) -> int:
    match = re.match(r"CLM-0*(\d{1,5})$", identity.strip())
    return int(match[1]) if match else 0


def _blocks(parents: Iterable[Element]) -> Iterator[Paragraph]:
    """Headings and paragraphs in printed order; these grants print no paragraph numbers."""
    for parent in parents:
        for child in parent:
            if child.tag in _WRAPPERS:
                yield from _blocks([child])
            elif child.tag == "H":
                yield Paragraph(line_of(child), is_heading=True)
            else:
                yield Paragraph(text_of(child))
            if child.tail and child.tail.strip():
                yield Paragraph(" ".join(child.tail.split()))


def _raw(element: Element) -> str:
    """The text with its leading spaces: US classes have fixed columns."""
    return "".join(str(text) for text in element.itertext()).strip("\r\n\t") if not len(element) else _raw(element[0])


def _classes(biblio: Element, group: str, tags: tuple[str, ...]) -> Iterator[Element]:
    for holder in biblio.iterfind(f"B500/{group}"):
        yield from (item for item in holder if item.tag in tags)


def _ipc(biblio: Element) -> tuple[Symbol, ...]:
    found: dict[str, Symbol] = {}
    for item in _classes(biblio, "B510", ("B511", "B512", "B513", "B514")):
        symbol = fixed_symbol(_raw(item))
        if symbol:
            found.setdefault(symbol, Symbol(symbol, "first" if item.tag == "B511" else "later"))
    return tuple(found.values())


def _locarno(biblio: Element) -> tuple[str, ...]:
    """The Locarno class of a design, in the field that has the IPC in other patents."""
    return unique(locarno_symbol(line_of(item)) for item in _classes(biblio, "B510", ("B511", "B512")))


def _person(party: Element) -> str:
    organisation = line_of(party.find(".//ONM"))
    if organisation:
        return organisation
    names = (line_of(party.find(f".//{tag}")) for tag in ("FNM", "SNM", "SFX"))
    return " ".join(filter(None, names))


def _applicants(biblio: Element) -> tuple[str, ...]:
    parties = [*biblio.iterfind("B700/B710/B711"), *biblio.iterfind("B700/B730/B731")]
    companies = [_person(party) for party in parties if party.find(".//ONM") is not None]
    return unique(companies or (_person(party) for party in parties))


def _category(item: Element) -> Category:
    return next((_MARKS[child.tag] for child in item.iter() if child.tag in _MARKS), "unknown")


def _document(document: Element | None) -> str:
    """The publication number of a `DOC`."""
    number = text_at(document, "DNUM")
    if document is None or not number:
        return ""
    # "Des. 370,123": designs among the parents are given in this informal way.
    number = re.sub(r"^Des\.?\s*", "D", number)
    return publication_id(text_at(document, "CTRY") or "US", number.replace(",", ""), text_at(document, "KIND"))


def _citations(biblio: Element) -> tuple[Citation, ...]:
    cited = ((_document(item.find("PCIT/DOC")), _category(item)) for item in biblio.iterfind("B500/B560/B561"))
    return tuple(Citation(number, category) for number, category in cited if number)


def _literature(biblio: Element) -> tuple[Literature, ...]:
    cited = ((line_of(item.find("NCIT")), _category(item)) for item in biblio.iterfind("B500/B560/B562"))
    return tuple(Literature(text, category) for text, category in cited if text)


def _priority(biblio: Element) -> str:
    """The earliest claimed date: foreign priority, provisional, parent or international application."""
    dates = [text_at(item, "B320") for item in biblio.iterfind("B300")]
    for document in biblio.iterfind("B600//DOC"):
        if _holder(document) in ("PDOC", "B680US"):
            dates.append(_document_date(document))
    filed = iso_date(text_at(biblio, "B200/B220"))
    international = earliest(_document_date(document) for document in biblio.iterfind("B800/B860/B861/DOC"))
    return earliest([*dates, international if international < filed else ""])


def _document_date(document: Element) -> str:
    return text_at(document, "DATE") or text_at(document, "PDAT")


def _holder(document: Element) -> str:
    parent = document.getparent()
    return str(parent.tag) if parent is not None else ""


def _priority_numbers(biblio: Element) -> tuple[str, ...]:
    foreign = (
        application_number(text_at(item, "B310"), country=text_at(item, "B330")) for item in biblio.iterfind("B300")
    )
    provisional = (related_application(text_at(item, "DNUM")) for item in biblio.iterfind("B600/B680US//DOC"))
    return unique((*foreign, *provisional))


def _relatives(biblio: Element) -> tuple[str, ...]:
    """Parents by application number, and the document's own other publications by publication number."""
    found: list[str] = []
    for document in biblio.iterfind("B600//DOC"):
        holder = _holder(document)
        if holder in ("PDOC", "CDOC"):
            found.append(related_application(text_at(document, "DNUM"), country=text_at(document, "CTRY")))
        elif holder != "B680US":
            found.append(_document(document))
    for document in biblio.iterfind("B800/B860/B861/DOC"):
        found.append(related_application(text_at(document, "DNUM"), country=text_at(document, "CTRY")))
    found += [_document(document) for document in biblio.iterfind("B800/B870/B871/DOC")]
    return unique(found)


READER = Reader(
    name="uspto-xml-v2",
    title="USPTO grants, Red Book XML v2.5 and SGML v2.4 (2001 to 2004), single or weekly",
    sniff=_sniff,
    split=_split,
    parse=parse,
)
