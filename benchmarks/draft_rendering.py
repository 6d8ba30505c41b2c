"""Renders published documents as drafts: DOCX, PDF and text files as word processors and printers make them.

Each document gets a layout of its own, drawn by its id: order of the parts, looks and wording of headings, numbers of
paragraphs, lines and pages, running headers, first-line indents, line spacing, words cut at line ends.
"""

from __future__ import annotations

import hashlib
import io
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foreart.document.patent import Claim, Paragraph, Patent

# What a person calls the headings of real patents, by their hashes, as their texts stay where they lie. Judged by hand,
# apart from the patterns that recognise them.
HEADINGS = json.loads((Path(__file__).parent / "draft_headings.json").read_text("utf-8"))

_NUMBERING = re.compile(r"^(?:\d{1,2}|[IVX]{1,4}|[A-H])[.)]\s*")
_SMALL = re.compile(r"\b(?:THE|A|AN|PRESENT|THIS)\b|\(S\)|(?<=[A-Z]{3})S\b|[^A-Z0-9 ]")


def canonical(heading: str) -> str:
    """A heading without numbering, articles, plurals and signs: variants of one wording are one."""
    plain = _NUMBERING.sub("", " ".join(heading.upper().replace("-", " ").split()).strip("*:. "))
    return " ".join(_SMALL.sub("", plain).split())


def digest(heading: str) -> str:
    """What stands for a heading."""
    return hashlib.blake2b(canonical(heading).encode(), digest_size=8).hexdigest()


GERMAN = HEADINGS["de"]
_CLAIMS = (
    "What is claimed is:",
    "CLAIMS",
    "Claims",
    "We claim:",
    "The invention claimed is:",
    "What is claimed:",
    "I claim:",
)
_ABSTRACT = ("ABSTRACT", "Abstract", "ABSTRACT OF THE DISCLOSURE", "Abstract of the Disclosure")
_CLAIM_LEAD = re.compile(
    r"(?:what is claimed.{0,10}|(?:we|i) claim|claims?|what (?:i|we) claim is|the invention claimed is)\W*$",
    re.IGNORECASE,
)
_CANCELLED = re.compile(r"\d+\s?\.?\s?[-\u2013\u2014]")


SECTION_OF = {each: name for name, digests in HEADINGS["en"].items() for each in digests}


@dataclass(frozen=True)
class Truth:
    """What a draft says, part by part. Sections of the description in order, each with its heading and paragraphs."""

    id: str
    language: str
    title: str
    abstract: str
    sections: tuple[tuple[str, str, tuple[str, ...]], ...]
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Block:
    """A piece of the page: `title`, `heading`, `paragraph`, `claim` or `break` (a new page)."""

    kind: str
    text: str = ""
    number: str = ""


@dataclass(frozen=True)
class Layout:
    """How one document is set."""

    order: tuple[str, ...]
    caps: bool
    numbers: bool
    line_numbers: int
    header: str
    footer: str
    indent: bool
    spacing: float
    hyphens: bool
    claims_heading: str
    abstract_heading: str
    title_heading: bool
    seed: int


def truth_of(patent: Patent) -> Truth | None:
    """The parts of a document that has all of them; None where it has not, or its text is not cut into paragraphs."""
    body = [item for item in patent.description if not _CLAIM_LEAD.match(item.text)]
    if not (patent.title and patent.abstract and patent.claims and len(body) >= 8):
        return None
    if max(len(item.text) for item in body) > 60_000:
        return None
    sections = _german_sections(patent, body) if patent.language == "de" else _sections(body)
    if sections is None:
        return None
    return Truth(patent.id, patent.language, patent.title, patent.abstract, sections, patent.claims)


