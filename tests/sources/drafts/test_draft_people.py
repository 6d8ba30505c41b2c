"""Applicants and inventors: from the labels of a cover page and from a sidecar, never from prose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foreart.document.draft import Draft
from foreart.errors import BadFile
from foreart.sources import read_draft
from foreart.sources.drafts import write_sidecar
from foreart.sources.drafts.people import applicants_in, inventors_in

BODY = """
PUMP WITH SEAL

BACKGROUND

[0001] Pumps leak. The applicant: a company that the inventors: some people, know.

Inventor: Prose Person

CLAIMS

1. A pump with a seal.

Applicant: Claimed Corp.
"""


def draft_with(tmp_path: Path, cover: str, body: str = BODY) -> Draft:
    (tmp_path / "draft.txt").write_text(cover + "\n" + body, "utf-8")
    return read_draft(tmp_path / "draft.txt")


@pytest.mark.parametrize(
    ("cover", "applicants", "inventors"),
    [
        ("Applicant: Acme Pumps GmbH\nInventor: Ann Lee", ("Acme Pumps GmbH",), ("Ann Lee",)),
        ("Applicant(s): Acme, Inc.\nInventor(s): Ann Lee; Max Ott", ("Acme, Inc.",), ("Ann Lee", "Max Ott")),
        ("Inventors: Ann Lee, Max Ott and Jo Ray", (), ("Ann Lee", "Max Ott", "Jo Ray")),
        ("Anmelderin: Acme Pumpen AG, Hauptstr. 1, 10115 Berlin", ("Acme Pumpen AG",), ()),
        ("Anmelder: Acme AG und Beta SE\nErfinder: Dr. Ann Lee, Ulm", ("Acme AG", "Beta SE"), ("Dr. Ann Lee",)),
        ("Erfinder/in: Lee, Ann (DE); Ott, Max [AT]", (), ("Lee, Ann", "Ott, Max")),
        ("(71) Applicant: Acme LLC\n(72) Inventor: Ann Lee of Springfield, Ohio", ("Acme LLC",), ("Ann Lee",)),
        ("Applicant: Acme Ltd   Inventor: Ann Lee   Docket No.: 77", ("Acme Ltd",), ("Ann Lee",)),
        ("Assignee: Acme Corp.", ("Acme Corp.",), ()),
        ("Applicant: Acme Corp.\nAssignee: Other Corp.", ("Acme Corp.",), ()),
        ("Applicant: Acme AG\nApplicant: Beta AG\nApplicant: Acme AG", ("Acme AG", "Beta AG"), ()),
        ("Applicant: [to be added]\nInventor: N.N.", (), ()),
        ("Applicant: \nInventors: tbd", (), ()),
        ("Priority: 10 March 2014\nFiled: 2015-03-09\nApplicant: Acme AG", ("Acme AG",), ()),
    ],
)
def test_labels_of_a_cover_page(
    tmp_path: Path, cover: str, applicants: tuple[str, ...], inventors: tuple[str, ...]
) -> None:
    draft = draft_with(tmp_path, cover)
    assert (draft.applicants, draft.inventors) == (applicants, inventors)
    assert draft.title == "PUMP WITH SEAL"
    assert bool(draft.ground("applicants")) is bool(applicants)
    assert draft.ground("inventors") == ("label on the cover page" if inventors else "")
    assert "Acme" not in draft.description_text


def test_prose_names_nobody(tmp_path: Path) -> None:
    """Neither below a heading, nor in a long paragraph, nor behind one, nor inside a sentence."""
    assert draft_with(tmp_path, "").applicants == draft_with(tmp_path, "").inventors == ()
    long = "The pump of the applicant: " + "a pump of many parts, " * 10 + "as told.\n\nInventor: Ann Lee\n"
    assert draft_with(tmp_path, long, "").inventors == ()
    assert draft_with(tmp_path, "As told by the inventor: Ann Lee\n").inventors == ()


def test_a_title_with_a_heading_ends_no_cover_page(tmp_path: Path) -> None:
    draft = draft_with(tmp_path, "TITLE OF THE INVENTION\n\nPump with seal\n\nInventor: Ann Lee", BODY[17:])
    assert (draft.title, draft.inventors) == ("Pump with seal", ("Ann Lee",))


def test_legal_forms_and_full_names() -> None:
    assert applicants_in("Acme GmbH & Co. KG, Ulm") == ("Acme GmbH & Co. KG",)
    assert applicants_in("Acme Co., Ltd., Tokyo") == ("Acme Co., Ltd.",)
    assert applicants_in("University of Ulm") == ("University of Ulm",)
    assert applicants_in("Johnson and Jonson") == ("Johnson and Jonson",)
    assert applicants_in("Acme LLC.; Beta ApS.; Acme Inc.; Beta S.A.") == (
        "Acme LLC",
        "Beta ApS",
        "Acme Inc.",
        "Beta S.A.",
    )
    assert inventors_in("Ann Lee, Max Ott Jr.") == ("Ann Lee", "Max Ott Jr.")
    assert inventors_in("Lee, Ann") == ("Lee, Ann",)
    assert inventors_in("") == ()


def test_the_people_of_a_sidecar(tmp_path: Path) -> None:
    place = tmp_path / "draft.txt.foreart.json"
    place.write_text(json.dumps({"applicants": ["Acme  AG", "Acme AG"], "inventors": "Ann Lee; Ott, Max"}), "utf-8")
    draft = draft_with(tmp_path, "Applicant: Wrong Corp.")
    assert (draft.applicants, draft.inventors) == (("Acme AG",), ("Ann Lee", "Ott, Max"))
    assert draft.ground("applicants") == draft.ground("inventors") == place.name
    place.write_text(json.dumps({"applicants": []}), "utf-8")
    assert draft_with(tmp_path, "Applicant: Wrong Corp.").applicants == ()
    place.unlink()
    (tmp_path / "draft.txt.foreart.yaml").write_text("inventors:\n  - Ann Lee\n  - Max Ott\n", "utf-8")
    assert draft_with(tmp_path, "").inventors == ("Ann Lee", "Max Ott")


@pytest.mark.parametrize("value", [7, {"name": "Acme"}, ["Acme", 7], [["Acme"]], True])
def test_people_that_cannot_be_meant_are_refused(tmp_path: Path, value: object) -> None:
    (tmp_path / "draft.txt.foreart.json").write_text(json.dumps({"inventors": value}), "utf-8")
    with pytest.raises(BadFile, match=r"draft\.txt\.foreart\.json: inventors must be a list of names") as caught:
        draft_with(tmp_path, "")
    assert "Acme" not in str(caught.value)


def test_what_is_written_names_the_same_people(tmp_path: Path) -> None:
    before = draft_with(tmp_path, 'Applicant: Acme "Pumps" AG\nInventors: Ann Lee; Max Ott')
    text = write_sidecar(before, tmp_path / "draft.txt").read_text("utf-8")
    assert 'applicants: ["Acme \\"Pumps\\" AG"]' in text
    assert 'inventors: ["Ann Lee", "Max Ott"]' in text
    assert read_draft(tmp_path / "draft.txt") == before
