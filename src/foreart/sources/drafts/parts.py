"""Splits the paragraphs of a file into the parts of a draft, by its headings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from foreart.document.draft import Draft, analysed
from foreart.document.headings import SectionName, known_heading
from foreart.document.outline import Section, sections_from, sections_of
from foreart.document.paragraphs import looks_like_heading, numbered, under_headings
from foreart.document.patent import Paragraph
from foreart.sources.drafts.claimset import claims_of, unheaded_claims
from foreart.sources.drafts.dating import filing_of, priority_of
from foreart.sources.drafts.file_types.lines import LABEL, Line
from foreart.sources.drafts.language import guess_language
from foreart.sources.drafts.people import people_of

_BANNER = re.compile(
    r"(?:.{0,60}\b(?:attorney|docket|our\s+ref|privileged|strictly\s+confidential|confidential\s+draft"
    r"|vertraulich)\b.{0,60}"
    r"|.{0,60}\bconfidential|(?:strictly\s+|privileged\s+(?:and|&)\s+)?confidential.{0,40}|draft(?:\s+\S++){0,3}"
    r"|entwurf|vertraulich"
    r"|(?:draft\s+|u\.?s\.?\s+)?(?:non-?provisional\s+|provisional\s+|utility\s+)*(?:patent\s+)?application(?:\s+for)?"
    r"|specification|patentanmeldung|in\s+the\s+united\s+states\s+patent\s+and\s+trademark\s+office)\W*$",
    re.IGNORECASE,
)
_FIRST_CLAIM = re.compile(r"\s*(?:claim\s+|anspruch\s+)?1\s?(?:[.)]|\s|-)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{4}")
_ENDED = re.compile(r"[.)\]!?]['\"”]*$")
_LONGEST_TITLE = 500
_FRONT = 4  # paragraphs of the description that may state dates, if there is no heading for them
_OUTSIDE = ("title", "abstract", "claims")


@dataclass(slots=True)
class _Parts:
    """The parts collected so far."""

    title: list[Line] = field(default_factory=list)
    abstract: list[str] = field(default_factory=list)
    description: list[Paragraph] = field(default_factory=list)
    claims: list[Line] = field(default_factory=list)
    preamble: list[Line] = field(default_factory=list)
    # The first paragraph of each section of the description, if the user gave the borders.
    borders: list[tuple[int, SectionName, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def draft_of(
    lines: Sequence[Line],
    *,
    source: str = "",
    notes: tuple[str, ...] = (),
    borders: Sequence[tuple[int, SectionName]] | None = None,
) -> Draft:
    """The draft in these paragraphs; `borders` (first line, section), if given, replace the headings."""
    parts = _split(lines) if borders is None else _given(lines, borders)
    title, ground, front = _title(parts)
    parts.description = [*front, *parts.description]
    if not parts.claims and borders is None:
        _find_claims(parts)
    description = under_headings(parts.description)
    dated = _dated_text(lines, description)
    priority, priority_ground = priority_of(dated)
    filed, filed_ground = filing_of(dated)
    applicants, inventors = people_of(lines)
    abstract = "\n".join(parts.abstract)
    language = guess_language(
        "\n".join(
            (title, abstract, *(item.text for item in description[:80]), *(line.text for line in parts.claims[:30]))
        )
    )
    grounds = {
        "title": ground,
        "priority": priority_ground,
        "filed": filed_ground,
        "language": "its words" if language else "",
        "applicants": "label on the cover page" if applicants else "",
        "inventors": "label on the cover page" if inventors else "",
    }
    shifted = [(place + len(front), name, heading) for place, name, heading in parts.borders]
    return analysed(
        Draft(
            title=title,
            abstract=abstract,
            description=description,
            claims=claims_of(parts.claims),
            priority=priority,
            filed=filed,
            language=language,
            applicants=applicants,
            inventors=inventors,
            source=source,
            notes=(*notes, *parts.notes),
            sections=_given_sections(shifted, len(description)) if borders is not None else sections_of(description),
            grounds=tuple((name, text) for name, text in grounds.items() if text),
        )
    )


def _split(lines: Sequence[Line]) -> _Parts:
    parts = _Parts()
    current: SectionName | None = None
    sets = _claim_headings(lines)
    for place, line in enumerate(lines):
        known = known_heading(line.text)
        if known and known.section == "claims" and place not in sets:
            known = None
        if known and known.section == "related" and current in (None, "title") and _is_label(line):
            known = None  # `Priority: 10 March 2014` of a cover page
        if known and known.section == "abstract" and parts.abstract:
            known = None
        if known and current == "claims" and parts.claims and not _ENDED.search(parts.claims[-1].text):
            known = None
        if known and known.section == "title" and (parts.title or parts.description):
            known = None
        if known:
            current = known.section if known.section in _OUTSIDE else "description"
            if current == "description":
                parts.description.append(Paragraph(known.text, is_heading=True))
            if known.rest:
                _put(parts, current, Line(known.rest))
        elif current is None:
            parts.preamble.append(line)
        elif line.heading and not line.title:
            current = _under_unknown(parts, current, line)
        else:
            _put(parts, current, line)
    return parts


def _given(lines: Sequence[Line], borders: Sequence[tuple[int, SectionName]]) -> _Parts:
    """The parts between borders set by the user."""
    parts = _Parts()
    opened = dict(borders)
    current: SectionName | None = None
    for place, line in enumerate(lines):
        known = known_heading(line.text)
        if place in opened:
            current = opened[place]
            if current not in _OUTSIDE:
                parts.borders.append((len(parts.description), current, known.text if known else ""))
        if current is None:
            parts.preamble.append(line)
        elif known and place in opened:
            if current not in _OUTSIDE:
                parts.description.append(Paragraph(known.text, is_heading=True))
            if known.rest:
                _put(parts, current, Line(known.rest))
        elif current not in _OUTSIDE and line.heading:
            parts.description.append(Paragraph(line.text, is_heading=True))
        else:
            _put(parts, current, line)
    return parts


def _given_sections(borders: Sequence[tuple[int, SectionName, str]], end: int) -> tuple[Section, ...]:
    front: list[tuple[int, SectionName, str]] = [(0, "description", "")] if borders and borders[0][0] > 0 else []
    return sections_from([*front, *borders], end)


def _claim_headings(lines: Sequence[Line]) -> set[int]:
    """The headings of the claims: of several, the first that is followed by a claim 1, and those directly above it."""
    places = [
        place for place, line in enumerate(lines) if (known := known_heading(line.text)) and known.section == "claims"
    ]
    if len(places) < 2:
        return set(places)
    following = _lines_after(lines, set(places))
    chosen = next((place for place in places if _leads_to_claim(lines[place], following[place])), places[-1])
    first = places.index(chosen)
    while first and places[first - 1] == places[first] - 1:
        first -= 1
    return {place for place in places[first:] if place <= chosen}


def _lines_after(lines: Sequence[Line], headings: set[int]) -> dict[int, Line | None]:
    """The first line after each heading that is not one."""
    found: dict[int, Line | None] = {}
    for place in sorted(headings, reverse=True):
        after = lines[place + 1] if place + 1 < len(lines) else None
        found[place] = found[place + 1] if place + 1 in headings else after
    return found


def _leads_to_claim(heading: Line, following: Line | None) -> bool:
    known = known_heading(heading.text)
    if known and known.rest:
        return _FIRST_CLAIM.match(known.rest) is not None
    return following is not None and (following.numbered or _FIRST_CLAIM.match(following.text) is not None)


def _under_unknown(parts: _Parts, current: SectionName, line: Line) -> SectionName:
    """An unknown heading is text within claims, and part of the description elsewhere."""
    if current == "claims" or (current == "abstract" and not (parts.abstract and _has_words(line.text))):
        _put(parts, current, line)
        return current
    if current == "title" and not parts.title:
        parts.title.append(line)
        return current
    parts.description.append(Paragraph(line.text, is_heading=True))
    return "description"


def _has_words(heading: str) -> bool:
    """Whether there are two words; a formula in capitals is not a heading."""
    return sum(_WORD.search(word) is not None for word in heading.split()) > 1


def _put(parts: _Parts, part: SectionName, line: Line) -> None:
    if part == "claims":
        parts.claims.append(line)
    elif part == "abstract":
        parts.abstract.append(numbered(line.text).text)
    elif part != "title":
        parts.description.append(numbered(line.text))
    elif not parts.title and not LABEL.search(line.text):
        parts.title.append(line)
    elif not _is_label(line):
        parts.description.append(numbered(line.text))


def _title(parts: _Parts) -> tuple[str, str, list[Paragraph]]:
    """The title, where it was found, and the rest before the first heading, without labels and banners."""
    body = [line for line in parts.preamble if not _is_label(line) and not _BANNER.match(line.text)]
    if parts.title:
        return (
            _one_line(parts.title[0].text),
            "heading of the title",
            [numbered(line.text) for line in body if not line.title],
        )
    styled = next((line for line in body if line.title), None)
    first = styled or (body[0] if body else None)
    if first is None or not _may_be_title(first):
        return "", "", [_front(line) for line in body]
    rest = [_front(line) for line in body if line is not first]
    return _one_line(first.text), "style of the file" if styled else "first line", rest


def _front(line: Line) -> Paragraph:
    return Paragraph(line.text, is_heading=True) if looks_like_heading(line.text) else numbered(line.text)


def _may_be_title(line: Line) -> bool:
    return line.title or (len(line.text) <= _LONGEST_TITLE and not line.text.rstrip().endswith("."))


def _is_label(line: Line) -> bool:
    return len(line.text) < 200 and LABEL.search(line.text) is not None


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _find_claims(parts: _Parts) -> None:
    """Moves claims without a heading out of the description, with a note."""
    texts = [paragraph.text for paragraph in parts.description]
    place = unheaded_claims(texts)
    if place is None:
        return
    parts.claims = [Line(text) for text in texts[place:]]
    parts.description = parts.description[:place]
    parts.notes.append("the claims have no heading: they are assumed to begin at the last paragraph numbered 1")


def _dated_text(lines: Sequence[Line], description: Sequence[Paragraph]) -> str:
    """The text that may state the dates: labels, the first paragraphs, and the section of related applications."""
    related = [section for section in sections_of(description) if section.name == "related"]
    chosen = [line.text for line in lines if _is_label(line)]
    chosen += [paragraph.text for paragraph in description[:_FRONT]]
    chosen += [item.text for section in related for item in description[max(_FRONT, section.start) : section.end]]
    return "\n".join(chosen)
