"""Text out of marked-up text, rule by rule."""

from __future__ import annotations

import pytest

from foreart.sources.markup.text import line_of, text_of
from foreart.sources.markup.xml import parse_xml


def text(inner: str) -> str:
    return text_of(parse_xml(f"<p>{inner}</p>".encode()))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("CO<sub>2</sub>", "CO2"),
        ("C<sub>1-6</sub> alkyl", "C1-6 alkyl"),
        ("V<sub>in</sub>", "V_in"),
        ("a<sub>i, j</sub>b", "a_(i, j)b"),
        ("x<sub>i+1</sub>", "x_(i+1)"),
        ("a<sub>(1)</sub>b", "a_(1)b"),
        ("a<sub/>b<sub> </sub>c", "abc"),
        ("H<sub>2 </sub>and", "H2 and"),
        ("10<sup>6</sup>", "10^6"),
        ("10<sup>-6</sup> m", "10^-6 m"),
        ("Ca<sup>2+</sup>", "Ca^2+"),
        ("x<sup>n+1</sup>", "x^(n+1)"),
        ("e<sup>x<sub>2</sub></sup>", "e^x2"),
        ("x<sub>1</sub><sup>2</sup>", "x1^2"),
        ("R<sup>1a</sup>", "R^1a"),
        ("<SB>2</SB><SP>3</SP>", "2^3"),
    ],
)
def test_sub_and_superscripts(written: str, read: str):
    assert text(written) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("the 2<sup>nd</sup> one", "the 2nd one"),
        ("46<sup>th </sup>Conference", "46th Conference"),
        ("1<sup>ST</sup>", "1ST"),
        ("Foo<sup>®</sup>", "Foo®"),
        ("Foo<sup>™</sup>", "Foo™"),
        ("x<sup>t</sup>", "x^t"),
    ],
)
def test_ordinals_and_marks_are_no_powers(written: str, read: str):
    assert text(written) == read


def test_lines_break_where_blocks_do():
    assert text("a<br/>b<br/><br/>c") == "a\nb\nc"
    assert text("<ul><li>one</li><li>two <b>2</b></li></ul>end") == "one\ntwo 2\nend"
    assert text("<dl><dt>A</dt><dd>a bolt</dd><dt>B</dt><dd>a nut</dd></dl>") == "A\na bolt\nB\na nut"
    assert text(
        "<claim-text>A door: <claim-text>a hinge; and</claim-text><claim-text>a leaf.</claim-text></claim-text>"
    ) == ("A door:\na hinge; and\na leaf.")


def test_white_space_is_folded_within_lines():
    assert text(" a&#x2003;b\n  c\t<b> d </b>\n") == "a b c d"


def test_a_table_is_a_line_a_row_with_bars_between_cells():
    html = "<table><tr><td>a</td><td/><td>b <b>c</b></td></tr><tr><td>1<br/>2</td></tr></table>"
    assert text(f"before {html} after") == "before\na | b c\n1 2\nafter"
    oasis = (
        "<tables><table><tgroup><colspec/><thead><row><entry>H<sub>2</sub></entry><entry>K</entry></row></thead>"
        "<tbody><row><entry>1</entry><entry>2</entry></row></tbody></tgroup></table></tables>"
    )
    assert text(oasis) == "H2 | K\n1 | 2"


def test_references_to_figures_and_claims_are_text():
    assert text('shown in <figref idref="D1">FIG. <b>1</b></figref>, the door') == "shown in FIG. 1, the door"
    assert text('The door of <claim-ref idref="C1">claim 1</claim-ref>, wherein') == "The door of claim 1, wherein"
    inner = "<dependent-claim-reference><claim-text>claim 1</claim-text></dependent-claim-reference>"
    assert text(f"The door of {inner}, wherein") == "The door of claim 1, wherein"


def test_formulas_are_one_line_between_words():
    assert text("with<maths><math><msup><mi>x</mi><mn>2</mn></msup></math></maths>where") == "with x^2 where"
    namespaced = '<m:math xmlns:m="http://www.w3.org/1998/Math/MathML"><m:mi>x</m:mi></m:math>'
    assert text(f"with{namespaced}where") == "with x where"


@pytest.mark.parametrize(
    "image", ['<img file="D1.TIF"/>', "<chemistry><img/></chemistry>", "<EMI/>", "<figure>x</figure>"]
)
def test_images_leave_a_space_and_nothing_else(image: str):
    assert text(f"a{image}b") == "a b"


def test_what_an_amendment_strikes_out_is_gone():
    assert text("a <Del>rusty</Del> <Ins>steel</Ins> door") == "a steel door"


def test_unknown_elements_give_their_text():
    assert text("a <o ostyle='single'>x</o> <b><i>y<u>z</u></i></b>") == "a x yz"


def test_one_line_and_nothing():
    assert line_of(parse_xml(b"<p>a<br/>b</p>")) == "a b"
    assert (text_of(None), line_of(None)) == ("", "")


def test_a_table_within_a_table_is_read_once() -> None:
    inner = "<table><tr><td>c</td><td>d</td></tr></table>"
    assert text(f"x<table><tr><td>a</td><td>b{inner}</td></tr><tr><td>e</td></tr></table>") == "x\na | b c | d\ne"
    assert text("<table><tr><td>" * 60 + "core" + "</td></tr></table>" * 60) == "core"
