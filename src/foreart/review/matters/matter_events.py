"""What can happen in a matter: one frozen dataclass for each kind of event, checked when it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar, get_args

from foreart.document.draft import Draft
from foreart.document.reference import LiteratureReference, is_literature
from foreart.errors import BadRequest
from foreart.records.record_data import SearchRecord

Judged = Literal["relevant", "maybe", "no", "later", "unjudged"]
JUDGEMENTS: tuple[Judged, ...] = get_args(Judged)
# The letters of search reports: EPO Guidelines B-X 9.2, PCT/ISA/210.
CATEGORIES: Mapping[str, str] = {
    "X": "particularly relevant if taken alone",
    "Y": "particularly relevant if combined with another document of the same category",
    "A": "technological background",
    "D": "document cited in the application",
    "P": "intermediate document",
    "E": "earlier patent document, published on or after the filing date",
    "O": "non-written disclosure",
    "T": "theory or principle underlying the invention",
    "L": "document cited for other reasons",
    "&": "member of the same patent family, corresponding document",
}
MOST_TEXT = 100_000
_MOST_NAME = 200
_MOST_CLAIM = 10_000


@dataclass(frozen=True, slots=True, repr=False)
class MatterCreated:
    """The first event: the title that the list of matters shows."""

    title: str = ""

    def __post_init__(self) -> None:
        _limited("the title of a matter", self.title, _MOST_NAME)


@dataclass(frozen=True, slots=True, repr=False)
class DraftKept:
    """A version of the draft with its whole text. `desk` is its id on the desk, if it came from there."""

    draft: Draft
    desk: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class SearchKept:
    """A search by its record. Its documents are left out if an earlier search was of the same corpus."""

    record: SearchRecord
    documents_of: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class DocumentJudged:
    """A judgement of a document and its family, whose other members are judged by it too.

    `seen` is the number of the last event that the rater had seen, 0 if that is not known.
    """

    document: str
    judgement: Judged
    family: tuple[str, ...] = ()
    seen: int = 0

    def __post_init__(self) -> None:
        _limited("a document", self.document, _MOST_NAME, empty=False)
        if self.judgement not in JUDGEMENTS:
            raise BadRequest(f"{self.judgement!r} is not a judgement; there are {', '.join(JUDGEMENTS)}")


@dataclass(frozen=True, slots=True, repr=False)
class CategoryGiven:
    """A category of a search report for a document, as `X` or `P,X`, and the claims that it concerns."""

    document: str
    category: str
    claims: tuple[int, ...] = ()
    withdrawn: bool = False

    def __post_init__(self) -> None:
        _limited("a document", self.document, _MOST_NAME, empty=False)
        letters = self.category.split(",")
        unknown = [letter for letter in letters if letter not in CATEGORIES]
        if unknown or len(set(letters)) < len(letters):
            raise BadRequest(
                f"{self.category!r} is not a category: write one or more of {' '.join(CATEGORIES)}, with commas, as P,X"
            )
        if any(not 1 <= number <= _MOST_CLAIM for number in self.claims):
            raise BadRequest(f"claims are numbered from 1: {', '.join(map(str, self.claims))} cannot be claims")


@dataclass(frozen=True, slots=True, repr=False)
class NoteWritten:
    """A note on a document, or on the matter. One that `replaces` an earlier note and is empty removes it."""

    text: str
    document: str = ""
    replaces: int = 0

    def __post_init__(self) -> None:
        _limited("a note", self.text, MOST_TEXT, empty=bool(self.replaces))


@dataclass(frozen=True, slots=True, repr=False)
class HighlightsSet:
    """A group of words to highlight, by its name; without words the group is removed."""

    name: str
    words: tuple[str, ...] = ()
    colour: str = ""
    shown: bool = True

    def __post_init__(self) -> None:
        _limited("the name of a highlight group", self.name, _MOST_NAME, empty=False)
        for word in (*self.words, self.colour):
            _limited("a word of a highlight group", word, _MOST_NAME)


@dataclass(frozen=True, slots=True, repr=False)
class SeedSet:
    """A document that is known to be relevant, from wherever; it leads the ranking and is not read again."""

    document: str
    withdrawn: bool = False

    def __post_init__(self) -> None:
        _in_corpus(self.document)


@dataclass(frozen=True, slots=True, repr=False)
class FamilyIgnored:
    """A document that searches and the queue leave out, with its family."""

    document: str
    family: tuple[str, ...] = ()
    withdrawn: bool = False

    def __post_init__(self) -> None:
        _in_corpus(self.document)


@dataclass(frozen=True, slots=True, repr=False)
class LiteratureKept:
    """Literature that is no patent, found by a person; `document` is the id of an item that it replaces or withdraws.

    A new one gets its id (`NPL-4`) from the number of its event. `places` are passages as a form cites them,
    `translated` is whether a translation is attached.
    """

    reference: LiteratureReference
    document: str = ""
    places: tuple[str, ...] = ()
    translated: bool = False
    withdrawn: bool = False

    def __post_init__(self) -> None:
        if self.document and not is_literature(self.document):
            raise BadRequest(f"{self.document[:60]!r} is no literature of a matter: an id is NPL- and a number")
        for place in self.places:
            _limited("a passage", place, _MOST_NAME, empty=False)


@dataclass(frozen=True, slots=True, repr=False)
class CriteriaSet:
    """What counts as relevant in this matter, in the words of the person; the last text counts."""

    text: str

    def __post_init__(self) -> None:
        _limited("the criteria", self.text, MOST_TEXT)


@dataclass(frozen=True, slots=True, repr=False)
class StoppingRuleSet:
    """When to stop: the share of relevant documents to find, and how sure that must be. Fixed before reading."""

    target: float
    confidence: float

    def __post_init__(self) -> None:
        for name, value in (("target", self.target), ("confidence", self.confidence)):
            if not 0.5 <= value < 1.0:
                raise BadRequest(f"the {name} of a stopping rule is a share from 0.5 to below 1, not {value}")


@dataclass(frozen=True, slots=True, repr=False)
class DocumentsShown:
    """Documents that a rater looked at, judged or not."""

    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class UndoAsked:
    """Takes back the rater's last event that can be undone."""


