"""What requests about matters contain: one body for each kind of event, identified by `kind`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from foreart.document.reference import LiteratureForm
from foreart.review.matters import Judged
from foreart.server.routes.asked_search import LONGEST_ID, STRICT, AskedSearch

MatterName = Annotated[str, Field(max_length=60)]
RaterName = Annotated[str, Field(max_length=63)]
Passphrase = Annotated[str, Field(max_length=1000)]
_Document = Annotated[str, Field(min_length=1, max_length=LONGEST_ID)]
_Text = Annotated[str, Field(max_length=100_000)]
_Name = Annotated[str, Field(min_length=1, max_length=200)]
_Share = Annotated[float, Field(ge=0.5, lt=1.0)]


@dataclass(frozen=True)
class NewMatterBody:
    """A new matter: its name, which is that of a file, a title, and a passphrase if it is to be sealed."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    name: MatterName
    title: Annotated[str, Field(max_length=200)] = ""
    passphrase: Passphrase = ""


@dataclass(frozen=True)
class PassphraseBody:
    """A passphrase; it is kept for this session, in memory only."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    passphrase: Passphrase


@dataclass(frozen=True)
class NewPassphraseBody:
    """The passphrase of a sealed matter, and the one that it is to have."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    passphrase: Passphrase
    new: Passphrase


@dataclass(frozen=True)
class MatterSearchBody(AskedSearch):
    """A search of a matter: for its draft, or for a new version of it, given as `draft` or `number`."""

    k: Annotated[int, Field(ge=1, le=1000)] = 200
    rater: RaterName = ""


@dataclass(frozen=True)
class EventBody:
    """Who decides. `seen` is the number of the last event that this person had seen."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    rater: RaterName = ""
    seen: Annotated[int, Field(ge=0, lt=2**53)] = 0


@dataclass(frozen=True, kw_only=True)
class JudgementBody(EventBody):
    """A judgement of a document and its family."""

    kind: Literal["judgement"]
    document: _Document
    judgement: Judged


@dataclass(frozen=True, kw_only=True)
class CategoryBody(EventBody):
    """A category of a search report, as `X` or `P,X`, and the claims that it concerns."""

    kind: Literal["category"]
    document: _Document
    category: Annotated[str, Field(max_length=40)]
    claims: Annotated[list[Annotated[int, Field(ge=1, le=10_000)]], Field(max_length=1000)] = field(
        default_factory=list
    )
    withdrawn: bool = False


@dataclass(frozen=True, kw_only=True)
class NoteBody(EventBody):
    """A note on a document or on the matter; one that replaces another and is empty removes it."""

    kind: Literal["note"]
    text: _Text
    document: Annotated[str, Field(max_length=LONGEST_ID)] = ""
    replaces: Annotated[int, Field(ge=0, lt=2**53)] = 0


@dataclass(frozen=True, kw_only=True)
class HighlightBody(EventBody):
    """A group of words to highlight; without words it is removed."""

    kind: Literal["highlight"]
    name: _Name
    words: Annotated[list[_Name], Field(max_length=500)] = field(default_factory=list)
    colour: Annotated[str, Field(max_length=40)] = ""
    shown: bool = True


@dataclass(frozen=True, kw_only=True)
class SeedBody(EventBody):
    """A document that is known to be relevant."""

    kind: Literal["seed"]
    document: _Document
    withdrawn: bool = False


@dataclass(frozen=True, kw_only=True)
class IgnoreBody(EventBody):
    """A document that searches and the queue leave out, with its family."""

    kind: Literal["ignore"]
    document: _Document
    withdrawn: bool = False


_Field = Annotated[str, Field(max_length=500)]


@dataclass(frozen=True, kw_only=True)
class LiteratureBody(EventBody):
    """Literature that is no patent; with `document`, its id as `NPL-4`, that item is changed or withdrawn."""

    kind: Literal["literature"]
    document: Annotated[str, Field(max_length=20)] = ""
    title: Annotated[str, Field(min_length=1, max_length=500)]
    authors: Annotated[list[_Field], Field(max_length=100)] = field(default_factory=list)
    item: _Field = ""
    published: Annotated[str, Field(max_length=10)] = ""
    volume: _Field = ""
    pages: _Field = ""
    publisher: _Field = ""
    place: _Field = ""
    identifier: _Field = ""
    language: Annotated[str, Field(max_length=20)] = ""
    form: LiteratureForm = "article"
    places: Annotated[list[_Name], Field(max_length=100)] = field(default_factory=list)
    translated: bool = False
    withdrawn: bool = False


@dataclass(frozen=True, kw_only=True)
class CriteriaBody(EventBody):
    """What counts as relevant."""

    kind: Literal["criteria"]
    text: _Text


@dataclass(frozen=True, kw_only=True)
class StoppingBody(EventBody):
    """The share of relevant documents to find, and how sure that must be."""

    kind: Literal["stopping"]
    target: _Share
    confidence: _Share


@dataclass(frozen=True, kw_only=True)
class ShownBody(EventBody):
    """Documents that were looked at."""

    kind: Literal["shown"]
    documents: Annotated[list[_Document], Field(min_length=1, max_length=1000)]


@dataclass(frozen=True, kw_only=True)
class StepBody(EventBody):
    """Takes back the person's last decision, or restores it."""

    kind: Literal["undo", "redo"]


@dataclass(frozen=True, kw_only=True)
class DraftVersionBody(EventBody):
    """A version of the draft: the id of an uploaded one."""

    kind: Literal["draft"]
    draft: Annotated[str, Field(min_length=1, max_length=80)]


AnyEventBody = Annotated[
    JudgementBody
    | CategoryBody
    | NoteBody
    | HighlightBody
    | SeedBody
    | IgnoreBody
    | LiteratureBody
    | CriteriaBody
    | StoppingBody
    | ShownBody
    | StepBody
    | DraftVersionBody,
    Field(discriminator="kind"),
]
