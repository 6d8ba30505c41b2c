"""A report with the sections and columns of PTO/SB/08a, the US information disclosure statement."""

from __future__ import annotations

from collections.abc import Iterator

from foreart.identifiers.numbers import loose_number
from foreart.report.forms.annexes import passage_annex, points_table, record_annex, sheet_foot
from foreart.report.forms.citation_text import (
    NONE,
    holder,
    is_us_publication,
    place_text,
    printed_number,
    us_date,
    us_number,
)
from foreart.report.forms.open_points import OpenPoint
from foreart.report.forms.report_data import ReportedDocument, ReportedLiterature, SearchReport
from foreart.report.forms.sheet_parts import (
    ReportSheet,
    SheetCell,
    SheetColumn,
    SheetHeading,
    SheetList,
    SheetPart,
    SheetText,
    cell,
    columns,
    facts,
    strong,
    table,
)

_FRONT = (("Examiner Initial*", 2.0), ("Cite No", 1.1))
_NAME = ("Name of Patentee or Applicant of cited Document", 4.2)
_PAGES = ("Pages, Columns, Lines where Relevant Passages or Relevant Figures Appear", 4.2)
PATENT_COLUMNS = columns(*_FRONT, ("Patent Number", 2.4), ("Kind Code", 1.3), ("Issue Date", 2.3), _NAME, _PAGES)
PUBLICATION_COLUMNS = columns(
    *_FRONT, ("Publication Number", 2.8), ("Kind Code", 1.3), ("Publication Date", 2.5), _NAME, _PAGES
)
FOREIGN_COLUMNS = columns(
    *_FRONT,
    ("Foreign Document Number", 2.6),
    ("Country Code", 1.7),
    ("Kind Code", 1.3),
    ("Publication Date", 2.5),
    ("Name of Patentee or Applicant of cited Document", 3.2),
    ("Pages, Columns, Lines where Relevant Passages or Relevant Figures Appear", 3.4),
    ("T", 0.7),
)
LITERATURE_COLUMNS = columns(
    *_FRONT,
    (
        "Include name of the author (in CAPITAL LETTERS), title of the article, title of the item, date, page(s), "
        "volume-issue number(s), publisher, city and/or country where published",
        12,
    ),
    ("T", 0.7),
)
# 37 CFR 1.17(v): a fee is due when the cumulative number of items exceeds each of these.
SIZE_STEPS = (50, 100, 200)


def us_sheet(report: SearchReport) -> ReportSheet:
    """The sheet: head, four sections, item count and size fee, copies needed, open points; then what foreart adds."""
    form = "Information disclosure statement, columns of PTO/SB/08a"
    return ReportSheet(form, report.title, tuple(_parts(report)), sheet_foot(report), "us-letter")


def _parts(report: SearchReport) -> Iterator[SheetPart]:
    draft = report.draft
    yield facts(
        ("Application Number", draft.application_number),
        ("Filing Date", us_date(draft.filed)),
        ("First Named Inventor", draft.inventors[0] if draft.inventors else ""),
        ("Art Unit", draft.art_unit),
        ("Examiner Name", draft.examiner),
        ("Attorney Docket Number", draft.docket),
    )
    for title, named, rows in _sections(report):
        yield SheetHeading(title)
        yield table(named, rows)
    yield SheetText(
        "*Examiner: initial if the reference is considered, whether or not the citation is in conformance. T: a check "
        "mark if an English translation is attached.",
        "quiet",
    )
    yield SheetHeading("Items, size fee and copies", new_page=True)
    yield SheetText("For the file: this page and the following are no part of the statement.", "note")
    yield facts(*size_facts(report))
    yield SheetHeading("Copies to be filed (37 CFR 1.98(a)(2))", 2)
    yield SheetList(copies_needed(report) or ("none: no foreign and no non-patent document is listed",))
    points = us_points(report) if report.contents.open_points else ()
    if points:
        yield SheetHeading("Open points", 2)
        yield points_table(points)
    yield from passage_annex(report, new_page=True)
    yield from record_annex(report)


def _sections(report: SearchReport) -> Iterator[tuple[str, tuple[SheetColumn, ...], list[tuple[SheetCell, ...]]]]:
    """The sections in the order of the form; items are numbered within each."""
    patents, publications, foreign = us_sections(report)
    yield "U.S. patents", PATENT_COLUMNS, [_us(item, number) for number, item in enumerate(patents, 1)]
    yield (
        "U.S. patent application publications",
        PUBLICATION_COLUMNS,
        [_us(item, number) for number, item in enumerate(publications, 1)],
    )
    yield (
        "Foreign patent documents",
        FOREIGN_COLUMNS,
        [_foreign(item, number) for number, item in enumerate(foreign, 1)],
    )
    yield (
        "Non-patent literature documents",
        LITERATURE_COLUMNS,
        [_literature(item, number) for number, item in enumerate(report.literature, 1)],
    )


