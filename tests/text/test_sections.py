"""The text of a document that is compared."""

from __future__ import annotations

import pytest

from foreart.document.draft import Draft
from foreart.document.patent import Claim, Paragraph, Patent
from foreart.errors import ForeartError
from foreart.text import SECTIONS, section_text

PARTS = {
    "title": "Bone screw",
    "abstract": "A screw for bones.",
    "description": (Paragraph("FIELD", is_heading=True), Paragraph("Screws hold.", number="0001", heading="FIELD")),
    "claims": (Claim(1, "A screw."), Claim(2, "The screw of claim 1.", (1,))),
}
EXPECTED = {
    "full": "Bone screw\nA screw for bones.\nFIELD\nScrews hold.\nA screw.\nThe screw of claim 1.",
    "abstract": "Bone screw\nA screw for bones.",
    "claims": "Bone screw\nA screw.\nThe screw of claim 1.",
    "description": "Bone screw\nFIELD\nScrews hold.",
    "abstract-claims": "Bone screw\nA screw for bones.\nA screw.\nThe screw of claim 1.",
}


@pytest.mark.parametrize("sections", SECTIONS)
def test_patent_and_draft_give_the_same_text_in_order(sections: str) -> None:
    assert section_text(Patent("US1A", **PARTS), sections) == EXPECTED[sections]  # type: ignore[arg-type]
    assert section_text(Draft(**PARTS), sections) == EXPECTED[sections]  # type: ignore[arg-type]


def test_missing_parts_leave_no_empty_line() -> None:
    assert section_text(Patent("US1A", title="Screw"), "full") == "Screw"


def test_unknown_sections_are_refused_with_the_choices() -> None:
    with pytest.raises(ForeartError, match="'whole'; choose one of full, abstract, claims, description"):
        section_text(Draft(), "whole")
