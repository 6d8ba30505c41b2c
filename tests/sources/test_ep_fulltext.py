"""EPO full text: files against facts read off their bytes, and small documents for what they lack."""

from __future__ import annotations

import io
import time
from pathlib import Path

import pytest

from expectation import OWN, RAW, Expected, check_file, files, needs_raw, only
from foreart.document.patent import Citation, Literature, Patent, Symbol
from foreart.errors import BadRecord
from foreart.sources.formats.ep_fulltext import READER
from foreart.sources.opening.stream import Stream

FOLDER = RAW / "epo_fulltext_xml"

INVENTED = {
    "application_v1-0-A1.xml": Expected(
        id="EP1990023A1",
        title="SOAP FOR COLD WATER",
        claims=3,
        depends_on={1: (), 2: (1,), 3: (1, 2)},
        published="2003-06-04",
        filed="2001-08-06",
        priority="2000-08-09",
        ipc=("C11D 3/43", "C11D 7/50"),
        inventors=("Mari BLASE", "Ken LAUGE"),
        applicants=("SCHAUM COMPANY LTD.",),
        abstract=("A soap of the formula R^fCH2OH foams at 4°C.\nIt smells", "4 lemons."),
        description=("TECHNICAL FIELD", "EXAMPLE 1: Washing\nTen socks were washed."),
        claim_text=("A soap of the formula R^fCH2OH, wherein\nR^f is a chain, and\nn is", "in bars."),
        paragraphs=3 + 3,
        more={
            "ipc": (Symbol("C11D 3/43", "first", "inventive"), Symbol("C11D 7/50", "later", "inventive")),
            "application_number": "EP01990023",
            "priority_numbers": ("JP2000992301",),
            "family_refs": ("WO2002099023",),
        },
    ),
    "grant_v1-5-1-B2.xml": Expected(
        id="EP2990024B2",
        title="Ofenklappe für Föhnlagen",
        claims=3,
        depends_on={1: (), 2: (1,), 3: (1, 2)},
        published="2021-10-06",
        filed="2012-09-07",
        priority="2011-09-14",
        cpc=("F23L 13/02",),
        ipc=("F23L 13/02",),
        citations={"examiner": 4, "applicant": 1},  # one of the two of the description stands in field 56 too
        literature=1,
        inventors=("Franz Zug",),
        applicants=("Rauchfang GmbH",),
        abstract=("", ""),
        description=("Die Erfindung betrifft", "Fig. 2:\ndie Klappe im Föhn."),
        claim_text=("Ofenklappe mit einer Feder, dadurch gekennzeichnet, dass", "mit Griff."),
        paragraphs=3,
        language="de",
        more={
            "citations": (
                Citation("EP1990241A2", "examiner", phase="search"),
                Citation("WO2004990242A1", "examiner", phase="search"),
                Citation("DE3990243A1", "examiner", phase="search"),
                Citation("USRE39244E", "examiner", phase="search"),
                Citation("DE20301990U1", "applicant", phase="description"),
            ),
            "literature": (Literature('RUSS: "Kamine im Wind", 2001', "examiner", phase="search"),),
            "family_refs": ("EP2990246",),
        },
    ),
    "grant_v1-5-B1.xml": Expected(
        id="EP3990025B1",
        title="LIFT WITH A ROPE OF HEMP",
        claims=2,
        depends_on={1: (), 2: (1,)},
        published="2021-08-04",
        filed="2017-06-12",
        priority="2016-06-13",
        ipc=("B66B 7/06", "D07B 1/00"),
        citations={"examiner": 1},  # the list of references names its priority and nothing else
        inventors=("Jörg SEIL",),
        applicants=("Paternoster GmbH",),
        description=("Field\nA lift hangs", "2. It sinks, see Figure 1."),
        claim_text=("A lift, comprising:\n- a car (3); and\n- a rope", "a mirror."),
        more={
            "citations": (Citation("US20080990251A1", "examiner", phase="search"),),
            "priority_numbers": ("CN201699025",),
            "family_refs": ("EP3990253", "WO2017990254"),
        },
    ),
}
EXPECTED = {
    "application_v1-0-A1.xml": Expected(
        id="EP1325900A1",
        title="PROCESS FOR PRODUCING FLUOROALKANOL",
        claims=7,
        depends_on={1: (), 2: (1,), 3: (1, 2), 4: (1, 2, 3), 7: (1, 2, 3, 4, 5, 6)},
        published="2003-07-09",
        filed="2001-09-05",
        priority="2000-09-08",
        ipc=("C07C 29/44", "C07C 31/38"),
        inventors=("Toshihiko TOHMA", "Akihiro WADA"),
        applicants=("ASAHI GLASS COMPANY LTD.",),
        abstract=("A process for", "from 1 to 4."),
        description=("TECHNICAL FIELD", "reaction operation."),
        claim_text=("A process for", "acid scavenger."),
        paragraphs=38 + 9,
    ),
    "application_v1-4-A1.xml": Expected(
        id="EP2055205A1",
        title="Bobby pin",
        claims=6,
        depends_on={1: (), 2: (1,), 3: (1,), 4: (1,), 5: (1,), 6: ()},
        published="2009-05-06",
        filed="2008-10-27",
        priority="2007-11-01",
        ipc=("A45D 8/20", "A45D 8/34"),
        inventors=("Jui-Ming Tu",),
        applicants=("Tsorng TA Enterprise Co., Ltd.",),
        abstract=("A bobby pin", "bobby pin."),
        description=("BACKGROUND OF", "the invention."),
        claim_text=("A bobby pin", "way."),
        paragraphs=12 + 6,
    ),
    "application_v1-5-A1.xml": Expected(
        id="EP3782854A1",
        title="VEHICLE-MOUNTED DISPLAY ASSEMBLY AND VEHICLE",
        claims=12,
        depends_on={1: (), 3: (2,), 6: (4,), 7: (6,), 11: tuple(range(1, 11)), 12: (11,)},
        published="2021-02-24",
        filed="2018-10-29",
        priority="2018-04-20",
        ipc=("B60R 7/06", "B60N 3/12"),
        inventors=("Yuhsiung FENG", "Wenbao GAO", "Jia ZENG"),
        applicants=("BOE TECHNOLOGY GROUP CO., LTD.", "Chengdu BOE Optoelectronics Technology Co., Ltd."),
        abstract=("This disclosure", "storage box."),
        description=("This application claims", "their equivalents."),
        claim_text=("A vehicular display", "the console."),
        paragraphs=45 + 5,
    ),
    "grant_v1-3-B2.xml": Expected(
        id="EP1497510B2",
        title="FLOORING",
        claims=1,
        depends_on={1: ()},
        published="2008-12-24",
        filed="2003-04-22",
        priority="2002-04-22",
        ipc=("E04F 15/04",),
        citations={"examiner": 14, "applicant": 2},  # four of the six of the description stand in field 56 too
        inventors=("Darko PERVAN",),
        applicants=("Välinge Innovation AB",),
        abstract=("", ""),
        description=("Field of the Invention", "as decoration."),
        claim_text=("A flooring,", "(4a, 4b)."),
        paragraphs=86 + 8,
    ),
    "grant_v1-5-1-B2.xml": Expected(
        id="EP2716170B2",
        title="Vorrichtung zum Transport von band- oder streifenförmigem Material",
        claims=4,
        depends_on={1: (), 2: (1,), 3: (2,), 4: (1, 2, 3)},
        published="2021-09-22",
        filed="2012-09-14",
        priority="2011-09-28",
        cpc=("A24C 5/20",),
        ipc=("A24C 5/20",),
        citations={"examiner": 7},
        inventors=("Frank Grothaus", "Mathias Schafforz", "Joachim Schicke", "Uwe Schaadt"),
        applicants=("Hauni Maschinenbau GmbH",),
        description=("Die Erfindung betrifft", "Sensoren auszutauschen."),
        claim_text=("Vorrichtung zum Transport", "ansteuerbar ist."),
        paragraphs=30,
        language="de",
    ),
    "grant_v1-5-B1.xml": Expected(
        id="EP3404678B1",
        title="HIGH VOLTAGE ASSEMBLY AND METHOD TO OPERATE THE HIGH VOLTAGE ASSEMBLY",
        claims=12,
        depends_on={1: (), 3: (1, 2), 4: (1, 2, 3), 6: (5,), 7: (), 10: (7, 8, 9), 12: (8, 9, 10, 11)},
        published="2021-06-30",
        filed="2017-05-17",
        ipc=("H01F 27/14", "H01F 27/40"),
        citations={"examiner": 4},
        inventors=("Jörg HARTHUM", "Tobias STIRL"),
        applicants=("General Electric Technology GmbH",),
        description=("FIELD OF THE", "state N."),
        claim_text=("A high voltage", "valve (34)."),
        paragraphs=33 + 4,
    ),
}


