"""Random patents, numbers and texts for property tests."""

from __future__ import annotations

from datetime import date

from hypothesis import strategies as st

from foreart.document.paragraphs import under_headings
from foreart.document.patent import (
    CATEGORIES,
    Citation,
    Claim,
    Literature,
    Origin,
    Paragraph,
    Patent,
    Symbol,
    Translation,
)

_LETTERS = st.characters(exclude_categories=("Cs", "Cc", "Co", "Cn", "Zl", "Zp"))
_WORD = st.text(st.one_of(st.sampled_from("aeinrstABCäß→µ数-.,;:()[]123"), _LETTERS), min_size=1, max_size=8)


def _folded(text: str) -> str:
    return " ".join(text.split())


def lines(max_words: int = 12) -> st.SearchStrategy[str]:
    """One line of folded text, never empty."""
    return st.lists(_WORD, min_size=1, max_size=max_words).map(" ".join).map(_folded).filter(bool)


def texts() -> st.SearchStrategy[str]:
    """One to three lines."""
    return st.lists(lines(), min_size=1, max_size=3).map("\n".join)


@st.composite
def ids(draw: st.DrawFn) -> str:
    """Publication numbers in their one spelling, of several offices and series."""
    kind = draw(st.sampled_from(["", "A", "A1", "A2", "B1", "B2", "U1", "C"]))
    office = draw(st.sampled_from(["US", "EP", "WO", "DE", "JP", "application", "series"]))
    serial = draw(st.integers(1, 9_999_999))
    year = draw(st.integers(1978, 2030))
    if office == "WO":
        return f"WO{year}{serial % 1_000_000:06d}{kind}"
    if office == "application":
        return f"US{draw(st.integers(2001, 2030))}{serial:07d}{kind}"
    if office == "series":
        series = draw(st.sampled_from(["D", "PP", "RE", "H", "T"]))
        return f"US{series}{serial}{draw(st.sampled_from(['', 'S1', 'E1', 'P3', 'H1']))}"
    return f"EP{serial:07d}{kind}" if office == "EP" else f"{office}{serial}{kind}"


@st.composite
def dates(draw: st.DrawFn) -> str:
    """ISO dates, whole or as far as they are known, or none."""
    whole = draw(st.dates(min_value=date(1790, 1, 1), max_value=date(2050, 1, 1))).isoformat()
    return draw(st.sampled_from([whole, whole[:7], whole[:4], ""]))


@st.composite
def symbols(draw: st.DrawFn) -> Symbol:
    """Class symbols with and without position and value."""
    head = draw(st.sampled_from(["A61B", "G06F", "H04L", "Y02E", "C07D"]))
    group = draw(st.sampled_from(["", " 17/70", " 1/00", " 2017/0046", " 31"]))
    position = draw(st.sampled_from([None, "first", "later"]))
    return Symbol(head + group, position, draw(st.sampled_from([None, "inventive", "additional"])))


@st.composite
def claim_lists(draw: st.DrawFn) -> tuple[Claim, ...]:
    """Claims in ascending order of number, some left out, each depending on earlier ones."""
    found: list[Claim] = []
    number = 0
    for text in draw(st.lists(texts(), max_size=5)):
        number += draw(st.integers(1, 3))
        earlier = [claim.number for claim in found]
        parents = draw(st.sets(st.sampled_from(earlier), max_size=3)) if earlier else set()
        found.append(Claim(number, text, tuple(sorted(parents))))
    return tuple(found)


@st.composite
def descriptions(draw: st.DrawFn) -> tuple[Paragraph, ...]:
    """Paragraphs and headings in reading order, each under its heading."""
    paragraph = st.builds(Paragraph, text=texts(), number=st.sampled_from(["", "0001", "12"]))
    heading = st.builds(Paragraph, text=lines(4), is_heading=st.just(True))
    return under_headings(draw(st.lists(st.one_of(paragraph, heading), max_size=6)))


def _cited() -> dict[str, st.SearchStrategy[str]]:
    return {
        "category": st.sampled_from(CATEGORIES),
        "letters": st.sampled_from(["", "X", "Y", "XY"]),
        "phase": st.sampled_from(["", "search", "opposition"]),
    }


def _tuples(strategy: st.SearchStrategy, max_size: int = 3) -> st.SearchStrategy[tuple]:
    return st.lists(strategy, max_size=max_size).map(tuple)


def patents(identity: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[Patent]:
    """Whole patents, every field filled or empty, as readers make them."""
    line, maybe = lines(), st.one_of(st.just(""), lines())
    translation = st.builds(
        Translation, language=st.sampled_from(["de", "fr"]), title=maybe, abstract=maybe, claims=claim_lists()
    )
    return st.builds(
        Patent,
        id=ids() if identity is None else identity,
        title=maybe,
        abstract=st.one_of(st.just(""), texts()),
        claims=claim_lists(),
        description=descriptions(),
        published=dates(),
        published_estimated=st.booleans(),
        filed=dates(),
        priority=dates(),
        cpc=_tuples(symbols()),
        ipc=_tuples(symbols()),
        uspc=_tuples(st.sampled_from(["600/443", "D24/158", "2/DIG 9"])),
        locarno=_tuples(st.sampled_from(["06-01", "24-02"])),
        applicants=_tuples(line),
        inventors=_tuples(line),
        citations=_tuples(st.builds(Citation, id=ids(), **_cited())),
        literature=_tuples(st.builds(Literature, text=texts(), **_cited())),
        application_number=st.sampled_from(["", "US10/755135", "EP04012345"]),
        priority_numbers=_tuples(st.sampled_from(["US60/123456", "PCT/EP2004/001234"])),
        family_id=st.sampled_from(["", "38529"]),
        family_refs=_tuples(st.one_of(ids(), st.sampled_from(["US10/755135", "EP04012345", "PCT/US2004/012345"]))),
        language=st.sampled_from(["", "en", "de", "fr"]),
        document_type=st.sampled_from(["", "utility", "design"]),
        publication_status=st.sampled_from(["", "corrected"]),
        translations=_tuples(translation, max_size=2),
        collection=st.sampled_from(["", "week"]),
        origins=_tuples(st.builds(Origin, file=line, position=maybe, format=st.sampled_from(["", "uspto-xml-v4"])), 2),
    )
