"""A claim chart as a Word document in the usual form: element on the left, disclosure on the right.

Quotes and locations have their own styles, by which `foreart verify` finds them after the document was edited. Written
with python-docx, a dependency that drafts need too.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any

from foreart.report.wording.chart_wording import METHOD, grades_text, own_grades_text, sentences, size
from foreart.report.wording.phrases import whole_percent
from foreart.search.charting import Cell, Chart, ChartRow, Quote, Reference
from foreart.search.charting.verifying import holdable

QUOTE, PLACE, DOCUMENT = "Chart Quote", "Chart Place", "Chart Document"
OPENING, CLOSING = "“", "”"
_LEFT, _RIGHT = 6.2, 18.0  # centimetres


def chart_docx(chart: Chart) -> bytes:
    """The document: findings first, then a table for each reference, closest first."""
    from docx import Document
    from docx.enum.section import WD_ORIENT
    from docx.shared import Cm

    document = Document()
    document.core_properties.author = "foreart"
    document.core_properties.title = holdable(f"Claim chart: {chart.draft_title}")[:250]
    page = document.sections[0]
    page.orientation = WD_ORIENT.LANDSCAPE
    page.page_width, page.page_height = Cm(29.7), Cm(21.0)
    page.left_margin = page.right_margin = Cm(2.5)
    page.top_margin = page.bottom_margin = Cm(2.0)
    add_quote_styles(document)
    _front(document, chart)
    for number, reference in enumerate(chart.references):
        _reference(document, chart, reference, number)
    file = BytesIO()
    document.save(file)
    return file.getvalue()


def add_quote_styles(document: Any) -> None:  # noqa: ANN401 python-docx has no types
    """The styles of quotes, their places and their documents."""
    from docx.enum.style import WD_STYLE_TYPE
    from docx.shared import Pt, RGBColor

    document.styles["Normal"].font.name = "Calibri"
    document.styles["Normal"].font.size = Pt(10)
    for name, base, space in ((QUOTE, "Normal", 0), (PLACE, "Normal", 6), (DOCUMENT, "Normal", 6)):
        style = document.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
        style.base_style = document.styles[base]
        style.paragraph_format.space_after = Pt(space)
        if name != QUOTE:
            style.font.size = Pt(9)
            style.font.color.rgb = RGBColor(0x44, 0x4C, 0x52)
        else:
            style.paragraph_format.keep_with_next = True


def _front(document: Any, chart: Chart) -> None:  # noqa: ANN401
    document.add_heading(holdable(f"Claim chart: {chart.draft_title or chart.draft_source or 'draft'}"), 0)
    document.add_paragraph(f"{size(chart)}. Draft fingerprint {chart.draft_fingerprint}.")
    for note in chart.notes:
        document.add_paragraph(holdable(note))
    for about, lines in sentences(chart):
        document.add_heading(f"{about[0].upper()}{about[1:]}", 2)
        for line in lines:
            document.add_paragraph(holdable(line), style="List Bullet")
    document.add_heading("How to read it", 2)
    document.add_paragraph(f"{METHOD} Grades: {grades_text()}.")
    if own := own_grades_text(chart):
        document.add_paragraph(own)


def _reference(document: Any, chart: Chart, reference: Reference, number: int) -> None:  # noqa: ANN401
    from docx.shared import Cm

    heading = document.add_heading(holdable(f"D{number + 1}: {reference.title or reference.id}"), 1)
    heading.paragraph_format.page_break_before = True
    source = document.add_paragraph(style=DOCUMENT)
    source.add_run(holdable(reference.id)).bold = True
    source.add_run(
        f" · published {reference.published or 'unknown'} · {whole_percent(reference.coverage)} of all elements"
    )
    source.add_run(f" · text fingerprint {reference.fingerprint}")
    for note in reference.notes:
        document.add_paragraph(holdable(note))
    table = document.add_table(rows=len(chart.rows) + 1, cols=2)
    table.style = "Table Grid"
    table.autofit = False
    for column, width in zip(table.columns, (_LEFT, _RIGHT), strict=True):
        column.width = Cm(width)
    lines = list(table.rows)
    _head(lines[0])
    for line, row, cells in zip(lines[1:], chart.rows, chart.cells, strict=True):
        left, right = _sized(line)
        _element(left, row)
        _disclosure(right, cells[number])


def _head(line: Any) -> None:  # noqa: ANN401
    from docx.oxml import OxmlElement

    for cell, name in zip(_sized(line), ("Claim element", "Disclosure"), strict=True):
        cell.paragraphs[0].add_run(name).bold = True
    # Repeated on every page of the table.
    line._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))


def _sized(line: Any) -> tuple[Any, Any]:  # noqa: ANN401
    from docx.shared import Cm

    left, right = line.cells
    left.width, right.width = Cm(_LEFT), Cm(_RIGHT)
    return left, right


def _element(cell: Any, row: ChartRow) -> None:  # noqa: ANN401
    paragraph = cell.paragraphs[0]
    paragraph.add_run(f"{row.label}  ").bold = True
    paragraph.add_run(holdable(row.text))


def _disclosure(target: Any, cell: Cell) -> None:  # noqa: ANN401
    first = target.paragraphs[0]
    first.add_run(cell.judged).bold = True
    own = f" * own grade; computed: {cell.grade}, {whole_percent(cell.coverage)}"
    first.add_run(own if cell.own_grade else f" ({whole_percent(cell.coverage)})")
    for quote in cell.quotes:
        _quote(target.add_paragraph(style=QUOTE), quote)
        target.add_paragraph(holdable(f"{cell.reference}, {quote.place.label}"), style=PLACE)
    if cell.missing and cell.quotes:
        words = ", ".join(word if word in cell.elsewhere else f"{word} (nowhere)" for word in cell.missing)
        target.add_paragraph(holdable(f"Not in the quotes: {words}"))


def _quote(paragraph: Any, quote: Quote) -> None:  # noqa: ANN401
    """The quote between quotation marks, its matched words in bold."""
    paragraph.add_run(OPENING)
    end = 0
    for match in quote.matches:
        if match.start < end:  # a word can match several times
            continue
        if quote.text[end : match.start]:
            paragraph.add_run(holdable(quote.text[end : match.start]))
        paragraph.add_run(holdable(quote.text[match.start : match.end])).bold = True
        end = match.end
    paragraph.add_run(holdable(quote.text[end:]) + CLOSING)
