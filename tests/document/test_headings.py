"""Headings of applications as written in practice, and lines that only look like headings."""

from __future__ import annotations

import pytest

from foreart.document.headings import known_heading
from foreart.document.outline import sections_of
from foreart.document.paragraphs import under_headings
from foreart.document.patent import Paragraph

KNOWN = {
    "title": ["Title of the Invention", "Bezeichnung der Erfindung", "TITLE"],
    "related": [
        "CROSS-REFERENCE TO RELATED APPLICATIONS",
        "Related Applications",
        "STATEMENT REGARDING FEDERALLY SPONSORED RESEARCH",
        "Claim of Priority",
        "GOVERNMENT LICENSE RIGHTS",
        "Querverweis auf verwandte Anmeldungen",
    ],
    "field": [
        "Field",
        "1. Technical Field",
        "FIELD OF THE INVENTION",
        "Gebiet der Erfindung",
        "Technisches Gebiet",
        "[0001] TECHNICAL FIELD",
        "I. Field of the Invention",
    ],
    "background": [
        "BACKGROUND OF THE INVENTION",
        "2. Description of the Related Art",
        "Prior Art",
        "Stand der Technik",
        "**Background**",
        "Hintergrund der Erfindung",
        "Background Art",
        "Discussion of the Related Art",
    ],
    "summary": [
        "SUMMARY",
        "Brief Summary of the Invention",
        "Disclosure of the Invention",
        "Objects of the Invention",
        "Zusammenfassung der Erfindung",
        "Aufgabe der Erfindung",
        "Darstellung der Erfindung",
        "Technical Problem",
    ],
    "drawings": [
        "BRIEF DESCRIPTION OF THE SEVERAL VIEWS OF THE DRAWINGS",
        "Brief Description of the Figures",
        "Figurenbeschreibung",
        "Kurze Beschreibung der Zeichnungen",
        "Drawings",
    ],
    "detailed": [
        "DETAILED DESCRIPTION OF THE PREFERRED EMBODIMENT(S)",
        "Description of Embodiments",
        "Example 1",
        "Ausführungsbeispiele",
        "Best Mode for Carrying Out the Invention",
        "Detaillierte Beschreibung bevorzugter Ausführungsformen",
        "Wege zur Ausführung der Erfindung",
    ],
    "numerals": ["Reference Signs List", "Bezugszeichenliste", "List of reference numerals"],
    "description": ["Description", "BESCHREIBUNG"],
    "claims": [
        "What is claimed is:",
        "CLAIMS",
        "We claim:",
        "Patentansprüche",
        "Ansprüche",
        "The invention claimed is:",
        "What is claimed as new and desired to be protected by Letters Patent is:",
    ],
    "abstract": ["Abstract", "ABSTRACT OF THE DISCLOSURE", "Zusammenfassung", "## Abstract"],
}
UNKNOWN = [
    "claims",
    "The claims follow.",
    "Claims 1 to 5 are",
    "Field tests were made in the summer",
    "The field of use is wide.",
    "Embodiments of the method may include any of the following features.",
    "A description of the pump follows.",
    "Embodiments of the present application provide apparatuses and",
    "Abstract ideas are not patentable",
    "Background music is played",
    "Summary judgement was given",
    "",
]


@pytest.mark.parametrize(("line", "name"), [(line, name) for name, lines in KNOWN.items() for line in lines])
def test_known_headings(line: str, name: str) -> None:
    found = known_heading(line)
    assert found is not None
    assert found.section == name
    assert found.rest == ""


@pytest.mark.parametrize("line", UNKNOWN)
def test_lines_that_are_not_headings(line: str) -> None:
    assert known_heading(line) is None


def test_text_on_the_same_line_as_a_heading() -> None:
    spaced = known_heading("Title: Bone screw")
    assert spaced is not None
    assert (spaced.section, spaced.rest) == ("title", "Bone screw")
    run_in = known_heading("FIELD OF THE INVENTION This invention relates to screws.")
    assert run_in is not None
    assert (run_in.section, run_in.rest) == ("field", "This invention relates to screws.")


def outlined(*lines: str) -> list[tuple[str, int, int]]:
    paragraphs = under_headings(Paragraph(line.strip("="), is_heading=line.startswith("=")) for line in lines)
    return [(section.name, section.start, section.end) for section in sections_of(paragraphs)]


def test_sections_by_headings() -> None:
    lines = ("=FIELD", "a", "=BACKGROUND", "b", "c", "=Materials", "d", "=DETAILED DESCRIPTION", "e", "=Example 1", "f")
    assert outlined(*lines) == [("field", 0, 2), ("background", 2, 7), ("detailed", 7, 11)]


def test_summary_inside_the_detailed_description_is_a_subheading() -> None:
    assert outlined("=SUMMARY", "a", "=DETAILED DESCRIPTION", "b", "=Summary", "c") == [
        ("summary", 0, 2),
        ("detailed", 2, 6),
    ]


def test_description_after_the_drawings_is_detailed() -> None:
    assert [name for name, _, _ in outlined("=DRAWINGS", "a", "=DESCRIPTION", "b")] == ["drawings", "detailed"]
    assert [name for name, _, _ in outlined("=DESCRIPTION", "a", "=FIELD", "b")] == ["description", "field"]


def test_text_without_headings_is_divided_by_content() -> None:
    lines = (
        "The invention relates to pumps.",
        "Pumps leak.",
        "FIG. 1 shows a pump.",
        "FIG. 2 is a detail.",
        "The pump runs.",
    )
    assert outlined(*lines) == [("description", 0, 2), ("drawings", 2, 4), ("detailed", 4, 5)]
    assert outlined("The invention relates to pumps.", "They leak.", "Ours does not.") == [
        ("field", 0, 1),
        ("description", 1, 3),
    ]
    assert outlined() == []
