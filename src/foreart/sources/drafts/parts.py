"""Paragraphs of a file become the parts of a draft, by its headings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from foreart.claims import numbered_claims, split_claims
from foreart.dates import iso_date
from foreart.draft import Draft
from foreart.paragraphs import looks_like_heading, numbered, under_headings
from foreart.patent import Claim, Paragraph
from foreart.sources.drafts.headings import Heading, Part, known_heading
from foreart.sources.drafts.lines import LABEL, Line

_BANNER = re.compile(
    r"(?:(?:strictly\s+|privileged\s+and\s+)?confidential|draft|entwurf|vertraulich|(?:draft\s+)?(?:patent\s+)?application"
    r"|specification|patentanmeldung)\W*$",
    re.IGNORECASE,
)
_PRINTED = re.compile(r"(?:^|\n)\s*1\s?[.)]\s")
_PRIORITY = re.compile(
    r"(?:priority\s+date|date\s+of\s+priority|prioritätsdatum|prioritätstag)\s*(?:is|:|,)?\s*(?=\d|[A-Z])|(?:priority|priorität)\s*:\s*",
    re.IGNORECASE,
)
_CLAIMED = re.compile(
    r"claims?\s+(?:the\s+)?(?:benefit|priority)\b.{0,300}?\bfiled\s+(?:on\s+)?(?=\d|[A-Z])", re.IGNORECASE | re.DOTALL
)
_FILED = re.compile(
    r"(?:filing\s+date|date\s+of\s+filing|anmeldetag|anmeldedatum)\s*(?:is|:|,)?\s*(?=\d|[A-Z])|\bfiled(?:\s+on)?\s*:\s*",
    re.IGNORECASE,
)
_GERMAN_DATE = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})")
_LONGEST_TITLE = 500


@dataclass(slots=True)
class _Parts:
    """What has been gathered while going down the lines."""

    title: list[str] = field(default_factory=list)
    abstract: list[str] = field(default_factory=list)
    description: list[Paragraph] = field(default_factory=list)
    claims: list[Line] = field(default_factory=list)
    preamble: list[Line] = field(default_factory=list)


def draft_of(lines: Sequence[Line], *, source: str = "", notes: tuple[str, ...] = ()) -> Draft:
    """The draft that these paragraphs are."""
    parts = _divided(lines)
    title, rest = _title(parts)
    whole = "\n".join(line.text for line in lines)
    return Draft(
        title=title,
        abstract="\n".join(parts.abstract),
        description=under_headings([*rest, *parts.description]),
        claims=_claims(parts.claims),
        priority=_date(_PRIORITY, whole) or _earliest(_CLAIMED, whole),
        filed=_date(_FILED, whole),
        source=source,
        notes=notes,
    )


def _divided(lines: Iterable[Line]) -> _Parts:
    parts = _Parts()
    current: Part | None = None
    for line in lines:
        known = known_heading(line.text)
        if known:
            current = known.part
            _open(parts, known)
        elif line.heading and not line.title and current is not None:
            # A heading that is nobody's name for claims or abstract belongs to the description.
            if current == "title" and not parts.title:
                parts.title.append(line.text)
            else:
                current = "description"
                parts.description.append(Paragraph(line.text, is_heading=True))
        elif current is None:
            parts.preamble.append(line)
        else:
            _put(parts, current, line)
    return parts


def _open(parts: _Parts, known: Heading) -> None:
    if known.part == "description":
        parts.description.append(Paragraph(known.text, is_heading=True))
    if known.rest:
        _put(parts, known.part, Line(known.rest))


def _put(parts: _Parts, part: Part, line: Line) -> None:
    if part == "claims":
        parts.claims.append(line)
    elif part == "description":
        parts.description.append(numbered(line.text))
    elif part == "abstract":
        parts.abstract.append(line.text)
    elif not parts.title and not LABEL.search(line.text):
        parts.title.append(line.text)
    elif not _is_label(line):
        parts.description.append(numbered(line.text))


def _title(parts: _Parts) -> tuple[str, list[Paragraph]]:
    """The title, and what stands before the first heading and is neither title nor label nor banner."""
    body = [line for line in parts.preamble if not _is_label(line) and not _BANNER.match(line.text)]
    if parts.title:
        return _one_line(parts.title[0]), [numbered(line.text) for line in body if not line.title]
    styled = next((line for line in body if line.title), None)
    first = styled or (body[0] if body else None)
    if first is None or not _may_be_title(first):
        return "", [numbered(line.text) for line in body]
    rest = [
        Paragraph(line.text, is_heading=True) if looks_like_heading(line.text) else numbered(line.text)
        for line in body
        if line is not first
    ]
    return _one_line(first.text), rest


def _may_be_title(line: Line) -> bool:
    return line.title or (len(line.text) <= _LONGEST_TITLE and not line.text.rstrip().endswith("."))


def _is_label(line: Line) -> bool:
    return len(line.text) < 200 and LABEL.search(line.text) is not None


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _claims(lines: Sequence[Line]) -> tuple[Claim, ...]:
    """Claims by printed numbers, else by Word's numbering, else a claim where a line begins with a capital."""
    text = "\n".join(line.text for line in lines)
    if not text or _PRINTED.search(text):
        return split_claims(text) if text else ()
    by_word = any(line.numbered for line in lines)
    texts: list[str] = []
    for line in lines:
        starts = line.numbered if by_word else not line.text[:1].islower()
        if starts or not texts:
            texts.append(line.text)
        else:
            texts[-1] += "\n" + line.text
    return numbered_claims(texts)


def _date(label: re.Pattern[str], text: str) -> str:
    """The first date that follows the label."""
    dates = (_read_date(text[found.end() :]) for found in label.finditer(text))
    return next((date for date in dates if date), "")


def _earliest(label: re.Pattern[str], text: str) -> str:
    return min((date for found in label.finditer(text) if (date := _read_date(text[found.end() :]))), default="")


def _read_date(text: str) -> str:
    head = text[:40].split("\n")[0]
    german = _GERMAN_DATE.match(head)
    if german:
        return iso_date(f"{german[3]}-{german[2]}-{german[1]}")
    return iso_date(head)
