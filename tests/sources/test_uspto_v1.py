"""USPTO applications of 2001 to 2004: files against facts read off their bytes, and odd ones of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from expectation import OWN, RAW, Expected, check_file, files, needs_raw, only
from foreart.document.patent import Paragraph, Patent, Symbol
from foreart.document.reject import Reject
from foreart.errors import BadRecord
from foreart.sources import scan
from foreart.sources.formats.uspto_v1 import READER

FOLDER = RAW / "uspto_application_xml_v1_pap"
INVENTED: dict[str, Expected] = {
    "US20010990012A1.xml": Expected(
        id="US20010990012A1",
        title="Book that turns its own pages",
        claims=2,
        depends_on={1: (), 2: (1,)},
        published="2001-08-16",
        filed="2001-02-20",
        priority="1996-08-12",
        ipc=("B42D 1/00", "G09B 5/00"),
        inventors=("Lena P. Blatt II", "Tom Umschlag"),
        applicants=("Lesewerk GmbH",),
        abstract=("A book turns", "reader nods."),
        description=("RELATED APPLICATIONS", "an arm 100a lifts the leaf."),
        claim_text=("A book, comprising:\na spine; and\nan arm", "a camera."),
        more={
            "description": (
                Paragraph("RELATED APPLICATIONS", "", "RELATED APPLICATIONS", True),
                Paragraph("The provisional application is of 1996.", "0001", "RELATED APPLICATIONS"),
                Paragraph("BACKGROUND", "", "BACKGROUND", True),
                Paragraph("Cooks and pianists have no hand free.", "0002", "BACKGROUND"),
                Paragraph("DETAILED DESCRIPTION", "", "DETAILED DESCRIPTION", True),
                Paragraph("As FIG. 1 shows, an arm 100a lifts the leaf.", "0003", "DETAILED DESCRIPTION"),
            ),
            "uspc": ("281/15.1", "434/317"),
            "application_number": "US09/991201",
            "priority_numbers": ("US60/991204",),
            "family_refs": ("US09/991202", "US08/991203", "US5990121"),
        },
    ),
    "US20010990013A1.xml": Expected(
        id="US20010990013A1",
        title="Dice For Candle Light",
        claims=2,
        depends_on={1: (), 2: (1,)},
        published="2001-08-16",
        filed="2000-12-04",
        priority="1997-05-21",
        ipc=("A63F 9/00",),
        inventors=("Karl W Wurf",),
        applicants=(),
        abstract=("The dots of", "dice glow."),
        description=("Field\nDice are", "an hour."),
        more={"uspc": ("273/146",), "family_refs": ("US09/991302", "PCT/US97/99013")},
    ),
}
FILES: dict[str, Expected] = {
    "US20010000044A1.xml": Expected(
        id="US20010000044A1",
        title="Systems and Methods For Transacting Business Over A Global Communications Network Such As The Internet",
        claims=21,
        depends_on={1: (), 2: (1,), 5: (4,), 13: (), 17: (16,), 19: (), 21: (20,)},
        published="2001-03-15",
        filed="1999-06-29",
        ipc=("G06F 17/60",),
        inventors=("Wayne W Lin",),
        applicants=(),
        abstract=("A business model", "or anything else."),
        description=("Field OF Invention", "claims which follow."),
        claim_text=("A method of", "global communications network."),
        paragraphs=46,
    ),
    "US20010009014A1.xml": Expected(
        id="US20010009014A1",
        title="Facilitating real-time, multi-point communications over the internet",
        claims=55,
        depends_on={1: (), 2: (1,), 19: (18,), 29: (28,), 30: (), 38: (37,), 47: (46,), 53: (49,), 55: ()},
        published="2001-07-19",
        filed="2001-02-05",
        priority="1999-04-06",
        ipc=("G06F 15/16",),
        inventors=("James A. Savage III", "Sophie Muller"),
        applicants=(),
        abstract=("Methods and apparatus", "second media server."),
        description=("RELATED APPLICATION DATA", "the appended claims."),
        claim_text=("A method for", "currently being facilitated."),
        paragraphs=137,
    ),
    "go-uspto_v1-5-A1_1.xml": Expected(
        id="US20010000001A1",
        title=(
            "Solvent mixture for use in a vapor degreaser and method of cleaning an article in a vapor degreaser"
            " utilizing said solvent"
        ),
        published="2001-03-15",
        filed="2000-11-29",
        priority="1995-12-29",
        ipc=("B08B 3/00",),
        inventors=("Lawrence A. Clark", "James L. Priest"),
        abstract=("The invention provides", "environmentally safe manner."),
        paragraphs=0,
    ),
    "pa040101.two.xml": Expected(
        id="US20040000002A1",
        title="Garment for preventing muscle strain",
        claims=1,
        depends_on={1: ()},
        published="2004-01-01",
        filed="2002-06-27",
        priority="2001-07-30",
        ipc=("A41B 1/00",),
        inventors=("Scott Hollander",),
        applicants=("Hill-Rom Services, Inc.",),
        abstract=("A garment adapted", "releasably fixed position."),
        description=("BACKGROUND OF THE", "of the invention."),
        claim_text=("A garment for", "a desired position."),
        paragraphs=61,
    ),
}


@pytest.mark.parametrize(("path", "facts"), files("uspto_application_xml_v1_pap", invented=INVENTED, real=FILES))
def test_files(path: Path, facts: Expected) -> None:
    check_file(path, facts)


def test_paragraphs_keep_the_numbers_of_the_page() -> None:
    dice = only(OWN / "uspto_application_xml_v1_pap" / "US20010990013A1.xml")
    assert [item.number for item in dice.description] == ["", "1", "", "2", "", "3"]


@needs_raw
def test_numbers_classes_and_relatives_of_real_files() -> None:
    business = only(FOLDER / "US20010000044A1.xml")
    assert (business.uspc, business.application_number) == (("705/26", "705/37"), "US09/342866")
    assert [p.number for p in business.description if p.number][:3] == ["1", "2", "3"]
    network = only(FOLDER / "US20010009014A1.xml")
    assert network.priority_numbers == ("US60/128037",)
    assert network.family_refs == ("US09/432885", "US09/312927")
    assert network.ipc == (Symbol("G06F 15/16", "first"),)
    assert network.description[1].number == "0001"
    assert network.description[-1].number == "0132"
    solvent = only(FOLDER / "go-uspto_v1-5-A1_1.xml")
    assert solvent.uspc == ("134/31",)
    assert solvent.family_refs == (
        "US09/375495",
        "US08/894495",
        "US5938859",
        "PCT/US97/05183",
        "US08/580840",
        "US5616549",
    )
    garment = only(FOLDER / "pa040101.two.xml")
    assert garment.uspc == ("2/69",)


def _application(biblio: str = "", body: str = "", number: str = "20030000001", kind: str = "A1") -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE patent-application-publication SYSTEM '
        '"pap-v16-2002-01-01.dtd" [\n'
        '<!ENTITY A.TIF SYSTEM "A.TIF" NDATA TIF>\n]>\n<patent-application-publication>'
        "<subdoc-bibliographic-information>"
        f"<document-id><doc-number>{number}</doc-number><kind-code>{kind}</kind-code><document-date>20030102"
        "</document-date>"
        f"</document-id>{biblio}</subdoc-bibliographic-information>{body}</patent-application-publication>\n"
    ).encode()


def test_a_number_alone_is_enough() -> None:
    (patent,) = READER.parse(_application())
    assert patent == Patent("US20030000001A1", published="2003-01-02", language="en", document_type="utility")


def test_foreign_priority_a_plant_and_a_correction() -> None:
    biblio = (
        "<publication-filing-type>new-plant</publication-filing-type><foreign-priority-data>"
        "<priority-application-number>"
        "<doc-number>01 12345</doc-number></priority-application-number><filing-date>20011009</filing-date>"
        "<country-code>FR</country-code></foreign-priority-data><technical-information><classification-us>"
        "<classification-us-primary><uspc><class>PLT</class><subclass>116000</subclass></uspc>"
        "</classification-us-primary>"
        "</classification-us><title-of-invention>Rose &lsquo;Ada&rsquo;</title-of-invention></technical-information>"
    )
    (patent,) = READER.parse(_application(biblio, kind="P9"))
    assert (patent.id, patent.document_type) == ("US20030000001P9", "plant")
    assert (patent.title, patent.uspc) == ("Rose ‘Ada’", ("PLT/116",))
    assert (patent.priority, patent.priority_numbers) == ("2001-10-09", ("FR0112345",))
    assert patent.publication_status == "corrected"


def test_provisionals_in_either_form_are_priorities_not_relatives() -> None:
    biblio = (
        "<continuity-data><non-provisional-of-provisional><parent-child><child><document-id><doc-number>10200300"
        "</doc-number>"
        "<document-date>20020601</document-date></document-id></child><parent><document-id><doc-number>60300400"
        "</doc-number>"
        "<document-date>20010601</document-date><country-code>US</country-code></document-id></parent></parent-child>"
        "</non-provisional-of-provisional></continuity-data><prior-publication><document-id><doc-number>20020000009"
        "</doc-number>"
        "<kind-code>A1</kind-code></document-id></prior-publication>"
    )
    (patent,) = READER.parse(_application(biblio))
    assert (patent.priority, patent.priority_numbers) == ("2001-06-01", ("US60/300400",))
    assert patent.family_refs == ("US20020000009A1",)


def test_paragraphs_tables_and_scripts() -> None:
    body = (
        '<subdoc-description><detailed-description><section><heading lvl="1">EXAMPLE </heading><paragraph '
        'id="P-0007" lvl="0">'
        "<number>&lsqb;0007&rsqb;</number> 10<superscript>6 </superscript>cells in CO<subscript>2</subscript> "
        "<in-line-formula>a = b"
        '</in-line-formula></paragraph><table-cwu id="T1"><table><tgroup><tbody><row><entry>A</entry><entry>1'
        "</entry></row><row>"
        '<entry>B</entry><entry>2</entry></row></tbody></tgroup></table></table-cwu><paragraph id="P-0008" '
        'lvl="0">no number'
        "</paragraph></section></detailed-description></subdoc-description>"
    )
    (patent,) = READER.parse(_application(body=body))
    assert [(p.text, p.number, p.heading) for p in patent.description] == [
        ("EXAMPLE", "", "EXAMPLE"),
        ("10^6 cells in CO2 a = b", "0007", "EXAMPLE"),
        ("A | 1\nB | 2", "", "EXAMPLE"),
        ("no number", "", "EXAMPLE"),
    ]


def test_references_stand_inside_the_line() -> None:
    body = (
        '<subdoc-claims><heading lvl="1">We claim:</heading><claim id="CLM-00001"><claim-text><highlight><bold>1'
        "</bold></highlight>. "
        'A nut. </claim-text></claim><claim id="CLM-00002"><claim-text><highlight><bold>2</bold></highlight>. The '
        "nut of "
        '<dependent-claim-reference depends_on="CLM-00001"><claim-text>claim 1</claim-text>'
        "</dependent-claim-reference>, having: "
        "<claim-text>a thread. </claim-text></claim-text></claim></subdoc-claims>"
    )
    (patent,) = READER.parse(_application(body=body))
    assert [(claim.number, claim.text, claim.depends_on) for claim in patent.claims] == [
        (1, "A nut.", ()),
        (2, "The nut of claim 1, having:\na thread.", (1,)),
    ]


def test_no_number_is_refused() -> None:
    with pytest.raises(BadRecord, match="no publication number"):
        list(
            READER.parse(
                b"<patent-application-publication><subdoc-bibliographic-information/></patent-application-publication>"
            )
        )


def test_weekly_file_goes_on_after_a_document_that_is_cut_off(tmp_path: Path) -> None:
    file = tmp_path / "pa030102.xml"
    file.write_bytes(_application()[:-50] + _application(number="20030000002") + _application(number="20030000003"))
    bad, second, third = scan(file)
    assert isinstance(bad, Reject)
    assert isinstance(second, Patent)
    assert isinstance(third, Patent)
    assert (second.id, third.id) == ("US20030000002A1", "US20030000003A1")
