"""Parsing paragraphs from plain text: numbers, headings, and the heading of each paragraph."""

from __future__ import annotations

import pytest

from foreart.document.paragraphs import looks_like_heading, numbered, plain_paragraphs, under_headings
from foreart.document.patent import Paragraph


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[0012] Screws.", Paragraph("Screws.", "0012")),
        ("(0012) Screws.", Paragraph("Screws.", "0012")),
        ("【0012】 Screws.", Paragraph("Screws.", "0012")),
        ("[12] Screws.", Paragraph("Screws.", "12")),
        ("(3) a list item", Paragraph("(3) a list item")),
        ("In [0012] it says", Paragraph("In [0012] it says")),
        ("[0012]", Paragraph("[0012]")),
    ],
)
def test_printed_numbers(text: str, expected: Paragraph):
    assert numbered(text) == expected


def test_given_number_is_kept_if_none_is_printed():
    assert numbered(" Screws. ", number="0007") == Paragraph("Screws.", "0007")


@pytest.mark.parametrize(
    "line", ["BACKGROUND OF THE INVENTION", "Technical Field", "DETAILED DESCRIPTION", "Stand der Technik"]
)
def test_headings(line: str):
    assert looks_like_heading(line)


@pytest.mark.parametrize(
    "line", ["", "A", "It is known.", "FIG. 1", "The invention relates to screws", "X" * 121, "A, B;", "12 34"]
)
def test_lines_that_are_not_headings(line: str):
    assert not looks_like_heading(line)


def test_plain_text_by_value():
    assert plain_paragraphs("FIELD\n[0001] Screws.\n\n  Nails.  \nBACKGROUND\nOld.") == (
        Paragraph("FIELD", "", "FIELD", is_heading=True),
        Paragraph("Screws.", "0001", "FIELD"),
        Paragraph("Nails.", "", "FIELD"),
        Paragraph("BACKGROUND", "", "BACKGROUND", is_heading=True),
        Paragraph("Old.", "", "BACKGROUND"),
    )
    assert plain_paragraphs("") == ()


def test_under_headings_drops_empty_paragraphs_and_corrects_headings():
    given = [Paragraph("a", heading="wrong"), Paragraph(""), Paragraph("H", is_heading=True), Paragraph("b")]
    placed = (Paragraph("a"), Paragraph("H", heading="H", is_heading=True), Paragraph("b", heading="H"))
    assert under_headings(given) == placed
    assert under_headings(placed) == placed