def _sections(body: list[Paragraph]) -> tuple[tuple[str, str, tuple[str, ...]], ...] | None:
    """By the headings a person named. A document without them is one undivided description."""
    found: list[tuple[str, str, list[str]]] = [("description", "", [])]
    for item in body:
        name = SECTION_OF.get(digest(item.text)) if len(item.text) < 150 else None
        opened = [section[0] for section in found]
        if (
            name is None
            and item.text.upper().strip(" :") == "DESCRIPTION"
            and ("drawings" in opened or "summary" in opened)
        ):
            name = "detailed"
        if (
            name
            and (name not in opened or "detailed" not in opened)
            and not (name == "detailed" and opened[-1] == name)
        ):
            found.append((name, item.text, []))
        else:
            found[-1][2].append(item.text)
    return tuple((name, heading, tuple(texts)) for name, heading, texts in found if texts or heading)


def _german_sections(patent: Patent, body: list[Paragraph]) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """German documents of the collection have no headings: their paragraphs get four, at fixed shares."""
    chance = random.Random(patent.id)
    texts = [" ".join(item.text.replace("\u00ad\n", "").replace("\u00ad ", "").split()) for item in body]
    edges = [0, 1, max(2, len(texts) // 5), max(3, len(texts) // 3), len(texts)]
    return tuple(
        (name, chance.choice(GERMAN[name]), tuple(texts[start:end]))
        for name, start, end in zip(GERMAN, edges, edges[1:], strict=False)
    )


def layout_of(truth: Truth) -> Layout:
    """The layout of a document, drawn by its id."""
    chance = random.Random(f"layout {truth.id}")
    german = truth.language == "de"
    order = chance.choice(
        [("description", "claims", "abstract")] * 3
        + [("abstract", "description", "claims"), ("claims", "description", "abstract")]
    )
    docket = f"{chance.choice(['ACM', 'NH', 'P'])}-{chance.randint(100, 9999)}{chance.choice(['US', 'EP', 'WO'])}"
    headers = (
        "",
        f"Attorney Docket No. {docket}",
        f"{docket} CONFIDENTIAL DRAFT",
        f"Our ref. {docket}          Privileged and confidential",
    )
    footers = (
        ("", "{page}", "- {page} -", "Page {page} of {pages}", "{page}/{pages}")
        if not german
        else ("", "{page}", "Seite {page}", "- {page} -")
    )
    return Layout(
        order=order,
        caps=chance.random() < 0.5,
        numbers=chance.random() < 0.5,
        line_numbers=chance.choice([0, 0, 5, 5, 1]),
        header=chance.choice(headers),
        footer=chance.choice(footers),
        indent=chance.random() < 0.5,
        spacing=chance.choice([1.15, 1.5, 1.5, 2.0]),
        hyphens=chance.random() < 0.5,
        claims_heading=chance.choice(("Patentansprüche", "Ansprüche", "PATENTANSPRÜCHE") if german else _CLAIMS),
        abstract_heading=chance.choice(("Zusammenfassung", "ZUSAMMENFASSUNG") if german else _ABSTRACT),
        title_heading=chance.random() < 0.2,
        seed=chance.randint(0, 1 << 30),
    )


def blocks(truth: Truth, layout: Layout) -> Iterator[Block]:
    """The document in the order of its layout."""
    if layout.title_heading:
        yield Block("heading", "Titel" if truth.language == "de" else "TITLE OF THE INVENTION")
    yield Block("title", truth.title.upper() if layout.caps else truth.title)
    for place, part in enumerate(layout.order):
        if place:
            yield Block("break")
        yield from {"description": _description, "claims": _claims, "abstract": _abstract}[part](truth, layout)


def _description(truth: Truth, layout: Layout) -> Iterator[Block]:
    number = 0
    if layout.order[0] != "description" and truth.sections[0][0] == "description":
        yield Block("heading", "DESCRIPTION")
    for _, heading, texts in truth.sections:
        if heading:
            yield Block("heading", heading.upper() if layout.caps else heading)
        for text in texts:
            number += 1
            yield Block("paragraph", text, f"[{number:04d}]" if layout.numbers else "")


def _claims(truth: Truth, layout: Layout) -> Iterator[Block]:
    yield Block("heading", layout.claims_heading)
    for claim in truth.claims:
        yield Block("claim", claim.text, "" if _CANCELLED.match(claim.text) else f"{claim.number}.")


def _abstract(truth: Truth, layout: Layout) -> Iterator[Block]:
    yield Block("heading", layout.abstract_heading)
    yield Block("paragraph", truth.abstract)


def as_docx(truth: Truth, layout: Layout) -> bytes:
    """A Word file: styles or bold for headings, numbers of paragraphs as text, header and footer, line numbers."""
    from docx import Document

    document: Any = Document()
    _furnish(document, layout)
    styled = layout.seed % 2
    by_word = layout.seed % 3 == 0 and _counts(truth)
    for block in blocks(truth, layout):
        if block.kind == "break":
            document.add_page_break()
        elif block.kind == "title":
            document.add_paragraph(block.text, style="Title" if styled else None)
        elif block.kind == "heading" and styled:
            document.add_heading(block.text, 1)
        elif block.kind == "heading":
            document.add_paragraph().add_run(block.text).bold = True
        else:
            _write(document, block, by_word=by_word and block.kind == "claim")
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _furnish(document: Any, layout: Layout) -> None:  # noqa: ANN401 python-docx carries no types
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    section = document.sections[0]
    section.header.paragraphs[0].text = layout.header
    paragraph = section.footer.paragraphs[0]
    for piece in re.split(r"(\{page\}|\{pages\})", layout.footer):
        if piece.startswith("{"):
            code = "PAGE" if piece == "{page}" else "NUMPAGES"
            field_code = f'<w:fldSimple {nsdecls("w")} w:instr="{code}"><w:r><w:t>7</w:t></w:r></w:fldSimple>'
            paragraph._p.append(parse_xml(field_code))
        elif piece:
            paragraph.add_run(piece)
    if layout.line_numbers:
        section._sectPr.append(parse_xml(f'<w:lnNumType {nsdecls("w")} w:countBy="{layout.line_numbers}"/>'))


def _write(document: Any, block: Block, *, by_word: bool) -> None:  # noqa: ANN401
    first, *others = block.text.split("\n")
    if by_word:
        document.add_paragraph(first, style="List Number")
    else:
        document.add_paragraph(f"{block.number} {first}".strip())
    for text in others:
        document.add_paragraph(text)


def _counts(truth: Truth) -> bool:
    return [claim.number for claim in truth.claims] == list(range(1, len(truth.claims) + 1))


def as_text(truth: Truth, layout: Layout) -> bytes:
    """A text file of 76 columns with pages of 54 lines, which form feeds or only their numbers part."""
    chance = random.Random(layout.seed)
    lines = list(_wrapped(truth, layout, width=lambda text: len(text), room=76, chance=chance))
    feeds = layout.seed % 2
    pages = _paged(lines, 54 if layout.spacing < 2 else 27)
    out: list[str] = []
    for number, page in enumerate(pages, start=1):
        numbered_lines = 0
        if layout.header and (feeds or layout.footer):
            out += [layout.header, ""]
        for text, _ in page:
            numbered_lines += bool(text)
            counted = layout.line_numbers and text and numbered_lines % layout.line_numbers == 0
            margin = f"{numbered_lines:>3}  " if counted else "     " if layout.line_numbers else ""
            out.append((margin + text).rstrip())
            if layout.spacing >= 2:
                out.append("")
        if layout.footer:
            out += ["", " " * 30 + layout.footer.format(page=number, pages=len(pages))]
        if feeds and number < len(pages):
            out.append("\f")
    return "\n".join(out).replace("\f\n", "\f").encode("utf-8")


def as_pdf(truth: Truth, layout: Layout) -> bytes:
    """A PDF by reportlab: Times or Helvetica, line numbers in the margin, running header and footer."""
    from reportlab.lib.pagesizes import A4, LETTER
    from reportlab.pdfbase.pdfmetrics import stringWidth
    from reportlab.pdfgen import canvas

    chance = random.Random(layout.seed)
    font, size = chance.choice(
        [(_embedded("DejaVuSerif"), 11), (_embedded("DejaVuSans"), 10), (_embedded("DejaVuSansMono"), 9)]
    )
    paper = chance.choice([A4, LETTER])
    room, leading = paper[0] - 72 - 64, size * 1.2 * layout.spacing / 1.15
    lines = list(_wrapped(truth, layout, width=lambda text: stringWidth(text, font, size), room=room, chance=chance))
    pages = _paged(lines, int((paper[1] - 150) / leading))
    out = io.BytesIO()
    page_of = canvas.Canvas(out, pagesize=paper)
    justified = chance.random() < 0.5
    for number, page in enumerate(pages, start=1):
        page_of.setFont(font, size)
        if layout.header:
            page_of.drawString(72, paper[1] - 40, layout.header)
        if layout.footer:
            page_of.drawCentredString(paper[0] / 2, 36, layout.footer.format(page=number, pages=len(pages)))
        counted = 0
        for place, (text, full) in enumerate(page):
            height = paper[1] - 75 - place * leading
            counted += bool(text)
            if layout.line_numbers and text and counted % layout.line_numbers == 0:
                page_of.drawRightString(58, height, str(counted))
            stripped = text.lstrip(" ")
            left = 72 + stringWidth(" " * (len(text) - len(stripped)), font, size)
            spaces = stripped.count(" ")
            spare = room - stringWidth(text, font, size)
            word = spare / spaces if justified and full and spaces and spare > 0 else 0
            page_of.drawString(left, height, stripped, wordSpace=word)
        page_of.showPage()
    page_of.save()
    return out.getvalue()


def _embedded(name: str) -> str:
    """A font with all signs, embedded as word processors do; matplotlib brings it."""
    from matplotlib import get_data_path
    from reportlab.pdfbase.pdfmetrics import getRegisteredFontNames, registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    if name not in getRegisteredFontNames():
        registerFont(TTFont(name, f"{get_data_path()}/fonts/ttf/{name}.ttf"))
    return name


def _paged(lines: list[tuple[str, bool]], length: int) -> list[list[tuple[str, bool]]]:
    pages: list[list[tuple[str, bool]]] = [[]]
    for text, full in lines:
        if text == "\f" or len(pages[-1]) >= length:
            pages.append([])
        if text != "\f" and (text or pages[-1]):
            pages[-1].append((text, full))
    return [page for page in pages if any(text for text, _ in page)]


def _wrapped(
    truth: Truth, layout: Layout, *, width: Callable[[str], float], room: float, chance: random.Random
) -> Iterator[tuple[str, bool]]:
    """Lines that fit, whether each is full, and empty ones between blocks where paragraphs are not indented."""
    for block in blocks(truth, layout):
        if block.kind == "break":
            yield "\f", False
            continue
        apart = not layout.indent or block.kind in ("heading", "title")
        if apart:
            yield "", False
        for place, part in enumerate(block.text.split("\n")):
            lead = "     " if layout.indent and block.kind == "paragraph" else "          " if place else ""
            if place == 0 and block.number:
                lead += f"{block.number} "
            yield from _lines(lead, part, layout.hyphens and block.kind != "heading", width, room, chance)
        if apart and block.kind in ("heading", "title"):
            yield "", False


def _lines(
    lead: str, text: str, hyphens: bool, width: Callable[[str], float], room: float, chance: random.Random
) -> Iterator[tuple[str, bool]]:
    line = lead
    words = text.split()
    while words:
        word = words.pop(0)
        joined = f"{line}{'' if not line.strip() or line.endswith(' ') else ' '}{word}"
        if width(joined) <= room or not line.strip():
            line = joined
            continue
        cut = _hyphenated(word, chance) if hyphens and chance.random() < 0.5 else None
        if cut and width(f"{line} {cut[0]}-") <= room:
            line = f"{line} {cut[0]}-"
            word = cut[1]
        yield line, True
        line = word
    if line.strip():
        yield line, False


def _hyphenated(word: str, chance: random.Random) -> tuple[str, str] | None:
    if len(word) < 8 or not word.isalpha() or not word.islower():
        return None
    place = chance.randint(3, len(word) - 4)
    return word[:place], word[place:]
