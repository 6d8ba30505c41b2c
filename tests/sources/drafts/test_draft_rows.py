"""What is printed on a page and is not of the text."""

from __future__ import annotations

from pathlib import Path

from foreart.sources import read_draft
from foreart.sources.drafts.file_types.columns import in_one_column
from foreart.sources.drafts.file_types.lines import joined
from foreart.sources.drafts.file_types.plain_text import plain_lines
from foreart.sources.drafts.file_types.printed_lines import (
    TURN,
    PrintedLine,
    rows_of,
    without_line_numbers,
    without_page_lines,
    without_wide_spacing,
)

PROSE = [
    f"the {word} of the pump turns the wheel and then stops at the {word}"
    for word in ("shaft", "rotor", "valve", "seal")
]


def texts(rows: list[PrintedLine]) -> list[str]:
    return [row.text for row in rows]


def test_rows_keep_indents_and_gaps() -> None:
    assert rows_of(["", "a", "", "", "  b"], turned=True) == [PrintedLine("a", 0, TURN), PrintedLine("b", 2, 2)]


def test_line_numbers_of_every_fifth_line_go() -> None:
    plain = [f"{PROSE[n % 4]} {n}x" for n in range(1, 31)]
    numbered = [f"{n:>3}  {line}" if n % 5 == 0 else f"     {line}" for n, line in enumerate(plain, start=1)]
    assert texts(without_line_numbers(rows_of(numbered))) == plain


def test_line_numbers_that_start_anew_on_each_page_go() -> None:
    plain = [PROSE[n % 4] for n in range(40)]
    numbered = [f"{n % 20 + 1:>2} {line}" for n, line in enumerate(plain)]
    assert texts(without_line_numbers(rows_of(numbered))) == plain


def test_line_numbers_on_the_right_and_on_lines_of_their_own_go() -> None:
    plain = [PROSE[n % 4] for n in range(20)]
    right = [f"{line}     {n}" if n % 5 == 0 else line for n, line in enumerate(plain, start=1)]
    assert texts(without_line_numbers(rows_of(right))) == plain
    apart = [part for n, line in enumerate(plain, start=1) for part in ([str(n)] if n % 5 == 0 else []) + [line]]
    assert texts(without_line_numbers(rows_of(apart))) == plain


def test_numbers_of_the_text_stay() -> None:
    lines = ["5 pumps are shown", *PROSE, "10 of them run", *PROSE, *PROSE, "1  a", "2  b"]
    assert texts(without_line_numbers(rows_of(lines))) == lines


def test_page_numbers_without_form_feeds_go_with_what_repeats_beside_them() -> None:
    lines: list[str] = []
    for page, word in enumerate(("one", "two", "three"), start=1):
        lines += ["Docket 17 CONFIDENTIAL", "", *PROSE, *PROSE, *PROSE, word, "", f"- {page} -"]
    kept = texts(without_page_lines(rows_of(lines)))
    assert [line for line in kept if line not in PROSE] == ["one", "two", "three"]


def test_double_spacing_does_not_part_paragraphs() -> None:
    lines = [part for line in PROSE for part in (line, "")]
    assert {row.gap for row in without_wide_spacing(rows_of([*lines, *lines]))} == {0}
    paragraphs = ["A short one.", "", "Another one.", "", "A third.", "", "A fourth one.", "", "A fifth.", ""]
    assert {row.gap for row in without_wide_spacing(rows_of(paragraphs))} == {0, 1}


def test_a_heading_over_two_lines_and_a_title_in_capitals() -> None:
    lines = joined(["PUMP WITH", "SEAL AND ROTOR", "", "DETAILED DESCRIPTION OF", "THE INVENTION", "The pump turns."])
    assert [(line.text, line.heading) for line in lines] == [
        ("PUMP WITH SEAL AND ROTOR", True),
        ("DETAILED DESCRIPTION OF THE INVENTION", True),
        ("The pump turns.", False),
    ]


def test_a_sentence_that_begins_like_a_heading_is_none() -> None:
    lines = joined(["Embodiments of the invention", "provide a seal that holds."])
    assert [line.text for line in lines] == ["Embodiments of the invention provide a seal that holds."]


def test_hyphens_before_and_and_in_names_stay() -> None:
    assert joined(["the pre-", "and post-treatment of Rhein-", "Main water"])[0].text == (
        "the pre- and post-treatment of Rhein-Main water"
    )


def test_elements_of_claims_stay_on_lines_of_their_own() -> None:
    text = (
        "CLAIMS\n\n1. A pump for the transport of water over long ways, comprising:\n"
        "      a seal;\n      a rotor; and\n      a wheel.\n"
    )
    assert [line.text for line in plain_lines(text)] == [
        "CLAIMS",
        "1. A pump for the transport of water over long ways, comprising:",
        "a seal;",
        "a rotor; and",
        "a wheel.",
    ]


def test_form_feeds_part_pages_and_a_sentence_runs_over_them(tmp_path: Path) -> None:
    words = ("one", "two", "three")
    bodies = [[f"{line} {word}" for line in PROSE] for word in words]
    pages = [["Docket 17", *body, f"- {n} -"] for n, body in enumerate(bodies, start=1)]
    (tmp_path / "draft.txt").write_text("Pump\n\nFIELD\n\n" + "\f".join("\n".join(page) for page in pages), "utf-8")
    draft = read_draft(tmp_path / "draft.txt")
    assert [item.text for item in draft.description] == ["FIELD", " ".join(line for body in bodies for line in body)]


def test_two_columns_are_read_one_after_the_other() -> None:
    left = [f"left line {n:02d} of the first column" for n in range(1, 21)]
    right = [f"right line {n:02d} of the second one" for n in range(1, 21)]
    page = [" " * 34 + "US 7,123,456 B2", ""]
    page += [
        f"{one:<34}{n if n % 5 == 0 else '':>3}   {two}"
        for n, (one, two) in enumerate(zip(left, right, strict=True), start=1)
    ]
    short = [f"{one:<40}{two}" for one, two in zip(left[:5], [*right[:2], "", "", ""], strict=True)]
    pages = in_one_column([page, page, short])
    assert [line.strip() for line in pages[0] if line] == ["US 7,123,456 B2", *left, *right]
    assert [line.strip() for line in pages[2] if line.strip()] == [*left[:5], *right[:2]]


def test_a_page_of_one_column_stays() -> None:
    page = [f"{PROSE[n % 4]} and number {n}" for n in range(30)]
    assert in_one_column([page, page]) == [page, page]
