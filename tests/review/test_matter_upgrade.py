"""Matters of the first version that had them are read by every later one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from foreart import Library
from foreart.review.matters import state_json
from foreart.review.matters.matter_events import LiteratureKept
from matter_world import PASSPHRASE, SCRIPT
from pawls import DRAFT

DATA = Path(__file__).parents[1] / "data" / "matters"


@pytest.mark.parametrize(("name", "passphrase"), [("open", ""), ("sealed", PASSPHRASE)])
def test_a_matter_of_0_2_0_is_read_and_continued(name: str, passphrase: str, tmp_path: Path) -> None:
    (tmp_path / "matters").mkdir()
    shutil.copy(DATA / f"{name}.matter", tmp_path / "matters")
    expected = json.loads((DATA / "expected.json").read_text("utf-8"))
    with Library(tmp_path) as library, library.matter(name, passphrase=passphrase) as matter:
        later = {"literature": []}  # what a matter can hold since
        assert state_json(matter.state) == {**expected["state"], **later}
        assert passphrase or matter.digest == expected["check"]
        scripted = [event for event in SCRIPT if not isinstance(event, LiteratureKept)]  # unknown then
        assert [logged.event for logged in matter.events[3:-1]] == scripted
        assert matter.state.drafts[0].event.draft == DRAFT
        first, second = matter.state.searches
        assert first.event.record.documents == second.event.record.documents
        assert len(first.event.record.documents) == 8
        assert matter.note("still here").n == expected["state"]["last"] + 1
