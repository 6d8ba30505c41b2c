"""Google Patents pages exported to markdown: details, citations in both directions, then one running text."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from foreart.document.claims import references
from foreart.document.paragraphs import looks_like_heading, numbered, under_headings
from foreart.document.patent import Citation, Claim, Paragraph, Patent
from foreart.errors import BadNumber, BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import normalise, number_key
from foreart.sources.formats.st36 import unique
from foreart.sources.markup.running_text import guess_language, joined_lines
from foreart.sources.markup.xml import as_utf8
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.record_splitting import split
from foreart.sources.opening.stream import Stream
from foreart.sources.reader import Reader

_START = re.compile(rb"(?m)^Source: \[[^\]\r\n]{4,40}\]\(https?://patents\.google\.com/")
_SOURCE = re.compile(r"^Source: \[([^\]\n]{4,40})\]")
_HEAD = re.compile(r"(?m)^# (?P<number>[^\n]{0,60}?) - (?P<title>[^\n]*)$")
_LINK = re.compile(r"\[([^\[\]\n]{1,200})\]\([^()\s]{1,300}\.md\)")
_SECTION = re.compile(r"(?m)^#{2,3} (Details|Other patents|Backwards|Forward|Abstract|Description|Claims)[ \t]*$")
_DETAIL = re.compile(r"(?m)^\* (Date|Inventor|Beneficiary):[ \t]*((?:[^\n*]|\n(?!\* ))*)")
_ITEM = re.compile(r"(?m)^ ?\* +(\S+)[ \t]*$")
_TAG = re.compile(r"</?[A-Za-z]{1,12}/?>")
_BLANK = re.compile(r"\n[ \t]*\n")
_LEAD = re.compile(
    r"^\s*+(?:(?:what|that which) (?:is|we|i) claim(?:ed)?(?: is)?|(?:we|i) claim|the invention claimed is|claims?"
    r"|revendications?|patentansprüche|ansprüche|reivindicaciones)\s*+[:.]?\s*+$",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^\s*(\d{1,3})\s?[.)]?\s+(?=\S)")
_WITHIN = re.compile(r"(?<=[.;])\s(\d{1,3})\s?[.)]?\s+(?=[A-ZÀ-Þ])")
# The maximum number of consecutive claim numbers that a scan may lose.
_GAP = 9
_COMPANY = re.compile(
    r"\b(?:inc|corp|co|cor|ltd|llc|limited|gmbh|ag|kg|sa|nv|bv|plc|oy|ab|spa|srl|company|corporation|university|institut\w*"
    r"|laborator\w+|technolog\w+|bank|systems?|industr\w+|foundation|research)\b",
    re.IGNORECASE,
)


def _sniff(head: bytes, name: str) -> bool:
    return _START.search(head, 0, 1024) is not None and b"\n# " in head


def _split(stream: Stream) -> Iterator[RawRecord]:
    return split(stream, _START, opens=b"S")


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one page; its only date is the priority date, which Google's page shows first."""
    text = as_utf8(data).decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
    source = _SOURCE.match(text.lstrip())
    text = _LINK.sub(r"\1", text)
    head = _HEAD.search(text)
    number = source[1] if source else head["number"] if head else ""
    try:
        identity = normalise(number)
    except BadNumber:
        raise BadRecord("no publication number") from None
    sections = _sections(text)
    details = {match[1]: match[2] for match in _DETAIL.finditer(sections.get("Details", ""))}
    abstract, body = _abstract(sections.get("Abstract", ""))
    description, claims = _body(body, sections)
    inventors, applicants = _parties(_names(details.get("Inventor", "")), _names(details.get("Beneficiary", "")))
    yield Patent(
        id=identity,
        title=html.unescape(head["title"]).strip() if head else "",
        abstract=abstract,
        claims=claims,
        description=description,
        priority=iso_date(details.get("Date")),
        applicants=applicants,
        inventors=inventors,
        citations=tuple(_citations(sections.get("Backwards", ""), identity)),
        language=guess_language(abstract + "\n" + body),
        document_type=document_type(identity),
    )


