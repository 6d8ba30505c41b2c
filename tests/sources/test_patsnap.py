"""PatSnap exports: files against facts read off them, and small records for what they lack."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from expectation import OWN, RAW, Expected, check_file, files, needs_raw, only
from foreart.document.patent import Citation, Literature, Patent, Symbol
from foreart.document.reject import Reject
from foreart.errors import BadRecord
from foreart.sources import scan
from foreart.sources.formats.patsnap import READER
from foreart.sources.opening.stream import Stream

FOLDER = RAW / "patsnap_xml"

INVENTED = {
    "EP1990036A1.xml": Expected(
        id="EP1990036A1",
        title="Sorting of buttons by colour",
        published="2003-05-07",
        filed="1998-11-03",
        priority="1997-11-07",
        ipc=("B07C 5/342",),
        citations={"unknown": 3},
        literature=2,
        inventors=("ANNA ELSTER", "KEN SCHNABEL"),
        applicants=("KNOPF LIMITED",),
        abstract=("Buttons (4)", "a magpie."),
        language="",
        more={
            "application_number": "EP1998990361",
            "priority_numbers": ("JP30990364",),
            "family_refs": ("EP1990036B1", "EP1990037A1"),
            "citations": (Citation("EP0990361A2"), Citation("WO1989990362A1"), Citation("US4990363")),
        },
    ),
    "US20080990039A1.xml": Expected(
        id="US20080990039A1",
        title="Tub with a lamp",
        published="2008-08-07",
        filed="2008-01-15",
        priority="2007-01-19",
        ipc=("D06F 39/00", "D06F 37/00"),
        inventors=("KIM LICHT", "LEE BOTTICH"),
        applicants=("LAMPE CO., LTD.",),
        language="",
        more={
            "application_number": "US12/993901",
            "uspc": ("68/5C", "68/5.C"),
            "family_refs": ("KR1020080990391A",),
            "ipc": (Symbol("D06F 39/00", "first"), Symbol("D06F 37/00", "later")),
        },
    ),
    "US7990037.xml": Expected(
        id="US7990037",
        title="Paint of chalk and CO2",
        published="2011-08-02",
        filed="2010-03-04",
        ipc=("C09D 5/00",),
        citations={"unknown": 3},
        literature=2,
        inventors=("JAMES O'KALK", "RIA WEISS"),
        applicants=("KREIDE CORPORATION",),
        abstract=("Paint holds CO2", "or chalk."),
        language="",
        more={
            "uspc": ("106/465", "106/463"),
            "literature": (
                Literature('Weiss et al., "White"; Walls, 2001.', "other"),
                Literature("A letter dated Feb. 3, 2010 about PCT/US09/990371.", "other"),
            ),
        },
    ),
    "WO2010990038A1.xml": Expected(
        id="WO2010990038A1",
        title="TEA WHISK",
        published="2010-06-03",
        filed="2009-03-02",
        priority="2008-11-28",
        ipc=("A47J 31/00", "A47J 43/10"),
        inventors=(),
        applicants=("茶井 花子", "株式会社茶筋"),
        language="",
        more={"application_number": "PCT/JP2009/990381"},
    ),
}
EXPECTED = {
    "EP1271392A1.xml": Expected(
        id="EP1271392A1",
        title="Form identification apparatus and method",
        published="2003-01-02",
        filed="1997-12-22",
        priority="1996-12-27",
        ipc=("G06K 9/20",),
        citations={"unknown": 5},
        literature=3,
        inventors=("SATOSHI NAOI", "YUTAKA KATSUYAMA", "HIROAKI TAKEBE"),
        applicants=("FUJITSU LIMITED",),
        abstract=("A form identification", "a scanner."),
        language="",
    ),
    "US20080250823A1.xml": Expected(
        id="US20080250823A1",
        title="Drum washing machine with bubble generator",
        published="2008-10-16",
        filed="2008-02-27",
        priority="2007-04-11",
        ipc=("D06F 39/08", "D06F 29/00"),
        inventors=(
            "OAK SEONG MIN",
            "PYO SANG YEON",
            "KIM HYUN SOOK",
            "PARK JAE RYONG",
            "SEO DONG PIL",
            "LEE BO RAM",
        ),
        applicants=("SAMSUNG ELECTRONICS CO., LTD.",),
        abstract=("Disclosed is a", "generated bubbles."),
        language="",
    ),
    "US7914685.xml": Expected(
        id="US7914685",
        title="Rocks and aggregate, and methods of making and using the same",
        published="2011-03-29",
        filed="2010-06-04",
        ipc=("C02F 1/52",),
        citations={"unknown": 383},
        literature=144,
        inventors=(
            "BRENT CONSTANTZ",
            "ANDREW YOUNGS",
            "JAMES O'NEIL",
            "KASRA FARSAD",
            "JOSHUA PATTERSON",
            "JOHN STAGNARO",
            "RYAN THATCHER",
            "CHRIS CAMIRE",
        ),
        applicants=("CALERA CORPORATION",),
        abstract=("Compositions comprising", "cation carbonate."),
        language="",
    ),
    "WO2010055701A1.xml": Expected(
        id="WO2010055701A1",
        title="MICROBUBBLE GENERATING MECHANISM",
        published="2010-05-20",
        filed="2009-02-23",
        priority="2008-11-14",
        ipc=("D06F 39/08", "A01K 63/04", "A01K 61/00", "B01F 3/04", "B01F 5/02", "A47L 15/42", "A61H 23/00"),
        inventors=(),
        applicants=("坂本 泰孝", "株式会社シバタ", "柴田 芳樹"),
        abstract=("A microbubble", "conventional products."),
        language="",
    ),
}


@pytest.mark.parametrize(("path", "facts"), files("patsnap_xml", invented=INVENTED, real=EXPECTED))
def test_files(path: Path, facts: Expected) -> None:
    check_file(path, facts)


@needs_raw
def test_real_numbers() -> None:
    form = only(FOLDER / "EP1271392A1.xml")
    assert (form.application_number, form.priority_numbers) == ("EP1997021869", ("JP35134696",))
    assert form.family_refs == ("EP1271392B1", "EP1271390B1", "EP1271391A1", "EP1271390A1", "EP1271391B1")
    assert [item.id for item in form.citations] == [
        "EP0616296A2", "EP0654746A2", "WO1989011703A1", "US4933979", "DE4307577A1",
    ]  # fmt: skip
    drum = only(FOLDER / "US20080250823A1.xml")
    assert drum.application_number == "US12/071914"
    assert drum.uspc == ("68/5C", "68/5.C")
    assert drum.family_refs == ("KR1020080092196A", "CN101285254A")
    assert drum.ipc == (Symbol("D06F 39/08", "first"), Symbol("D06F 29/00", "later"))
    assert only(FOLDER / "WO2010055701A1.xml").application_number == "PCT/JP2009/053228"


@needs_raw
def test_real_texts() -> None:
    rocks = only(FOLDER / "US7914685.xml")
    assert "contains CO2 and/or" in rocks.abstract
    assert rocks.uspc[:2] == ("106/738", "95/149")
    assert len(rocks.uspc) == 14
    assert {item.category for item in rocks.literature} == {"other"}
    assert rocks.literature[1].text == "International Search Report dated Feb. 2, 2010 of PCT/US09/059141."
    assert [item.id for item in rocks.citations[-2:]] == ["WO2007069902", "WO2005078836"]


@pytest.mark.parametrize(
    "path",
    [
        OWN / "patsnap_xml" / "q1.xml",
        OWN / "patsnap_xml" / "q1-qrels+ve.txt",
        *(
            pytest.param(FOLDER / name, marks=needs_raw)
            for name in ("q1.xml", "q2.xml", "q1-qrels+ve.txt", "q2-qrels-ve.txt")
        ),
    ],
    ids=lambda path: f"{path.parents[1].name}-{path.name}",
)
def test_topics_and_judgements_are_no_patents(path: Path) -> None:
    assert not READER.sniff(path.read_bytes(), path.name)
    (reject,) = scan(path)
    assert isinstance(reject, Reject)


def record(**fields: str) -> bytes:
    return (
        "<doc>"
        + "".join(f'<str name="{name.replace("_", " ")}">{text}</str>' for name, text in fields.items())
        + "</doc>"
    ).encode()


def read(data: bytes) -> Patent:
    [patent] = READER.parse(data)
    return patent


def test_kind_code_of_its_own_field() -> None:
    assert read(record(Patent_Number="US7914685", Kind_Code="B2")).id == "US7914685B2"


def test_claims_description_and_cpc() -> None:
    patent = read(
        record(
            Patent_Number="US7914685B2",
            Claims="1. A rock of CO.sub.2. 2. The rock of claim 1.",
            Description="BACKGROUND\nRocks are hard.",
            All_CPC="C02F1/52 | B01D53/62",
            CPC_Primary="B01D53/62",
            Priority_Number="61/100 | 61/200",
            Priority_Country="US",
            Priority_Date="2009-02-01 | 2008-01-01",
            Other_References="A book. Cited by examiner. | A paper",
        )
    )
    assert [(claim.text, claim.depends_on) for claim in patent.claims] == [
        ("A rock of CO2.", ()),
        ("The rock of claim 1.", (1,)),
    ]
    assert [(item.text, item.is_heading) for item in patent.description] == [
        ("BACKGROUND", True),
        ("Rocks are hard.", False),
    ]
    assert patent.cpc == (Symbol("B01D 53/62", "first"), Symbol("C02F 1/52", "later"))
    assert patent.priority == "2008-01-01"
    assert patent.literature == (Literature("A book.", "examiner"), Literature("A paper"))


def test_a_list_of_records_with_a_bad_one() -> None:
    parts = (
        record(Patent_Number="US7000001B2"),
        record(Title="no number"),
        b'<doc><str name="Patent Number">EP1</doc>',
    )
    data = (
        b"<?xml version='1.0'?><response><result>"
        + b"\n".join((*parts, record(Patent_Number="EP1000000A1")))
        + b"</result></response>"
    )
    assert READER.sniff(data, "x.xml")
    ids: list[str] = []
    for piece in READER.split(Stream("x.xml", io.BytesIO(data))):
        try:
            ids.extend(patent.id for patent in READER.parse(piece.data))
        except BadRecord as error:
            ids.append(str(error)[:21])
    assert ids == ["US7000001B2", "no publication number", "not well-formed XML: ", "EP1000000A1"]


def test_arrays() -> None:
    number, cites = b"<str>US7000001B2</str>", b"<str>US1</str><str>US2</str>"
    data = b'<doc><arr name="Patent Number">%s</arr><arr name="Cites">%s</arr></doc>' % (number, cites)
    assert READER.sniff(data, "x.xml")
    assert [item.id for item in read(data).citations] == ["US1", "US2"]
