"""XML as offices and enemies write it: no expansion, no file, no network; every character that can be saved is."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest

from foreart.document.patent import Patent
from foreart.document.reject import Reject
from foreart.errors import BadRecord
from foreart.sources import scan
from foreart.sources.markup.xml import as_utf8, parse_xml


def text(data: bytes | str) -> str:
    """All text of a document."""
    return "".join(parse_xml(data.encode() if isinstance(data, str) else data).itertext())


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("a parser opened a connection")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


# Entities that are declared.


def test_billion_laughs_stay_one():
    levels = "".join(f'<!ENTITY l{level} "{f"&l{level - 1};" * 10}">' for level in range(1, 10))
    data = f'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY l0 "lol">{levels}]><r>a &l9; b</r>'
    assert text(data) == "a &l9; b"


def test_a_long_entity_used_often_is_not_expanded():
    data = f'<!DOCTYPE r [<!ENTITY a "{"x" * 100_000}">]><r>{"&a;" * 20_000}</r>'
    began = time.monotonic()
    assert text(data) == "&a;" * 20_000
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("place", ["/etc/passwd", "file:///etc/passwd", "http://127.0.0.1/x", "php://filter"])
def test_external_entities_are_not_opened(place: str):
    assert text(f'<!DOCTYPE r [<!ENTITY x SYSTEM "{place}">]><r>[&x;]</r>') == "[&x;]"


def test_an_external_entity_in_an_attribute_is_not_opened(tmp_path: Path):
    secret = tmp_path / "secret"
    secret.write_text("hunter2")
    root = parse_xml(f'<!DOCTYPE r [<!ENTITY x SYSTEM "{secret}">]><r a="&x;"/>'.encode())
    assert root.get("a") == "&x;"


def test_external_document_types_are_not_opened(tmp_path: Path):
    dtd = tmp_path / "x.dtd"
    dtd.write_text('<!ENTITY x "hunter2"><!ATTLIST r a CDATA "hunter2">')
    for kind in (f'SYSTEM "{dtd}"', f'PUBLIC "-//X//Y" "{dtd}"', 'SYSTEM "http://example.org/x.dtd"'):
        root = parse_xml(f"<!DOCTYPE r {kind}><r>&x;</r>".encode())
        assert (root.text, dict(root.attrib)) == ("&x;", {})


def test_parameter_entities_are_not_opened(tmp_path: Path):
    dtd = tmp_path / "x.dtd"
    dtd.write_text('<!ENTITY x "hunter2">')
    assert text(f'<!DOCTYPE r [<!ENTITY % p SYSTEM "{dtd}"> %p;]><r>&x;</r>') == "&x;"
    assert text("""<!DOCTYPE r [<!ENTITY % p '<!ENTITY x "hunter2">'> %p;]><r>&x;</r>""") == "&x;"


def test_a_document_type_hidden_behind_a_comment_is_cut_off_too():
    data = '<!-- <!DOCTYPE r [ --><?pi <!DOCTYPE r?>\n<!DOCTYPE r [<!ENTITY x "hunter2">]><r a="1">&x;</r>'
    assert text(data) == "&x;"


@pytest.mark.parametrize(
    "subset",
    [
        '<!ENTITY a "]>">',
        "<!ENTITY a ']>'>",
        "<!-- ]> don't -->",
        '<!-- " -->',
        "<?pi ]> ' ?>",
        "<!ENTITY a \"'\"><!ENTITY b '\"'>",
        "<!ELEMENT r (#PCDATA)>\n<!ATTLIST r a CDATA #IMPLIED>",
        '<!NOTATION TIF SYSTEM "TIF"><!ENTITY D1 SYSTEM "D1.TIF" NDATA TIF>',
        "",
    ],
)
def test_a_document_type_ends_where_it_ends(subset: str):
    assert text(f'<!DOCTYPE r SYSTEM "a>b.dtd" [{subset}] ><r>kept ]> all</r>'.replace("]> all", "]&gt; all")) == (
        "kept ]> all"
    )


def test_nothing_of_a_document_type_reaches_the_parser():
    root = parse_xml(b'<!DOCTYPE r [<!ATTLIST r a CDATA "default"><!NOTATION n SYSTEM "x">]><r/>')
    assert dict(root.attrib) == {}
    assert root.getroottree().docinfo.doctype == ""


def test_a_document_type_in_the_text_is_text():
    assert text("<r><![CDATA[<!DOCTYPE html><p>]]></r>") == "<!DOCTYPE html><p>"
    assert text("<r>&lt;!DOCTYPE html></r>") == "<!DOCTYPE html>"


@pytest.mark.parametrize(
    "start", ["<!DOCTYPE r [", "<!DOCTYPE r [<!--", '<!DOCTYPE r "', "<!DOCTYPE r [<?x ", "<!--", "<?x "]
)
def test_what_does_not_end_is_refused_and_costs_no_time(start: str):
    began = time.monotonic()
    with pytest.raises(BadRecord, match="not well-formed XML"):
        parse_xml((start * 200_000).encode() + b"<r/>")
    assert time.monotonic() - began < 5


# Entities that are not declared.


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("&ldquo;a&rdquo;", "“a”"),
        ("&agr;&bgr;&OHgr;", "αβΩ"),
        ("&alpha;&deg;&plusmn;&times;&lsqb;&rsqb;", "α°±×[]"),
        ("&bogus; &b.alpha; &x.y;", "&bogus; α &x.y;"),
        ("&custom-character;x", "x"),
        ("a & b &c &; && &1;", "a & b &c &; && &1;"),
        ("R&D AT&T;", "R&D AT&T;"),
        ("&amp;alpha; &amp;amp; &lt;b&gt; &quot;&apos;", "&alpha; &amp; <b> \"'"),
        ("&nvlt;", "<⃒"),
    ],
)
def test_names_become_characters_or_stay_as_they_are(written: str, read: str):
    assert text(f"<r>{written}</r>") == read
    assert parse_xml(f"<r a='{written.replace(chr(39), '')}'/>".encode()).get("a") == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("&#65;&#x42;&#X43;&#x1D6FC;", "ABC𝛼"),
        ("&#0000065;&#x00000042;", "AB"),
        ("&#145;a&#146; &#147;b&#148; &#150; &#151; &#x99;", "‘a’ “b” – — ™"),
        ("&#129;", "\ufffd"),
        ("a&#0;b&#1;c&#x1F;d&#xFFFE;e&#xFFFF;f&#xD800;g", "abcdefg"),
        ("&#1114112;", ""),
        ("&#99999999;", "&#99999999;"),
        ("&#;&#x;&#xZ;", "&#;&#x;&#xZ;"),
        ("&#60;b&#62;&#38;amp;", "<b>&amp;"),
    ],
)
def test_numbers_become_characters(written: str, read: str):
    assert text(f"<r>{written}</r>") == read


def test_control_and_forbidden_characters_are_left_out():
    assert text(b"<r>a\x00b\x01c\x0bd\x1fe\tf\ng\xef\xbf\xbeh\xef\xbf\xbfi</r>") == "abcde\tf\nghi"


# Encodings.

GERMAN = "Größe – „Ω“ €"


@pytest.mark.parametrize(
    ("declared", "codec", "said"),
    [
        ("utf-8", "utf-8", GERMAN),
        ("UTF8", "utf-8", GERMAN),
        ("utf-8", "utf-8-sig", GERMAN),
        ("iso-8859-1", "iso-8859-1", "Größe ½"),
        ("iso-8859-1", "windows-1252", "Größe – „x“ €"),
        ("us-ascii", "windows-1252", "Größe – „x“ €"),
        ("iso-8859-15", "iso-8859-15", "Größe €"),
        ("windows-1252", "windows-1252", "Größe – „x“ €"),
        ("windows-1251", "windows-1251", "Дверь"),
        ("shift_jis", "shift_jis", "特許請求の範囲"),
        ("Shift_JIS", "cp932", "特許請求の範囲"),
        ("euc-jp", "euc-jp", "特許請求の範囲"),
        ("iso-2022-jp", "iso-2022-jp", "特許請求の範囲"),
        ("gb2312", "gb2312", "专利"),
        ("euc-kr", "euc-kr", "특허"),
        ("utf-8", "windows-1252", "Größe – „x“ €"),
        ("iso-8859-1", "utf-8", GERMAN),
        ("shift_jis", "utf-8", "特許請求の範囲"),
        ("no-such-code", "windows-1252", "Größe"),
        ("punycode", "windows-1252", "Größe"),
        ("utf-16", "utf-8", GERMAN),
    ],
)
def test_what_a_document_declares_is_believed_when_it_can_be_true(declared: str, codec: str, said: str):
    data = f'<?xml version="1.0" encoding="{declared}"?><r>{said}</r>'.encode(codec)
    assert text(data) == said


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16_with_and_without_mark(codec: str):
    assert text(f'<?xml version="1.0" encoding="UTF-16"?><r>{GERMAN}</r>'.encode(codec)) == GERMAN


def test_without_declaration_a_mark_and_white_space_before_it_do_no_harm():
    assert text(b"\xef\xbb\xbf<r>\xc3\xa9</r>") == "é"
    assert text(b'\r\n\xef\xbb\xbf <?xml version="1.0"?><r>\xe9</r>') == "é"


def test_one_wrong_byte_does_not_spoil_the_rest():
    assert text("<r>Größe ".encode() + b"\x93x\x94 caf\xe9 " + "Ω</r>".encode()) == "Größe “x” café Ω"


def test_half_a_character_at_the_end():
    assert as_utf8("aé".encode()[:-1]).decode() == "aÃ"


# Shape.


def test_a_hundred_thousand_levels_are_refused():
    with pytest.raises(BadRecord, match=r"not well-formed XML: Excessive depth"):
        parse_xml(b"<a>" * 100_000 + b"</a>" * 100_000)


def test_a_deep_patent_is_a_reject(tmp_path: Path):
    path = tmp_path / "deep.xml"
    head = (
        b"<us-patent-grant><us-bibliographic-data-grant><publication-reference><document-id><country>US</country>"
        b"<doc-number>7000001</doc-number></document-id></publication-reference></us-bibliographic-data-grant><abstract>"
    )
    good = b'<?xml version="1.0"?>' + head + b"<p>A hinge.</p></abstract></us-patent-grant>"
    for depth in (1500, 100_000):
        deep = head + b"<p>" * depth + b"x" + b"</p>" * depth + b"</abstract></us-patent-grant>"
        path.write_bytes(good + b'<?xml version="1.0"?>' + deep + good)
        kinds = [type(item) for item in scan(path)]
        assert kinds == [Patent, Reject, Patent]


def test_a_huge_attribute_and_a_huge_text_are_read():
    size = 11_000_000  # libxml2's own limit is ten millions
    root = parse_xml(b"<r a='" + b"x" * size + b"'>" + b"y" * size + b"</r>")
    assert (len(root.get("a") or ""), len(root.text or "")) == (size, size)


def test_cdata_is_text_as_it_stands():
    assert text("<r>1 &lt; <![CDATA[a < b & c &alpha; &#65; <i>]]> 3 <![CDATA[]]]]><![CDATA[>]]></r>") == (
        "1 < a < b & c &alpha; &#65; <i> 3 ]]>"
    )


def test_cdata_that_does_not_end_is_refused():
    with pytest.raises(BadRecord, match="a CDATA section does not end"):
        parse_xml(b"<r><![CDATA[a</r>")


def test_comments_and_instructions_leave_the_text_around_them():
    root = parse_xml(b"<r>one<?insert-start id='1'?> two<?insert-end?><!-- & no --> three<b>x</b><!--y--> four</r>")
    assert "".join(root.itertext()) == "one two threex four"
    assert root.text == "one two three"


@pytest.mark.parametrize(
    "data",
    [b"", b"   ", b"no xml", b"<r>", b"<r></s>", b"<r/><r/>", b"<r a=1/>", b"<?xml version='1.0'?>", b"<r>\n<b></r>"],
)
def test_what_is_not_well_formed_is_refused_with_its_place(data: bytes):
    with pytest.raises(BadRecord, match=r"^not well-formed XML: \S"):
        parse_xml(data)
