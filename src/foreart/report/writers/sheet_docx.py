"""A printed report as a Word document; its quotes have the styles of claim charts, which `foreart verify` reads."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

from foreart.report.exports.chart_docx import CLOSING, DOCUMENT, OPENING, PLACE, QUOTE, add_quote_styles
from foreart.report.forms.citation_text import claim_numbers
from foreart.report.forms.sheet_parts import (
    ReportSheet,
    SheetCell,
    SheetColumn,
    SheetFacts,
    SheetHeading,
    SheetList,
    SheetQuotes,
    SheetTable,
    SheetText,
)
from foreart.report.writers.shown_text import shown
from foreart.search.charting.verifying import holdable

_PAPER = {"a4": (21.0, 29.7), "us-letter": (21.59, 27.94)}  # centimetres
_MARGIN = 1.9
_HEAD_FILL = "E9F1F6"
_FONT = "Arial"  # or a font of the same widths, which every system has


def sheet_docx(sheet: ReportSheet) -> bytes:
    """The document as bytes."""
    from docx import Document

    document = Document()
    document.core_properties.author = "foreart"
    document.core_properties.title = shown(f"{sheet.form}: {sheet.title}")[:250]
    document.core_properties.comments = sheet.notice
    width = _page(document, sheet)
    _styles(document)
    document.add_paragraph(sheet.form, style="Report Form")
    document.add_heading(shown(sheet.title), 0)
    document.add_paragraph(sheet.notice, style="Report Notice")
    for part in sheet.parts:
        _WRITERS[part.kind](document, part, width)
    file = BytesIO()
    document.save(file)
    return file.getvalue()


def _page(document: Any, sheet: ReportSheet) -> float:  # noqa: ANN401 python-docx has no types
    """Paper, header and footer; the width of the text in centimetres."""
    from docx.enum.text import WD_TAB_ALIGNMENT
    from docx.shared import Cm

    section = document.sections[0]
    section.page_width, section.page_height = (Cm(side) for side in _PAPER[sheet.paper])
    section.left_margin = section.right_margin = Cm(_MARGIN)
    section.top_margin = section.bottom_margin = Cm(2.0)
    width = _PAPER[sheet.paper][0] - 2 * _MARGIN
    section.header.paragraphs[0].text = sheet.notice
    foot = section.footer.paragraphs[0]
    document.styles["Footer"].paragraph_format.tab_stops.clear_all()
    foot.paragraph_format.tab_stops.add_tab_stop(Cm(width), WD_TAB_ALIGNMENT.RIGHT)
    foot.add_run(shown(" · ".join(sheet.foot)) + "\tPage ")
    _field(foot, "PAGE")
    foot.add_run(" of ")
    _field(foot, "NUMPAGES")
    return width


def _field(paragraph: Any, name: str) -> None:  # noqa: ANN401
    """A field that the word processor computes."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    for kind in ("begin", "instr", "end"):
        run = paragraph.add_run()._r
        if kind == "instr":
            text = OxmlElement("w:instrText")
            text.text = name
            run.append(text)
        else:
            mark = OxmlElement("w:fldChar")
            mark.set(qn("w:fldCharType"), kind)
            run.append(mark)


def _styles(document: Any) -> None:  # noqa: ANN401
    from docx.enum.style import WD_STYLE_TYPE
    from docx.shared import Pt, RGBColor

    ink, soft = RGBColor(0x1D, 0x22, 0x26), RGBColor(0x44, 0x4C, 0x52)
    add_quote_styles(document)
    styles = document.styles
    styles["Normal"].font.name, styles["Normal"].font.size = _FONT, Pt(9.5)
    styles["Normal"].paragraph_format.space_after = Pt(4)
    for name, size, colour in (
        ("Report Form", 9.5, soft),
        ("Report Notice", 9.5, RGBColor(0x8A, 0x52, 0x00)),
        ("Report Small", 8.5, soft),
        ("Report Lead", 11.5, ink),
    ):
        style = styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
        style.base_style = styles["Normal"]
        style.font.size, style.font.color.rgb = Pt(size), colour
    cells = styles.add_style("Report Cell", WD_STYLE_TYPE.PARAGRAPH)
    cells.base_style = styles["Normal"]
    cells.font.size = Pt(8.5)
    cells.paragraph_format.space_before = cells.paragraph_format.space_after = Pt(1.5)
    head = styles.add_style("Report Head", WD_STYLE_TYPE.PARAGRAPH)
    head.base_style = cells
    head.font.size, head.font.bold = Pt(8), True
    space = styles.add_style("Report Space", WD_STYLE_TYPE.PARAGRAPH)
    space.base_style = styles["Normal"]
    space.font.size, space.paragraph_format.space_after = Pt(4), Pt(0)
    for name, size in (("Title", 18), ("Heading 1", 13.5), ("Heading 2", 11), ("Heading 3", 10.5)):
        style = styles[name]
        style.font.size, style.font.color.rgb, style.font.name = Pt(size), ink, _FONT
        # Themes of Word override the name of the font.
        for attribute in list(style.element.rPr.rFonts.attrib):
            if attribute.endswith("Theme"):
                del style.element.rPr.rFonts.attrib[attribute]
    for name in ("Header", "Footer"):
        styles[name].font.size, styles[name].font.color.rgb = Pt(8), soft


def _heading(document: Any, part: SheetHeading, _: float) -> None:  # noqa: ANN401
    heading = document.add_heading(shown(part.text), part.level)
    heading.paragraph_format.page_break_before = part.new_page


