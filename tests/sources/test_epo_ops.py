"""EPO Open Patent Services: answers against facts read off them, and small ones for other services, in both forms."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from expectation import OWN, Expected, check, check_file, files, only
from foreart.document.patent import Citation, Literature, Patent, Symbol, Translation
from foreart.errors import BadRecord
from foreart.sources.formats.epo_ops import JSON_READER, XML_READER
from foreart.sources.opening.stream import Stream

SPACES = 'xmlns="http://www.epo.org/exchange" xmlns:ops="http://ops.epo.org"'
SYMBOLS = ("B28B 1/29", "B28B 5/022", "B28B 5/025", "B28B 7/0064")
CLASSES = ("B28B 1/29", "B28B 5/02", "B28B 7/00", "H02P 6/08")
TITLE = "Apparatus for manufacturing green bricks for the brick manufacturing industry"


def badgerfish(element: etree._Element) -> dict[str, Any]:
    """The JSON form as OPS makes it: `@` attributes, `$` text, a list only where a name repeats."""
    found: dict[str, Any] = {f"@{etree.QName(key).localname}": value for key, value in element.attrib.items()}
    if element.text and element.text.strip():
        found["$"] = element.text
    for child in element:
        name = etree.QName(child).localname
        key = f"ops:{name}" if child.tag.startswith("{http://ops") else name
        if key in found:
            found[key] = [*(found[key] if isinstance(found[key], list) else [found[key]]), badgerfish(child)]
        else:
            found[key] = badgerfish(child)
    return found


def as_json(data: bytes) -> bytes:
    return json.dumps(
        {"ops:world-patent-data": {"@xmlns": {"ops": "http://ops.epo.org"}, **badgerfish(etree.fromstring(data))}}
    ).encode()


def both(body: str) -> list[Patent]:
    """The patents of an answer, which are the same in XML and JSON."""
    data = f"<ops:world-patent-data {SPACES}>{body}</ops:world-patent-data>".encode()
    found = list(XML_READER.parse(data))
    assert list(JSON_READER.parse(as_json(data))) == found
    return found


BRICKS = {
    "title": TITLE,
    "filed": "1999-11-08",
    "priority": "1998-11-12",
    "cpc": SYMBOLS,
    "ipc": CLASSES,
    "inventors": ("WILHELMUS JACOBUS MARIA KOSMAN",),
    "applicants": ("BEHEERMAATSCHAPPIJ DE BOER NIJMEGEN B.V",),
}
BRICKS_ABSTRACT = ("The invention relates", "green bricks. <IMAGE>")
REAL = {
    "ep1000000_abstract_result.xml": Expected(
        id="EP1000000A1", title="", published="2000-05-17", abstract=BRICKS_ABSTRACT
    ),
    "ep1000000_full_cycle_result.xml": (
        Expected(
            id="EP1000000A1",
            published="2000-05-17",
            citations={"examiner": 3},
            abstract=BRICKS_ABSTRACT,
            **BRICKS,
            more={
                "citations": (
                    Citation("DE3546191A1", "examiner", "A", "search"),
                    Citation("EP0680812A1", "examiner", "A", "search"),
                    Citation("NL9400663A", "examiner", "A", "search"),
                ),
                "cpc": tuple(Symbol(symbol, None, "inventive") for symbol in SYMBOLS),
                "ipc": tuple(Symbol(symbol, None, "inventive") for symbol in CLASSES),
                "family_id": "19768124",
                "application_number": "EP99203729",
                "priority_numbers": ("NL1010536",),
            },
        ),
        Expected(id="EP1000000B1", published="2003-02-12", abstract=("", ""), language="", **BRICKS),
    ),
}
MILL = {
    "title": "Mill driven by the moon",
    "filed": "1999-09-10",
    "priority": "1998-09-14",
    "cpc": ("B02C 19/0018",),  # two offices gave it
    "ipc": ("B02C 19/00", "F03B 13/26"),
    "inventors": ("HENDRIK JAN WIEK",),
    "applicants": ("MAANMOLEN B.V",),
}
MILL_ABSTRACT = ("A mill (1) grinds", "the moon pulls. <IMAGE>")
INVENTED = {
    "ep1990026_abstract_result.xml": Expected(
        id="EP1990026A1", title="", published="2000-10-11", abstract=MILL_ABSTRACT
    ),
    "ep1990026_full_cycle_result.xml": (
        Expected(
            id="EP1990026A1",
            published="2000-10-11",
            citations={"examiner": 2},
            abstract=MILL_ABSTRACT,
            **MILL,
            more={
                "citations": (
                    Citation("DE3990263A1", "examiner", "A", "search"),
                    Citation("NL9900264A", "examiner", "X", "search"),
                ),
                "cpc": (Symbol("B02C 19/0018", None, "inventive"),),
                "family_id": "99000026",
                "application_number": "EP99990261",
                "priority_numbers": ("NL1990262",),
                "translations": (
                    Translation("de", title="Mühle mit Mondantrieb"),
                    Translation("fr", title="Moulin à lune"),
                ),
            },
        ),
        Expected(id="EP1990026B1", published="2003-05-14", abstract=("", ""), language="", **MILL),
    ),
}
FILES = files("epo_ops", invented=INVENTED, real=REAL)


@pytest.mark.parametrize(("path", "facts"), FILES)
def test_files(path: Path, facts: Expected | tuple[Expected, ...]) -> None:
    check_file(path, facts)


@pytest.mark.parametrize(("path", "facts"), FILES)
def test_json_says_the_same_as_xml(path: Path, facts: object) -> None:
    data, name = path.read_bytes(), path.name
    assert list(JSON_READER.parse(as_json(data))) == list(XML_READER.parse(data))
    assert JSON_READER.sniff(as_json(data), name)
    assert not JSON_READER.sniff(data, name)
    assert not XML_READER.sniff(as_json(data), name)


def test_biblio_of_a_us_patent() -> None:
    """Own application among the priorities, series only in the original, US classes, names with commas behind them."""
    [patent] = both("""<exchange-documents><exchange-document system="ops.epo.org" family-id="41" country="US"
      doc-number="2014102795" kind="A1"><bibliographic-data>
      <publication-reference><document-id document-id-type="docdb"><country>US</country>
        <doc-number>2014102795</doc-number><kind>A1</kind><date>20140417</date></document-id></publication-reference>
      <patent-classifications>
        <patent-classification><classification-scheme office="" scheme="CPC"/><section>H</section><class>04</class>
          <subclass>L</subclass><main-group>41</main-group><subgroup>0893</subgroup>
          <classification-value>A</classification-value></patent-classification>
        <patent-classification><classification-scheme office="EP" scheme="CPC"/>
          <classification-symbol>Y02P  20/52</classification-symbol><symbol-position>L</symbol-position>
          <classification-value>A</classification-value></patent-classification>
        <patent-classification><classification-scheme office="US" scheme="UC"/>
          <classification-symbol>709/206</classification-symbol></patent-classification>
      </patent-classifications>
      <application-reference><document-id document-id-type="docdb"><country>US</country>
        <doc-number>56964009</doc-number>
        <kind>A</kind></document-id><document-id document-id-type="epodoc"><doc-number>US20090569640</doc-number>
        <date>20090929</date></document-id><document-id document-id-type="original"><doc-number>12569640</doc-number>
        </document-id></application-reference>
      <priority-claims>
        <priority-claim><document-id document-id-type="epodoc"><doc-number>US20090569640</doc-number>
          <date>20090929</date></document-id></priority-claim>
        <priority-claim><document-id document-id-type="epodoc"><doc-number>WO2002US36644</doc-number>
          <date>20021112</date></document-id></priority-claim>
        <priority-claim><document-id document-id-type="epodoc"><doc-number>US20010338427P</doc-number>
          <date>20011109</date></document-id><document-id document-id-type="original"><doc-number>60338427</doc-number>
          </document-id></priority-claim>
      </priority-claims>
      <parties><applicants>
        <applicant data-format="epodoc"><applicant-name><name>IBM [US]</name></applicant-name></applicant>
        <applicant data-format="original"><applicant-name><name>HINDAWI, David, </name></applicant-name></applicant>
        <applicant data-format="original"><applicant-name><name>BIGFIX, INC, </name></applicant-name></applicant>
      </applicants><inventors>
        <inventor data-format="original"><inventor-name><name>HINDAWI, DAVID, </name></inventor-name></inventor>
        <inventor data-format="original"><inventor-name><name>Hindawi, David</name></inventor-name></inventor>
      </inventors></parties>
      <invention-title lang="en">POLICY</invention-title>
      <references-cited>
        <citation cited-phase="undefined" cited-by="applicant"><patcit><document-id document-id-type="epodoc">
          <doc-number>US5586304</doc-number></document-id><document-id document-id-type="docdb"><country>US</country>
          <doc-number>5586304</doc-number><kind>A</kind></document-id></patcit></citation>
        <citation cited-phase="international-search-report" cited-by="examiner"><patcit><document-id
          document-id-type="docdb"><country>US</country><doc-number>5586304</doc-number><kind>A</kind></document-id>
          </patcit><category>X</category><category>Y</category></citation>
        <citation cited-phase="opposition"><nplcit><text>a thesis</text></nplcit></citation>
      </references-cited>
      </bibliographic-data></exchange-document></exchange-documents>""")
    assert patent.id == "US20140102795A1"
    assert (patent.filed, patent.priority, patent.published) == ("2009-09-29", "2001-11-09", "2014-04-17")
    assert patent.application_number == "US12/569640"
    assert patent.priority_numbers == ("PCT/US02/36644", "US60/338427")
    assert patent.cpc == (Symbol("H04L 41/0893", None, "additional"), Symbol("Y02P 20/52", "later", "additional"))
    assert patent.uspc == ("709/206",)
    assert patent.inventors == ("DAVID HINDAWI",)
    assert patent.applicants == ("BIGFIX, INC",)
    assert patent.citations == (Citation("US5586304A", "examiner", "XY", "international search"),)
    assert patent.literature == (Literature("a thesis", "other", "", "opposition"),)
    assert (patent.language, patent.family_id, patent.document_type) == ("en", "41", "utility")


def test_biblio_as_json() -> None:
    """The form in which OPS answers `Accept: application/json`: no list where a name stands once."""
    patent = only(OWN / "epo_ops" / "biblio.json")
    check(
        patent,
        Expected(
            id="DE102099000001A1",
            title="Schraube",
            published="2011-03-31",
            filed="2009-09-30",
            cpc=("F16B 25/0015",),
            ipc=("F16B 25/00",),
            citations={"examiner": 1},
            literature=1,
            inventors=("Erika MUSTER",),
            applicants=("SCHRAUBEN GMBH",),
            abstract=("Eine Schraube", "Kopf."),
            language="de",
        ),
    )
    assert patent.citations == (Citation("US20060231464A1", "examiner", "", "examination"),)
    assert patent.literature == (Literature("DIN 931", "examiner", "A", "search"),)
    assert (patent.application_number, patent.priority_numbers) == ("DE102099000001", ())
    assert patent.origins[0].format == "epo-ops-json"


REFERENCE = """<bibliographic-data><publication-reference data-format="docdb"><document-id><country>WO</country>
  <doc-number>2009085664</doc-number><kind>A2</kind></document-id></publication-reference></bibliographic-data>"""


def full_text(inner: str) -> Patent:
    space = 'xmlns="http://www.epo.org/fulltext" xmlns:ftxt="http://www.epo.org/fulltext"'
    [patent] = both(
        f'<ftxt:fulltext-documents {space}><ftxt:fulltext-document fulltext-format="text-only">{REFERENCE}{inner}'
        "</ftxt:fulltext-document></ftxt:fulltext-documents>"
    )
    return patent


def test_claims_a_text_each() -> None:
    patent = full_text("""<claims lang="EN"><claim><claim-text>1. A screw.</claim-text>
      <claim-text>2. Screw as claimed in claim 1, having\n(a) a head; and\n(b) a thread.</claim-text>
      </claim></claims>""")
    assert (patent.id, patent.language) == ("WO2009085664A2", "en")
    assert [(claim.number, claim.text, claim.depends_on) for claim in patent.claims] == [
        (1, "A screw.", ()),
        (2, "Screw as claimed in claim 1, having\n(a) a head; and\n(b) a thread.", (1,)),
    ]


def test_claims_in_one_text() -> None:
    patent = full_text("""<claims lang="EN"><claim><claim-text>CLAI MS\n1. A method comprising:\n(a) one;\n(b) two.