@pytest.mark.parametrize(("path", "facts"), files("epo_fulltext_xml", invented=INVENTED, real=EXPECTED))
def test_files(path: Path, facts: Expected) -> None:
    check_file(path, facts)


def test_claims_in_three_languages() -> None:
    damper = only(OWN / "epo_fulltext_xml" / "grant_v1-5-1-B2.xml")
    assert [(item.language, item.title) for item in damper.translations] == [
        ("en", "Stove damper for warm winds"),
        ("fr", "Registre de poêle"),
    ]
    for item in damper.translations:
        assert [claim.depends_on for claim in item.claims] == [(), (1,), (1, 2)]


@needs_raw
def test_real_numbers_and_relatives() -> None:
    flooring = only(FOLDER / "grant_v1-3-B2.xml")
    assert flooring.application_number == "EP03721225"
    assert flooring.priority_numbers == ("SE0201225", "SE0203482")
    assert flooring.family_refs == (
        "EP1710367", "EP1710368", "EP1719854", "EP1707705", "EP1705309", "WO2003089736",
    )  # fmt: skip
    assert only(FOLDER / "grant_v1-5-1-B2.xml").family_refs == ("EP2574244",)
    display = only(FOLDER / "application_v1-5-A1.xml")
    assert (display.application_number, display.priority_numbers) == ("EP18877305", ("CN201810358967",))
    assert display.family_refs == ("WO2019200885",)
    assert display.citations == ()  # the list of references names its priority and nothing else


