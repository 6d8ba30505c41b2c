"""Numbers in prose are kept; a list of citations appended to a text is not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.document.mentions import mentions
from foreart.document.named_numbers import listed_lines, named_numbers
from foreart.identifiers.numbers import number_key

PROSE = (
    "The wrench of U.S. Pat. No. 5,123,456 to Smith has a pawl that slips under load, and so has that of EP 1 234 567 "
    "B1, as was found in many trials with bolts of all sizes that are in use today."
)
PROSE_KEYS = ["US5123456", "EP1234567"]
CODED = ["US7585299B2", "US20050012345A1", "EP1000001A1", "WO2004012345A2", "DE102005012345A1", "US6123457B1"]
TITLES = ["Bone screw", "Cable tie with teeth", "Rod", "Clamp for rods", "Probe", "Pump"]


def keys(text: str) -> list[str]:
    return list(dict.fromkeys(number_key(item.number) for item in mentions(text) if item.kind == "publication"))


def test_numbers_in_prose_are_kept() -> None:
    assert named_numbers(PROSE) == PROSE_KEYS
    assert named_numbers(f"Background\n{PROSE}\nSummary\nWhat follows is new.") == PROSE_KEYS
    assert named_numbers("See also WO 96/25012; further JP 2001-123456 A, which leaks, and GB 2 078 957 A.") == [
        "WO1996025012",
        "JP2001123456",
        "GB2078957",
    ]
    assert listed_lines(PROSE) == set()


def test_long_list_in_a_sentence_is_prose() -> None:
    sentence = (
        "Such pawls are known from U.S. Pat. Nos. 5,123,456, 5,223,456, 5,323,456, 5,423,456, 5,523,456 and 5,623,456."
    )
    assert len(named_numbers(sentence)) == 6
    assert named_numbers(sentence) == keys(sentence)


def test_paragraph_that_discusses_many_documents_is_prose() -> None:
    sentence = "describes a pawl that engages the teeth of a wheel but slips as soon as oil gets between them"
    text = " ".join(f"{number[:2]} {number[2:-2]} {number[-2:]} {sentence}." for number in CODED)
    assert named_numbers(text) == keys(text) == [number_key(number) for number in CODED]


def test_applications_and_amounts_are_not_publications() -> None:
    assert named_numbers("U.S. application Ser. No. 10/755,135 describes 1,234,567 cells and 12345678 others.") == []


@pytest.mark.parametrize(
    "heading",
    [
        "References Cited",
        "REFERENCES CITED:",
        "Patent Citations (6)",
        "Citations",
        "U.S. Patent Documents",
        "Cited By (12)",
        "Family-to-Family Citations (3)",
        "Angeführte Schriften",
        "Cited by examiner",
        "List of cited documents",
        "References",
        "Zitierte Patentliteratur",
        "Für die Beurteilung der Patentfähigkeit in Betracht gezogene Druckschriften:",
        "Documents cités",
        "Documentos citados",
        "【特許文献】",
    ],
)
def test_list_under_a_citations_heading_is_dropped(heading: str) -> None:
    plain = [f"U.S. Pat. No. 6,{digit}11,222 to Jones, a wrench" for digit in range(3)]
    for lines in (CODED, CODED[:2], plain, [", ".join(CODED[:3])]):
        text = "\n".join([PROSE, heading, *lines])
        assert named_numbers(text) == PROSE_KEYS
        assert listed_lines(text) == set(range(1, 2 + len(lines)))


def test_heading_with_numbers_on_its_line_is_dropped() -> None:
    assert named_numbers(f"{PROSE}\nReferences cited: US 7,585,299; US 6,123,457") == PROSE_KEYS


@pytest.mark.parametrize(
    "line",
    [
        "In Betracht gezogene Druckschriften: DE 195 12 345 A1 mit einer Klinke, EP 1 000 001 B1",
        "Références citées : FR 2 712 345 A1 ; EP 1 000 001 B1 pour une vis",
        "Documenti citati: EP 1 000 001 B1 per una vite, US 6,111,222",
        "Cited references: US 6,111,222; EP 1 000 001 B1 for a bone screw",
    ],
)
def test_heading_before_a_colon_is_dropped_and_the_next_line_is_read(line: str) -> None:
    assert named_numbers(f"{line}\n{PROSE}") == PROSE_KEYS
    assert named_numbers(f"{PROSE}\n{line}") == PROSE_KEYS


@pytest.mark.parametrize("heading", ["", "Citation List", "Stand der Technik", "References cited"])
@pytest.mark.parametrize(
    "sentence",
    [
        "U.S. Pat. No. 6,111,222 shows a wrench.",
        "Die US 6,111,222 zeigt eine Klinke.",
        "Le document US 6,111,222 décrit une clé dont le cliquet glisse sous la charge.",
        "Patent Citation 1 (US 6,111,222) discloses a pump whose valve is opened by a spring.",
        "D1 (US 6,111,222) discloses a wrench with a pawl that slips under load.",
        'U.S. Pat. No. 6,111,222, entitled "Bone screw", discloses a screw with a turning head.',
        "特許文献1（US6111222）には、ばねで開く弁を備えたポンプが開示されている。",
        "Such a pawl is known from US 6,111,222.",
    ],
)
def test_sentence_that_discusses_a_document_is_prose(sentence: str, heading: str) -> None:
    text = "\n".join(filter(None, [PROSE, heading, sentence, PROSE.replace("5,123,456", "5,999,999")]))
    assert named_numbers(text) == [*PROSE_KEYS, "US6111222", "US5999999"]
    assert listed_lines(text) <= {1} - {0 if heading else 1}


def test_long_heading_of_dots_is_read_in_linear_time() -> None:
    assert named_numbers(f"References cited {'.' * 200_000} x\n{PROSE}") == PROSE_KEYS


@pytest.mark.parametrize(
    "lines",
    [
        CODED,
        CODED[:1],
        [", ".join(CODED)],
        ["; ".join(CODED[:3]), "; ".join(CODED[3:])],
        ["\t".join([number, "2009-09-08", "Synthes", title]) for number, title in zip(CODED, TITLES, strict=True)],
        [f"{number} {title}" for number, title in zip(CODED, TITLES, strict=True)],
        [f"U.S. Pat. No. 6,{digit}11,222 Jones" for digit in range(5)],
        [
            line
            for number, title in zip(CODED, TITLES, strict=True)
            for line in (number, "2009-09-08", "Synthes", title)
        ],
        [line for number, title in zip(CODED, TITLES, strict=True) for line in (f"{number} {title}", "")],
        [line for digit in range(6) for line in (f"US 6,{digit}11,222", "Jones", "Wrench")],
        ["; ".join(f"US 6,{digit}11,222" for digit in range(6))],
        ["US 6,111,222; US 6,211,222"],
        ["U.S. Pat. Nos. 6,111,222, 6,211,222, 6,311,222, 6,411,222 and 6,511,222."],
        ["See also U.S. Patent Nos. 6,111,222; 6,211,222; and 6,311,222."],
        ["Prior art: US 6,111,222, EP 1 000 001."],
        ["EP-A-1000001, US-A-6111222, DE-A-19512345"],
        ["U.S. Pat. No. 6,111,222"],
        [f"U.S. Pat. No. 6,{digit}11,222" for digit in range(4)],
        ["U.S. Pat. No. 6,111,222 to Jones, Jan. 1990", "U.S. Pat. No. 6,211,222 to Smith et al."],
        ["[1] US6111222", "[2] US6211222"],
        ["US 6,111,222 Bone screw", "US 6,211,222 Cable tie with teeth"],
        ["US2005/0123456A1; EP 1 000 001 B1"],
        ["[Patent Citation 1] US 6,111,222", "[Patent Citation 2] EP 1 000 001 A1"],
        ["[PTL 1] JP 2001-123456 A", "[PTL 2] WO 2004/012345 A1"],
        ["Patent Document 1: Japanese Unexamined Patent Application Publication No. 2001-123456"],
        ["JP-A-2001-123456, JP-A-2002-123457, JP-B-3123458"],
        ["WO 99/12345, WO 00/12346 and WO 2004/012347"],
        ["【特許文献１】 WO2004/012345", "【特許文献２】 WO2005/012346 号公報"],
        ["D1: US 6,111,222", "D2: EP 1 000 001 A1 (JONES GMBH) 12 July 2000 (2000-07-12)"],
        ["| US6111222B1 | 2001-01-01 | Jones | Bone screw |", "| EP1000001A1 | 2002-01-01 | Smith | Rod |"],
        ["US 6,111,222 A 8/2000 Jones 606/61", "US 6,211,222 B1 4/2001 Smith 606/61"],
        ["X US 6,111,222 A (Jones) 1-5", "A EP 1 000 001 A1 (Smith) 6"],
        ["US 6,111,222 (de Jong et al.)", "EP 1 000 001 (van der Berg)"],
        ['U.S. Pat. No. 6,111,222, entitled "Bone screw with a head", to Jones'],
        ["Cited by examiner: US 6,111,222; US 6,211,222"],
        ['"citations": ["US6111222B1", "EP1000001A1"]'],
        ["Stand der Technik: DE 195 12 345 A1, EP 1 000 001 B1"],
    ],
    ids=[
        "one per line",
        "one",
        "row",
        "rows",
        "table",
        "titles",
        "without kinds",
        "cells",
        "blank lines",
        "plain cells",
        "row without kinds",
        "two in a row",
        "Pat. Nos.",
        "see also",
        "after a label",
        "with dashes",
        "one without kind",
        "four without kinds",
        "names",
        "numbered",
        "two titles",
        "applications with kinds",
        "numbered citations",
        "PTL",
        "Japanese publications",
        "Japanese codes",
        "international",
        "Japanese labels",
        "labels of a search report",
        "Markdown table",
        "form PTO-892",
        "categories of a search report",
        "particles of names",
        "quoted title",
        "by examiner",
        "JSON",
        "German label",
    ],
)
def test_lists_without_a_heading_are_dropped(lines: list[str]) -> None:
    text = "\n".join([PROSE, *lines])
    assert named_numbers(text) == PROSE_KEYS
    assert named_numbers("\n".join([*lines, PROSE])) == PROSE_KEYS
    assert named_numbers("\n".join([PROSE, "What is claimed is a wrench.", *lines, "End of text", PROSE])) == PROSE_KEYS


def test_titles_between_numbers_belong_to_the_list() -> None:
    cells = [line for number, title in zip(CODED, TITLES, strict=True) for line in (number, "2009-09-08", title)]
    text = "\n".join([PROSE, "Patent Citations (6)", "Number", *cells])
    listed = listed_lines(text)
    assert listed == set(range(1, 3 + 3 * 6))
    assert listed_lines(f"{text}\n{PROSE}") == listed


def test_few_short_paragraphs_are_prose() -> None:
    few = [f"U.S. Pat. No. 6,{digit}11,222 shows a wrench." for digit in range(4)]
    assert len(named_numbers("\n".join([PROSE, *few, PROSE]))) == 6
    assert listed_lines("\n".join(few)) == set()


def test_numbers_on_a_line_of_a_wrapped_sentence_are_prose() -> None:
    before = "Such pawls are well known in the art of wrenches and are described at length in"
    for after in ("which are heavy.", "Both are heavy."):
        text = "\n".join([before, "U.S. Pat. Nos. 5,123,456 and EP 1 234 567,", after])
        assert named_numbers(text) == PROSE_KEYS
        assert listed_lines(text) == set()


def test_prose_after_a_list_is_read() -> None:
    later = PROSE.replace("5,123,456", "5,999,999")
    assert named_numbers("\n".join(["References cited", *CODED, "DETAILED DESCRIPTION", later])) == [
        "US5999999",
        "EP1234567",
    ]


def test_numbers_far_inside_a_long_line_are_found() -> None:
    filler = "the pawl turns about its pin and engages the teeth of the wheel " * 20
    text = f"{filler} U.S. Pat. No. 5,123,456 {filler} and EP 1 234 567 B1 {filler} WO 2004/012345 {filler}"
    assert named_numbers(text) == ["US5123456", "EP1234567", "WO2004012345"]


@pytest.mark.parametrize(
    "text", ["", "\n", "12345", "1234\n5", "é" * 30 + "US 5,123,456", "\ud800 was shown in US 5,123,456 before."]
)
def test_odd_texts(text: str) -> None:
    assert named_numbers(text) == (["US5123456"] if "in US" in text else [])
    assert listed_lines(text) == set()


WORDS = st.sampled_from(
    [
        "the",
        "pawl",
        "of",
        "a",
        "wheel",
        "turns",
        "and",
        "slips",
        "under",
        "load;",
        "bolts,",
        "nuts.",
        "(as",
        "shown)",
        "größer",
        "17",
        "4.5",
        "3,000",
    ]
)
NUMBERS = st.sampled_from(
    ["U.S. Pat. No. 5,123,456", "EP 1 234 567 B1", "US 2005/0012345 A1", "WO 96/25012", "Ser. No. 10/755,135"]
)
SENTENCES = st.tuples(st.lists(WORDS, max_size=12), st.lists(st.tuples(NUMBERS, WORDS), max_size=4)).map(
    lambda parts: " ".join(
        (
            "In the following text there are words before and after each number, so that it reads as prose:",
            *parts[0],
            *(word for pair in parts[1] for word in pair),
        )
    )
)


@settings(max_examples=150, deadline=None)
@given(st.lists(SENTENCES, min_size=1, max_size=6))
def test_prose_gives_the_same_numbers_as_mentions(lines: list[str]) -> None:
    text = "\n".join(lines)
    by_line = list(dict.fromkeys(key for line in lines for key in keys(line)))
    assert named_numbers(text) == by_line
    assert listed_lines(text) == set()


@settings(max_examples=60, deadline=None)
@given(st.lists(SENTENCES, min_size=1, max_size=4), st.permutations(CODED), st.booleans())
def test_list_after_prose_changes_nothing(lines: list[str], numbers: list[str], headed: bool) -> None:
    copied = [*(["References Cited"] if headed else []), *numbers]
    assert named_numbers("\n".join([*lines, *copied])) == named_numbers("\n".join(lines))
    assert listed_lines("\n".join([*lines, *copied])) == set(range(len(lines), len(lines) + len(copied)))
