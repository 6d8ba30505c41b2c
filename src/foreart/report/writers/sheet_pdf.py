"""A printed report as a PDF made by typst: tagged, with its fonts, and the same bytes for the same report.

The fonts of the typst wheel have Latin, Greek, Cyrillic, Hebrew, Arabic and Devanagari letters. Other letters are taken
from fonts of the machine; letters that no font has are listed in the PDF.
"""

from __future__ import annotations

import datetime
import json
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import cache
from importlib import resources
from io import BytesIO
from typing import Any

from foreart.errors import MissingExtra
from foreart.report.forms.citation_text import claim_numbers
from foreart.report.forms.sheet_parts import ReportSheet, SheetPart, SheetQuotes, SheetText
from foreart.report.writers.shown_text import shown

# When fonts are tried, each letter is a line of a page.
_MOST_TRIED, _LINES, _MOST_LISTED = 10_000, 100, 40
# Characters of one text: a title of a million would take typst minutes.
_LONGEST = 10_000
_UNDATED = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
_PROBE = b"""#set page(width: 3cm, height: auto, margin: 1mm)
#set text(font: ("Libertinus Serif",))
#for letters in json(bytes(sys.inputs.at("sheet"))) { for letter in letters { par(letter) }; pagebreak(weak: true) }
"""


def typst() -> Any:  # noqa: ANN401 only what is used here is known of it
    """The module, or an error that names the extra to install."""
    try:
        import typst as library
    except ImportError:
        raise MissingExtra("A PDF", "pdf") from None
    return library


def sheet_pdf(sheet: ReportSheet, made: str = "") -> bytes:
    """The PDF as bytes, dated `made`. Fonts of the machine are used only for letters that typst's own lack."""
    own = missing_letters(sheet, machine_fonts=False)
    missing = missing_letters(sheet, machine_fonts=True) if own else ""
    complete = replace(sheet, parts=(*_missing_note(missing), *sheet.parts)) if missing else sheet
    return _compiled(_template(), _values(complete), machine_fonts=bool(own), made=_timestamp(made))


def missing_letters(sheet: ReportSheet, *, machine_fonts: bool) -> str:
    """The letters of a report that no font has: each is set on a line of its own, and read back."""
    letters = [letter for letter in sorted(set(_texts(_values(sheet)))) if _to_be_tried(letter)][:_MOST_TRIED]
    groups = [letters[start : start + _LINES] for start in range(0, len(letters), _LINES)]
    missing = []
    for group, lines in zip(groups, _set_and_read(groups, machine_fonts=machine_fonts), strict=True):
        if len(lines) != len(group):  # lines ran together: these letters one by one
            alone = _set_and_read([[letter] for letter in group], machine_fonts=machine_fonts)
            lines = ["".join(page) for page in alone]
        missing += [letter for letter, line in zip(group, lines, strict=True) if "\0" in line or not line]
    return "".join(missing)


def _set_and_read(groups: Sequence[Sequence[str]], *, machine_fonts: bool) -> list[list[str]]:
    """The lines of each group of letters as a reader of PDFs sees them: a letter without a font is a zero character."""
    from pypdf import PdfReader

    if not groups:
        return []
    pages = PdfReader(BytesIO(_compiled(_PROBE, groups, machine_fonts=machine_fonts, made=_UNDATED))).pages
    return [page.extract_text().split("\n") for page in pages]


def _to_be_tried(letter: str) -> bool:
    """Latin letters are in the font; controls, spaces and marks are not visible alone."""
    return letter > "\u024f" and unicodedata.category(letter)[0] in "LNPS"


def _missing_note(missing: str) -> tuple[SheetPart, ...]:
    codes = [f"U+{ord(letter):04X}" for letter in missing[:_MOST_LISTED]]
    more = f" and {len(missing) - _MOST_LISTED:,} more" if len(missing) > _MOST_LISTED else ""
    return (
        SheetText(
            f"Letters missing from this PDF, because no font on this machine has them: {', '.join(codes)}{more}. They "
            "are printed as boxes; the HTML and DOCX files of this report have them.",
            "note",
        ),
    )


def _compiled(template: bytes, values: object, *, machine_fonts: bool, made: datetime.datetime) -> bytes:
    done = typst().compile(
        template,
        format="pdf",
        ignore_system_fonts=not machine_fonts,
        sys_inputs={"sheet": json.dumps(values)},
        timestamp=int(made.timestamp()),
    )
    return bytes(done)


def _values(sheet: ReportSheet) -> dict[str, Any]:
    """The sheet as JSON values with all texts as they are shown."""
    parts = [_quotes(part) if part.kind == "quotes" else _cleaned(asdict(part)) for part in sheet.parts]
    return {
        "form": sheet.form,
        "title": _bounded(shown(sheet.title)),
        "notice": sheet.notice,
        "paper": sheet.paper,
        "foot": shown(" · ".join(sheet.foot))[:200],
        "parts": parts,
    }


def _quotes(part: SheetQuotes) -> dict[str, Any]:
    passages = [
        {
            "text": _bounded(shown(passage.text)),
            "source": shown(_source(part, passage.place, passage.element, passage.claims)),
        }
        for passage in part.passages
    ]
    return {**_cleaned(asdict(replace(part, passages=()))), "passages": passages}


def _source(part: SheetQuotes, place: str, element: str, claims: Sequence[int]) -> str:
    claim = "claim" if len(claims) == 1 else "claims"
    about = [element and f"element {element}", f"for {claim} {claim_numbers(claims)}" if claims else ""]
    return " · ".join([f"{part.document}, {place}", *filter(None, about)])


def _cleaned(value: Any) -> Any:  # noqa: ANN401 a value of JSON
    if isinstance(value, str):
        return _bounded(shown(value.replace("`", "")))
    if isinstance(value, dict):
        return {name: _cleaned(item) for name, item in value.items()}
    return [_cleaned(item) for item in value] if isinstance(value, list | tuple) else value


def _bounded(text: str) -> str:
    """A text that fits on a few pages, and how much more of it there is."""
    more = len(text) - _LONGEST
    return text if more <= 0 else f"{text[:_LONGEST]}… ({more:,} more characters: see the HTML or DOCX file)"


def _texts(value: Any) -> Iterator[str]:  # noqa: ANN401
    """All characters of all texts of a JSON value."""
    if isinstance(value, str):
        yield from value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


@cache
def _template() -> bytes:
    return resources.files("foreart.report.writers").joinpath("sheet.typ").read_bytes()


def _timestamp(made: str) -> datetime.datetime:
    """The time of a report, UTC if it names no zone; a fixed one if it is not a date."""
    try:
        time = datetime.datetime.fromisoformat(made)
    except ValueError:
        return _UNDATED
    return time if time.tzinfo else time.replace(tzinfo=datetime.UTC)
