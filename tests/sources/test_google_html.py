"""Google Patents pages: what the document says of itself, and nothing of the documents its page lists."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from expectation import RAW, Expected, check, check_file, files, needs_raw, only, patents
from foreart.document.patent import Citation, Literature, Patent, Symbol
from foreart.document.reject import Reject
from foreart.errors import BadRecord
from foreart.sources import scan
from foreart.sources.formats.google_html import READER

PAGES = RAW / "google_patents_html"


INVENTED = {
    "US6990043B1.html": Expected(
        id="US6990043B1",
        title="Self-ringing flowerpot",
        claims=3,
        depends_on={1: (), 2: (1,), 3: ()},
        published="2001-09-04",
        filed="1999-04-06",
        priority="1999-04-06",
        cpc=("A01G 9/02",),
        citations={"examiner": 1, "unknown": 1},
        inventors=("Rose Topf",),
        applicants=("Glocke USA Inc",),
        abstract=("A flowerpot ( 10 )", "is dry."),
        description=("BACKGROUND OF THE INVENTION", "A bell 12 hangs on a root."),
        claim_text=("A flowerpot, comprising:\na pot; and\na bell.", "a flowerpot."),
        paragraphs=3 + 3,
        more={
            "application_number": "US09/994301",
            "family_id": "99000043",
            "family_refs": (),
            "priority_numbers": (),
            "cpc": (Symbol("A01G 9/02", "first"),),
            "citations": (Citation("US1990432A", "examiner"), Citation("US5990433A")),
        },
    ),
    "US20110990044A1.html": Expected(
        id="US20110990044A1",
        title="Scarf for giraffes",
        claims=2,
        depends_on={1: (), 2: (1,)},
        published="2011-04-07",
        filed="2009-10-05",
        priority="2009-10-05",
        cpc=("A41D 23/00",),
        citations={"examiner": 1},
        inventors=("Gisela Hals",),
        applicants=(),  # the page says `Individual`
        description=("BACKGROUND OF THE INVENTION", "Wool 7 is wound nine times."),
        claim_text=("A scarf of", "of wool."),
        paragraphs=3 + 2,
        more={
            "family_id": "99000044",
            "family_refs": ("US8990441B2", "US20140990442A1"),
            "priority_numbers": (),  # US14/994,402 shares the priority and came later
        },
    ),
}


@pytest.mark.parametrize(("path", "facts"), files("google_patents_html", invented=INVENTED))
def test_files(path: Path, facts: Expected) -> None:
    check_file(path, facts)


@needs_raw
def test_a_grant():
    patent = only(PAGES / "US6226921B1.html")
    expected = Expected(
        id="US6226921B1",
        title="Self-watering planter",
        claims=8,
        depends_on={1: (), 2: (1,), 3: (1,), 4: (3,), 5: (1,), 6: (5,), 7: (6,), 8: ()},
        published="2001-05-08",
        filed="1999-02-22",
        priority="1999-02-22",
        cpc=("A01G 27/06",),
        citations={"examiner": 9, "unknown": 14},
        inventors=("Bang Sung Kang",),
        applicants=("Gaasbeck USA Inc",),
        abstract=("A plant watering", "the planter."),
        description=("BACKGROUND OF THE INVENTION", "appended claims."),
        claim_text=("A pot for", "communication therewith."),
        paragraphs=26,
    )
    check(patent, expected)
    assert patent.application_number == "US09/253846"
    assert patent.family_id == "22961950"
    assert patent.family_refs == patent.priority_numbers == ()
    assert patent.cpc == (Symbol("A01G 27/06", "first"),)
    assert patent.document_type == "utility"
    assert sum(paragraph.is_heading for paragraph in patent.description) == 4
    assert patent.claims[0].text.count("\n") == 9
    # It stands in the second of the page's two lists only.
    assert Citation("US5704162A") in patent.citations


@needs_raw
def test_an_application():
    patent = only(PAGES / "US20110036006A1.html")
    expected = Expected(
        id="US20110036006A1",
        title="Self Watering Plant System",
        claims=7,
        depends_on={1: (), 2: (1,), 3: (1,), 4: (1,), 5: (1,), 6: (), 7: ()},
        published="2011-02-17",
        filed="2009-08-13",
        priority="2009-08-13",
        cpc=("A01G 27/06",),
        citations={"examiner": 34},
        inventors=("Arthur Francis Griebel",),
        applicants=(),  # the page says `Individual`
        abstract=("This Self-Watering", "also described."),
        description=("BACKGROUND OF THE INVENTION", "spout 7."),
        claim_text=("A Self Watering", "soil medium."),
        paragraphs=38,
    )
    check(patent, expected)
    assert patent.application_number == "US12/541158"
    assert patent.family_id == "43587727"
    assert patent.family_refs == ("US8528252B2", "US20140007501A1")
    assert patent.priority_numbers == ()  # US14/022,142 shares the priority and came later
    assert [paragraph.number for paragraph in patent.description[:5]] == ["", "0001", "0002", "", "0003"]
    assert patent.description[1].heading == "BACKGROUND OF THE INVENTION"


def page(body: str, *, number: str = '<dd itemprop="publicationNumber">US7000001B2</dd>', head: str = "") -> bytes:
    return f"""<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8">{head}</head><body><article itemscope
    itemtype="http://schema.org/ScholarlyArticle"><h1 itemprop="pageTitle">US7000001B2 - Screw - Google Patents</h1>
    {number}{body}</article></body></html>""".encode()


def read(data: bytes) -> Patent:
    assert READER.sniff(data[: 1 << 16], "page.html")
    (patent,) = READER.parse(data)
    return patent


def row(kind: str, number: str, mark: str = "") -> str:
    return (
        f'<tr itemprop="{kind}" itemscope repeat><td><span itemprop="publicationNumber">{number}</span>'
        f' (<span itemprop="primaryLanguage">en</span>) {mark}</td><td itemprop="title">A * nail</td></tr>'
    )


def test_title_without_number_and_site():
    assert read(page("")).title == "Screw"
    assert read(page('<span itemprop="title">Screw \n - head  </span>')).title == "Screw - head"


def test_dates_of_events_and_of_other_documents_are_not_its_own():
    body = """<time itemprop="priorityDate" datetime="2001-02-03">x</time>
    <dd itemprop="events" itemscope><time itemprop="date" datetime="1999-01-01"></time>
    <time itemprop="publicationDate" datetime="1999-01-01"></time></dd>
    <table><tr itemprop="similarDocuments" itemscope><td><span itemprop="publicationNumber">US1A</span></td>
    <td><time itemprop="publicationDate" datetime="1998-01-01"></time><time itemprop="filingDate">1998-01-01</time>
    </td></tr></table>"""
    patent = read(page(body))
    assert (patent.priority, patent.filed, patent.published) == ("2001-02-03", "", "")


def test_marks_of_citations_and_lists_that_are_none():
    star = '<span itemprop="examinerCited">*</span>'
    body = (
        "<table>"
        + row("backwardReferencesOrig", "US1000001A", star)
        + row("backwardReferencesOrig", "US1000002A")
        + row("backwardReferencesOrig", "GB2000003A", '<span itemprop="thirdPartyCited">†</span>')
        + row("backwardReferencesFamily", "EP0000004A1", star)
        + row("backwardReferencesFamily", "US1000001A")
        + row("backwardReferences", "WO2001000005A1", "‡")
        + row("backwardReferences", "not a number")
        + row("forwardReferences", "US9000001B2", star)
        + row("forwardReferencesOrig", "US9000002B2")
        + row("similarDocuments", "US9000003B2")
        + "</table>"
    )
    assert read(page(body)).citations == (
        Citation("US1000001A", "examiner"),
        Citation("US1000002A", "unknown"),
        Citation("GB2000003A", "other"),
        Citation("EP0000004A1", "examiner", phase="family"),
        Citation("WO2001000005A1", "unknown", phase="family"),
    )


def test_literature_with_marks():
    body = """<table><tr itemprop="detailedNonPatentLiterature" itemscope><td>
    <span itemprop="title">Smith, <a href="https://doi.org/1">"On screws"</a>, 1999.</span>
    <span itemprop="examinerCited">*</span></td></tr>
    <tr itemprop="detailedNonPatentLiterature" itemscope><td><span itemprop="title">Jones, Nails.</span></td></tr>
    <tr itemprop="detailedNonPatentLiterature" itemscope><td><span itemprop="title">Jones, Nails.</span></td></tr>
    </table>"""
    assert read(page(body)).literature == (
        Literature('Smith, "On screws", 1999.', "examiner"),
        Literature("Jones, Nails.", "unknown"),
    )


def test_family_and_priorities():
    def application(kind: str, number: str, filed: str, published: str = "") -> str:
        shown = f'<span itemprop="representativePublication">{published}</span>' if published else ""
        return (
            f'<tr itemprop="{kind}" itemscope><td><span itemprop="applicationNumber">{number}</span>{shown}</td>'
            f'<td itemprop="filingDate">{filed}</td></tr>'
        )

    body = (
        '<dd itemprop="applicationNumber">US10/755,135</dd><time itemprop="filingDate" datetime="2004-01-09"></time>'
        '<section itemprop="family" itemscope><h2>ID=4711</h2><table>'
        + application("appsClaimingPriority", "US10/755,135", "2004-01-09", "US7000001B2")
        + application("appsClaimingPriority", "US44163503P", "2003-01-21")
        + application("appsClaimingPriority", "US201161565678P", "2003-01-22")
        + application("priorityApps", "US11/900,000", "2007-09-07", "US8000001B2")
        + application("parentApps", "US09/111,222", "1998-07-06")
        + application("childApps", "US11/900,000", "2007-09-07", "US8000001B2")
        + row("docdbFamily", "EP1586276A1")
        + row("docdbFamily", "US7000001B2")
        + "</table></section>"
    )
    patent = read(page(body))
    assert patent.family_id == "4711"
    assert patent.priority_numbers == ("US60/441635", "US61/565678")
    assert patent.family_refs == ("EP1586276A1", "US09/111222", "US8000001B2", "US60/441635", "US61/565678")


def test_classes_first_additional_and_ipc():
    def code(symbol: str, *marks: str) -> str:
        metas = "".join(f'<meta itemprop="{mark}" content="true">' for mark in marks)
        return f'<li itemprop="classifications" itemscope><span itemprop="Code">{symbol}</span>{metas}</li>'

    body = (
        '<ul itemprop="classifications" itemscope>'
        + code("A61B", "IsCPC")
        + code("A61B17/7032", "Leaf", "FirstCode", "IsCPC")
        + code("A61B2017/00526", "Leaf", "Additional", "IsCPC")
        + code("F16B35/00", "Leaf")
        + "</ul>"
    )
    patent = read(page(body))
    assert patent.cpc == (
        Symbol("A61B 17/7032", "first"),
        Symbol("A61B 2017/00526", "later", "additional"),
    )
    assert patent.ipc == (Symbol("F16B 35/00", "later"),)


TRANSLATED = """
<section itemprop="abstract" itemscope><h2>Abstract</h2><aside>Translated from
<span itemprop="translatedLanguage">Japanese</span></aside><div itemprop="content" html><abstract lang="EN">
<span class="notranslate"><span class="google-src-text">ねじを締める。</span> To tighten a screw.</span>
<span class="notranslate"><span class="google-src-text">早く。</span> Fast.</span></abstract></div></section>
<section itemprop="claims" itemscope><h2>Claims (<span itemprop="count">2</span>)</h2><div itemprop="content" html>
<claims lang="EN"><claim num="1"><claim-text><span class="notranslate">
<span class="google-src-text">頭を<br/>持つねじ。</span>
A screw with a head.</span></claim-text></claim>
<claim num="2"><claim-text>2. <span class="notranslate">{original}The screw according to claim 1 of steel.</span>
</claim-text></claim></claims></div></section>
<section itemprop="description" itemscope><h2>Description</h2><div itemprop="content" html><description lang="EN">
<technical-field><p num="0001"><span class="notranslate"><span class="google-src-text">ねじに関する。</span>
It is about screws.</span></p></technical-field></description></div></section>"""


def test_a_translated_page_has_english_once_and_the_original_beside_it():
    patent = read(page(TRANSLATED.format(original='<span class="google-src-text">鋼の請求項1のねじ。</span>')))
    assert patent.abstract == "To tighten a screw. Fast."
    assert [claim.text for claim in patent.claims] == [
        "A screw with a head.",
        "The screw according to claim 1 of steel.",
    ]
    assert [(paragraph.number, paragraph.text) for paragraph in patent.description] == [("0001", "It is about screws.")]
    assert patent.language == "en"
    (original,) = patent.translations
    assert (original.language, original.abstract) == ("ja", "ねじを締める。 早く。")
    assert [claim.text for claim in original.claims] == ["頭を\n持つねじ。", "鋼の請求項1のねじ。"]
    assert [claim.depends_on for claim in original.claims] == [(), (1,)]


def test_an_original_with_a_gap_is_dropped():
    patent = read(page(TRANSLATED.format(original="")))
    assert len(patent.claims) == 2
    assert patent.translations[0].claims == ()
    assert patent.translations[0].abstract == "ねじを締める。 早く。"


def test_scripts_tables_nested_elements_and_references_by_id():
    body = """<section itemprop="claims" itemscope><div itemprop="content"><div lang="EN" class="claims">
    <claim-statement>I claim:</claim-statement>
    <div class="claim"><div num="00001" class="claim"><div class="claim-text"><b>1</b>. A screw comprising:
      <div class="claim-text">a head of SiO<sub>2</sub>, and <div class="claim-text">a slot;</div></div>
      <div class="claim-text">10<sup>6</sup> threads.</div></div></div></div>
    <div class="claim-dependent"><div num="00002" class="claim"><div class="claim-text">2. The screw of
      <claim-ref idref="CLM-00001">the first claim</claim-ref>.</div></div></div></div></div></section>
    <section itemprop="description" itemscope><div itemprop="content"><ul lang="EN" class="description">
    <heading id="h-1">FIELD</heading><li><para-num num="[0012]"> </para-num><div num="p0012"
      class="description-line">See <figref idrefs="D">FIG. 1</figref>.</div></li>
    <li><para-num num="[0013]"> </para-num><div class="description-line">Table:
    <table><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table></div></li></ul></div></section>"""
    patent = read(page(body))
    assert patent.claims[0].text == "A screw comprising:\na head of SiO2, and\na slot;\n10^6 threads."
    assert (patent.claims[1].text, patent.claims[1].depends_on) == ("The screw of the first claim.", (1,))
    assert [(item.number, item.heading, item.text) for item in patent.description[1:]] == [
        ("0012", "FIELD", "See FIG. 1."),
        ("0013", "FIELD", "Table:\na | 1\nb | 2"),
    ]


def test_claims_and_description_without_marks():
    body = """<section itemprop="claims" itemscope><div itemprop="content"><div lang="DE" class="claims">
    <div class="claim-text">1. Schraube mit Kopf.</div><div class="claim-text">2. Schraube nach Anspruch 1.</div>
    </div></div></section><section itemprop="description" itemscope><div itemprop="content" lang="DE">
    BESCHREIBUNG

    Die Erfindung betrifft <b>eine</b> Schraube.<br></div></section>"""
    patent = read(page(body))
    assert [(claim.text, claim.depends_on) for claim in patent.claims] == [
        ("Schraube mit Kopf.", ()),
        ("Schraube nach Anspruch 1.", (1,)),
    ]
    assert [item.text for item in patent.description] == ["BESCHREIBUNG", "Die Erfindung betrifft eine Schraube."]
    assert patent.description[0].is_heading
    assert patent.language == "de"


def test_owners_of_today_only_where_the_filer_is_not_told():
    current = '<dd itemprop="assigneeCurrent">Late Corp</dd>'
    assert read(page(current + '<dd itemprop="assigneeOriginal">First Inc</dd>')).applicants == ("First Inc",)
    assert read(page(current + '<dd itemprop="assigneeOriginal">Individual</dd>')).applicants == ("Late Corp",)


@pytest.mark.parametrize(
    ("number", "kind"), [("USD512345S1", "design"), ("USPP12345P2", "plant"), ("USRE39000E1", "reissue")]
)
def test_document_types(number: str, kind: str):
    patent = read(page("", number=f'<dd itemprop="publicationNumber">{number}</dd>'))
    assert (patent.id, patent.document_type) == (number, kind)


def test_the_number_from_the_canonical_link():
    link = '<link rel="canonical" href="https://patents.google.com/patent/DE202005001234U1/de">'
    assert read(page("", number="", head=link)).id == "DE202005001234U1"


def test_a_page_without_a_number_is_refused():
    with pytest.raises(BadRecord, match="no publication number"):
        list(READER.parse(page("", number="")))


def test_another_encoding():
    data = page('<span itemprop="title">Schraubenschlüssel</span>').replace(b"UTF-8", b"iso-8859-1")
    assert read(data.decode().encode("latin-1")).title == "Schraubenschlüssel"


def test_other_html_is_not_claimed():
    assert not READER.sniff(b"<!DOCTYPE html><html><body>claim 1 of my patent</body></html>", "a.html")
    assert not READER.sniff(b'<?xml version="1.0"?><us-patent-grant>', "a.xml")


def test_pages_one_after_the_other_and_in_an_archive(tmp_path: Path):
    second = page("", number='<dd itemprop="publicationNumber">EP1000000B1</dd>')
    both = tmp_path / "both.html"
    both.write_bytes(page("") + b"\n" + page("", number="") + b"\n" + second)
    found = list(scan(both))
    assert [item.id for item in found if isinstance(item, Patent)] == ["US7000001B2", "EP1000000B1"]
    assert [item.position.split(",")[0] for item in found if isinstance(item, Reject)] == ["document 2"]
    with zipfile.ZipFile(tmp_path / "pages.zip", "w") as archive:
        archive.writestr("a.html", page(""))
        archive.writestr("b.html", second)
    assert [patent.id for patent in patents(tmp_path / "pages.zip")] == ["US7000001B2", "EP1000000B1"]


def test_a_page_nested_without_end_is_refused_and_the_rest_goes_on(tmp_path: Path):
    deep = page('<section itemprop="description" itemscope>' + "<div><p>x</p>" * 20_000 + "</section>")
    file = tmp_path / "deep.html"
    file.write_bytes(deep + page(""))
    found = list(scan(file))
    assert isinstance(found[-1], Patent)
    assert len(found) == 2
