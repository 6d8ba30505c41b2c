"""MAREC and CLEF-IP: no real file is at hand, so documents of the published structure, written for the test."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from foreart.document.patent import Citation, Literature, Patent, Symbol
from foreart.errors import BadRecord
from foreart.sources.formats.marec import READER
from foreart.sources.opening.stream import Stream

FOLDER = Path(__file__).resolve().parents[1] / "data" / "marec"
PROLOG, _, EP = (FOLDER / "EP-1999999-B1.xml").read_bytes().partition(b'dtd">\n')
PROLOG += b'dtd">\n'
US = (FOLDER / "US-H1-H.xml").read_bytes().removeprefix(PROLOG)


def read(data: bytes) -> Patent:
    [patent] = READER.parse(data)
    return patent


def test_a_european_patent() -> None:
    patent = read(PROLOG + EP)
    assert (patent.id, patent.title, patent.language) == ("EP1999999B1", "SCHRAUBE", "de")
    assert (patent.published, patent.filed, patent.priority) == ("2003-01-22", "1998-07-29", "1997-07-29")
    assert (patent.application_number, patent.family_id) == ("EP98937268", "19768124")
    assert patent.priority_numbers == ("US90250897",)  # the international application is this one
    assert patent.family_refs == ("WO1999006345A1",)
    assert patent.applicants == ("DU PONT & COMPANY",)
    assert patent.inventors == ("EMILIO ENRIQUE BUNEL",)
    assert patent.ipc == (
        Symbol("B01J 31/22", "first", "inventive"),
        Symbol("C07C 45/50", None, "inventive"),
        Symbol("C07C 47/02", "later", "additional"),
        Symbol("C07F 9/145"),
    )
    assert patent.publication_status == ""


def test_texts_and_translations() -> None:
    patent = read(PROLOG + EP)
    assert patent.abstract == "Schrauben,\nviele."
    assert [(item.number, item.text, item.heading) for item in patent.description] == [
        ("", "STAND DER TECHNIK", "STAND DER TECHNIK"),
        ("0001", "Schrauben aus Fe2\neins\nzwei", "STAND DER TECHNIK"),
    ]
    assert [(claim.text, claim.depends_on) for claim in patent.claims] == [
        ("Schraube.", ()),
        ("Schraube nach Anspruch 1.", (1,)),
    ]
    [english] = patent.translations
    assert (english.language, english.title, english.abstract) == ("en", "SCREW", "Screws.")
    assert [claim.depends_on for claim in english.claims] == [(), (1,)]


def test_citations() -> None:
    patent = read(PROLOG + EP)
    assert patent.citations == (
        Citation("DE3546191A1", "examiner", "X", "search"),
        Citation("EP0680812A1", "examiner", "YD", "international search"),
        Citation("US5000000A", "other", "", "opposition"),
    )
    assert patent.literature == (Literature("See references of WO 9906345A1", "examiner", "", "search"),)


def test_a_us_document() -> None:
    """The application is no priority of its own, and scanned claims stand in one element."""
    patent = read(US)
    assert (patent.id, patent.document_type) == ("USH1H", "statutory invention registration")
    assert (patent.application_number, patent.filed, patent.priority) == ("US06/585951", "1984-03-05", "")
    assert patent.priority_numbers == ()
    assert patent.uspc == ("339/97P", "339/99R")
    assert (patent.inventors, patent.applicants) == (("Montri Chayakul",), ("BELL, INC.",))
    assert [(claim.number, claim.text, claim.depends_on) for claim in patent.claims] == [
        (1, "A connector.", ()),
        (2, "The connector of claim 1.", (1,)),
    ]


def test_only_a_ucid() -> None:
    patent = read(
        b'<patent-document ucid="WO-2004047228-B1" lang="XX" status="corrected"><abstract lang="FR"><p>Vis.</p>'
        b"</abstract></patent-document>"
    )
    assert (patent.id, patent.language, patent.abstract) == ("WO2004047228B1", "", "Vis.")
    assert patent.publication_status == "corrected"


def test_one_claim_that_counts_its_steps_stays_one() -> None:
    claim_text = b"<claim-text>Steps:<br/>1. cut;<br/>2. bend.</claim-text>"
    claims = b'<claims lang="EN"><claim num="1">%s</claim></claims>' % claim_text
    data = b'<patent-document ucid="EP-1000000-A1">%s</patent-document>' % claims
    [claim] = read(data).claims
    assert claim.text == "Steps:\n1. cut;\n2. bend."


def test_topics_and_collections() -> None:
    """Documents wrapped in a topic, one cut off, one without a number, and what closes the list."""
    topic = (
        b"<topics><topic><tid>PAC-1001</tid>"
        + US
        + b"</topic>\n<topic><tid>PAC-1002</tid>"
        + EP
        + b"</topic></topics>\n"
    )
    data = PROLOG + topic + PROLOG + EP[:900] + PROLOG + b"<patent-document><abstract/></patent-document>" + PROLOG + EP
    assert READER.sniff(data, "topics.xml")
    found: list[str] = []
    for piece in READER.split(Stream("topics.xml", io.BytesIO(data))):
        try:
            found.extend(patent.id for patent in READER.parse(piece.data))
        except BadRecord as error:
            found.append(str(error)[:19])
    assert found == ["USH1H", "EP1999999B1", "not well-formed XML", "no publication numb", "EP1999999B1"]


def test_sniff_leaves_other_formats_alone() -> None:
    assert READER.sniff(PROLOG + US, "x.xml")
    assert READER.sniff(US, "x.xml")
    assert not READER.sniff(b'<ep-patent-document id="x" lang="en">', "x.xml")
    assert not READER.sniff(b"<patent-document-and-more ucid='x'>", "x.xml")
    assert not READER.sniff(
        b"<topics><topic><tid>PSG-1</tid><tfile>EP-1480263-A1.xml</tfile></topic></topics>", "t.xml"
    )


def test_text_without_a_document_is_refused() -> None:
    with pytest.raises(BadRecord, match="no <patent-document>"):
        list(READER.parse(b"something else"))
