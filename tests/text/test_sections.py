"""Which text of a document is compared."""

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
}


@pytest.mark.parametrize("sections", SECTIONS)
def test_a_patent_and_a_draft_are_read_alike_and_in_order(sections: str) -> None:
    assert section_text(Patent("US1A", **PARTS), sections) == EXPECTED[sections]  # type: ignore[arg-type]
    assert section_text(Draft(**PARTS), sections) == EXPECTED[sections]  # type: ignore[arg-type]


def test_what_is_missing_leaves_no_empty_line() -> None:
    assert section_text(Patent("US1A", title="Screw"), "full") == "Screw"


def test_unknown_sections_are_named_with_those_there_are() -> None:
    with pytest.raises(ForeartError, match="'whole'; there are full, abstract, claims, description"):
        section_text(Draft(), "whole")
