"""USPTO Public Search JSON: documents against facts read off their bytes, and odd ones of our own."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from expectation import RAW, Expected, check, check_file, files, needs_raw, patents
from foreart.document.patent import Citation, Claim, Literature, Patent, Symbol
from foreart.document.reject import Reject
from foreart.errors import BadRecord
from foreart.sources import scan
from foreart.sources.formats.uspto_ppubs import READER

FILE = RAW / "uspto_ppubs_json" / "doc.json"

INVENTED = (
    Expected(
        id="US6099018A",
        title="Kite string that sings",
        claims=2,
        depends_on={1: (), 2: (1,)},
        published="2000-09-12",
        filed="1998-05-04",
        priority="1997-05-05",
        cpc=("A63H 27/08", "Y10S 446/990"),
        ipc=("A63H 27/08", "B64C 31/06"),
        citations={"unknown": 4},
        literature=2,
        inventors=("Anna M. Brise", "Til Boe"),
        applicants=("Drachen Corporation",),
        abstract=("A kite 10 sings.", "at 10^2 Hz."),
        description=("This application has", "DESCRIPTION\nThe string 12 is flat."),
        # The links to claims have lost the spaces around them.
        claim_text=("A kite, comprising:\na sail; and\na flat string.\nThe kite of claim 1 wherein", "of gut."),
        paragraphs=8,
        more={
            "citations": (Citation("US4090181"), Citation("USD390182"), Citation("EP0990183"), Citation("JP990184")),
            "literature": (
                Literature('Wind "Aeolian strings", Air, Oct. 1996, pp. 1-2.'),
                Literature("Sturm et al Humming, Breeze vol. 4."),
            ),
            "uspc": ("244/155A", "244/153R", "257/E21.990"),
            "application_number": "US09/991801",
            "priority_numbers": ("US60/991802",),
            "family_id": "99000018",
        },
    ),
    Expected(
        id="US11990019B2",
        title="Oven that knows its bread",
        claims=2,
        depends_on={1: (), 2: (1,)},
        published="2024-05-21",
        filed="2021-09-06",
        priority="2020-09-08",
        cpc=("A21B 3/00", "F24C 7/08"),
        ipc=("A21B 3/00",),
        citations={"examiner": 1, "applicant": 2},
        literature=1,
        inventors=("Kota Ofen", "Shu Laib"),
        applicants=("BACKSTUBE SE",),
        description=("CROSS-REFERENCE TO", "A nose 12 hangs in the flue."),
        paragraphs=9,
        more={
            "citations": (
                Citation("US6990193B1", "examiner"),
                Citation("US20190990194A1", "applicant"),
                Citation("JP2011990195A", "applicant"),
            ),
            "priority_numbers": ("JP2020990191",),
            "family_refs": ("US20220990192A1",),
            "uspc": (),
        },
    ),
    Expected(
        id="US20230990020A1",
        title="UMBRELLA FOR TWO",
        claims=3,
        depends_on={1: (), 3: (), 4: (3,)},
        published="2023-03-16",
        filed="2022-11-14",
        priority="2016-06-06",
        cpc=("A45B 25/00",),
        ipc=("A45B 25/00",),
        inventors=("Ina Schirm", "Jo Pfuetze"),
        applicants=("Regen AG",),
        # [0003] and [0004] stand on one line of the page.
        description=("CROSS-REFERENCE TO", "FIG. 2 is rain.\nDETAILED DESCRIPTION\nIt has two sticks."),
        claim_text=("1-2. (canceled)\nAn umbrella", "of silk."),
        paragraphs=9,
        more={"priority_numbers": ("US62/992003",), "family_refs": ("US16/992002", "US11590201")},
    ),
    Expected(
        id="USRE29021E",
        title="",
        claims=4,  # claim 2 stands inside claim 1, and claim 4 is lost, as scans do
        depends_on={1: (), 2: (1,), 3: (2,), 5: (3,)},
        published="1976-11-02",
        filed="1974-08-12",
        cpc=("E21B 12/02",),
        description=("29,021\nLISTENING TO A DRILL", "it is blunt."),
        more={"uspc": ("73/152.59", "175/39", "73/152.99"), "document_type": "reissue"},
    ),
    Expected(
        id="UST990022I4",
        title="",
        published="1977-01-04",
        filed="1976-02-02",
        more={"document_type": "defensive publication"},
    ),
)

# id: claims printed, last claim's number, published, filed, priority, citations by category, literature
TABLE: dict[str, tuple[int, int, str, str, str, dict[str, int], int]] = {
    "US6103599A": (28, 28, "2000-08-15", "1998-06-03", "1997-07-25", {"unknown": 37}, 4),
    "US11557320B1": (20, 20, "2023-01-17", "2022-01-05", "2021-01-25", {"examiner": 10, "applicant": 1}, 0),
    "US11556547B2": (14, 14, "2023-01-17", "2021-03-10", "2020-03-19", {"examiner": 13, "applicant": 3}, 2),
    "US11554716B1": (20, 20, "2023-01-17", "2022-04-06", "", {"examiner": 1, "applicant": 14}, 2),
    "US11558444B1": (22, 22, "2023-01-17", "2021-10-28", "", {"examiner": 8, "applicant": 22}, 12),
    "US11554343B1": (5, 5, "2023-01-17", "2021-07-22", "", {"examiner": 1}, 0),
    "US11556169B2": (21, 21, "2023-01-17", "2021-02-11", "", {"examiner": 8, "applicant": 3}, 1),
    "US11556727B1": (13, 13, "2023-01-17", "2021-08-23", "", {"examiner": 6}, 0),
    "US11554372B1": (13, 13, "2023-01-17", "2021-12-09", "2021-07-16", {"examiner": 2, "applicant": 7}, 8),
    "US11558129B1": (20, 20, "2023-01-17", "2021-03-22", "2020-03-23", {"examiner": 4, "applicant": 116}, 13),
    "US11556879B1": (14, 14, "2023-01-17", "2017-06-12", "", {"examiner": 15}, 3),
    "US20230008865A1": (20, 20, "2023-01-12", "2022-06-23", "2021-07-12", {}, 0),
    "US20230009372A1": (22, 40, "2023-01-12", "2022-05-31", "2014-04-29", {}, 0),
    "US20230009869A1": (23, 25, "2023-01-12", "2019-12-20", "", {}, 0),
    "US20230007979A1": (6, 6, "2023-01-12", "2020-12-02", "2019-12-06", {}, 0),
    "US20230011501A1": (20, 20, "2023-01-12", "2020-12-07", "2019-12-13", {}, 0),
    "US20230010306A1": (21, 68, "2023-01-12", "2020-12-15", "2019-12-16", {}, 0),
    "US20230009613A1": (24, 24, "2023-01-12", "2019-12-13", "", {}, 0),
    "US20230010512A1": (21, 29, "2023-01-12", "2021-01-15", "2020-01-20", {}, 0),
    "US20230008765A1": (12, 12, "2023-01-12", "2020-02-12", "2019-02-20", {}, 0),
    "US20230009095A1": (21, 21, "2023-01-12", "2020-07-24", "2019-12-15", {}, 0),
    "UST949002I4": (0, 0, "1976-08-03", "1975-07-25", "", {}, 0),
    "US4388879A": (0, 0, "1983-06-21", "", "", {}, 0),
    "USPP3823P": (1, 1, "1975-12-23", "", "", {}, 0),
    "USRE28436E": (17, 18, "1975-06-03", "1973-07-23", "", {}, 0),  # claim 15 lost its number in the scan
    "US4016076A": (0, 0, "1977-04-05", "", "", {}, 0),
    "UST942010I4": (0, 0, "1976-01-06", "1975-02-12", "", {}, 0),
    "US4082996A": (0, 0, "1978-04-04", "", "", {}, 0),
    "US4311002A": (0, 0, "1982-01-19", "", "", {}, 0),
    "US3857398A": (11, 12, "1974-12-31", "", "", {}, 0),  # so did claim 7
    "US3993582A": (0, 0, "1976-11-23", "", "", {}, 0),
}

REAL = (
    Expected(
        id="US6103599A",
        title="Planarizing technique for multilayered substrates",
        claims=28,
        depends_on={1: (), 5: (4,), 15: (), 27: (26,), 28: (15,)},
        published="2000-08-15",
        filed="1998-06-03",
        priority="1997-07-25",
        cpc=("H01L 21/30604", "Y10S 438/977", "H01L 21/76254"),
        ipc=("H01L 21/00", "H01L 21/70", "H01L 21/762", "H01L 21/02", "H01L 21/306"),
        citations={"unknown": 37},
        literature=4,
        inventors=("Francois J. Henley", "Nathan Cheung"),
        applicants=("Silicon Genesis Corporation",),
        abstract=("The present invention", "SOI wafer."),
        description=("This application claims", "appended claims."),
        claim_text=("A method for", "of material."),
    ),
    Expected(
        id="US11556547B2",
        title="Determination apparatus, determination method, and non-transitory computer readable storage medium",
        claims=14,
        depends_on={1: (), 3: (2,), 12: (1,), 13: (), 14: ()},
        published="2023-01-17",
        filed="2021-03-10",
        priority="2020-03-19",
        cpc=("G06F 16/24575", "G06F 16/248", "G06F 16/24573", "G06F 16/24578"),
        ipc=("G06F 16/2457", "G06F 16/248"),
        citations={"examiner": 13, "applicant": 3},
        literature=2,
        inventors=("Kota Tsubouchi", "Shuji Yamaguchi", "Hiroaki Taguchi"),
        applicants=("Yahoo Japan Corporation",),
        abstract=("A determination device", "or not."),
        description=("CROSS-REFERENCE TO", "set forth."),
        claim_text=("A determination device", "search queries."),
    ),
    Expected(
        id="US20230009372A1",
        title="SYSTEMS AND METHODS FOR NON-INTRUSIVE DRUG IMPAIRMENT DETECTION",
        claims=22,
        depends_on={20: (), 21: (20,), 26: (25,), 29: (), 40: (36,)},
        published="2023-01-12",
        filed="2022-05-31",
        priority="2014-04-29",
        cpc=("A61B 5/1104", "A61B 5/18", "A61B 5/746", "A61B 5/163", "A61B 3/113", "A61B 5/4845"),
        ipc=("A61B 5/11", "A61B 5/18", "A61B 5/00", "A61B 5/16", "A61B 3/113"),
        inventors=(
            "Stephen L. Macknik",
            "Susana Martinez-Conde",
            "Richard E. Dale",
            "Richard Besserman",
            "Troy Lee McDaniel",
        ),
        applicants=("Dignity Health", "Arizona Board of Regents on Behalf of Arizona State University"),
        abstract=("Systems and methods", "during recording."),
        description=("CROSS-REFERENCE TO", "in technology."),
        claim_text=("1-19. (canceled)", "intoxicated conditions."),
    ),
)

MINIMAL: dict[str, Any] = {
    "guid": "US-D0500000-S1",
    "type": "USPAT",
    "inventionTitle": "Chair <i>leg</i>",
    "datePublished": "2005-01-04T00:00:00Z",
    "languageIndicator": "EN",
    "locarnoMainClassification": ["06-01"],
    "applicantName": ["Doe; Jane", "N/A"],
    "inventorsName": ["Doe; Jane"],
    "claimsHtml": "The ornamental design for a chair leg, as shown.",
    "usRefGroup": ["US 2001/0000001 A1 Roe 20010100 cited by examiner", "4006340 19770200 Gorinas 219/121P"],
    "foreignRefGroup": ["0 379 828 19891200 EP", "WO WO-2016187673 A1 20161200 cited by applicant"],
    "foreignRefCountryCode": ["EP", "WO"],
    "otherRefPub": ["A &amp; B, 1999. cited by other\n<br />C.sub.2 paper.\n<br />"],
}


def parse(record: object) -> Patent:
    [patent] = READER.parse(json.dumps(record).encode())
    return patent


@pytest.mark.parametrize(("path", "facts"), files("uspto_ppubs_json", invented={FILE.name: INVENTED}))
def test_files(path: Path, facts: tuple[Expected, ...]) -> None:
    check_file(path, facts)


@needs_raw
def test_every_real_document() -> None:
    found = {patent.id: patent for patent in patents(FILE)}
    assert list(found) == list(TABLE)
    for identity, patent in found.items():
        facts = (
            len(patent.claims),
            patent.claims[-1].number if patent.claims else 0,
            patent.published,
            patent.filed,
            patent.priority,
            dict(Counter(citation.category for citation in patent.citations)),
            len(patent.literature),
        )
        assert (identity, facts) == (identity, TABLE[identity])
        assert patent.description
        assert patent.language == "en"


@needs_raw
def test_real_documents_in_full() -> None:
    found = {patent.id: patent for patent in patents(FILE)}
    for expected in REAL:
        check(found[expected.id], expected)


@needs_raw
def test_the_rest_of_the_real_file() -> None:
    found = {patent.id: patent for patent in patents(FILE)}
    wafer = found["US6103599A"]
    assert wafer.application_number == "US09/089931"
    assert wafer.priority_numbers == ("US60/053770",)
    assert wafer.uspc[:2] == ("438/459", "438/458")
    assert [citation.id for citation in wafer.citations][-4:] == ["EP0379828", "EP0459177", "JP193904", "GB2231197"]
    assert any("Smart Cut™ or" in item.text for item in wafer.description)
    headings = [item.text for item in wafer.description if item.is_heading]
    assert headings[0] == "BACKGROUND OF THE INVENTION"
    assert [item.number for item in wafer.description[1:5]] == ["", "2", "3", "4"]
    drug = found["US20230009372A1"]
    assert drug.family_refs == ("US16/428791", "US15/306892", "PCT/US2015/027730", "US11344226", "US10376183")
    assert drug.priority_numbers == ("US62/010600", "US61/986032")
    assert drug.description[1].number == "0001"
    particle = found["US20230011501A1"]
    assert any(item.text.startswith("X = (1+m)") for item in particle.description)
    numbers = [int(item.number) for item in particle.description if item.number]
    assert numbers == list(range(1, len(numbers) + 1))  # lists that came on one line are cut apart
    assert found["US11554343B1"].applicants == ("Tianjin University",)
    assert found["US11557320B1"].citations[0] == Citation("US6249393B1", "examiner")
    types = {identity: patent.document_type for identity, patent in found.items()}
    assert types["USPP3823P"] == "plant"
    assert types["USRE28436E"] == "reissue"
    assert types["UST949002I4"] == "defensive publication"
    assert found["UST949002I4"].title == ""  # "OCR SCANNED DOCUMENT" is no title
    assert found["USRE28436E"].claims[9].number == 10  # printed inside claim 9
    assert found["USRE28436E"].claims[1].depends_on == (1,)  # "ofclaim 1further"


def test_design_with_odd_citations() -> None:
    patent = parse(MINIMAL)
    assert (patent.id, patent.document_type, patent.title) == ("USD500000S1", "design", "Chair leg")
    assert patent.locarno == ("06-01",)
    assert patent.applicants == ("Jane Doe",)
    assert patent.claims == (Claim(1, "The ornamental design for a chair leg, as shown."),)
    assert patent.citations == (
        Citation("US20010000001A1", "examiner"),
        Citation("US4006340"),
        Citation("EP0379828"),
        Citation("WO2016187673A1", "applicant"),
    )
    assert patent.literature == (Literature("A & B, 1999.", "other"), Literature("C2 paper."))


def test_search_result_has_only_flat_classes() -> None:
    result = {
        "guid": "US-20230008865-A1",
        "inventionTitle": "Volume",
        "cpcInventiveFlattened": "G06F3/165;H04R3/12",
        "ipcCodeFlattened": "G06F3/16",
        "uspcFullClassificationFlattened": "1/1;711/112",
        "urpn": ["4006340"],
    }
    patent = parse(result)
    assert patent.cpc == (Symbol("G06F 3/165", None, "inventive"), Symbol("H04R 3/12", None, "inventive"))
    assert [symbol.symbol for symbol in patent.ipc] == ["G06F 3/16"]
    assert patent.uspc == ("711/112",)
    assert patent.citations == (Citation("US4006340"),)


def test_only_one_symbol_is_first() -> None:
    groups = {
        "guid": "US-1-A",
        "cpcOrigClassificationGroup": ["G G06F G06F3/165 20130101 F I 20230112 US"],
        "cpcCurClassificationGroup": ["H H04R H04R3/12 20130101 F I B H 20230112 US"],
    }
    assert parse(groups).cpc == (Symbol("G06F 3/165", "first", "inventive"), Symbol("H04R 3/12", "later", "inventive"))


def test_html_that_is_not_well_formed() -> None:
    broken = {
        "guid": "US-9000000-B2",
        "abstractHtml": "If a < b<br />then <b>c",
        "governmentInterest": ["Army &Oslash;."],
    }
    patent = parse(broken)
    assert patent.abstract == "If a < b\nthen c"
    assert patent.description_text == "Army Ø."


@pytest.mark.parametrize("key", ["docs", "patents"])
def test_search_results_and_a_bad_document(tmp_path: Path, key: str) -> None:
    path = tmp_path / "search.json"
    found = {"numFound": 2, "query": {"q": "chair"}, key: [MINIMAL, {"inventionTitle": "Lost"}], "facets": {"x": [1]}}
    path.write_text(json.dumps(found, indent=1))
    assert [item.reason if isinstance(item, Reject) else item.id for item in scan(path)] == [
        "USD500000S1",
        "no publication number",
    ]


def test_single_object_and_truncated_array(tmp_path: Path) -> None:
    single = tmp_path / "one.json"
    single.write_text(json.dumps(MINIMAL))
    assert [item.id for item in patents(single)] == ["USD500000S1"]
    cut = tmp_path / "cut.json"
    cut.write_text(json.dumps([MINIMAL, MINIMAL])[:-30])
    first, second = scan(cut)
    assert isinstance(first, Patent)
    assert isinstance(second, Reject)


def test_windows_bytes_and_half_characters() -> None:
    [patent] = READER.parse(b'{"guid": "US-9000000-B2", "inventionTitle": "Caf\xe9 \\ud83d"}')
    assert patent.title.startswith("Café")
    assert patent.title.encode()


def test_what_is_no_document() -> None:
    with pytest.raises(BadRecord, match="no publication number"):
        parse({"inventionTitle": "Lost"})
    assert list(READER.parse(b'{"numFound": 0}')) == []
