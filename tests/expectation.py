"""What a person read off a real file, and how a reader is held to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from foreart.document.patent import Patent
from foreart.document.reject import Reject
from foreart.sources import scan

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
RAW = SHARED / "raw"

needs_raw = pytest.mark.skipif(not RAW.is_dir(), reason=f"the offices' files are not beside the project ({RAW})")


@dataclass(frozen=True)
class Expected:
    """Facts of one document. `...` texts are the first and last words of a section; None means: not looked at."""

    id: str
    title: str
    claims: int = 0
    depends_on: dict[int, tuple[int, ...]] = field(default_factory=dict)
    published: str = ""
    filed: str = ""
    priority: str = ""
    cpc: tuple[str, ...] = ()
    ipc: tuple[str, ...] = ()
    citations: dict[str, int] = field(default_factory=dict)
    literature: int = 0
    inventors: tuple[str, ...] | None = None
    applicants: tuple[str, ...] | None = None
    abstract: tuple[str, str] | None = None
    description: tuple[str, str] | None = None
    claim_text: tuple[str, str] | None = None
    paragraphs: int | None = None
    language: str = "en"


def check(patent: Patent, expected: Expected) -> None:
    """Every fact, by value."""
    assert patent.id == expected.id
    assert patent.title == expected.title
    assert len(patent.claims) == expected.claims
    by_number = {claim.number: claim.depends_on for claim in patent.claims}
    assert {number: by_number.get(number) for number in expected.depends_on} == expected.depends_on
    assert (patent.published, patent.filed, patent.priority) == (expected.published, expected.filed, expected.priority)
    assert tuple(symbol.symbol for symbol in patent.cpc) == expected.cpc
    assert tuple(symbol.symbol for symbol in patent.ipc) == expected.ipc
    assert dict(Counter(citation.category for citation in patent.citations)) == expected.citations
    assert len(patent.literature) == expected.literature
    assert patent.language == expected.language
    if expected.inventors is not None:
        assert patent.inventors == expected.inventors
    if expected.applicants is not None:
        assert patent.applicants == expected.applicants
    if expected.paragraphs is not None:
        assert len(patent.description) == expected.paragraphs
    _ends(patent.abstract, expected.abstract)
    _ends(patent.description_text, expected.description)
    _ends("\n".join(claim.text for claim in patent.claims), expected.claim_text)


def _ends(text: str, ends: tuple[str, str] | None) -> None:
    if ends is not None:
        assert text.startswith(ends[0]), text[:80]
        assert text.endswith(ends[1]), text[-80:]


def only(path: Path) -> Patent:
    """The one patent of a file that holds one and nothing bad."""
    found = list(scan(path))
    assert len(found) == 1, found
    assert isinstance(found[0], Patent), found[0]
    return found[0]


def patents(path: Path) -> Iterator[Patent]:
    """The patents of a file without rejects."""
    for item in scan(path):
        assert not isinstance(item, Reject), item
        yield item