@needs_raw
def test_real_citations() -> None:
    belt = only(FOLDER / "grant_v1-5-1-B2.xml")
    assert [citation.id for citation in belt.citations] == [
        "EP1186247A2", "WO2004045320A1", "DE3701285A1", "DE19751691A1", "US4945926A", "US5156169A", "USRE36154E",
    ]  # fmt: skip
    assert {citation.phase for citation in belt.citations} == {"search"}
    described = [item.id for item in only(FOLDER / "grant_v1-3-B2.xml").citations if item.category == "applicant"]
    assert described == ["WO030253087A", "WO2001066877A"]  # the first is misprinted in the document
    high = only(FOLDER / "grant_v1-5-B1.xml")
    assert high.citations[-1] == Citation("US20080197955A1", "examiner", phase="search")


@needs_raw
def test_real_languages() -> None:
    belt = only(FOLDER / "grant_v1-5-1-B2.xml")
    assert [item.language for item in belt.translations] == ["en", "fr"]
    english, french = belt.translations
    assert english.title == "Device for transporting material in the form of strips or tape"
    assert [claim.depends_on for claim in english.claims] == [(), (1,), (2,), (1, 2, 3)]
    assert [claim.depends_on for claim in french.claims] == [(), (1,), (2,), (1, 2, 3)]
    assert french.title.startswith("Dispositif de transport")


@needs_raw
def test_real_markup() -> None:
    patent = only(FOLDER / "application_v1-0-A1.xml")
    assert "CF2=CFR^f" in patent.abstract
    assert patent.abstract.count("\n") == 1  # two paragraphs
    first = patent.claims[0].text.split("\n")
    assert first[-1] == "n: an integer of from 1 to 4."
    assert patent.description[2].heading == "BACKGROUND ART"
    assert (patent.description[1].number, patent.description[1].heading) == ("0001", "TECHNICAL FIELD")
    assert patent.ipc[0] == Symbol("C07C 29/44", "first", "inventive")


