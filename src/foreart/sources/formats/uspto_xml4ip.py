"""USPTO file wrappers in XML4IP: specification, claims and abstract of one application, scanned and amended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO

from foreart.document.claims import numbered_claim
from foreart.document.paragraphs import numbered, under_headings
from foreart.document.patent import Claim, Paragraph, Patent, merge
from foreart.errors import BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.numbers import application_number
from foreart.sources.markup.text import line_of, text_of
from foreart.sources.markup.xml import Element, parse_xml
from foreart.sources.opening.record_splitting import single_record, xml_documents
from foreart.sources.opening.stream import Stream
from foreart.sources.reader import Reader

_ROOTS = ("ClaimsDocument", "SpecificationDocument", "AbstractDocument")
_SNIFF = re.compile(rb"<(?:\w+:)?(?:ClaimsDocument|SpecificationDocument|AbstractDocument)[\s>]")
_PARTS = xml_documents(*_ROOTS, *(f"pat:{root}" for root in _ROOTS))
_MEMBER = re.compile(r"^(\d{8})[._ -]")
# A later specification that is shorter than this fraction of the one before amends it and does not replace it.
_AMENDMENT = 0.5
_STATUS = re.compile(
    r"^\s*[\[(]\s*(?:currently\s+amended|previously\s+(?:presented|amended)|original|new|cancell?ed|withdrawn|"
    r"not\s+entered|(?:re-?)?presented|reinstated|amended|twice\s+amended)[^)\]]{0,80}[\])]\s*[.:;,-]?\s*",
    re.IGNORECASE,
)
_LETTER = re.compile(
    r"^(?:please\s+(?:replace|amend|substitute|enter|delete|add)\b|amendments?\s+to\s+the\b|clean\s+)", re.I
)
_FRONT_PAGE = re.compile(r"\(54\)\s*Title:?\s*(.{3,500}?)(?:\s+\d?[-=_~|]+)*\s*\(57\)\s*Abstract:?\s*", re.DOTALL)
_SECTION = re.compile(
    r"cross|related|field|background|summary|brief|detailed|description|technical|priority|government|statement|abstract"
    r"|specification|claims?\b|title|reference|sequence|figures?\b|drawings?\b",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(r"(?:[^;:,.\s]|,)\s*$")


@dataclass(frozen=True, slots=True)
class _Part:
    """One document of a file wrapper."""

    date: str
    patent: Patent


def _sniff(head: bytes, name: str) -> bool:
    return _SNIFF.search(head) is not None and b"uspto:patent" in head


def group(name: str) -> str:
    """The application number in the name of a member, `13962724.2013-08-08.….CLM.xml`: its members are one patent."""
    match = _MEMBER.match(re.split(r"[/\\!]", name)[-1])
    return match[1] if match else name


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of the documents of one application; later documents replace earlier ones."""
    records = _PARTS(Stream("", BytesIO(data)))
    parts = sorted((_part(record.data) for record in records), key=lambda part: part.date)
    found: dict[str, Patent] = {}
    for part in parts:
        stored = found.get(part.patent.id)
        found[part.patent.id] = part.patent if stored is None else _merged(stored, part.patent)
    if not found:
        raise BadRecord("no document in it")
    yield from found.values()


def _merged(stored: Patent, new: Patent) -> Patent:
    size = len(new.description_text)
    if new.description and size < _AMENDMENT * len(stored.description_text):
        new = replace(new, description=under_headings((*stored.description, *new.description)), title="")
    return merge(stored, new)


def _part(data: bytes) -> _Part:
    root = parse_xml(data)
    _drop_namespaces(root)
    if root.tag not in _ROOTS:
        raise BadRecord(f"a <{root.tag}> instead of a part of a file wrapper")
    number = _text(root, "ApplicationNumber") or _text(root, "ApplicationNumberText")
    if not number:
        raise BadRecord("no application number")
    application = application_number(number, country="US")
    patent = Patent(
        id=application,
        filed=iso_date(_text(root, "FilingDate")),
        application_number=application,
        language="en",
        document_type="design" if application.startswith(("US29/", "US35/")) else "",
    )
    return _Part(iso_date(_text(root, "MailRoomDate")), _filled(patent, root))


