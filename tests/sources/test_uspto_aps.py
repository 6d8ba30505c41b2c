"""USPTO APS text: files against facts read off their bytes, and odd records of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from expectation import RAW, Expected, check_file, files, needs_raw, only
from foreart.document.patent import Citation, Claim, Patent
from foreart.document.reject import Reject
from foreart.errors import BadRecord
from foreart.sources import scan
from foreart.sources.formats.uspto_aps import READER

INVENTED: dict[str, Expected] = {
    "US03990014.greenbook": Expected(
        id="US3990014A",
        title="Typewriter for two hands and one foot",
        claims=3,
        depends_on={1: (), 2: (1,), 3: (2,)},
        published="1976-11-09",
        filed="1975-03-18",
        priority="1973-02-05",
        ipc=("B41J 5/10",),
        citations={"unknown": 3},
        inventors=("Erna Taste", "Band B. Farb"),
        applicants=("Anschlag Incorporated",),
        abstract=("A typewriter has a pedal.", "both hands stay on the keys."),
        description=("This continues", "2 μm play, see TABLE 1.\nTABLE 1\nFoot | Letters\nleft | 310\nright | 325"),
        claim_text=("A typewriter comprising:\na. keys; and\nb. a pedal,\nwhich shifts", "a bell."),
        paragraphs=9,
        more={
            "application_number": "US05/991401",
            "family_refs": ("US05/991402",),  # no series in the file: 05 follows from the filing date
            "uspc": ("197/98", "197/19", "178/17C"),
            "citations": (Citation("US3190141"), Citation("USD190142"), Citation("GB990143")),
        },
    ),
    "US04390015.greenbook": Expected(
        id="US4390015A",
        title="Lamp that dims with the tide",
        claims=2,
        depends_on={1: (), 2: (1,)},
        published="1983-06-21",
        filed="1981-05-12",
        priority="1979-09-11",
        ipc=("H05B 37/02", "F21S 9/04"),
        citations={"unknown": 1},
        inventors=("Aki Ebbe", "Yoko Flut"),
        applicants=("Gezeiten Kabushiki Kaisha",),
        description=("TECHNICAL FIELD", "INDUSTRIAL APPLICABILITY\nHarbours need it."),
        more={
            "application_number": "US06/991501",
            "priority_numbers": ("JP54/99015",),
            "family_refs": ("PCT/JP80/99015", "WO1981099015"),
        },
    ),
}
REAL: dict[str, Expected] = {
    "US03932709.greenbook": Expected(
        id="US3932709A",
        title="Electronic business telephone",
        claims=17,
        depends_on={1: (), 2: (1,), 4: (), 9: (8,), 13: (12,), 15: (14,), 17: ()},
        published="1976-01-13",
        filed="1974-03-07",
        priority="1973-04-16",
        ipc=("H04M 11/00",),
        citations={"unknown": 9},
        inventors=("Don G. Hoff", "Patrick Young"),
        applicants=("General Teletronics Incorporated",),
        abstract=("An electronic business", "terminal system."),
        description=("CROSS REFERENCE", "following claims."),
        claim_text=("An electronic communications", "function control commands."),
        paragraphs=148,
    ),
    "US04347903.greenbook": Expected(
        id="US4347903A",
        title="Electronic reading balance",
        claims=3,
        depends_on={1: (), 2: (1,), 3: (1,)},
        published="1982-09-07",
        filed="1980-03-10",
        priority="1978-07-10",
        ipc=("G01G 19/04", "G01G 23/10", "G06F 7/28"),
        citations={"unknown": 3},
        inventors=(
            "Shozo Yano",
            "Toshiyuki Miyake",
            "Yasuhiro Fujinaga",
            "Akira Koomoto",
            "Toshio Kawara",
            "Akio Yagi",
            "Tomohiro Tsuji",
            "Tadashi Nagaoka",
        ),
        applicants=("Shimadzu Corporation",),
        abstract=("A weighing balance", "a printer."),
        description=("BACKGROUND", "automobiles, etc."),
        claim_text=("A weighing balance", "calculating means."),
        paragraphs=28,
    ),
}

DESIGN = """PATN
WKU  D03671518
SRC  D
APN  0317454
APT  4
APD  19941205
TTL  Wall clock
ISD  19960220
NCL  1
INVT
NAM  J/o/ rgensen, Jr.; Ole
CNT  DKX
PRIR
CNT  DK2
APD  19940609
APN  MA 1994 00306
CLAS
OCL  D10 15
XCL  D 1106
ICL  D1002
UREF
PNO  D245239
ISD  19770800
DRWD
PAL  FIG. 1 is a front view.
DCLM
PAL  The ornamental design for a wall clock, as shown and described.
"""

REISSUE = """PATN
WKU  RE0286770
SRC  7
APN  5551239
APD  19900115
TTL  Process for CO.sub.2
ISD  19911105
INVT
NAM  Miller; Ann, deceased
ASSG
NAM  Smith; Bob
COD  04
REIS
COD  50
APN  123456
APD  19850601
PNO  4700000
ISD  19871013
RLAP
COD  71
APN  700001
APD  19850210
PSC  03
CLAS
OCL    2 21
XCL  260112.5
ICL  A61K 31505
ICL  C07D49804
FREF
PNO  2.512.345
ISD  19830300
CNT  FRX
FREF
PNO  55-12345
CNT  JPX
OREF
PAL  Doe, "A .beta.-lactam", J. Chem., 1980.
ABST
PAR  H.sub.2 SO.sub.4 at 10.sup.6 Pa, 50.degree. C. and 3 .mu.m.
PARN
PAR  This application claims the benefit of U.S. Provisional Application No. 60/001,234, filed Jan. 2, 1985.
GOVT
PAC  GOVERNMENT RIGHTS
PAR  The Army has rights.
DETD
PAC  EXAMPLES
PAR  See ##STR1## and
      the following.
