"""Google Patents in markdown: swapped labels, a doubled abstract, claims whose numbers a scan lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from expectation import RAW, Expected, check_file, files, needs_raw, only
from foreart.document.patent import Citation, Patent
from foreart.errors import BadRecord
from foreart.sources import scan
from foreart.sources.formats.google_markdown import READER
from foreart.sources.markup.running_text import guess_language, joined_lines

PAGES = RAW / "google_patents_markdown"

INVENTED = [
    Expected(
        id="EP0990027A2",
        title="Rocking chair for ships",
        claims=3,
        depends_on={1: (), 2: (1,), 3: (1, 2)},
        priority="1984-10-08",
        citations={"unknown": 2},
        inventors=("Olaf Sven Larsen",),  # the page calls the applicant the inventor
        applicants=("Chaise Marine Inc",),
        abstract=("The chair (10)", "the waves."),
        description=("Chairs at sea", "the seat (12)."),
        claim_text=("A rocking chair (10) comprising:\n(a) a seat (12); and\n(b) a weight", "a cushion."),
        paragraphs=4,
    ),
    Expected(
        id="FR2990028A1",
        title="Horloge a sable",
        claims=6,
        depends_on={1: (), 2: (1,), 3: (2,), 4: (3,), 5: (1,), 6: ()},  # 3 has lost its number, 5 is inside a line
        priority="1982-03-01",
        citations={"unknown": 2},
        inventors=("Jeanne Claire Dune", "Paul Grain"),
        applicants=("SABLIERS DU MIDI SA", "SABLIERS DU MIDI"),
        abstract=("HORLOGE DANS", "ROUE 4."),
        description=("Horloge à sable", "La roue 4 est dans le boîtier et tourne avec l'aiguille.\nElle sonne à midi."),
        claim_text=("Horloge à sable,", "sonne à midi."),
        language="fr",
    ),
    Expected(
        id="US6990029B1",
        title="Ladder with a memory and method of climbing",
        claims=3,
        depends_on={1: (), 2: (1,), 3: ()},
        priority="2000-01-10",
        citations={"unknown": 2},
        inventors=("Ida A. Stufe", "Max B. Holm"),
        applicants=("Sprosse Corp", "Leiter Holding USA Inc"),
        abstract=("A ladder remembers", "climbed it."),
        description=("BACKGROUND\nLadders forget", "DETAILED DESCRIPTION\nThe rung 4 is warm."),
        claim_text=("A ladder comprising:\na rung; and\na counter", "(a) counting."),
        paragraphs=6,
        more={"citations": (Citation("US5990291A"), Citation("US5990292A"))},  # a link that ends before the kind code
    ),
]
EXPECTED = [
    Expected(
        id="EP0142832A2",
        title="Oscillating ultrasound scanhead",
        claims=8,
        depends_on={1: (), 2: (1,), 3: (2,), 4: (1, 2, 3), 5: (1, 2, 3, 4), 6: (5,), 7: (1, 2, 3, 4, 5, 6), 8: (1,)},
        priority="1983-11-21",
        citations={"unknown": 3},
        inventors=("Robert Francis Mcconaghy",),
        applicants=("Advanced Technology Laboratories Inc",),
        abstract=("The scanhead (10)", "same axis."),
        description=("The present invention", "present invention."),
        claim_text=("An oscillating ultrasound", "rotor (68)."),
        paragraphs=13,
    ),
    Expected(
        id="FR2516272A1",
        title="Scanographe a ultrasons",
        claims=17,
        # 5 and 10 have lost their numbers, 8 and 14 stand in the middle of a line.
        depends_on={1: (), 4: (3,), 5: (4,), 6: (5,), 8: (7,), 9: (1,), 10: (1,), 14: (2,), 15: (), 16: (15,), 17: ()},
        priority="1981-11-09",
        citations={"unknown": 6},
        inventors=("Phillip Michael Finsterwald", "Le Roy Kopel"),
        applicants=("ADVANCED DIAGNOSTIC RESEARCH COR", "ADVANCED DIAGNOSTIC RES"),
        abstract=("SCANOGRAPHE SECTORIEL", "LES DENTS."),
        description=("Scanographe à", "secteur exploré."),
        claim_text=("Scanographe à ultrasons", "qu'il oscille."),
        language="fr",
    ),
    Expected(
        id="US5295486A",
        title="Transesophageal echocardiography device",
        claims=10,
        depends_on={1: (), 2: (1,), 3: (2,), 4: (3,), 5: (1,), 6: (5,), 7: (5,), 8: (1,), 9: (1,), 10: (9,)},
        priority="1989-05-03",
        citations={"unknown": 5},
        inventors=("Helmut Wollschlager", "Susanna Wollschlager", "Andreas Zeiher", "Hans-Peter Klein"),
        applicants=("Silicon Valley Bank Inc",),
        abstract=("In a device", "monitor (31)."),
        description=("The invention is", "FIG. 4."),
        claim_text=("An ultrasound endoscopy", "cardiac cycle."),
        paragraphs=40,
    ),
    Expected(
        id="US6612992B1",
        title="Medical diagnostic ultrasound catheter and method for position determination",
        claims=25,
        depends_on={1: (), 9: (6,), 10: (), 14: (10,), 22: (10,), 23: (), 24: (23,), 25: (10,)},
        priority="2000-03-02",
        citations={"unknown": 15},
        inventors=("John A. Hossack", "Michael G. Curley", "Thilaka S. Sumanaweera", "John I. Jackson"),
        applicants=("Acuson Corp", "Siemens Medical Solutions USA Inc"),
        abstract=("A catheter and", "three-dimensional representations."),
        description=("BACKGROUND", "the invention."),
        claim_text=("A medical diagnostic", "measured rotation."),
        paragraphs=50,
    ),
]


@pytest.mark.parametrize(
    ("path", "facts"),
    files(
        "google_patents_markdown",
        invented={f"{item.id}.md": item for item in INVENTED},
        real={f"{item.id}.md": item for item in EXPECTED},
    ),
)
def test_files(path: Path, facts: Expected):
    check_file(path, facts)


@needs_raw
def test_details_of_real_files():
    european = only(PAGES / "EP0142832A2.md")
    assert [item.number for item in european.description[:5]] == ["0001", "0002", "0003", "0004", ""]
    assert european.claims[0].text.count("\n") == 5
    catheter = only(PAGES / "US6612992B1.md")
    assert [item.text for item in catheter.description if item.is_heading] == [
        "BACKGROUND",
        "BRIEF SUMMARY",
        "BRIEF DESCRIPTION OF SEVERAL VIEWS OF THE DRAWINGS",
        "DETAILED DESCRIPTION OF THE PREFERRED EMBODIMENTS",
    ]
    # A link that ends before the kind code.
    assert only(PAGES / "US5295486A.md").citations[0] == Citation("US3805596A")
    french = only(PAGES / "FR2516272A1.md")
    assert "ultrasons mécanique du type" in french.description[0].text
    assert {claim.number for claim in french.claims} == set(range(1, 18))


PAGE = """Source: [US7000001B2](https://patents.google.com/patent/US7000001B2)

# [US7000001B2](US7000001B2.md) - Screw - with head &amp; slot

## Details

* Date: {date}
* Inventor: {first}
* Beneficiary: {second}

## Other patents

### Backwards
 * [US1000001](US1000001.md)A
 * US1000001A
 *
### Forward
 * US9000001B2
## Abstract

Abstract

A screw.



A screw.

FIELD
The invention is about screws, see [US1000001A](US1000001A.md).

{claims}"""


def read(
    claims: str = "1. A screw.", date: str = "2001-02-03", first: str = "Acme, Inc.", second: str = "Jo Smith"
) -> Patent:
    data = PAGE.format(claims=claims, date=date, first=first, second=second).encode()
    assert READER.sniff(data, "x.md")
    (patent,) = READER.parse(data)
    return patent


def test_small_page():
    patent = read()
    assert patent.title == "Screw - with head & slot"
    assert patent.abstract == "A screw."
    assert [item.text for item in patent.description] == ["FIELD", "The invention is about screws, see US1000001A."]
    assert patent.citations == (Citation("US1000001A"),)
    assert (patent.inventors, patent.applicants) == (("Jo Smith",), ("Acme, Inc.",))
    assert (patent.priority, patent.filed, patent.published) == ("2001-02-03", "", "")


def test_labels_the_right_way_round():
    patent = read(first="Jo Smith, Al Jones", second="Acme Corp")
    assert (patent.inventors, patent.applicants) == (("Jo Smith", "Al Jones"), ("Acme Corp",))


def test_a_formula_between_blank_lines_belongs_to_its_claim():
    claims = "What is claimed is: \n \n1. A screw with\n\n  \na=b+c\n\n  \n2. The screw of claim 1."
    assert [(claim.number, claim.text) for claim in read(claims).claims] == [
        (1, "A screw with\na=b+c"),
        (2, "The screw of claim 1."),
    ]


def test_one_claim_without_number_and_none_at_all():
    assert [claim.text for claim in read("I claim:\n \nThe ornamental design for a screw.").claims] == [
        "The ornamental design for a screw."
    ]
    assert read("Nothing is claimed here.").claims == ()


def test_no_number_is_refused():
    with pytest.raises(BadRecord, match="no publication number"):
        list(READER.parse(PAGE.replace("US7000001B2", "nothing").encode()))


def test_two_pages_in_one_file(tmp_path: Path):
    text = PAGE.format(claims="1. A screw.", date="", first="", second="")
    file = tmp_path / "two.md"
    file.write_text(text + "\n" + text.replace("US7000001B2", "US7000002B2"))
    assert [item.id for item in scan(file) if isinstance(item, Patent)] == ["US7000001B2", "US7000002B2"]


def test_other_markdown_is_not_claimed():
    assert not READER.sniff(b"# A readme\n\nSource: [x](https://example.org)\n", "README.md")


def test_lines_that_paper_broke():
    lines = [
        "The scan-",
        "ner has a head",
        "( 12) and",
        "two parts:",
        "a lens; and",
        "a tube",
        "",
        "not more.",
        "Example",
        "1 g",
    ]
    assert list(joined_lines(lines)) == [
        "The scanner has a head ( 12) and two parts:",
        "a lens; and",
        "a tube",
        "not more.",
        "Example",
        "1 g",
    ]


def test_languages():
    assert guess_language("Die Schraube ist mit dem Kopf und der Mutter verbunden") == "de"
    assert guess_language("The head of the screw is in the slot") == "en"
    assert guess_language("La vis est dans le trou et sur la tête") == "fr"
    assert guess_language("") == ""
    assert guess_language("ねじ") == ""
