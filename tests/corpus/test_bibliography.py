"""What a corpus says of its patents beside their words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from foreart.corpus import Corpus
from foreart.corpus.bibliography import Names, entries, names_of
from foreart.document.patent import Citation, Paragraph, Patent, Symbol

PATENTS = (
    Patent(
        "US7585299B2",
        title="Wrench",
        description=(Paragraph("FIELD", is_heading=True), Paragraph("See EP 1 234 567 B1.", number="0001")),
        priority="2001-02-03",
        filed="2002-01-01",
        published="2003-01-01",
        cpc=(Symbol("B25B 13/46"), Symbol("A61B 17/00")),
        ipc=(Symbol("B25B 13/00"),),
        applicants=("Zeta", "Alpha"),
        inventors=("Ann", "Bob"),
        citations=(Citation("EP1234567B1"), Citation("US0007000001A"), Citation("free id")),
        family_id="F",
    ),
    Patent("US20040001234A1", filed="2002-05", published="2004-01-01", family_id="F"),
    Patent("EP1234567B1", published="1999"),
    Patent("free id", title="nothing else"),
)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus(tmp_path / "corpus.db", create=True) as opened:
        opened.add(PATENTS)
        yield opened


def test_all_that_is_known_of_each_in_order_of_arrival(corpus: Corpus) -> None:
    first, second, third, free = entries(corpus)
    assert [item.id for item in (first, second, third, free)] == [patent.id for patent in PATENTS]
    assert [item.key for item in (first, second, third, free)] == [
        "US7585299",
        "US20040001234",
        "EP1234567",
        "free id",
    ]
    assert [item.date for item in (first, second, third, free)] == ["2001-02-03", "2002-05", "1999", ""]
    assert first.family == second.family != ""
    assert (third.family, free.family) == ("", "")
    assert set(first.applicants) == {"Alpha", "Zeta"}
    assert set(first.classes) == {"B25B 13/46", "A61B 17/00", "B25B 13/00"}
    assert set(first.cited) == {"EP1234567", "US7000001", "free id"}
    assert all(len(item.content) == 16 for item in (first, second, third, free))
    assert len({item.content for item in (first, second, third, free)}) == 4


def test_names_and_descriptions_in_the_order_asked_for(corpus: Corpus) -> None:
    known = {item.id: item.serial for item in entries(corpus)}
    asked = [known["EP1234567B1"], known["US7585299B2"], 999]
    found = list(names_of(corpus, asked))
    assert found[0] == Names((), "")
    assert found[1].inventors == ("Ann", "Bob")
    assert "See EP 1 234 567 B1." in found[1].description
    assert found[1].description == PATENTS[0].description_text
    assert found[2] == Names((), "")


def test_a_change_shows_in_the_content_and_a_removal_in_the_list(corpus: Corpus) -> None:
    before = {item.id: item for item in entries(corpus)}
    corpus.remove(["EP1234567B1"])
    corpus.add([Patent("free id", title="something else", citations=(Citation("US7585299B2"),))])
    after = {item.id: item for item in entries(corpus)}
    assert set(before) - set(after) == {"EP1234567B1"}
    assert after["US7585299B2"] == before["US7585299B2"]
    assert after["free id"].content != before["free id"].content
    assert after["free id"].cited == ("US7585299",)