def _sections(text: str) -> dict[str, str]:
    marks = list(_SECTION.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    found: dict[str, str] = {}
    for mark, end in zip(marks, ends, strict=True):
        found.setdefault(mark[1], text[mark.end() : end])
    return found


def _names(text: str) -> tuple[str, ...]:
    """The names of a list; `, Inc` is part of a company's name."""
    flat = " ".join(text.split())
    flat = re.sub(r",\s+(?=(?:Inc|Ltd|LLC|Corp|Co|GmbH|S\.?A|Jr|Sr|I{2,3})\b)", "\x1f", flat)
    return unique(part.strip().replace("\x1f", ", ") for part in flat.split(","))


def _parties(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Inventors and applicants: the export calls the owners `Inventor` and the inventors `Beneficiary`."""
    if not second or (_companies(second) and not _companies(first)):
        return first, second
    return second, first


def _companies(names: tuple[str, ...]) -> bool:
    return any(_COMPANY.search(name) for name in names)


def _citations(text: str, identity: str) -> Iterator[Citation]:
    seen = {number_key(identity)}
    for match in _ITEM.finditer(text):
        try:
            cited = normalise(match[1])
        except BadNumber:
            continue
        if number_key(cited) not in seen:
            seen.add(number_key(cited))
            yield Citation(cited)


def _abstract(text: str) -> tuple[str, str]:
    """The abstract, and the text after it: the export prints the abstract twice."""
    body = re.sub(r"^\s*Abstract[ \t]*\n", "", text).strip("\n")
    first, _, rest = body.partition("\n\n\n\n")
    if not rest:
        first, _, rest = body.partition("\n\n")
    plain = _plain(first)
    return "\n".join(joined_lines(plain.split("\n"))), rest.lstrip().removeprefix(first.strip())


def _plain(text: str) -> str:
    return html.unescape(_TAG.sub(" ", text)).strip()


def _body(body: str, sections: dict[str, str]) -> tuple[tuple[Paragraph, ...], tuple[Claim, ...]]:
    blocks = [block for block in _BLANK.split(_plain(body)) if block.strip()]
    start = _claims_start(blocks)
    described, claimed = blocks[:start], blocks[start:]
    if "Description" in sections:
        described = _BLANK.split(_plain(sections["Description"]))
    if "Claims" in sections:
        claimed = [block for block in _BLANK.split(_plain(sections["Claims"])) if block.strip()]
    lines = [line for block in described for line in joined_lines(block.split("\n"))]
    paragraphs = (Paragraph(line, is_heading=True) if looks_like_heading(line) else numbered(line) for line in lines)
    return under_headings(paragraphs), tuple(_claims(claimed))


def _claims_start(blocks: list[str]) -> int:
    """The index of the first claim block: the last `We claim`, else the last block that starts with a 1."""
    for position in range(len(blocks) - 1, 0, -1):
        first_line = blocks[position].split("\n", 1)[0]
        if _LEAD.match(first_line):
            return position
        opening = _NUMBERED.match(blocks[position])
        if opening and opening[1] == "1":
            before = blocks[position - 1].strip().rsplit("\n", 1)[-1]
            return position - 1 if _LEAD.match(blocks[position - 1]) or _LEAD.match(before) else position
    return len(blocks)


def _claims(blocks: list[str]) -> Iterator[Claim]:
    if blocks and _LEAD.match(blocks[0].split("\n", 1)[0]):
        blocks = [*filter(None, blocks[0].split("\n", 1)[1:]), *blocks[1:]]
    found = _numbered_blocks(blocks)
    for position, (number, text) in enumerate(found):
        following = found[position + 1][0] if position + 1 < len(found) else 0
        for offset, part in enumerate(_split_merged(text, number, following)):
            joined = "\n".join(joined_lines(part.split("\n")))
            yield Claim(number + offset, joined, references(joined, number + offset))


def _numbered_blocks(blocks: list[str]) -> list[tuple[int, str]]:
    """Blocks with their leading number; one without a number, such as a formula, belongs to the claim before it."""
    found: list[tuple[int, list[str]]] = []
    for block in blocks:
        mark = _NUMBERED.match(block)
        expected = found[-1][0] + 1 if found else 1
        if mark and expected <= int(mark[1]) <= expected + _GAP:
            found.append((int(mark[1]), [block[mark.end() :]]))
        elif found:
            found[-1][1].append(block)
        else:
            found.append((1, [block]))
    return [(number, "\n\n".join(parts)) for number, parts in found]


def _split_merged(text: str, number: int, following: int) -> list[str]:
    """The claims of a block: scanned texts lose numbers, so that 4 and 5 are in one block before 6."""
    parts = [text]
    while number + len(parts) < following:
        last, wanted = parts[-1], number + len(parts)
        inner = next((match for match in _WITHIN.finditer(last) if int(match[1]) == wanted), None)
        if inner:
            end, resume = inner.start(), inner.end()
        else:
            opening = re.escape(text.split(None, 1)[0]) if text.split() else ""
            again = re.search(rf"(?<=[.;])[ \t]*\n[ \t]*(?={opening}\s)", last)
            if not again:
                break
            end, resume = again.start(), again.end()
        parts[-1:] = [last[:end], last[resume:]]
    return parts


READER = Reader(
    name="google-markdown",
    title="Google Patents, pages exported to markdown",
    sniff=_sniff,
    split=_split,
    parse=parse,
)