2. The method of claim 1 , in 3 steps.\n3. The method of any one of claims 1 - 2.</claim-text></claim></claims>""")
    assert [claim.depends_on for claim in patent.claims] == [(), (1,), (1, 2)]
    assert patent.claims[0].text == "A method comprising:\n(a) one;\n(b) two."


def test_claims_without_numbers_and_in_two_languages() -> None:
    patent = full_text("""<claims lang="DE"><claim><claim-text>Schraube.</claim-text>
      <claim-text>Schraube nach Anspruch 1.</claim-text></claim></claims>
      <claims lang="FR"><claim><claim-text>1. Vis.</claim-text></claim></claims>""")
    assert [claim.depends_on for claim in patent.claims] == [(), (1,)]
    assert [(item.language, item.claims[0].text) for item in patent.translations] == [("fr", "Vis.")]


def test_claims_one_by_one() -> None:
    patent = full_text("""<claims lang="EN"><claim num="1"><claim-text>A screw.</claim-text></claim>
      <claim num="2"><claim-text>The screw of claim 1.</claim-text></claim></claims>""")
    assert [(claim.number, claim.depends_on) for claim in patent.claims] == [(1, ()), (2, (1,))]


def test_description_in_lines() -> None:
    patent = full_text("""<description lang="EN"><p>[0001]    Figures:\nfig. 1 a screw;\nfig. 2 a nail. </p>
      <p>DETAILED DESCRIPTION\nA screw is long.\n[0003] A nail is short.</p><p/></description>""")
    assert [(item.number, item.text, item.is_heading) for item in patent.description] == [
        ("0001", "Figures:\nfig. 1 a screw;\nfig. 2 a nail.", False),
        ("", "DETAILED DESCRIPTION", True),
        ("", "A screw is long.", False),
        ("0003", "A nail is short.", False),
    ]
    assert patent.description[2].heading == "DETAILED DESCRIPTION"


def member(office: str, number: str, kind: str, extra: str = "") -> str:
    return f"""<ops:family-member family-id="50"><publication-reference><document-id document-id-type="docdb">
      <country>{office}</country><doc-number>{number}</doc-number><kind>{kind}</kind><date>20150819</date></document-id>
      <document-id document-id-type="epodoc"><doc-number>{office}{number}</doc-number></document-id>
      </publication-reference><application-reference><document-id document-id-type="docdb"><country>US</country>
      <doc-number>201314052000</doc-number><kind>A</kind><date>20131011</date></document-id></application-reference>
      <priority-claim><document-id document-id-type="docdb"><country>US</country><doc-number>201261713164</doc-number>
      <kind>P</kind><date>20121012</date></document-id></priority-claim>
      <priority-claim><document-id document-id-type="docdb"><country>US</country><doc-number>2013064552</doc-number>
      <kind>W</kind><date>20131011</date></document-id></priority-claim>{extra}</ops:family-member>"""


def test_family() -> None:
    biblio = """<exchange-document country="US" doc-number="9291047" kind="B2" family-id="50"><bibliographic-data>
      <invention-title lang="en">SCREW</invention-title></bibliographic-data></exchange-document>"""
    found = both(
        '<ops:patent-family legal="false"><ops:publication-reference><document-id document-id-type="docdb">'
        "<country>EP</country><doc-number>2906782</doc-number><kind>A2</kind></document-id></ops:publication-reference>"
        f"{member('EP', '2906782', 'A2')}{member('EP', '2906782', 'A4')}{member('US', '9291047', 'B2', biblio)}"
        "</ops:patent-family>"
    )
    assert [patent.id for patent in found] == ["EP2906782A2", "EP2906782A4", "US9291047B2"]
    first, second, third = found
    assert first.family_refs == ("EP2906782A4", "US9291047B2")
    assert (first.published, first.filed, first.priority) == ("2015-08-19", "2013-10-11", "2012-10-12")
    assert first.priority_numbers == ("US61/713164",)  # the international application is this one
    assert (first.application_number, first.family_id) == ("US14/052000", "50")
    assert third.title == "SCREW"
    assert third.family_refs == ("EP2906782A2", "EP2906782A4")
    assert second.title == ""


def test_search_results() -> None:
    found = both("""<ops:biblio-search total-result-count="2"><ops:query syntax="CQL">ti = screw</ops:query>
      <ops:search-result><ops:publication-reference family-id="8"><document-id document-id-type="docdb">
      <country>KR</country><doc-number>20230140110</doc-number><kind>A</kind></document-id></ops:publication-reference>
      <exchange-documents><exchange-document country="CN" doc-number="118765432" kind="A"><bibliographic-data/>
      </exchange-document><exchange-document status="not found" country="XX" doc-number="1"/></exchange-documents>
      </ops:search-result></ops:biblio-search>""")
    assert [(patent.id, patent.family_id) for patent in found] == [("CN118765432A", ""), ("KR20230140110A", "8")]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"<ops:world-patent-data xmlns:ops='o'><ops:document-inquiry/></ops:world-patent-data>", "without published"),
        (b"<world-patent-data><exchange-document/></world-patent-data>", "no publication number"),
        (b"<world-patent-data><fulltext-document/></world-patent-data>", "no publication number"),
        (b"<fault/>", "<fault>"),
        (b"<world-patent-data><exchange", "not well-formed"),
    ],
)
def test_refused(data: bytes, reason: str) -> None:
    with pytest.raises(BadRecord, match=reason):
        list(XML_READER.parse(data))


def test_refused_json() -> None:
    for data in (b"[1]", b'{"a": 1, "b": 2}', b'{"ops:world-patent-data": ', b'{"b c": {}}'):
        with pytest.raises(BadRecord):
            list(JSON_READER.parse(data))
    deep: Any = "x"
    for _ in range(300):
        deep = {"a": deep}
    with pytest.raises(BadRecord, match="too deep"):
        list(JSON_READER.parse(json.dumps({"world-patent-data": deep}).encode()))


def test_odd_json() -> None:
    """Control characters, texts without `$` and numbers are read all the same."""
    document = {"@country": "EP", "@doc-number": 1000000, "@kind": "A1", "abstract": {"@lang": "en", "p": "A\u0000B"}}
    answer = {"ops:world-patent-data": {"exchange-documents": [{"exchange-document": [document]}, None]}}
    [patent] = JSON_READER.parse(json.dumps(answer).encode())
    assert (patent.id, patent.abstract) == ("EP1000000A1", "AB")


def test_several_answers_in_one_file() -> None:
    answer = b'<?xml version="1.0"?><ops:world-patent-data xmlns:ops="o"/>\n'
    body = b'<?xml version="1.0"?><w:world-patent-data xmlns:w="o"></w:world-patent-data>'
    assert len(list(XML_READER.split(Stream("a.xml", io.BytesIO(answer + body))))) == 2
