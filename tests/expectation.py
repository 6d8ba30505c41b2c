"""What a person read off a file, and how a reader is held to it.

Tests read invented files (`tests/data`) and, where they are at hand, those of the offices (`../shared/data/raw`).
A folder of one name holds the same format in both places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from foreart.document.patent import Patent
from foreart.document.reject import Reject
from foreart.sources import scan

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
RAW = SHARED / "raw"
OWN = Path(__file__).resolve().parent / "data"

needs_raw = pytest.mark.skipif(not RAW.is_dir(), reason=f"the offices' files are not beside the project ({RAW})")


@dataclass(frozen=True)
class Expected:
    """Facts of one document: pairs are the first and last words of a text, None is unchecked, `more` by attribute."""

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
    more: Mapping[str, object] = field(default_factory=dict)


# The places of files: ours is always there.
ROOTS = [pytest.param(OWN, id="invented"), pytest.param(RAW, id="real", marks=needs_raw)]
Facts = Expected | tuple[Expected, ...]


def files(folder: str, *, invented: Mapping[str, Facts], real: Mapping[str, Facts] | None = None) -> list[Any]:
    """Parameters `path` and `facts`: the invented files of a format always, the offices' where they are at hand."""
    ours = [pytest.param(OWN / folder / name, facts, id=name) for name, facts in invented.items()]
    theirs = [
        pytest.param(RAW / folder / name, facts, id=name, marks=needs_raw) for name, facts in (real or {}).items()
    ]
    return ours + theirs


def check_file(path: Path, facts: Facts) -> None:
    """Every document of a file in order, by value."""
    expected = facts if isinstance(facts, tuple) else (facts,)
    found = list(patents(path))
    assert [patent.id for patent in found] == [item.id for item in expected]
    for patent, item in zip(found, expected, strict=True):
        check(patent, item)


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
    assert {name: getattr(patent, name) for name in expected.more} == expected.more


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