def us_sections(
    report: SearchReport,
) -> tuple[list[ReportedDocument], list[ReportedDocument], list[ReportedDocument]]:
    """U.S. patents, U.S. application publications, and all other patent documents: apart, as 37 CFR 1.98 requires."""
    patents: list[ReportedDocument] = []
    publications: list[ReportedDocument] = []
    foreign: list[ReportedDocument] = []
    for item in report.documents:
        if item.country != "US":
            foreign.append(item)
        elif is_us_publication(item.id):
            publications.append(item)
        else:
            patents.append(item)
    return patents, publications, foreign


def _us(item: ReportedDocument, number: int) -> tuple[SheetCell, ...]:
    return (
        (),
        cell(str(number)),
        cell(strong(us_number(item.id))),
        cell(item.kind or NONE),
        cell(us_date(item.published)),
        cell(holder(item.applicants, item.inventors) or NONE),
        cell(_places(item)),
    )


def _foreign(item: ReportedDocument, number: int) -> tuple[SheetCell, ...]:
    known = loose_number(item.id)
    return (
        (),
        cell(str(number)),
        cell(strong(known.number)),
        cell(item.country or NONE),
        cell(item.kind or NONE),
        cell(us_date(item.published)),
        cell(holder(item.applicants, item.inventors) or NONE),
        cell(_places(item)),
        cell("☑" if item.translated else "☐"),
    )


def _literature(item: ReportedLiterature, number: int) -> tuple[SheetCell, ...]:
    return (), cell(str(number)), cell(item.text), cell("☑" if item.translated else "☐")


def _places(item: ReportedDocument) -> str:
    places = [place for line in item.categories for place in line.places] or [quote.place for quote in item.passages]
    return "; ".join(place_text(place, item.country) for place in dict.fromkeys(places))


def items_listed(report: SearchReport) -> int:
    """The number of items in this statement."""
    return len(report.documents) + len(report.literature)


def size_step(items: int) -> int:
    """The paragraph of 37 CFR 1.17(v) that a cumulative number of items reaches; 0 if no size fee is due.

    >>> [size_step(items) for items in (50, 51, 100, 101, 200, 201)]
    [0, 1, 1, 2, 2, 3]
    """
    return sum(items > limit for limit in SIZE_STEPS)


def size_facts(report: SearchReport) -> tuple[tuple[str, str], ...]:
    """The item count and the assertion about the size fee that PTO/SB/08C asks for since 19 January 2025."""
    listed = items_listed(report)
    total = report.items_before + listed
    step, before = size_step(total), size_step(report.items_before)
    if not step:
        fee = "no IDS size fee is required under 37 CFR 1.17(v) at this time"
    elif step == before:
        fee = f"step 37 CFR 1.17(v)({step}), which the earlier statements had reached: check that it was paid"
    else:
        fee = f"the IDS size fee under 37 CFR 1.17(v)({step}) is due, less what was paid for an earlier step"
        fee = fee if before else fee.partition(", less")[0]
    return (
        ("Items in this statement", f"{listed:,}"),
        ("Items in earlier statements, as stated", f"{report.items_before:,}"),
        ("Cumulative number of items", f"{total:,} (steps: more than 50, 100 and 200)"),
        ("Assertion under 37 CFR 1.98", fee),
    )


def copies_needed(report: SearchReport) -> tuple[str, ...]:
    """The items of which a legible copy is filed: all foreign and all non-patent documents."""
    foreign = [f"{printed_number(item.id)} ({item.language or 'language unknown'})" for item in us_sections(report)[2]]
    return (*foreign, *(item.text for item in report.literature))


def us_points(report: SearchReport) -> tuple[OpenPoint, ...]:
    """What 37 CFR 1.98 asks for and the report lacks."""
    return tuple(_points(report))


def _points(report: SearchReport) -> Iterator[OpenPoint]:
    draft = report.draft
    head = (
        ("application number", draft.application_number),
        ("filing date", draft.filed),
        ("first named inventor", "".join(draft.inventors[:1])),
        ("attorney docket number", draft.docket),
    )
    if missing := [name for name, value in head if not value]:
        yield OpenPoint("head", f"not known: {', '.join(missing)}")
    for item in report.documents:
        lacking = [
            name
            for name, known in (
                ("the kind code", item.kind),
                ("the name of the patentee or applicant", item.applicants or item.inventors),
                ("the day of its date", len(item.published) == len("2014-03-10") and not item.published_estimated),
            )
            if not known
        ]
        if lacking:
            yield OpenPoint(printed_number(item.id), f"not known: {', '.join(lacking)}")
        if item.country != "US" and not item.translated and item.language not in ("", "en"):
            yield OpenPoint(
                printed_number(item.id),
                f"in another language ({item.language}): a concise explanation of its relevance is needed, and a "
                "translation if one is at hand (37 CFR 1.98(a)(3))",
            )