HEAD = (
    '<ep-patent-document lang="{lang}" country="EP" doc-number="{number}" kind="{kind}" date-publ="20100106"'
    ' status="{status}">'
)


def document(
    biblio: str = "", body: str = "", *, number: str = "1234567", kind: str = "A1", status: str = "n", lang: str = "en"
) -> bytes:
    head = HEAD.format(lang=lang, number=number, kind=kind, status=status)
    return f"{head}<SDOBI>{biblio}</SDOBI>{body}</ep-patent-document>".encode()


def read(data: bytes) -> Patent:
    [patent] = READER.parse(data)
    return patent


def test_a_document_without_number_is_refused() -> None:
    with pytest.raises(BadRecord, match="no publication number"):
        read(document(number=""))
    with pytest.raises(BadRecord, match="<html>"):
        read(b"<html/>")


def test_number_and_kind_of_the_biblio() -> None:
    data = b"<ep-patent-document><SDOBI><B100><B110>0012345</B110><B130>B1</B130><B140><date>19850102</date></B140>"
    patent = read(data + b"<B190>EP</B190></B100></SDOBI></ep-patent-document>")
    assert (patent.id, patent.published, patent.language) == ("EP0012345B1", "1985-01-02", "")


@pytest.mark.parametrize(
    ("kind", "status", "biblio", "expected"),
    [
        ("A1", "n", "", ""),
        ("A1", "c", "", "corrected"),
        ("A1", "d", "", "deleted"),
        ("A8", "n", "", "corrected"),
        ("B9", "n", "", "corrected"),
        ("B1", "n", "<B100><B150><B151>W1</B151></B150></B100>", "corrected"),
    ],
)
def test_status(kind: str, status: str, biblio: str, expected: str) -> None:
    assert read(document(biblio, kind=kind, status=status)).publication_status == expected


def test_a_search_report_with_letters() -> None:
    body = """<search-report-data><srep-citations>
      <citation srep-phase="search"><patcit num="1"><document-id><country>US</country><doc-number>5000000</doc-number>
        <kind>A</kind></document-id></patcit><category>X</category><category>Y</category></citation>
      <citation cited-phase="opposition"><patcit><document-id><country>GB</country><doc-number>2000001</doc-number>
        </document-id></patcit></citation>
      <citation><nplcit><text>SMITH: "Screws"</text></nplcit><category>A</category></citation>
    </srep-citations></search-report-data>
    <ep-reference-list><p><ul>
      <li><patcit dnum="US5000000A"><document-id><country>US</country><doc-number>5000000</doc-number>
        </document-id></patcit></li>
      <li><patcit dnum="US12345678" dnum-type="L"><document-id><country>US</country><doc-number>12345678</doc-number>
        </document-id></patcit></li>
      <li><nplcit><article><author><name>M&Uuml;LLER</name></author><atl>Nails</atl></article></nplcit></li>
    </ul></p></ep-reference-list>"""
    patent = read(document(body=body))
    assert patent.citations == (
        Citation("US5000000A", "examiner", "XY", "search"),
        Citation("GB2000001", "other", "", "opposition"),
        Citation("US12/345678", "applicant", "", "description"),
    )
    assert patent.literature == (
        Literature('SMITH: "Screws"', "examiner", "A", "search"),
        Literature("MÜLLER, Nails", "applicant", "", "description"),
    )


def test_field_56_with_remarks_and_without_a_number() -> None:
    biblio = """<B560><B561><text>EP-A- 0 123 456 (cited by another)</text></B561>
      <B561><text>PATENT ABSTRACTS OF JAPAN</text></B561><B562><text>a book</text></B562></B560>"""
    patent = read(document(biblio))
    assert [item.id for item in patent.citations] == ["EP0123456A"]
    assert [item.text for item in patent.literature] == ["PATENT ABSTRACTS OF JAPAN", "a book"]


