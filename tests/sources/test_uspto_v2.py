"""USPTO grants of 2001 to 2004: files against facts read off their bytes, and odd documents of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from expectation import OWN, RAW, Expected, check_file, files, needs_raw, only
from foreart.document.patent import Citation, Literature, Patent, Symbol
from foreart.document.reject import Reject
from foreart.errors import BadRecord
from foreart.sources import scan
from foreart.sources.formats.uspto_v2 import READER

FOLDER = RAW / "uspto_grant_xml_v2"
INVENTED: dict[str, Expected] = {
    "US06990010.xml": Expected(
        id="US6990010B1",
        title="Fiddle with a double back",
        claims=3,
        depends_on={1: (), 2: (1,), 3: (1, 2)},
        published="2002-08-06",
        filed="1999-07-12",
        priority="1997-01-15",
        ipc=("G10D 3/02", "G10K 11/00"),
        citations={"examiner": 1, "other": 1},
        literature=1,
        inventors=("Liv Fele",),
        applicants=("Strek & Bue AS",),
        abstract=("A fiddle has", "between them."),
        description=("The Norwegian application", "a=b0.\nTABLE 1\nWood | Hz\nBirch | 196"),
        claim_text=("A fiddle, comprising:\nan inner back; and\nan outer back.", "five strings."),
        # 4 paragraphs, 3 headings, and a table that stands outside of them
        paragraphs=8,
        more={
            "citations": (Citation("US2990101A", "examiner"), Citation("WO1994090102", "other")),
            "literature": (Literature("Resonance, 12th Congress of Luthiers, Bergen, 1995.", "other"),),
            "ipc": (Symbol("G10D 3/02", "first"), Symbol("G10K 11/00", "later")),
            "uspc": ("84/291", "84/452R"),
            "application_number": "US09/991001",
            "priority_numbers": ("NO979910",),
            "family_refs": ("PCT/NO98/99010",),
        },
    ),
    "US06990011.xml": Expected(
        id="US6990011B2",
        title="Tap that whistles when it drips",
        claims=2,
        depends_on={1: (), 2: (1,)},
        published="2003-04-08",
        filed="2001-03-06",
        priority="1999-09-09",
        ipc=("E03C 1/04",),
        citations={"examiner": 1},
        inventors=("Rosa T. Tropf",),
        applicants=(),
        description=("The reed 4a sounds", "a second."),
        claim_text=("A tap with", "of brass."),
        more={
            "uspc": ("4/675", "153/276"),  # a copy that lost the spaces in front of the class
            "family_refs": ("US20020990112A1", "PCT/JP99/99011", "WO2000099011A"),
        },
    ),
}
FILES: dict[str, Expected] = {
    "US06336130.xml": Expected(
        id="US6336130B1",
        title="Arrangement for improving availability of services in a communication system",
        claims=22,
        depends_on={1: (), 2: (1,), 8: (7,), 9: (), 13: (10,), 18: (), 22: (19,)},
        published="2002-01-01",
        filed="1999-10-05",
        priority="1997-04-08",
        ipc=("G06F 15/16", "G06F 13/00"),
        citations={"examiner": 5, "other": 1},
        literature=3,
        inventors=("Thanh Van Do",),
        applicants=("Telefonaktiebolaget LM Ericsson (publ)",),
        abstract=("A communications systems,", "kernel transport network."),
        description=("This is a", "the appended claims."),
        claim_text=("An arrangement in", "the fixed network."),
        paragraphs=46,
    ),
    "US06337117.xml": Expected(
        id="US6337117B1",
        title="Optical memory device",
        claims=39,
        depends_on={1: (), 5: (2,), 16: (15,), 20: (), 26: (25,), 32: (), 34: (1,), 39: (34,)},
        published="2002-01-08",
        filed="1999-06-30",
        priority="1998-07-01",
        ipc=("B32B 3/02",),
        citations={"examiner": 2},
        inventors=("Shinya Maenosono", "Ceco Dushkin", "Yukio Yamaguchi", "Harumi Asami", "Soichiro Saita"),
        applicants=("Mitsubishi Chemical Corporation",),
        abstract=("An optical memory", "with excitation light."),
        description=("BACKGROUND OF THE", "in FIG. 44C."),
        claim_text=("An optical memory", "of excitation light."),
        # 345 paragraphs, 29 headings, and a table that stands outside of them
        paragraphs=375,
    ),
    "go-uspto_v2-5-B1.xml": Expected(
        id="US6334226B1",
        title="Faucet support member",
        claims=31,
        depends_on={1: (), 3: (1,), 4: (1, 2, 3), 8: (2, 3), 9: (1, 2, 3, 4, 5, 6, 7, 8), 15: (14,), 27: (24,), 31: ()},
        published="2002-01-01",
        filed="2000-04-24",
        priority="1997-10-22",
        ipc=("E03C 1/04",),
        citations={"examiner": 10, "other": 4},
        inventors=("Osamu Tokunaga", "Hideyuki Hasebe", "Sigemiti Inada"),
        applicants=("Toto Ltd.",),
        abstract=("A faucet support", "the base plate."),
        description=("This application is", "the support seat."),
        claim_text=("A faucet support", "onto said bolts."),
        paragraphs=161,
    ),
    "go-uspto_v2-5-B2.xml": Expected(
        id="US6530116B2",
        title="Vacuum cleaner with muffled detachable blower exhaust",
        claims=20,
        depends_on={1: (), 4: (3,), 8: (6,), 9: (), 14: (11,), 15: (), 18: (17,), 20: (16,)},
        published="2003-03-11",
        filed="2001-02-13",
        ipc=("A47L 5/14",),
        citations={"examiner": 7, "other": 26},
        literature=4,
        inventors=("Robert C. Berfield", "Ronald Griffin", "Craig Seasholtz"),
        applicants=("Shop Vac Corporation",),
        abstract=("A vacuum cleaner", "the passage inlet."),
        description=("FIELD OF THE", "and appended claims."),
        claim_text=("A vacuum cleaner", "of the housing."),
        paragraphs=39,
    ),
}


@pytest.mark.parametrize(("path", "facts"), files("uspto_grant_xml_v2", invented=INVENTED, real=FILES))
def test_files(path: Path, facts: Expected) -> None:
    check_file(path, facts)


def test_a_formula_stands_in_its_sentence() -> None:
    fiddle = only(OWN / "uspto_grant_xml_v2" / "US06990010.xml")
    assert fiddle.description[6].text == "The inner back 2 vibrates by 10^-5 m at a pitch of f_n = n/L and a=b0."


@needs_raw
def test_numbers_classes_and_relatives_of_real_files() -> None:
    network = only(FOLDER / "US06336130.xml")
    assert (network.application_number, network.priority_numbers) == ("US09/413215", ("NO971605",))
    assert network.family_refs == ("PCT/NO98/00107",)
    assert network.uspc == ("709/202", "709/201")
    assert network.citations[5] == Citation("WO1996025012", "other")
    assert network.literature[1].text.startswith("IEEE 46th Technology Conference")
    assert network.ipc == (Symbol("G06F 15/16", "first"), Symbol("G06F 13/00", "later"))
    memory = only(FOLDER / "US06337117.xml")
    assert memory.uspc[:3] == ("428/64.1", "428/64.4", "428/147")
    assert memory.uspc[6] == "430/495.1"
    assert [p.text.count("\n") for p in memory.description if " | " in p.text] == [8]
    assert any("Φ(t) = (I_em(t))/(I_em^0)" in p.text for p in memory.description)
    faucet = only(FOLDER / "go-uspto_v2-5-B1.xml")
    # This copy lost the spaces in front of the class: `  4675` was there.
    assert faucet.uspc == ("4/675", "4/676", "4/678", "4/695", "4/696")
    assert faucet.family_refs == ("PCT/JP98/04545", "WO1999020849A")
    vacuum = only(FOLDER / "go-uspto_v2-5-B2.xml")
    assert vacuum.family_refs == ("US20020108205A1",)
    assert vacuum.uspc == ("15/328", "15/327.6", "15/326", "15/412")


# A design as the SGML of 2001 writes it: no XML declaration, and empty elements that are never closed.
DESIGN = b"""<!DOCTYPE PATDOC PUBLIC "-//USPTO//DTD ST.32 US PATENT GRANT V2.4 2000-09-20//EN" [
<!ENTITY USD0400001-20010102-D00000.TIF SYSTEM "USD0400001-20010102-D00000.TIF" NDATA TIF>
]>
<PATDOC DTD="2.4" STATUS="BUILD 20000928">
<SDOBI>
<B100><B110><DNUM><PDAT>D0400001</PDAT></DNUM></B110><B130><PDAT>S1</PDAT></B130>
<B140><DATE><PDAT>20010102</PDAT></DATE></B140><B190><PDAT>US</PDAT></B190></B100>
<B200><B210><DNUM><PDAT>29100200</PDAT></DNUM></B210><B211US><PDAT>29</PDAT></B211US>
<B220><DATE><PDAT>19990205</PDAT></DATE></B220></B200>
<B500><B510><B511><PDAT>0601</PDAT></B511><B516><PDAT>7</PDAT></B516></B510>
<B520><B521><PDAT>D 6366</PDAT></B521><B522><PDAT> D6370</PDAT></B522></B520>
<B540><STEXT><PDAT>Chair</PDAT></STEXT></B540>
<B560><B561><PCIT><DOC><DNUM><PDAT>D370123</PDAT></DNUM><DATE><PDAT>19960500</PDAT></DATE></DOC>
<PNC><PDAT>D 6366</PDAT></PNC></PCIT><CITED-BY-EXAMINER></B561>
<B562><NCIT><STEXT><PDAT>A catalogue&mdash;p. 3.*</PDAT></STEXT></NCIT><CITED-BY-OTHER></B562></B560>
<B590><B595><PDAT>1</PDAT></B595><B597US></B590></B500>
<B600><B630><B632><PARENT-US><CDOC><DOC><DNUM><PDAT>29/100200</PDAT></DNUM></DOC></CDOC><PDOC><DOC><DNUM><PDAT>29/090001
</PDAT></DNUM><DATE><PDAT>19980701</PDAT></DATE><CTRY><PDAT>US</PDAT></CTRY><KIND><PDAT>00</PDAT></KIND></DOC></PDOC>
<PSTA><PDAT>01</PDAT></PSTA><PPUB><DOC><DNUM><PDAT>Des. 399,001</PDAT></DNUM><CTRY><PDAT>US</PDAT></CTRY></DOC></PPUB>
</PARENT-US></B632></B630></B600>
<B700><B720><B721><PARTY-US><NAM><FNM><PDAT>Ada</PDAT></FNM><SNM><STEXT><PDAT>Stuhl</PDAT></STEXT></SNM></NAM>
</PARTY-US></B721></B720><B730><B731><PARTY-US><NAM><FNM><PDAT>Uwe</PDAT></FNM><SNM><STEXT><PDAT>Sitz</PDAT></STEXT></SNM>
</NAM></PARTY-US></B731></B730></B700>
</SDOBI>
<SDODE><DRWDESC><BTEXT><PARA ID="P-00001" LVL="7"><PTEXT><PDAT>FIG. 1 is a view.</PDAT></PTEXT></PARA></BTEXT></DRWDESC>
</SDODE><SDOCL><CL><CLM ID="CLM-00001"><PARA ID="P-00002" LVL="7">
<PTEXT><PDAT>The ornamental design for a chair, as shown.</PDAT></PTEXT>
</PARA></CLM></CL></SDOCL>
<SDODR ID="DRAWINGS"><EMI ID="EMI-D00000" FILE="USD0400001-20010102-D00000.TIF"></SDODR>
</PATDOC>
"""


def test_sgml_design() -> None:
    (patent,) = READER.parse(DESIGN)
    assert (patent.id, patent.title, patent.document_type) == ("USD400001S1", "Chair", "design")
    assert (patent.ipc, patent.locarno, patent.uspc) == ((), ("06-01",), ("D6/366", "D6/370"))
    assert patent.citations == (Citation("USD370123", "examiner"),)
    assert patent.literature == (Literature("A catalogue—p. 3.*", "other"),)
    assert (patent.filed, patent.priority) == ("1999-02-05", "1998-07-01")
    assert patent.application_number == "US29/100200"
    assert patent.family_refs == ("US29/090001", "USD399001")
    assert (patent.inventors, patent.applicants) == (("Ada Stuhl",), ("Uwe Sitz",))
    assert patent.claims[0].text == "The ornamental design for a chair, as shown."
    assert patent.description_text == "FIG. 1 is a view."


def test_weekly_sgml_goes_on_after_a_document_that_is_cut_off(tmp_path: Path) -> None:
    file = tmp_path / "pg010102.sgm"
    file.write_bytes(DESIGN[:-300] + DESIGN.replace(b"D0400001</PDAT>", b"D0400002</PDAT>") + DESIGN)
    bad, second, third = scan(file)
    assert isinstance(bad, Reject)
    assert bad.reason.startswith("not well-formed XML")
    assert isinstance(second, Patent)
    assert isinstance(third, Patent)
    assert (second.id, third.id) == ("USD400002S1", "USD400001S1")


def _grant(number: str, kind: str, more: str = "", body: str = "") -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE PATDOC SYSTEM "ST32-US-Grant-025xml.dtd" [\n]>\n'
        f'<PATDOC DTD="2.5" STATUS="Build 20020101"><SDOBI><B100><B110><DNUM><PDAT>{number}</PDAT></DNUM></B110>'
        f"<B130><PDAT>{kind}</PDAT></B130><B140><DATE><PDAT>20030401</PDAT></DATE></B140></B100>{more}</SDOBI>{body}"
        "</PATDOC>\n"
    ).encode()


def test_reissue_with_brackets_provisional_and_original_patent() -> None:
    related = (
        "<B600><B640><PARENT-US><CDOC><DOC><DNUM><PDAT>10/111222</PDAT></DNUM></DOC></CDOC><PDOC><DOC><DNUM>"
        "<PDAT>09/333444"
        "</PDAT></DNUM><DATE><PDAT>19990302</PDAT></DATE></DOC></PDOC><PPUB><DOC><DNUM><PDAT>6,111,222</PDAT></DNUM>"
        "</DOC></PPUB>"
        "</PARENT-US></B640><B680US><DOC><DNUM><PDAT>60/077001</PDAT></DNUM><DATE><PDAT>19980303</PDAT></DATE><KIND>"
        "<PDAT>00"
        "</PDAT></KIND></DOC></B680US></B600>"
    )
    body = (
        '<SDOCL><CL><CLM ID="CLM-00001"><PARA ID="P-1" LVL="0"><PTEXT><PDAT>1. A <DEL-S ID="DEL-S-00001" '
        'DATE="20030401"/>bolt'
        '<DEL-E ID="DEL-S-00001"/> <INS-S ID="INS-S-00001" DATE="20030401"/>screw<INS-E ID="INS-S-00001"/> of H'
        "</PDAT><HIL><SB>"
        "<PDAT>2</PDAT></SB></HIL><PDAT>O.</PDAT></PTEXT></PARA></CLM></CL></SDOCL>"
    )
    (patent,) = READER.parse(_grant("RE038000", "E1", related, body))
    assert (patent.id, patent.document_type, patent.language) == ("USRE38000E1", "reissue", "en")
    assert patent.claims[0].text == "A [bolt] screw of H2O."
    assert (patent.priority, patent.priority_numbers) == ("1998-03-03", ("US60/077001",))
    assert patent.family_refs == ("US10/111222", "US09/333444", "US6111222")


@pytest.mark.parametrize(
    ("number", "kind", "identity", "sort"),
    [
        ("PP013000", "P2", "USPP13000P2", "plant"),
        ("H0002050", "H1", "USH2050H1", "statutory invention registration"),
        ("06500000", "B1", "US6500000B1", "utility"),
    ],
)
def test_kinds_of_patents(number: str, kind: str, identity: str, sort: str) -> None:
    (patent,) = READER.parse(_grant(number, kind))
    assert (patent.id, patent.document_type, patent.published) == (identity, sort, "2003-04-01")


def test_no_number_or_another_root_is_refused() -> None:
    with pytest.raises(BadRecord, match="no publication number"):
        list(READER.parse(b"<PATDOC><SDOBI><B100/></SDOBI></PATDOC>"))
    with pytest.raises(BadRecord, match="instead of <PATDOC>"):
        list(READER.parse(b"<PATDOCS/>"))


def test_broken_formulas_cost_the_formulas_only() -> None:
    body = (
        '<SDODE><DETDESC><BTEXT><H LVL="1"><STEXT><PDAT>EXAMPLE</PDAT></STEXT></H><PARA ID="P-1" LVL="0"><PTEXT>'
        "<PDAT>Here "
        '</PDAT><CWU><MATH-US><MATHML><math><mi>x</math></MATHML><EMI ID="EMI-M1"></MATH-US></CWU><PDAT>it is, '
        "&agr;.</PDAT>"
        "</PTEXT></PARA></BTEXT></DETDESC></SDODE>"
    )
    (patent,) = READER.parse(_grant("06500001", "B1", body=body))
    assert [(p.text, p.heading, p.is_heading) for p in patent.description] == [
        ("EXAMPLE", "EXAMPLE", True),
        ("Here it is, α.", "EXAMPLE", False),
    ]


def test_claims_refer_by_mark_and_by_word() -> None:
    body = (
        '<SDOCL><CL><CLM ID="CLM-00001"><PARA><PTEXT><PDAT>1. A nut.</PDAT></PTEXT></PARA></CLM><CLM ID="CLM-00002">'
        "<PARA><PTEXT>"
        '<PDAT>2. A bolt.</PDAT></PTEXT></PARA></CLM><CLM ID="CLM-00003"><PARA><PTEXT><PDAT>3. The set of </PDAT>'
        '<CLREF ID="CLM-00001">'
        '<PDAT>claims 1</PDAT></CLREF><PDAT> and 2, with:</PDAT></PTEXT></PARA><CLMSTEP LVL="2"><PTEXT><PDAT>a '
        "washer; and</PDAT></PTEXT>"
        '<CLMSTEP LVL="3"><PTEXT><PDAT>a pin.</PDAT></PTEXT></CLMSTEP></CLMSTEP></CLM></CL></SDOCL>'
    )
    (patent,) = READER.parse(_grant("06500002", "B1", body=body))
    assert patent.claims[2].depends_on == (1, 2)
    assert patent.claims[2].text == "The set of claims 1 and 2, with:\na washer; and\na pin."
