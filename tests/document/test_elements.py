"""Splitting claims into elements, each a verbatim span."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.document.elements import elements

CASES = {
    "semicolons": (
        "A screw comprising: a head; and a shank, wherein the head is round.",
        [
            ("preamble", "A screw"),
            ("element", "a head"),
            ("element", "a shank"),
            ("wherein", "wherein the head is round"),
        ],
    ),
    "two parts": (
        "A bone screw (12) having a head and a shank, characterised in that the shank (14) is hollow.",
        [
            ("preamble", "A bone screw (12)"),
            ("element", "a head and a shank"),
            ("characterising", "the shank (14) is hollow"),
        ],
    ),
    "German": (
        "Halter (1) für Rohre, umfassend ein Gehäuse (2) und einen Hebel (3), wobei der Hebel schwenkbar ist, dadurch "
        "gekennzeichnet, dass das Gehäuse hohl ist.",
        [
            ("preamble", "Halter (1) für Rohre"),
            ("element", "ein Gehäuse (2) und einen Hebel (3)"),
            ("wherein", "wobei der Hebel schwenkbar ist"),
            ("characterising", "das Gehäuse hohl ist"),
        ],
    ),
    "German without comprising": (
        "Applikator mit einem Wandler, der bewegbar ist, dadurch gekennzeichnet, daß ein Motor (8) oszilliert.",
        [
            ("preamble", "Applikator mit einem Wandler, der bewegbar ist"),
            ("characterising", "ein Motor (8) oszilliert"),
        ],
    ),
    "letters": (
        "Apparatus for scanning, comprising:a) a probe; b) means for scanning; and c) means for sweeping, whereby "
        "all is seen.",
        [
            ("preamble", "Apparatus for scanning"),
            ("element", "a) a probe"),
            ("element", "b) means for scanning"),
            ("element", "c) means for sweeping"),
            ("wherein", "whereby all is seen"),
        ],
    ),
    "lines and steps": (
        "A method of joining, the method comprising the steps of:\nheating a rod;\ncooling it (see FIG. 1; 2); and\n"
        "bending it.",
        [
            ("preamble", "A method of joining, the method"),
            ("element", "heating a rod"),
            ("element", "cooling it (see FIG. 1; 2)"),
            ("element", "bending it"),
        ],
    ),
    "commas only": (
        "A device comprising a housing, a lever mounted to the housing, and at least one spring.",
        [
            ("preamble", "A device"),
            ("element", "a housing"),
            ("element", "a lever mounted to the housing"),
            ("element", "at least one spring"),
        ],
    ),
    "comprising overrides an earlier including": (
        "An apparatus including a frame, the frame including bars, comprising a motor; and a belt.",
        [
            ("preamble", "An apparatus including a frame, the frame including bars"),
            ("element", "a motor"),
            ("element", "a belt"),
        ],
    ),
    "improvement": (
        "In a pump of the type having a piston, the improvement comprising a valve; and a seal.",
        [
            ("preamble", "In a pump of the type having a piston"),
            ("characterising", "a valve"),
            ("characterising", "a seal"),
        ],
    ),
    "preamble only": ("A compound of formula I.", [("preamble", "A compound of formula I")]),
    "decimal point does not split": (
        "A rod comprising a core of 1.5 mm; and a coat.",
        [("preamble", "A rod"), ("element", "a core of 1.5 mm"), ("element", "a coat")],
    ),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_elements_by_value(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(item.kind, item.text) for item in elements(text)] == expected


WORDS = st.sampled_from(
    [
        "a head",
        "A screw",
        "comprising",
        ":",
        ";",
        ",",
        "wherein",
        "and",
        "\n",
        "(a)",
        "b)",
        "characterised in that",
        ".",
        "wobei",
        "mit",
    ]
)


@given(st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=20).map(" ".join)))
@settings(deadline=None)
def test_elements_are_spans_in_order(text: str) -> None:
    end = 0
    for item in elements(text, claim=7):
        assert item.claim == 7
        assert text[item.start : item.end] == item.text
        assert item.start >= end
        assert any(map(str.isalnum, item.text))
        assert item.text == item.text.strip()
        end = item.end


@given(
    st.lists(st.sampled_from(["a red head", "a long shank", "two pins", "the lever of steel"]), min_size=1, max_size=8)
)
@settings(deadline=None)
def test_split_reverses_joining_by_semicolons(features: list[str]) -> None:
    text = "A tool comprising: " + "; ".join(features) + "."
    assert [item.text for item in elements(text)] == ["A tool", *features]


def test_long_feature_is_split_at_nested_features() -> None:
    long = "a machine with a drum " + "of very good steel " * 10
    text = (
        f"A combo comprising: a sink; and {long.strip()}, the drum having a lid, and said lid being round, which helps."
    )
    assert [item.text for item in elements(text)][2:] == [
        long.strip(),
        "the drum having a lid",
        "said lid being round, which helps",
    ]


def test_claim_with_thousands_of_elements() -> None:
    text = "A tool comprising: " + "; ".join(f"a part (number {n}), wherein it is big" for n in range(3000)) + "."
    assert len(elements(text)) == 6001
