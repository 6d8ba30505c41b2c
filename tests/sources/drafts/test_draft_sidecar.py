"""Corrections next to a draft: every one takes effect, and none that cannot be meant is passed over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foreart.document.draft import Draft
from foreart.errors import BadFile
from foreart.sources import read_draft
from foreart.sources.drafts import write_sidecar
from foreart.sources.drafts.sidecar import written

TEXT = """Pump with seal

Pumps leak often.

Ours has a seal of rubber.

FIG. 1 shows the pump.

WHAT WE WANT

1. A pump comprising a seal and a rotor; and a wheel.

2. The pump of claim 1, wherein the seal is red.

3. The pump of claim 1 or 2.

In short

A pump holds.
"""


def corrected(tmp_path: Path, record: object, text: str = TEXT, name: str = "draft.txt.foreart.json") -> Draft:
    (tmp_path / "draft.txt").write_text(text, "utf-8")
    (tmp_path / name).write_text(record if isinstance(record, str) else json.dumps(record), "utf-8")
    return read_draft(tmp_path / "draft.txt")


def test_title_dates_and_language(tmp_path: Path) -> None:
    draft = corrected(
        tmp_path, {"title": "Red pump", "priority": "10 March 2014", "filed": "2015-03-09", "language": "de"}
    )
    assert (draft.title, draft.priority, draft.filed, draft.language) == ("Red pump", "2014-03-10", "2015-03-09", "de")
    assert {draft.ground(name) for name in ("title", "priority", "filed", "language")} == {"draft.txt.foreart.json"}


def test_borders_of_sections_by_first_words(tmp_path: Path) -> None:
    record = {
        "sections": [
            {"name": "background", "starts": "Pumps leak"},
            {"name": "summary", "starts": "ours has a"},
            {"name": "drawings", "starts": "FIG. 1"},
            {"name": "claims", "starts": "A pump comprising"},
            {"name": "abstract", "starts": "A pump holds."},
        ]
    }
    draft = corrected(tmp_path, record, TEXT.replace("WHAT WE WANT", "CLAIMS").replace("In short", "ABSTRACT"))
    assert [(item.name, draft.section_text(item.name)) for item in draft.sections] == [
        ("background", "Pumps leak often."),
        ("summary", "Ours has a seal of rubber."),
        ("drawings", "FIG. 1 shows the pump."),
    ]
    assert [claim.number for claim in draft.claims] == [1, 2, 3]
    assert draft.abstract == "A pump holds."


def test_borders_of_sections_by_paragraph_number(tmp_path: Path) -> None:
    text = "Pump\n\nBACKGROUND\n\n[0001] One.\n\n[0002] Two.\n\n[0003] Three.\n"
    record = {"sections": [{"name": "background", "paragraph": 1}, {"name": "summary", "paragraph": "0003"}]}
    draft = corrected(tmp_path, record, text)
    assert draft.section_text("background") == "One.\nTwo."
    assert draft.section_text("summary") == "Three."
    plain = {"sections": [{"name": "field", "paragraph": 2}, {"name": "summary", "paragraph": 3}]}
    draft = corrected(tmp_path, plain, "Pump\n\nFirst thing.\n\nSecond thing.\n")
    assert (draft.section_text("field"), draft.section_text("summary")) == ("First thing.", "Second thing.")


def test_parents_and_elements_of_claims(tmp_path: Path) -> None:
    record = {
        "claims": [
            {"number": 1, "elements": ["A pump", "a seal", {"text": "a rotor", "kind": "wherein"}, "a wheel"]},
            {"number": 3, "parents": []},
        ]
    }
    draft = corrected(tmp_path, record, TEXT.replace("WHAT WE WANT", "CLAIMS").replace("In short", "ABSTRACT"))
    assert [(item.text, item.kind) for item in draft.elements if item.claim == 1] == [
        ("A pump", "preamble"),
        ("a seal", "element"),
        ("a rotor", "wherein"),
        ("a wheel", "element"),
    ]
    first = draft.claims[0].text
    assert all(first[item.start : item.end] == item.text for item in draft.elements if item.claim == 1)
    assert [claim.depends_on for claim in draft.claims] == [(), (1,), ()]
    assert {item.claim for item in draft.elements} == {1, 3}


def test_what_is_written_reads_as_the_same_draft(tmp_path: Path) -> None:
    text = TEXT.replace("WHAT WE WANT", "CLAIMS").replace("In short", "ABSTRACT")
    (tmp_path / "draft.txt").write_text(text, "utf-8")
    before = read_draft(tmp_path / "draft.txt")
    place = write_sidecar(before, tmp_path / "draft.txt")
    assert place.stat().st_mode & 0o077 == 0
    after = read_draft(tmp_path / "draft.txt")
    assert after == before
    assert written(after) == written(before)


def test_claims_in_short_lines_are_found_again(tmp_path: Path) -> None:
    """The first line of a claim may end after its preamble; the elements are paragraphs of their own."""
    text = "Pump\n\nBACKGROUND\n\nPumps leak.\n\nCLAIMS\n\n1. A pump comprising:\n   a seal; and\n   a rotor.\n"
    (tmp_path / "draft.txt").write_text(text, "utf-8")
    before = read_draft(tmp_path / "draft.txt")
    assert before.claims[0].text == "A pump comprising:\na seal; and\na rotor."
    write_sidecar(before, tmp_path / "draft.txt")
    assert read_draft(tmp_path / "draft.txt") == before


def test_yaml_and_json_say_the_same(tmp_path: Path) -> None:
    text = "# a remark\ntitle: Red pump\npriority: 2014-03-10\nclaims:\n  - number: 3\n    parents: [1]\n"
    headed = TEXT.replace("WHAT WE WANT", "CLAIMS").replace("In short", "ABSTRACT")
    draft = corrected(tmp_path, text, headed, name="draft.txt.foreart.yaml")
    assert (draft.title, draft.priority, draft.claims[2].depends_on) == ("Red pump", "2014-03-10", (1,))


def test_another_file_of_corrections(tmp_path: Path) -> None:
    (tmp_path / "draft.txt").write_text(TEXT, "utf-8")
    (tmp_path / "other.json").write_text('{"title": "Other"}', "utf-8")
    assert read_draft(tmp_path / "draft.txt", sidecar=tmp_path / "other.json").title == "Other"
    assert read_draft(tmp_path / "draft.txt").title == "Pump with seal"


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"titel": "x"}, "there is no key 'titel'"),
        ([], "keys and values"),
        ("{", "not readable JSON"),
        ({"priority": "soon"}, "priority is not a date"),
        ({"sections": [{"name": "middle", "starts": "x"}]}, "section 1 needs a name"),
        (
            {"sections": [{"name": "field", "starts": "secret word"}]},
            "section 1, field: no later paragraph begins like this",
        ),
        ({"sections": "x"}, "a list is expected"),
        ({"claims": [{"parents": [1]}]}, "entry 1 of the claims has no number"),
        ({"claims": [{"number": 9, "parents": [1]}]}, "there is no claim 9"),
        ({"claims": [{"number": 1, "parents": ["x"]}]}, "not numbers of claims"),
        ({"claims": [{"number": 1, "elements": ["secret word"]}]}, "element 1 does not follow in the claim"),
        ({"claims": [{"number": 1, "elements": [{"text": "a seal", "kind": "x"}]}]}, "an element must be a part"),
    ],
)
def test_what_cannot_be_meant_is_refused_without_quoting(tmp_path: Path, record: object, said: str) -> None:
    headed = TEXT.replace("WHAT WE WANT", "CLAIMS")
    with pytest.raises(BadFile, match=said) as caught:
        corrected(tmp_path, record, headed)
    assert "secret word" not in str(caught.value)
    assert str(caught.value).startswith("draft.txt.foreart.json")