EQU  ##EQU1##
TBL  ______________________
     Run   Yield
     ______________________

     A     10.sup.2
CLMS
STM  I claim:
NUM  1.
PAR  .[.1. A process
      comprising heating.]..
NUM  2.
PAR  2. A process .Iadd.of claim 1.Iaddend., comprising
PA1  (a) heating, and
PA2  (b) cooling.
"""


def parse(text: str) -> Patent:
    [patent] = READER.parse(text.encode())
    return patent


@pytest.mark.parametrize(("path", "facts"), files("uspto_aps_greenbook", invented=INVENTED, real=REAL))
def test_files(path: Path, facts: Expected) -> None:
    check_file(path, facts)


@needs_raw
def test_the_rest_of_the_real_files() -> None:
    telephone = only(RAW / "uspto_aps_greenbook" / "US03932709.greenbook")
    assert telephone.application_number == "US05/449155"
    assert telephone.family_refs == ("US05/351745",)  # no series in the file: 05 follows from the filing date
    assert telephone.uspc == ("179/90K", "179/2DD", "179/90B")
    assert telephone.citations[0] == Citation("US3518629")
    table = next(item.text for item in telephone.description if item.text.startswith("TABLE 4"))
    assert table.splitlines()[-1] == "4 | 3 | 2 | 1"
    assert telephone.claims[0].text.splitlines()[0] == "An electronic communications terminal comprising:"
    balance = only(RAW / "uspto_aps_greenbook" / "US04347903.greenbook")
    assert balance.priority_numbers == ("JP53/84696",)
    assert balance.family_refs == ("PCT/JP79/00178", "WO1980000272")
    assert any("D1 to D_n taken" in item.text for item in balance.description)
    assert [item.text for item in balance.description if item.is_heading][-1] == "INDUSTRIAL APPLICABILITY"


def test_design() -> None:
    patent = parse(DESIGN)
    assert (patent.id, patent.document_type) == ("USD367151S", "design")
    assert (patent.published, patent.filed, patent.priority) == ("1996-02-20", "1994-12-05", "1994-06-09")
    assert patent.application_number == "US29/031745"
    assert patent.inventors == ("Ole Jorgensen, Jr.",)
    assert (patent.uspc, patent.locarno, patent.ipc) == (("D10/15", "D1/106"), ("10-02",), ())
    assert patent.claims == (Claim(1, "The ornamental design for a wall clock, as shown and described."),)
    assert patent.citations == (Citation("USD245239"),)
    assert patent.priority_numbers[0].startswith("DK")


def test_reissue_with_relatives_codes_and_tables() -> None:
    patent = parse(REISSUE)
    assert (patent.id, patent.document_type, patent.title) == ("USRE28677E", "reissue", "Process for CO2")
    assert patent.application_number == "US07/555123"
    assert patent.priority == "1985-01-02"
    assert patent.priority_numbers == ("US60/001234",)
    assert patent.family_refs == ("US06/123456", "US4700000", "US06/700001")
    assert (patent.inventors, patent.applicants) == (("Ann Miller",), ("Bob Smith",))
    assert patent.uspc == ("2/21", "260/112.5")
    assert [symbol.symbol for symbol in patent.ipc] == ["A61K 31/505", "C07D 498/04"]
    assert [citation.id for citation in patent.citations] == ["FR2512345", "JP5512345"]
    assert patent.literature[0].text == 'Doe, "A β-lactam", J. Chem., 1980.'
    assert patent.abstract == "H2SO4 at 10^6 Pa, 50° C. and 3 μm."
    assert [(item.text, item.heading) for item in patent.description][1:] == [
        ("GOVERNMENT RIGHTS", "GOVERNMENT RIGHTS"),
        ("The Army has rights.", "GOVERNMENT RIGHTS"),
        ("EXAMPLES", "EXAMPLES"),
        ("See and the following.", "EXAMPLES"),
        ("Run | Yield\nA | 10^2", "EXAMPLES"),
    ]
    assert patent.claims[0].text == "[A process comprising heating]."
    assert patent.claims[1] == Claim(2, "A process of claim 1, comprising\n(a) heating, and\n(b) cooling.", (1,))


@pytest.mark.parametrize(
    ("wku", "issued", "expected"),
    [
        ("PP0031235", "19760203", "USPP3123P"),
        ("H00001234", "19860107", "USH123H"),
        ("T09490020", "19760803", "UST949002I4"),
        ("06103599", "20000815", "US6103599A"),
        ("061700010", "20010109", "US6170001"),  # B1 or B2: the file does not say
    ],
)
def test_numbers(wku: str, issued: str, expected: str) -> None:
    assert parse(f"PATN\nWKU  {wku}\nISD  {issued}\n").id == expected


def test_a_record_without_number_is_refused() -> None:
    with pytest.raises(BadRecord, match="no publication number"):
        list(READER.parse(b"PATN\nTTL  Nothing\n"))
    with pytest.raises(BadRecord, match="not a patent number"):
        list(READER.parse(b"PATN\nWKU  HELLO\n"))


def test_weekly_file_with_header_and_a_bad_record(tmp_path: Path) -> None:
    path = tmp_path / "pftaps19960220_wk08.txt"
    weekly = "HHHHHT        APS1        ISSUE - 960220\n" + DESIGN + "PATN\nTTL  Lost\n" + REISSUE
    path.write_bytes(weekly.replace("\n", "\r\n").encode("latin-1"))
    found = list(scan(path))
    assert [item.reason if isinstance(item, Reject) else item.id for item in found] == [
        "USD367151S",
        "no publication number",
        "USRE28677E",
    ]
    assert isinstance(found[2], Patent)
    assert found[2].claims[1].text.startswith("A process of claim 1")


def test_truncated_record_keeps_what_is_there() -> None:
    patent = parse(REISSUE[: REISSUE.index("NUM  2.") + 4])
    assert [claim.number for claim in patent.claims] == [1]


def test_windows_bytes() -> None:
    [patent] = READER.parse(b"PATN\nWKU  043479030\nTTL  M\xfcller's caf\xe9\nISD  19820907\n")
    assert patent.title == "Müller's café"
