"""The pages of the test site have the markup of the real ones, and both layouts give the same document."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from crawl.pages import Invented, page
from expectation import RAW, needs_raw
from foreart.crawl.sites.google_citing import citing_numbers
from foreart.document.patent import Citation, Literature, Patent, Symbol
from foreart.errors import BadRecord
from foreart.sources import READERS
from foreart.sources.patent_files import scan

REAL = RAW / "google_patents_html"
ANVIL = Invented(
    "US7000001B2",
    cites=("US5000000A", "EP1000000A1"),
    cited_by=("US8000000B2",),
    family=("US20040000001A1",),
    published="2006-02-14",
    classes=("A61B17/7032", "F16B35/00"),
)


def read(data: bytes) -> Patent:
    reader = READERS["google-html"]
    assert reader.sniff(data[: 1 << 16], "page.html")
    (patent,) = reader.parse(data)
    return patent


def _marked(text: str) -> set[tuple[str, str]]:
    """Pairs of element and itemprop."""
    return {(tag, name) for tag, name in re.findall(r"<(\w+)[^>]*\bitemprop=\"(\w+)\"", text)}


@needs_raw
def test_the_markup_equals_that_of_real_pages() -> None:
    real = set().union(*(_marked(path.read_text("utf-8")) for path in REAL.glob("*.html")))
    own = _marked(page(replace(ANVIL, priority="US60/100,200", family_id="1")).decode())
    # The two available pages have no grant with a docdbFamily row; other parsers of the site use this name.
    assert own - real <= {("tr", "docdbFamily"), ("meta", "FirstCode")}
    real_page = (REAL / "US6226921B1.html").read_text("utf-8")
    assert list(citing_numbers(real_page.encode()))[:2] == ["US6418664B1", "US20020141645A1"]
    assert len(list(citing_numbers(real_page.encode()))) == 66


def test_both_layouts_give_the_same_patent() -> None:
    new, old = read(page(ANVIL)), read(page(replace(ANVIL, old=True)))
    same = ("id", "title", "abstract", "published", "filed", "applicants", "inventors", "application_number", "claims")
    assert {name: getattr(new, name) for name in same} == {name: getattr(old, name) for name in same}
    assert new.family_refs == old.family_refs == ("US20040000001A1",)
    assert [symbol.symbol for symbol in new.cpc] == [symbol.symbol for symbol in old.cpc]
    assert [item.text for item in new.description] == [item.text for item in old.description]
    assert list(citing_numbers(page(ANVIL))) == list(citing_numbers(page(replace(ANVIL, old=True)))) == ["US8000000B2"]


def test_a_page_of_the_older_layout() -> None:
    patent = read(page(replace(ANVIL, old=True)))
    assert (patent.id, patent.published, patent.filed, patent.priority) == (
        "US7000001B2",
        "2006-02-14",
        "1999-02-22",
        "1998-02-23",
    )
    assert patent.cpc == (Symbol("A61B 17/7032"), Symbol("F16B 35/00"))
    assert patent.uspc == ("606/246",)
    assert patent.citations == (Citation("US5000000A", "examiner"), Citation("EP1000000A1", "examiner"))
    assert patent.literature == (Literature("Smith, On anvils, 1999.", "examiner"),)
    assert [(claim.number, claim.depends_on) for claim in patent.claims] == [(1, ()), (2, (1,))]
    assert patent.applicants == ("Anvil Works",)
    assert patent.description[0].is_heading
    assert patent.language == "en"
    assert patent.document_type == "utility"


def test_unmarked_citations_and_self_citations_of_the_older_layout() -> None:
    patent = read(page(replace(ANVIL, old=True, examiner=False, cites=("US5000000A", "US7000001B2", "x", "US5000000"))))
    assert patent.citations == (Citation("US5000000A", "unknown"),)


def test_the_number_of_an_older_page_without_a_bibliographic_table() -> None:
    data = page(replace(ANVIL, old=True))
    assert read(data.replace(b"Publication number", b"Nummer")).id == "US7000001B2"
    with pytest.raises(BadRecord, match="no publication number"):
        read(
            data.replace(b"Publication number", b"N").replace(b"patent-number", b"n").replace(b"citation_patent", b"c")
        )


def test_older_pages_are_read_from_files(tmp_path: object) -> None:
    file = tmp_path / "saved.html"  # type: ignore[operator]
    file.write_bytes(page(replace(ANVIL, old=True)) + page(replace(ANVIL, number="US7000002B2", old=True)))
    assert [item.id for item in scan(file) if isinstance(item, Patent)] == ["US7000001B2", "US7000002B2"]
