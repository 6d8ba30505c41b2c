"""USPTO search-system text: files against facts read off their bytes, and odd documents of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from expectation import RAW, Expected, check_file, files, needs_raw, patents
from foreart.document.patent import Citation, Claim, Literature, Patent, Symbol
from foreart.document.reject import Reject
from foreart.errors import BadRecord
from foreart.sources import scan
from foreart.sources.formats.uspto_brs import READER

FILE = RAW / "uspto_css_brs_text" / "css_brs_sample.txt"

INVENTED = (
    Expected(
        id="US9990016B2",
        title="Snow shoe with a heel, and method of walking in it",
        claims=3,
        depends_on={1: (), 2: (1,), 3: (2,)},
        published="2016-01-12",
        filed="2014-02-03",
        priority="2010-12-13",
        cpc=("A63C 13/006", "Y10T 29/49990"),
        ipc=("A63C 13/00", "A43B 5/04"),
        citations={"examiner": 2, "applicant": 2},
        literature=1,
        inventors=("Bea Loipe", "Urs Wechte, Jr."),
        applicants=("Raquette Corp.",),
        abstract=("A snow shoe has", "walker a method."),
        description=("CROSS REFERENCE TO", "the 3rd generation.\nSeveral Modes\nIt may be worn backwards."),
        claim_text=("A snow shoe, comprising:", "of claim 2."),
        paragraphs=10,
        more={
            "application_number": "US14/991601",
            "priority_numbers": ("KR1020110099016", "US61/991603"),
            "family_refs": ("US13/991602", "US8990165", "US20140990166A1"),
            "cpc": (Symbol("A63C 13/006", "first", "inventive"), Symbol("Y10T 29/49990", "later", "additional")),
            "citations": (
                Citation("US20050990161A1", "examiner"),
                Citation("US4990162A", "applicant"),
                Citation("JP10990163A", "examiner"),
                Citation("WO2009990164A1", "applicant"),
            ),
            "literature": (Literature('"Walking on powder", Alpine Gait, no. 4, Jan. 2, 2010.', "applicant"),),
        },
    ),
    Expected(
        id="US9990017B2",
        title="Mitten",
        claims=1,
        published="2016-01-12",
        filed="2014-02-04",
        cpc=("A41D 19/0082",),
        ipc=("A41D 19/00",),
        citations={"examiner": 1},
        inventors=("Ole Finger",),
        applicants=("Ole Finger",),
        description=("It has no", "fingers."),
        claim_text=("A mitten", "without fingers."),
    ),
)
REAL = (
    Expected(
        id="US9204581B2",
        title="Method for performing chip level electromagnetic interference reduction, and associated apparatus",
        claims=20,
        depends_on={1: (), 2: (1,), 5: (4,), 11: (), 20: (11,)},
        published="2015-12-01",
        filed="2012-11-14",
        priority="2011-11-14",
        cpc=("H05K 9/0066",),
        ipc=("H05K 9/00",),
        citations={"examiner": 7, "applicant": 4},
        literature=1,
        inventors=("Long-Kun Yu", "Kuo-Liang Deng"),
        applicants=("MEDIATEK INC.",),
        abstract=("A method for performing", "also provided."),
        description=("CROSS REFERENCE TO", "the appended claims."),
        claim_text=("A method for", "is reduced."),
        paragraphs=50,
    ),
    Expected(
        id="US9204582B2",
        title="Electronic device protection",
        claims=20,
        depends_on={1: (), 4: (3,), 17: (), 20: (17,)},
        published="2015-12-01",
        filed="2014-12-19",
        priority="2010-08-16",
        cpc=("H05K 9/0086", "H01Q 15/006", "H01Q 15/0013"),
        ipc=("H05K 9/00", "H01Q 15/00"),
        citations={"examiner": 4, "applicant": 25},
        literature=9,
        inventors=("Tai A. Lam",),
        applicants=("The Boeing Company",),
        abstract=("A method includes", "conductive."),
        description=("CLAIM OF PRIORITY", "disclosed embodiments."),
        claim_text=("A method, comprising:", "phase transition."),
        paragraphs=86,
    ),
    Expected(
        id="US9204583B2",
        title="Cylindrical electromagnetic bandgap and coaxial cable having the same",
        claims=18,
        depends_on={1: (), 8: (), 14: (13,), 18: (12,)},
        published="2015-12-01",
        filed="2012-05-30",
        priority="2011-06-09",
        cpc=("H05K 9/0098",),
        ipc=("H01B 11/00", "H05K 9/00"),
        citations={"examiner": 17},
        inventors=("Hyun Ho Park", "Hark Byeong Park"),
        applicants=("SAMSUNG ELECTRONICS CO., LTD.",),
        abstract=("A cylindrical electromagnetic", "conductor patch."),
        description=("CROSS-REFERENCE TO", "in the claim."),
        claim_text=("A cylindrical electromagnetic", "electromagnetic bandgap."),
        paragraphs=86,
    ),
    Expected(
        id="US9204584B2",
        title="Testing system for testing a portable electronic device",
        claims=17,
        depends_on={1: (), 5: (4,), 17: (13,)},
        published="2015-12-01",
        filed="2013-08-20",
        priority="2013-05-23",
        cpc=("H05K 13/00", "G06F 11/26", "G06F 11/2736"),
        ipc=("G01M 99/00", "H05K 13/00", "G06F 11/26", "G06F 11/273"),
        citations={"examiner": 6},
        inventors=("Zhen Wang", "Wei Hu", "Bing Liao", "Bin Wang", "Yen-Wei Liao"),
        applicants=("Wistron Corporation",),
        abstract=("A testing system", "third direction."),
        description=("BACKGROUND", "appended claims."),
        claim_text=("A testing system", "foolproof unit."),
        paragraphs=54,
    ),
    Expected(
        id="US9204585B2",
        title="Configurations of apertures in a miniature electronic component carrier mask",
        claims=20,
        depends_on={1: (), 11: (10,), 20: (16,)},
        published="2015-12-01",
        filed="2014-01-06",
        priority="2005-03-25",
        cpc=("H05K 13/0084", "Y10T 29/49121"),
        ipc=("B65D 85/00", "H05K 13/00"),
        citations={"examiner": 11},
        inventors=("William J. Saunders", "Douglas J. Garcia", "Nick A. Tubbs", "Gerald F. Boe"),
        applicants=("Electro Scientific Industries, Inc.",),
        abstract=("A miniature component", "the aperture."),
        description=("RELATED APPLICATIONS", "following claims."),
        claim_text=("A miniature component", "electronic component."),
        paragraphs=77,
    ),
    Expected(
        id="US9204586B2",
        title="Electronic-circuit assembling process",
        claims=16,
        depends_on={1: (), 8: (1,), 9: (), 16: (9,)},
        published="2015-12-01",
        filed="2011-06-07",
        priority="2010-06-10",
        cpc=("H05K 13/0452", "H05K 13/08", "Y10T 29/49124"),
        ipc=("H05K 13/04", "H05K 13/08"),
        citations={"examiner": 6, "applicant": 12},
        literature=3,
        inventors=("Daisuke Kato", "Hiroyuki Haneda"),
        applicants=("FUJI MACHINE MFG. CO., LTD.",),
        abstract=("An electronic-circuit assembling", "circuit board."),
        description=("CROSS REFERENCE", "ordinary substrate."),
        claim_text=("An electronic-circuit assembling", "multi-piece substrate."),
        paragraphs=249,
    ),
)

MARK = "*** BRS DOCUMENT BOUNDARY ***"
OLD = f"""0RE38134\tE1\t20030603\t09810748\t100
Old dump
{MARK}
WKU RE038134
DWKU RE38134
APT E1
GISD 20030603
APP 09/810748
AFD 20010316
CIOR 073/152.49
CIXR 257/E21.568
IPC H01L021/00
TTL Layer of
      .alpha.-silicon
