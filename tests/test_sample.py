"""The sample corpus shows what the product is for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest

from foreart.document.patent import Patent
from foreart.library import Library
from foreart.search import Result
from foreart.sources import read_draft, scan

SAMPLE = Path(str(resources.files("foreart").joinpath("sample")))
DRAFTED = "2014-03-10"


@pytest.fixture(scope="module")
def patents() -> dict[str, Patent]:
    found = list(scan(SAMPLE / "patents.jsonl"))
    assert all(isinstance(item, Patent) for item in found)
    return {item.id: item for item in found if isinstance(item, Patent)}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library(tmp_path_factory.mktemp("library")) as made:
        made.add([SAMPLE / "patents.jsonl"])
        made.build()
        yield made


def test_it_is_large_and_varied_enough(patents: dict[str, Patent]) -> None:
    assert len(patents) == 50
    subclasses = Counter(patent.cpc[0].symbol[:4] for patent in patents.values() if patent.cpc)
    assert {"A61B", "A61M", "A61F", "F16B"} & set(subclasses)
    assert len(subclasses) >= 6
    groups = {patent.cpc[0].symbol.split("/")[0] for patent in patents.values() if patent.cpc}
    assert {"A61B 17", "A61B 8"} <= groups


def test_forty_five_have_everything_a_patent_has(patents: dict[str, Patent]) -> None:
    complete = [
        patent
        for patent in patents.values()
        if patent.title and patent.abstract and patent.depth == "full" and patent.cpc and patent.applicants
        if patent.citations and any(claim.depends_on for claim in patent.claims)
    ]
    assert len(complete) >= 45


def test_descriptions_are_of_plausible_length_with_headings_and_numbers(patents: dict[str, Patent]) -> None:
    for patent in patents.values():
        if patent.depth != "full" or patent.document_type == "design":
            continue
        words = len(patent.description_text.split())
        assert 300 <= words <= 1000, (patent.id, words)
        assert sum(bool(paragraph.number) for paragraph in patent.description) >= 5, patent.id
    with_headings = [p for p in patents.values() if sum(item.is_heading for item in p.description) >= 3]
    assert len(with_headings) >= 40


def test_claims_are_numbered_and_tied(patents: dict[str, Patent]) -> None:
    with_claims = [patent for patent in patents.values() if len(patent.claims) > 1]
    assert len(with_claims) >= 45
    for patent in with_claims:
        assert [claim.number for claim in patent.claims] == list(range(1, len(patent.claims) + 1)), patent.id
        assert not patent.claims[0].depends_on, patent.id
        assert any(claim.depends_on for claim in patent.claims), patent.id
    assert any(len(claim.depends_on) > 2 for patent in with_claims for claim in patent.claims)


def test_citations_have_categories_and_point_to_earlier_documents(patents: dict[str, Patent]) -> None:
    categories = Counter(citation.category for patent in patents.values() for citation in patent.citations)
    assert {"examiner", "applicant"} <= set(categories)
    assert any(citation.letters for patent in patents.values() for citation in patent.citations)
    for patent in patents.values():
        for citation in patent.citations:
            cited = patents.get(citation.id)  # the oldest cite documents that are not in the sample, as in life
            if cited is not None:
                assert not cited.published or cited.published <= (patent.published or "9"), (patent.id, citation.id)
    inside = [item.id in patents for patent in patents.values() for item in patent.citations]
    assert sum(inside) > 0.8 * len(inside)


def test_it_has_one_of_each_trap(patents: dict[str, Patent]) -> None:
    assert [patent.id for patent in patents.values() if not patent.effective_date] == ["XX417733A"]
    later = {patent.id for patent in patents.values() if patent.published > DRAFTED}
    assert later == {"XX20140257312A1", "XX20140726418A1", "XX20150320463A1"}
    assert patents["XX20140257312A1"].priority < DRAFTED < patents["XX20150320463A1"].priority
    assert Counter(patent.language for patent in patents.values()) == {"en": 48, "de": 1, "fr": 1}
    families = Counter(patent.family_id for patent in patents.values() if patent.family_id)
    assert 3 in families.values()


@pytest.mark.parametrize(
    "words", [("screw", "fastener"), ("cable", "wire", "filament"), ("connecting bar", "rod"), ("spinous", "dorsal")]
)
def test_one_thing_has_several_names(patents: dict[str, Patent], words: tuple[str, ...]) -> None:
    texts = [f"{patent.title} {patent.claims_text}".lower() for patent in patents.values()]
    for word in words:
        having = [text for text in texts if re.search(rf"\b{word}", text)]
        lacking = [text for text in having if not all(re.search(rf"\b{other}", text) for other in words)]
        assert lacking, word


def ranks(result: Result) -> dict[str, int]:
    return {hit.id: hit.rank for hit in result.hits}


def test_the_word_draft_finds_other_words_for_its_invention(library: Library) -> None:
    result = library.search(read_draft(SAMPLE / "drafts" / "interspinous-fusion.docx"), k=50)
    assert result.cutoff.date == DRAFTED
    first = {hit.id: hit.status for hit in result.hits[:2]}
    assert first == {"XX20140257312A1": "mentioned", "XX20090312644A1": "prior art"}
    found = ranks(result)
    assert "XX20150320463A1" not in found, "filed and published after the date"
    assert next(hit.status for hit in result.hits if hit.id == "XX417733A") == "date unknown"
    members = {"XX20060129477A1", "XX7648516B2", "XX20100076391A1"}
    (family,) = [hit for hit in result.hits if hit.id in members]
    assert {family.id, *(member.id for member in family.family_members)} == members


def test_the_pdf_and_the_text_draft_find_theirs(library: Library) -> None:
    probe = ranks(library.search(read_draft(SAMPLE / "drafts" / "ultrasound-probe.pdf"), k=10))
    assert probe["XX8026938B2"] == 1
    assert probe["XX20140726418A1"] == 2
    pump = ranks(library.search(read_draft(SAMPLE / "drafts" / "insulin-pump.txt"), k=10))
    assert min(pump, key=pump.__getitem__) in {"XX20090748218A1", "XX8246714B2"}
    assert pump["XX6428716B1"] < pump["XX4882616A"], "an ampoule in the skin before a garden pump"