def test_claims_of_the_first_set_and_never_the_amended_ones() -> None:
    body = """<claims lang="en"><claim num="0001"><claim-text><b>1.</b> A screw.</claim-text></claim></claims>
      <claims lang="en"><claim num="0001"><claim-text>A nail (for GB).</claim-text></claim></claims>
      <claims lang="fr"><claim num="0001"><claim-text>Une vis.</claim-text></claim>
        <claim num="0002"><claim-text>Vis selon la revendication 1.</claim-text></claim></claims>
      <amended-claims lang="en"><claim num="0001"><claim-text>An amended screw.</claim-text></claim></amended-claims>"""
    patent = read(document(body=body, kind="B1"))
    assert [claim.text for claim in patent.claims] == ["A screw."]
    assert [(item.language, item.claims[1].depends_on) for item in patent.translations] == [("fr", (1,))]


def test_amended_claims_stand_in_where_there_are_no_others() -> None:
    body = '<amended-claims lang="de"><claim num="1"><claim-text>Schraube.</claim-text></claim></amended-claims>'
    assert [claim.text for claim in read(document(body=body, lang="de")).claims] == ["Schraube."]


def test_people_and_companies() -> None:
    biblio = """<B700><B710><B711><snm>Schmidt, Hans, Dr.</snm></B711></B710>
      <B720><B721><snm>Schmidt, Hans, Dr.</snm></B721>
      <B721><snm>The designation of the inventor has not yet been filed</snm></B721></B720></B700>"""
    patent = read(document(biblio))
    assert patent.inventors == ("Dr. Hans Schmidt",)
    assert patent.applicants == ("Dr. Hans Schmidt",)  # nobody else applied


def test_priorities_without_a_country_or_date() -> None:
    biblio = """<B300><B310>201261713164 P</B310><B320><date>20121012</date></B320><B330><ctry>US</ctry></B330>
      <B310>10315000.5</B310><B320><date>20100101</date></B320><B330><ctry>DE</ctry></B330><B310>77</B310></B300>
      <B860><B861><dnum><anum>PCT/EP2013/064552</anum></dnum><date>20131011</date></B861></B860>"""
    patent = read(document(biblio))
    assert patent.priority_numbers == ("US61/713164", "DE10315000", "77")
    assert (patent.priority, patent.filed) == ("2010-01-01", "2013-10-11")
    assert patent.family_refs == ("PCT/EP2013/064552",)


def test_abstract_in_another_language() -> None:
    body = '<abstract lang="en"><p>Screws.</p></abstract><abstract lang="de"><p>Schrauben.</p></abstract>'
    patent = read(document(body=body, lang="de"))
    assert patent.abstract == "Schrauben."
    assert [(item.language, item.abstract) for item in patent.translations] == [("en", "Screws.")]


def test_tables_entities_and_wrong_encoding() -> None:
    body = """<description lang="en"><p num="0001">CO<sub>2</sub> &mgr;m&nbsp;&unknown; 10<sup>6</sup>
      <tables><table><tgroup><tbody><row><entry>a</entry><entry>b</entry></row></tbody></tgroup></table></tables></p>
      </description>"""
    patent = read(document(body=body))
    assert patent.description[0].text == "CO2 μm &unknown; 10^6\na | b"
    latin = document("<B540><B541>fr</B541><B542>PROCÉDÉ</B542></B540>", lang="fr").decode().encode("latin-1")
    assert read(latin).title == "PROCÉDÉ"


def test_many_in_one_stream_and_one_cut_off() -> None:
    prolog = b'<?xml version="1.0" encoding="UTF-8"?>\n'
    good, bad = prolog + document(number="1000001"), prolog + document(number="1000002")[:-40]
    stream = Stream("many.xml", io.BytesIO(good + bad + prolog + document(number="1000003")))
    ids = []
    for piece in READER.split(stream):
        try:
            ids.append(read(piece.data).id)
        except BadRecord:
            ids.append("bad")
    assert ids == ["EP1000001A1", "bad", "EP1000003A1"]


def test_sniff() -> None:
    assert READER.sniff(document(), "x.xml")
    assert not READER.sniff(b'<exch:exchange-documents xmlns:exch="http://www.epo.org/exchange">', "x.xml")


def test_long_nonsense_is_read_in_no_time() -> None:
    started = time.monotonic()
    text = "EP-A-" + "1 " * 50_000
    read(
        document(f"<B560><B561><text>{text}</text></B561></B560>", f"<description><p>{'(' * 100_000}</p></description>")
    )
    assert time.monotonic() - started < 5