def _filled(patent: Patent, root: Element) -> Patent:
    if root.tag == "ClaimsDocument":
        return replace(patent, claims=_claims(root))
    blocks = [block for body in root.iter("Specification", "Abstract") for block in _blocks(body)]
    if root.tag == "AbstractDocument" or _text(root, "DocumentCode").upper().startswith("ABST"):
        title, abstract = _abstract(blocks)
        return replace(patent, title=title, abstract=abstract)
    title = _text(root, "InventionTitle") or _title(blocks)
    return replace(patent, title=title, description=under_headings(blocks))


def _drop_namespaces(root: Element) -> None:
    """Removes namespaces, whose prefixes vary, except that of MathML, which identifies formulas."""
    for element in root.iter():
        name = element.tag
        if isinstance(name, str) and name.startswith("{") and "MathML" not in name:
            element.tag = name.rpartition("}")[2]


def _text(root: Element, tag: str) -> str:
    return line_of(next(root.iter(tag), None))


def _blocks(parent: Element) -> Iterator[Paragraph]:
    for child in parent:
        if child.tag == "BoundaryData":
            continue
        if child.tag == "Heading":
            heading = numbered(line_of(child))
            yield replace(heading, is_heading=_is_heading(heading.text))
        elif any(item.tag in ("P", "Heading") for item in child):
            yield from _blocks(child)
        else:
            paragraph = numbered(text_of(child))
            if not paragraph.text.isdigit():  # a page number
                yield paragraph


def _is_heading(text: str) -> bool:
    """Whether a heading is real: OCR marks lines of sentences as headings, which start in lower case or are numbers."""
    return text[:1].isupper()


def _title(blocks: list[Paragraph]) -> str:
    """The title: the lines in capitals before the first section, because scanned specifications do not mark it."""
    lines: list[str] = []
    for block in blocks[:8]:
        text = block.text
        if not text or text.upper().startswith("TITLE"):
            continue
        if block.number or len(text) > 300 or text != text.upper() or not any(char.isalpha() for char in text):
            break
        if _SECTION.match(text):
            break
        lines.append(text)
    return " ".join(lines).replace("- ", "-") if len(" ".join(lines)) <= 500 else ""


def _abstract(blocks: list[Paragraph]) -> tuple[str, str]:
    """Title (from the front page of a PCT pamphlet) and abstract, without the text of the letter around it."""
    texts = [block.text for block in blocks if not block.is_heading and block.text and not _LETTER.match(block.text)]
    text = "\n".join(texts)
    front = _FRONT_PAGE.search(text)
    return (" ".join(front[1].split()), text[front.end() :].strip()) if front else ("", text)


def _claims(root: Element) -> tuple[Claim, ...]:
    """The claims in force, without cancelled ones, which have no text, and without text before the first claim."""
    found: dict[int, Claim] = {}
    for element in root.iter("Claim"):
        digits = re.match(r"\s*0*(\d{1,5})", line_of(element.find("ClaimNumber")))
        if digits is None or element.get(_attribute(element, "id"), "").startswith("UNKNOWN"):
            continue
        number = int(digits[1])
        parents = (
            int(match[1])
            for reference in element.iter("ClaimReference")
            for match in re.finditer(r"CLM-0*(\d{1,5})", reference.get(_attribute(reference, "idrefs"), ""))
        )
        claim = numbered_claim(number, _STATUS.sub("", _claim_text(element)), parents=parents)
        body = _STATUS.sub("", claim.text)
        if body:
            found.setdefault(number, replace(claim, text=body))
    return tuple(found.values())


def _attribute(element: Element, name: str) -> str:
    """The full name of an attribute, which these files qualify with a namespace."""
    return next((str(key) for key in element.attrib if str(key).rpartition("}")[2] == name), name)


def _claim_text(claim: Element) -> str:
    """The text of a claim, one line per element; a sentence that is split by a page break is joined."""
    parts: list[str] = []
    last = ""  # the last non-blank line, which shows whether a sentence continues
    for element in claim.iterfind("ClaimText"):
        line = text_of(element)
        continues = next(element.iter("HeaderText"), None) is not None and _UNFINISHED.search(last)
        parts += (" " if continues and line else "\n", line)
        last = line if line.strip() else last
    return "\n".join(line for line in (part.strip() for part in "".join(parts).split("\n")) if line)


READER = Reader(
    name="uspto-xml4ip",
    title="USPTO file wrappers, XML4IP (SPEC, CLM, ABST of one application)",
    sniff=_sniff,
    split=single_record,
    parse=parse,
    group=group,
)