def _text(document: Any, part: SheetText, _: float) -> None:  # noqa: ANN401
    style = {"plain": "Normal", "lead": "Report Lead", "note": "Report Notice", "quiet": "Report Small"}[part.style]
    document.add_paragraph(shown(part.text.replace("`", "")), style=style)


def _list(document: Any, part: SheetList, _: float) -> None:  # noqa: ANN401
    from docx.shared import Pt

    for item in part.items:
        paragraph = document.add_paragraph(shown(item), style="List Bullet")
        paragraph.paragraph_format.space_after = Pt(1)


def _facts(document: Any, part: SheetFacts, width: float) -> None:  # noqa: ANN401
    grid = _grid(document, len(part.facts), (width * 0.32, width * 0.68))
    for line, (name, value) in zip(grid, part.facts, strict=True):
        _fill(line[0])
        line[0].paragraphs[0].add_run(shown(name))
        line[1].paragraphs[0].add_run(shown(value)).bold = True
    _styled(document.add_paragraph(), "Report Space")


def _table(document: Any, part: SheetTable, width: float) -> None:  # noqa: ANN401
    grid = _grid(document, len(part.rows) + 1, _widths(part.columns, width))
    for target, column in zip(grid[0], part.columns, strict=True):
        _styled(target.paragraphs[0], "Report Head").add_run(column.name)
        _fill(target)
    _repeated(grid[0][0])
    for line, row in zip(grid[1:], part.rows, strict=True):
        for target, content in zip(line, row, strict=True):
            _cell(target, content)
    _styled(document.add_paragraph(), "Report Space")


def _widths(columns: tuple[SheetColumn, ...], width: float) -> tuple[float, ...]:
    whole = sum(column.width for column in columns)
    return tuple(column.width / whole * width for column in columns)


def _grid(document: Any, rows: int, widths: tuple[float, ...]) -> list[tuple[Any, ...]]:  # noqa: ANN401
    """The cells of a new table, row by row, in small type and without space between lines."""
    from docx.oxml import OxmlElement
    from docx.shared import Cm

    table = document.add_table(rows=rows, cols=len(widths))
    table.style = "Table Grid"
    table.autofit = False
    for column, width in zip(table.columns, widths, strict=True):
        column.width = Cm(width)
    lines = []
    for row in table.rows:
        row._tr.get_or_add_trPr().append(OxmlElement("w:cantSplit"))
        cells = row.cells
        for cell, width in zip(cells, widths, strict=True):
            cell.width = Cm(width)
            _styled(cell.paragraphs[0], "Report Cell")
        lines.append(cells)
    return lines


def _styled(paragraph: Any, name: str) -> Any:  # noqa: ANN401
    """The paragraph with a style of ours by its id: by its name python-docx searches all styles, 4 ms each."""
    paragraph._p.style = name.replace(" ", "")
    return paragraph


def _repeated(cell: Any) -> None:  # noqa: ANN401
    """Repeats the row of a cell on every page of its table."""
    from docx.oxml import OxmlElement

    cell._tc.getparent().get_or_add_trPr().append(OxmlElement("w:tblHeader"))


def _fill(cell: Any) -> None:  # noqa: ANN401
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    shade = OxmlElement("w:shd")
    shade.set(qn("w:val"), "clear")
    shade.set(qn("w:fill"), _HEAD_FILL)
    cell._tc.get_or_add_tcPr().append(shade)


def _cell(target: Any, content: SheetCell) -> None:  # noqa: ANN401
    from docx.shared import Pt

    for number, line in enumerate(content):
        paragraph = _styled(target.add_paragraph(), "Report Cell") if number else target.paragraphs[0]
        run = paragraph.add_run(shown(line.text))
        run.bold = line.style == "strong"
        if line.style == "quiet":
            run.font.size = Pt(8)


def _quotes(document: Any, part: SheetQuotes, width: float) -> None:  # noqa: ANN401
    document.add_heading(shown(part.title), 3)
    source = _styled(document.add_paragraph(), DOCUMENT)
    source.paragraph_format.keep_with_next = True
    source.add_run(holdable(part.document)).bold = True
    source.add_run(f" · {shown(part.about)}")
    if part.fingerprint:
        source.add_run(f" · text fingerprint {holdable(part.fingerprint)}")
    if not part.passages:
        document.add_paragraph("No passage is quoted.", style="Report Small")
        return
    grid = _grid(document, len(part.passages) + 1, (width * 0.14, width * 0.86))
    for target, name in zip(grid[0], ("Element or claim", "Passage"), strict=True):
        _styled(target.paragraphs[0], "Report Head").add_run(name)
        _fill(target)
    _repeated(grid[0][0])
    for (left, right), passage in zip(grid[1:], part.passages, strict=True):
        left.paragraphs[0].add_run(shown(passage.element or claim_numbers(passage.claims)))
        _styled(right.paragraphs[0], QUOTE)
        right.paragraphs[0].add_run(OPENING + holdable(passage.text) + CLOSING)
        _styled(right.add_paragraph(holdable(f"{part.document}, {passage.place}")), PLACE)
    _styled(document.add_paragraph(), "Report Space")


_WRITERS: dict[str, Callable[[Any, Any, float], None]] = {
    "heading": _heading,
    "text": _text,
    "list": _list,
    "facts": _facts,
    "table": _table,
    "quotes": _quotes,
}
