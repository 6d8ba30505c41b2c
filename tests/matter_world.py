"""Invented events of a matter with two raters, and a log of them."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from foreart.document.draft import Draft
from foreart.document.patent import Claim, Paragraph
from foreart.document.reference import LiteratureReference
from foreart.review.matters.event_log import EventLog, create_log
from foreart.review.matters.matter_events import (
    JUDGEMENTS,
    CategoryGiven,
    CriteriaSet,
    DocumentJudged,
    DocumentsShown,
    DraftKept,
    Event,
    ExportMade,
    FamilyIgnored,
    HighlightsSet,
    LiteratureKept,
    Logged,
    MatterCreated,
    NoteWritten,
    RedoAsked,
    SeedSet,
    StoppingRuleSet,
    UndoAsked,
)

PASSPHRASE = "seven quiet otters row home"
TIME = "2026-11-18T20:00:00+00:00"
SECRET = "quicksilver escapement"
DRAFT = Draft(
    title=f"Clock with a {SECRET}",
    description=(Paragraph(f"The {SECRET} swings. " * 400, number="0001"),),
    claims=(Claim(1, f"A clock with a {SECRET}."),),
)
RATERS = ("ann", "bob")
# Three families: two documents, three documents, one.
FAMILIES = {"XX1A": ("XX2A",), "XX2A": ("XX1A",), "XX3A": ("XX4A", "XX5A"), "XX4A": ("XX3A", "XX5A"), "XX6A": ()}

_documents = st.sampled_from(sorted(FAMILIES))
_words = st.text("abc é\n=", max_size=8)
_decisions = st.one_of(
    st.builds(
        lambda document, judgement, seen: DocumentJudged(document, judgement, FAMILIES[document], seen),
        _documents,
        st.sampled_from(JUDGEMENTS),
        st.integers(0, 20),
    ),
    st.builds(
        CategoryGiven, _documents, st.sampled_from(["X", "P,X", "&"]), st.sampled_from([(), (1, 2)]), st.booleans()
    ),
    st.builds(NoteWritten, _words.map(lambda text: f"n{text}"), st.sampled_from(["", *FAMILIES])),
    st.builds(NoteWritten, _words, _documents, st.integers(1, 12)),
    st.builds(HighlightsSet, st.sampled_from("ab"), st.sampled_from([(), ("pawl", "bar")]), _words, st.booleans()),
    st.builds(SeedSet, _documents, st.booleans()),
    st.builds(lambda document, gone: FamilyIgnored(document, FAMILIES[document], gone), _documents, st.booleans()),
    st.builds(
        LiteratureKept,
        st.builds(LiteratureReference, st.sampled_from(["t", "u"])),
        st.sampled_from(["", "", "NPL-1", "NPL-2"]),
        withdrawn=st.booleans(),
    ),
    st.builds(CriteriaSet, _words),
    st.builds(StoppingRuleSet, st.sampled_from([0.8, 0.95]), st.just(0.9)),
)
_records = st.one_of(
    st.builds(DocumentsShown, st.lists(_documents, max_size=3).map(tuple)),
    st.builds(ExportMade, st.just("csv"), st.just("a.csv"), st.integers(0, 9)),
    st.just(DraftKept(DRAFT)),
)
_steps = st.sampled_from([UndoAsked(), RedoAsked()])


def decisions() -> st.SearchStrategy[Event]:
    """Events that can be undone."""
    return _decisions


def raters() -> st.SearchStrategy[str]:
    """One of two people."""
    return st.sampled_from(RATERS)


def histories(most: int = 25) -> st.SearchStrategy[tuple[Logged[Event], ...]]:
    """Logs of any events but searches."""
    items = st.lists(st.tuples(raters(), st.one_of(_decisions, _decisions, _steps, _steps, _records)), max_size=most)
    return items.map(lambda found: tuple(_logged(n, *item) for n, item in enumerate(found, start=1)))


def then(history: tuple[Logged[Event], ...], rater: str, event: Event) -> tuple[Logged[Event], ...]:
    """A log with one more event."""
    return (*history, _logged(len(history) + 1, rater, event))


def _logged(n: int, rater: str, event: Event) -> Logged[Event]:
    return Logged(n, TIME, rater, event)


# One of each kind, with everything that must not be readable in a sealed file.
SCRIPT: tuple[Event, ...] = (
    DraftKept(DRAFT),
    DocumentJudged("XX1A", "relevant", ("XX2A",)),
    DocumentJudged("XX3A", "no", ("XX4A", "XX5A"), seen=3),
    CategoryGiven("XX1A", "P,X", (1,)),
    NoteWritten(f"as the {SECRET} of the draft", "XX1A"),
    NoteWritten("ask the inventor"),
    HighlightsSet("parts", (SECRET, "spring"), "amber"),
    SeedSet("XX6A"),
    FamilyIgnored("XX7A"),
    LiteratureKept(LiteratureReference(f"On the {SECRET}", ("Otter, Ann",))),
    CriteriaSet(f"anything with a {SECRET}"),
    StoppingRuleSet(0.8, 0.95),
    DocumentsShown(("XX1A", "XX3A")),
    DocumentJudged("XX8A", "maybe"),
    UndoAsked(),
    RedoAsked(),
    ExportMade("csv", "clock.csv", 120),
)


def written(folder: Path, *, passphrase: str = "", name: str = "clock") -> Path:
    """A file with the script in it."""
    path = folder / f"{name}.matter"
    create_log(path, MatterCreated(f"A {SECRET}"), time=TIME, rater="ann", passphrase=passphrase)
    log = EventLog(path, passphrase)
    for event in SCRIPT:
        log.append(event, time=TIME, rater="ann")
    log.close()
    return path


def bytes_of(path: Path) -> bytes:
    """All bytes of a matter, its write-ahead log included."""
    return b"".join(file.read_bytes() for file in sorted(path.parent.glob(f"{path.name}*")))
