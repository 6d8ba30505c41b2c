"""MathML as people type formulas."""

from __future__ import annotations

import pytest

from foreart.sources.markup.maths import formula
from foreart.sources.markup.xml import parse_xml

SUM = "<munderover><mo>&#x2211;</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<mi>a</mi><mo>+</mo><mi>b</mi>", "a + b"),
        ("<mi>a</mi><mo>&#x2062;</mo><mi>b</mi>", "ab"),
        ("<mi>sin</mi><mo>&#x2061;</mo><mo>(</mo><mi>x</mi><mo>)</mo>", "sin(x)"),
        ("<mi>a</mi><mo>&#x2212;</mo><mn>1</mn>", "a - 1"),
        ("<msup><mi>x</mi><mn>2</mn></msup>", "x^2"),
        ("<msup><mi>x</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msup>", "x^(n + 1)"),
        ("<msup><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></msup>", "(a + b)^2"),
        ("<msup><mrow><mo>(</mo><mi>a</mi><mo>+</mo><mi>b</mi><mo>)</mo></mrow><mn>2</mn></msup>", "(a + b)^2"),
        ("<msup><mfrac><mi>a</mi><mi>b</mi></mfrac><mn>2</mn></msup>", "(a/b)^2"),
        (
            "<msup><mrow><mo>(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>)</mo></mrow><mn>2</mn></msup>",
            "(a/b)^2",
        ),
        (
            "<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo><mo>+</mo><mo>(</mo><mi>b</mi><mo>)</mo></mrow><mn>2</mn></msup>",
            "((a) + (b))^2",
        ),
        ("<msub><mi>a</mi><mi>i</mi></msub>", "a_i"),
        ("<msubsup><mi>a</mi><mi>i</mi><mn>2</mn></msubsup>", "a_i^2"),
        ("<mfrac><mi>a</mi><mi>b</mi></mfrac>", "a/b"),
        (
            "<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mfrac><mn>1</mn><mn>2</mn></mfrac></mfrac>",
            "(a + b)/(1/2)",
        ),
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac><mi>x</mi>", "1/2 x"),
        (f"{SUM}<msub><mi>x</mi><mi>i</mi></msub>", "∑_(i = 1)^n x_i"),
        ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", "sqrt(x + 1)"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", "root(x, 3)"),
        ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a, b)"),
        (
            "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable>",
            "1 2; 3;",
        ),
        ("<semantics><mi>x</mi><annotation>no</annotation></semantics>", "x"),
        ("<mi>x</mi><mtext>if</mtext><mi>y</mi>", "x if y"),
        ("", ""),
    ],
)
def test_formulas(written: str, read: str):
    assert formula(parse_xml(f"<math>{written}</math>".encode())) == read


def test_the_prefix_of_the_namespace_does_not_matter():
    data = (
        b'<m:math xmlns:m="http://www.w3.org/1998/Math/MathML"><m:msup><m:mi>x</m:mi><m:mn>2</m:mn></m:msup></m:math>'
    )
    assert formula(parse_xml(data)) == "x^2"
