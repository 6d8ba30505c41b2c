"""Eight invented patents with dates on every side of the cut-off, and a draft."""

from __future__ import annotations

from foreart.document.draft import Draft
from foreart.document.patent import Claim, Paragraph, Patent


def patent(number: str, title: str, text: str, published: str, priority: str = "", family: str = "") -> Patent:
    return Patent(
        number,
        title=title,
        abstract=f"{title}.",
        description=(
            Paragraph("FIELD", is_heading=True, heading="FIELD"),
            Paragraph("This has nothing to tell.", number="0001", heading="FIELD"),
            Paragraph(text, number="0002", heading="FIELD"),
        ),
        claims=(Claim(1, f"A {title.lower()}."),),
        published=published,
        priority=priority,
        applicants=("Acme <b>Tools</b> & Sons",),
        family_id=family,
    )


PATENTS = (
    patent("XX1A", "Spring pawl", "A pawl and a ratchet hold the bar.", "2001-01-01", "2000-01-01", "F1"),
    patent("XX2B1", "Spring pawl", "A pawl and a ratchet hold the bar bar.", "2003-01-01", "2000-01-01", "F1"),
    patent("XX3A", "Late pawl", "A pawl and a ratchet hold the bar.", "2016-01-01", "2015-01-01"),
    patent("XX4A", "Hidden pawl", "A pawl holds the bar.", "2014-09-01", "2013-09-01"),
    patent("XX5A", "Old pawl", "A pawl holds.", ""),
    patent("XX6A", "Teapot", "Tea is poured from a spout.", "1990-01-01"),
    patent("XX7A", "Later ratchet", "A ratchet turns.", "2017-01-01", "2016-01-01"),
    patent("XX8A", "Spring pawl with lever", "A pawl, a ratchet, a lever.", "2016-05-05", "2015-05-05", "F1"),
)
DRAFT = Draft(
    title="Ratchet with pawl",
    description=(Paragraph("The pawl engages the ratchet of the bar."),),
    claims=(Claim(1, "A bar with a ratchet and a pawl."),),
    priority="2014-03-10",
    source="draft.docx",
)
