"""Reference numerals and text about figures, against values found by hand."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.document.figures import figures, without
from foreart.document.numerals import numerals

TEXT = (
    "FIG. 1 is a view of the screw 12. FIGS. 2a-2c show the head (14) of 3 mm. As shown in FIG. 3, the bone screw 12 "
    "of claim 5 has 3 holes and a head 14. A pump (see FIG. 5) runs since Smith (1973). The bone screw 12 holds 40 kg."
)


def test_numerals_by_value() -> None:
    assert [(item.numeral, item.name, len(item.spans)) for item in numerals(TEXT)] == [
        ("12", "bone screw", 3),
        ("14", "head", 2),
    ]
    assert [TEXT[start:end] for item in numerals(TEXT) for start, end in item.spans] == ["12", "12", "12", "(14)", "14"]


def test_german_numerals() -> None:
    text = "Der Hebel 20 dreht das Gehäuse (22). Der Hebel 20 ist nach Anspruch 3 und in Fig. 4 30 mm lang."
    assert [(item.numeral, item.name) for item in numerals(text)] == [("20", "hebel"), ("22", "gehäuse")]


def test_amounts_are_not_numerals() -> None:
    assert (
        numerals("Heat to 90 degrees for 20 minutes, then 20 minutes at 5 bar, 12% of 100 g. In 1999 about 40.") == ()
    )


def test_figures_by_value() -> None:
    assert [(item.kind, item.labels, TEXT[item.start : item.end]) for item in figures(TEXT)] == [
        ("statement", "1", "FIG. 1 is a view of the screw 12."),
        ("statement", "2a-2c", "FIGS. 2a-2c show the head (14) of 3 mm."),
        ("pointer", "3", "As shown in FIG. 3,"),
        ("pointer", "5", "(see FIG. 5)"),
    ]
    german = "Fig. 4 zeigt eine Schraube. Wie in Fig. 5 gezeigt, ist sie lang."
    assert [german[item.start : item.end] for item in figures(german)] == [
        "Fig. 4 zeigt eine Schraube.",
        "Wie in Fig. 5 gezeigt,",
    ]


def test_spans_are_removed() -> None:
    assert without("abcdef", [(1, 2), (4, 9)]) == "acd"
    assert without("abcdef", [(3, 4), (1, 4), (1, 2)]) == "aef"


@given(st.text(alphabet="ab 12FIG.()\nshow,", max_size=120))
@settings(deadline=None)
def test_spans_are_inside_the_text_and_do_not_overlap(text: str) -> None:
    position = 0
    for item in figures(text):
        assert position <= item.start < item.end <= len(text)
        position = item.end if item.kind == "statement" else item.start
    for numeral in numerals(text):
        assert all(numeral.numeral in text[start:end] for start, end in numeral.spans)