URPN 5123456
FRCO EP
FRPN 0 379 828
REPN 06192970
REAN 123456
PCPR  This claims the benefit of U.S. Provisional Application No. 60/053,770, filed Jul. 25, 1997.
AANM Doe; Jane
ASNM Acme Corp.
FMID 26732223
ABPR  A layer 3 .mu.m thick.
DETX DETAILED DESCRIPTION
DETX  A paragraph.
DETL A    B
      1    2
CLPR  1. A layer comprising
CLPR  silicon.
CLPR  2. The layer of claim 1.
"""
APPLICATION = f"""{MARK}
DID US 20130120958 A9
PD 20130516
TTL An application
ABTX  Short.
BSTX [0001] First.
CLTX  1-3. (canceled)
CLTX  4. A thing.
"""


def parse(text: str) -> Patent:
    [patent] = READER.parse(text.encode())
    return patent


@pytest.mark.parametrize(
    ("path", "facts"), files("uspto_css_brs_text", invented={FILE.name: INVENTED}, real={FILE.name: REAL})
)
def test_files(path: Path, facts: tuple[Expected, ...]) -> None:
    check_file(path, facts)


@needs_raw
def test_the_rest_of_the_real_file() -> None:
    found = {patent.id: patent for patent in patents(FILE)}
    chip, protection, circuit = found["US9204581B2"], found["US9204582B2"], found["US9204586B2"]
    assert chip.application_number == "US13/676098"
    assert (chip.priority_numbers, chip.family_refs) == (("US61/559247",), ("US20130120958A1",))
    assert chip.cpc == (Symbol("H05K 9/0066", "first", "inventive"),)
    assert chip.citations[0] == Citation("US20030169838A1", "examiner")
    assert chip.citations[-1] == Citation("JP201045940", "applicant")
    assert chip.literature[0].text.endswith("Nov. 14, 2012.")
    assert any("a 4th Generation/3rd Generation" in item.text for item in chip.description)
    assert protection.family_refs == ("US13/303416", "US8947892", "US12/857413", "US8325495", "US20150101860A1")
    assert any("GeSb2Te4" in item.text for item in protection.description)
    assert circuit.cpc[2] == Symbol("Y10T 29/49124", "later", "additional")
    assert [item.id for item in circuit.citations][5:7] == ["JP6143669A", "JP10229296A"]
    assert circuit.citations[-1] == Citation("WO2009087872A1", "applicant")
    assert found["US9204583B2"].priority_numbers == ("KR1020110055402",)
    headings = [item.text for item in circuit.description if item.is_heading]
    assert headings[3] == "Various Modes of the Invention"


def test_fields_of_older_dumps() -> None:
    [patent] = READER.parse(OLD[OLD.index(MARK) :].encode())
    assert (patent.id, patent.document_type) == ("USRE38134E1", "reissue")
    assert patent.title == "Layer of α-silicon"
    assert patent.abstract == "A layer 3 μm thick."
    assert patent.uspc == ("73/152.49", "257/E21.568")
    assert patent.ipc == (Symbol("H01L 21/00"),)
    assert [item.id for item in patent.citations] == ["US5123456", "EP0379828"]
    assert patent.applicants == ("Acme Corp.",)
    assert (patent.priority, patent.priority_numbers) == ("1997-07-25", ("US60/053770",))
    assert "US6192970" in patent.family_refs
    assert patent.family_id == "26732223"
    assert [item.text for item in patent.description if not item.is_heading][1:] == ["A paragraph.", "A | B\n1 | 2"]
    assert patent.claims == (Claim(1, "A layer comprising\nsilicon."), Claim(2, "The layer of claim 1.", (1,)))


def test_application() -> None:
    patent = parse(APPLICATION)
    assert (patent.id, patent.published, patent.publication_status) == ("US20130120958A9", "2013-05-16", "corrected")
    assert [(item.number, item.text) for item in patent.description] == [("0001", "First.")]
    assert [(claim.number, claim.text) for claim in patent.claims] == [(1, "1-3. (canceled)"), (4, "A thing.")]


def test_other_words_of_citations() -> None:
    text = f"{MARK}\nDID US 9000000 B2\nURGP US D500000 S 20050100 Doe D1/106 cited by other\nORPL A book, 1999.\n"
    patent = parse(text)
    assert patent.citations == (Citation("USD500000S", "other"),)
    assert patent.literature == (Literature("A book, 1999."),)


def test_a_document_without_number_is_refused_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "dump.txt"
    path.write_text(OLD + "09000001\tB2\t20150407\t12345678\t9\nLost\n" + f"{MARK}\nTTL Lost\n" + APPLICATION)
    found = [item.reason if isinstance(item, Reject) else item.id for item in scan(path)]
    assert found == ["USRE38134E1", "no publication number", "US20130120958A9"]
    with pytest.raises(BadRecord, match="no document boundary"):
        list(READER.parse(b"something else"))


def test_the_index_line_of_the_next_document_is_no_text_of_this_one() -> None:
    patent = parse(
        f"{MARK}\nDID US 9000000 B2\nCLPR  1. A thing.\n09000001\tB2\t20150407\t12345678\t9\nCLPR of a title\n"
    )
    assert patent.claims == (Claim(1, "A thing."),)
