"""Titles, dates, languages and claims as drafts write them."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from foreart.document.draft import Draft, draft_of_patent
from foreart.document.draft_record import draft_warnings
from foreart.document.patent import Claim, Patent
from foreart.sources import read_draft
from foreart.sources.drafts.claimset import claims_of
from foreart.sources.drafts.dating import filing_of, priority_of
from foreart.sources.drafts.file_types.lines import Line
from foreart.sources.drafts.language import guess_language
from foreart.sources.drafts.parts import draft_of


def claims(*texts: str) -> list[tuple[int, str, tuple[int, ...]]]:
    return [(claim.number, claim.text, claim.depends_on) for claim in claims_of([Line(text) for text in texts])]


def test_claims_by_their_printed_numbers() -> None:
    assert claims("1. A pump with", "a seal.", "2. The pump of claim 1.", "4. The pump of any of claims 1 to 2.") == [
        (1, "A pump with\na seal.", ()),
        (2, "The pump of claim 1.", (1,)),
        (4, "The pump of any of claims 1 to 2.", (1, 2)),
    ]


def test_steps_within_a_claim_are_no_claims() -> None:
    assert claims("1. A method comprising:", "1. heating;", "2. cooling.", "2. The method of claim 1.") == [
        (1, "A method comprising:\n1. heating;\n2. cooling.", ()),
        (2, "The method of claim 1.", (1,)),
    ]


def test_cancelled_claims_and_claims_in_one_paragraph() -> None:
    assert claims("1-3. (canceled)", "4. A pump.", "5. The pump of claim 4.") == [
        (1, "1-3. (canceled)", ()),
        (4, "A pump.", ()),
        (5, "The pump of claim 4.", (4,)),
    ]
    assert claims("1. A pump. 2. The pump of claim 1. 3. A seal.") == [
        (1, "A pump.", ()),
        (2, "The pump of claim 1.", (1,)),
        (3, "A seal.", ()),
    ]


def test_claims_without_numbers() -> None:
    assert claims("A pump with", "a seal.", "The pump of claim 1.") == [
        (1, "A pump with\na seal.", ()),
        (2, "The pump of claim 1.", (1,)),
    ]


def test_claims_without_a_heading_are_found_and_told(tmp_path: Path) -> None:
    text = "Pump\n\nThe pump leaks.\n\nOurs holds.\n\n1. A pump with a seal.\n\n2. The pump of claim 1, which is red.\n"
    (tmp_path / "draft.txt").write_text(text, "utf-8")
    draft = read_draft(tmp_path / "draft.txt")
    assert [claim.number for claim in draft.claims] == [1, 2]
    assert [item.text for item in draft.description] == ["The pump leaks.", "Ours holds."]
    assert draft.notes == ("the claims have no heading: they are assumed to begin at the last paragraph numbered 1",)


def test_of_several_headings_of_claims_the_one_before_the_first_claim_counts() -> None:
    lines = ["Pump", "BACKGROUND", "Claims:", "are hard to read.", "CLAIMS", "What is claimed is:", "1. A pump."]
    draft = draft_of([Line(text) for text in lines])
    assert [claim.text for claim in draft.claims] == ["A pump."]
    assert [item.text for item in draft.description] == ["BACKGROUND", "Claims:", "are hard to read."]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("Priority date: 2014-03-10", "2014-03-10"),
        ("This claims the benefit of U.S. Provisional Application No. 61/950,123, filed March 10, 2014.", "2014-03-10"),
        ("This is a continuation of U.S. application Ser. No. 10/1, filed Jan. 3, 2005, which claims priority to 60/2, "
         "filed May 4, 2004.", "2004-05-04"),
        ("Sie beansprucht die Priorität der Patentanmeldung DE 10 2014 003 456.7 vom 10. März 2014.", "2014-03-10"),
        ("Prioritätstag: 10.03.2014", "2014-03-10"),
        ("The pump of Smith was filed on March 10, 2014.", ""),
    ],
)  # fmt: skip
def test_priority_dates(text: str, date: str) -> None:
    assert priority_of(text)[0] == date


def test_filing_dates() -> None:
    assert filing_of("Anmeldetag: 11.03.2015") == ("2015-03-11", "label in the text")
    assert filing_of("Filed: March 11, 2015") == ("2015-03-11", "label in the text")
    assert filing_of("nothing") == ("", "")


def test_dates_deep_in_the_text_are_not_the_drafts_own() -> None:
    lines = [Line("Pump"), Line("BACKGROUND"), *[Line(f"Paragraph {n}.") for n in range(20)]]
    lines.append(Line("The patent of Smith claims priority to an application filed May 4, 1999."))
    assert draft_of(lines).priority == ""


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The pump is connected to the wheel, wherein the wheel turns with the shaft.", "en"),
        ("Die Pumpe ist mit dem Rad verbunden, wobei sich das Rad mit der Welle dreht.", "de"),
        ("La pompe est reliée à la roue, dans laquelle les roues tournent avec une pompe.", "fr"),
        ("ポンプはホイールに接続されている。", "ja"),
        ("Pumpu bilo savienots riteni grieza varpsta jauda udens", "other"),
        ("Pump", ""),
    ],
)
def test_languages(text: str, language: str) -> None:
    assert guess_language(text) == language


def test_a_patent_is_read_as_a_draft() -> None:
    patent = Patent(
        "US7585299B2", title="Pump", claims=(Claim(1, "A pump comprising a seal; and a rotor."),), priority="2004-01-01"
    )
    draft = draft_of_patent(patent)
    assert (draft.source, draft.priority, draft.ground("priority")) == (
        "US7585299B2",
        "2004-01-01",
        "US7585299B2 as published",
    )
    assert [item.text for item in draft.elements] == ["A pump", "a seal", "a rotor"]


def test_what_a_person_should_look_at_is_told_without_the_text() -> None:
    draft = Draft(
        title="Secret", claims=(Claim(1, "A pump."), Claim(3, "The pump of claim 2.", (2,))), language="other"
    )
    assert draft_warnings(draft) == [
        "no abstract found",
        "no description found",
        "no priority or filing date found: searches use today unless a date is given",
        "the language is not known",
        "claim 2 is missing",
        "claim 3 refers to claim 2, which does not exist",
    ]


def test_sections_by_name() -> None:
    draft = draft_of([Line(text) for text in ("Pump", "FIELD", "a.", "BACKGROUND", "b.", "SUMMARY", "c.", "d.")])
    assert draft.section_text("summary", "field") == "a.\nc.\nd."
    assert draft.section_text("drawings") == ""


def test_a_long_draft_is_read_quickly(tmp_path: Path) -> None:
    """About 500 pages."""
    paragraph = "The pump 12 has a seal (14) of steel, as shown in FIG. 3, and is known from US 5,123,456. " * 6
    body = "\n\n".join(f"[{n:04d}] {paragraph}" for n in range(2000))
    claims_text = "\n\n".join(f"{n}. The pump of claim {n - 1}, wherein it is big." for n in range(2, 300))
    first = "CLAIMS\n\n1. A pump comprising a seal; and a rotor."
    text = f"Pump\n\nDETAILED DESCRIPTION\n\n{body}\n\n{first}\n\n{claims_text}\n"
    (tmp_path / "draft.txt").write_text(text, "utf-8")
    began = time.process_time()
    draft = read_draft(tmp_path / "draft.txt")
    assert time.process_time() - began < 10
    assert (len(draft.description), len(draft.claims), len(draft.citations)) == (2001, 299, 12000)