@dataclass(frozen=True, slots=True, repr=False)
class RedoAsked:
    """Restores what the rater's last undo took back."""


@dataclass(frozen=True, slots=True, repr=False)
class ExportMade:
    """A file made from the matter. `file` is relative to the library if it lies in it, else only its name."""

    form: str
    file: str
    size: int
    inside: bool = False


Event = (
    MatterCreated
    | DraftKept
    | SearchKept
    | DocumentJudged
    | CategoryGiven
    | NoteWritten
    | HighlightsSet
    | SeedSet
    | FamilyIgnored
    | LiteratureKept
    | CriteriaSet
    | StoppingRuleSet
    | DocumentsShown
    | UndoAsked
    | RedoAsked
    | ExportMade
)
# The name of each kind, in files and in JSON: it never changes.
KINDS: Mapping[str, type[Event]] = {
    "created": MatterCreated,
    "draft": DraftKept,
    "search": SearchKept,
    "judgement": DocumentJudged,
    "category": CategoryGiven,
    "note": NoteWritten,
    "highlight": HighlightsSet,
    "seed": SeedSet,
    "ignore": FamilyIgnored,
    "literature": LiteratureKept,
    "criteria": CriteriaSet,
    "stopping": StoppingRuleSet,
    "shown": DocumentsShown,
    "undo": UndoAsked,
    "redo": RedoAsked,
    "export": ExportMade,
}
# What a person decided. Other events say what was done, which an undo does not change.
UNDOABLE = (
    DocumentJudged,
    CategoryGiven,
    NoteWritten,
    HighlightsSet,
    SeedSet,
    FamilyIgnored,
    LiteratureKept,
    CriteriaSet,
    StoppingRuleSet,
)

_Held = TypeVar("_Held", covariant=True)


@dataclass(frozen=True, slots=True, repr=False)
class Logged(Generic[_Held]):
    """An event in the log: its number from 1, its time in UTC, and whose it is."""

    n: int
    time: str
    rater: str
    event: _Held


def kind_of(event: Event) -> str:
    """The name of the kind of an event."""
    return next(name for name, kind in KINDS.items() if type(event) is kind)


def _in_corpus(document: str) -> None:
    _limited("a document", document, _MOST_NAME, empty=False)
    if is_literature(document):
        raise BadRequest(f"{document} is not in the corpus: judge it, or withdraw it")


def _limited(what: str, text: str, most: int, *, empty: bool = True) -> None:
    if not text.strip() and not empty:
        raise BadRequest(f"{what} is empty")
    if len(text) > most:
        raise BadRequest(f"{what} has {len(text):,} characters; there may be {most:,}")
