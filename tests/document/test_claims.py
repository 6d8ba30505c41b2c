"""Parsing claims from text, against values counted by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.document.claims import numbered_claims, references, split_claims
from foreart.document.patent import Claim


@pytest.mark.parametrize(
    ("text", "number", "expected"),
    [
        ("The screw of claim 1", 2, (1,)),
        ("The screw according to any one of claims 1 to 3 or 5", 7, (1, 2, 3, 5)),
        ("as claimed in claims 1, 2 and 4", 6, (1, 2, 4)),
        ("of any of claims 2-4", 5, (2, 3, 4)),
        ("according to any preceding claim", 4, (1, 2, 3)),
        ("nach Anspruch 3", 4, (3,)),
        ("nach einem der Ansprüche 1 bis 3", 4, (1, 2, 3)),
        ("nach einem der vorhergehenden Ansprüche", 3, (1, 2)),
        ("selon la revendication 2", 3, (2,)),
        ("selon l'une des revendications 1 à 3", 4, (1, 2, 3)),
        ("A screw 12 with 3 threads", 1, ()),
        ("as in claim 2", 2, ()),
    ],
)
def test_references(text: str, number: int, expected: tuple[int, ...]):
    assert references(text, number) == expected


@pytest.mark.parametrize(
    "printed",
    ["1. A screw.", "1 . A screw.", "1) A screw.", "1.A screw.", "1 - A screw.", "Claim 1. A screw.", "A screw."],
)
def test_printed_number_is_removed(printed: str):
    assert numbered_claims([printed]) == (Claim(1, "A screw."),)


def test_missing_numbers_are_counted():
    assert numbered_claims(["1. A screw.", "", "  ", "A nail.", "5. The nail of claim 2."]) == (
        Claim(1, "A screw."),
        Claim(2, "A nail."),
        Claim(5, "The nail of claim 2.", (2,)),
    )


def test_leading_amount_is_not_a_claim_number():
    texts = ["1. A", "2. B", "3. C", "2. 5 mm screws"]
    assert [(claim.number, claim.text) for claim in numbered_claims(texts)][-1] == (4, "2. 5 mm screws")


@pytest.mark.parametrize(
    "printed", ["1.-38. (canceled)", "1 .- 38 . (canceled)", "1-38. (cancelled)", "1–38 (canceled)"]
)
def test_range_of_cancelled_claims_is_kept_as_printed(printed: str):
    assert numbered_claims([printed, "39. A method.", "40. The method of claim 39."]) == (
        Claim(1, printed),
        Claim(39, "A method."),
        Claim(40, "The method of claim 39.", (39,)),
    )


def test_claim_keeps_its_line_breaks():
    assert (
        numbered_claims(["1. A screw comprising:\na head;\na shank."])[0].text
        == "A screw comprising:\na head;\na shank."
    )


@pytest.mark.parametrize(
    "text",
    [
        "1. A screw. 2. The screw of claim 1. 3. A nail.",
        "What is claimed is: 1. A screw. 2. The screw of claim 1. 3. A nail.",
        "Claims\n1. A screw.\n2. The screw of claim 1.\n3. A nail.",
        "1. A screw.\n2. The screw of claim 1.\n3. A nail.",
        "A screw.\n2. The screw of claim 1.\n3. A nail.",
    ],
)
def test_running_text_is_split_at_the_next_number(text: str):
    assert split_claims(text) == (Claim(1, "A screw."), Claim(2, "The screw of claim 1.", (1,)), Claim(3, "A nail."))


def test_numbers_out_of_sequence_do_not_split():
    text = "1. A screw of 5. 7 mm: 3. not a claim. 2. A nail."
    assert [claim.number for claim in split_claims(text)] == [1, 2]


def test_text_without_numbers_is_one_claim():
    assert split_claims("The ornamental design for a screw, as shown.") == (
        Claim(1, "The ornamental design for a screw, as shown."),
    )
    assert split_claims("") == ()


@given(st.lists(st.sampled_from(["A screw", "The nail of claim 1", "A kit"]), min_size=1, max_size=30))
@settings(deadline=None)
def test_split_reverses_numbering_and_joining(texts: list[str]):
    running = " ".join(f"{number}. {text}." for number, text in enumerate(texts, start=1))
    assert [claim.text for claim in split_claims(running)] == [f"{text}." for text in texts]


@given(st.text(max_size=300))
@settings(deadline=None)
def test_any_text_is_accepted(text: str):
    for claim in (*split_claims(text), *numbered_claims([text])):
        assert claim.number >= 0
        assert claim.number not in claim.depends_on
