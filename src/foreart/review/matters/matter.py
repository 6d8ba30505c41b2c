"""A matter: one search project with its draft, searches, judgements and notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from foreart.corpus.relations.families import family_of
from foreart.document.draft import Draft
from foreart.document.reference import LiteratureReference
from foreart.durable import replace_bytes
from foreart.errors import BadRequest, MatterError, NotInCorpus
from foreart.records.documents import PackedDocuments
from foreart.records.record_data import SearchRecord
from foreart.review.labels import rater_name
from foreart.review.matters.event_log import EventLog
from foreart.review.matters.export_options import NO_OPTIONS, ExportOptions, MatterForm
from foreart.review.matters.matter_events import (
    CategoryGiven,
    CriteriaSet,
    DocumentJudged,
    DocumentsShown,
    DraftKept,
    Event,
    ExportMade,
    FamilyIgnored,
    HighlightsSet,
    Judged,
    LiteratureKept,
    Logged,
    NoteWritten,
    RedoAsked,
    SearchKept,
    SeedSet,
    StoppingRuleSet,
    UndoAsked,
)
from foreart.review.matters.matter_library import MatterLibrary
from foreart.review.matters.matter_state import MatterState, fold
from foreart.review.matters.purging import Purged, purge_matter
from foreart.review.matters.rater_agreement import RaterAgreement, rater_agreements
from foreart.review.matters.review_queue import QueuedDocument, Rerank, review_queue
from foreart.review.session import now
from foreart.search import Result, SearchOptions

# How many hits a search of a matter keeps to be read, unless `k` is given.
DEPTH = 200


MatterForms = Mapping[str, MatterForm["Matter"]]


class Matter:
    """One matter, opened. Every verb appends an event, which is on the disk when the method returns.

    `rater` is who works; it may be empty if there is only one person. Other processes may use the same matter: what
    they append is read before every event, and by `refresh`.
    """

    def __init__(
        self,
        log: EventLog,
        library: MatterLibrary,
        *,
        forms: MatterForms,
        clock: Callable[[], str] = now,
    ) -> None:
        self._log = log
        self._library = library
        self._forms = forms
        self._clock = clock
        self._folded: MatterState | None = None

    def __enter__(self) -> Matter:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """The name of the matter: that of its file."""
        return self._log.path.stem

    @property
    def path(self) -> Path:
        """The file of the matter."""
        return self._log.path

    @property
    def is_sealed(self) -> bool:
        """Whether its content is encrypted."""
        return self._log.is_sealed

    @property
    def digest(self) -> str:
        """A check value of the whole log: who notes it can tell later that no event was changed or removed."""
        return self._log.digest

    @property
    def library(self) -> MatterLibrary:
        """The library that the matter is in."""
        return self._library

    @property
    def events(self) -> tuple[Logged[Event], ...]:
        """All events, also those that were undone."""
        return tuple(self._log.events)

    @property
    def state(self) -> MatterState:
        """What the matter contains after its events."""
        events = self._log.events
        if self._folded is None or self._folded.last != len(events):
            self._folded = fold(events)
        return self._folded

    def refresh(self) -> MatterState:
        """Reads what others have appended."""
        self._log.refresh()
        return self.state

    def append(self, event: Event, *, rater: str = "") -> Logged[Event]:
        """Appends an event; the other verbs make events and call this."""
        return self._log.append(event, time=self._clock(), rater=rater and rater_name(rater))

    def keep_draft(self, draft: Draft, *, desk: str = "", rater: str = "") -> Logged[Event]:
        """Keeps a version of the draft, unless it is the present one."""
        drafts = self.refresh().drafts
        if drafts and drafts[-1].event.draft == draft:
            return drafts[-1]
        return self.append(DraftKept(draft, desk), rater=rater)

    def search(self, draft: Draft | None = None, *, rater: str = "", **options: Unpack[SearchOptions]) -> Result:
        """Searches without the ignored families, and keeps the record; a draft that is given becomes a version."""
        if draft is not None:
            self.keep_draft(draft, rater=rater)
        state = self.refresh()
        if state.draft is None:
            raise MatterError(f"the matter {self.name} has no draft yet: give one")
        ignored = [item.event.document for item in state.ignored if item.event.document in self._library.corpus]
        asked: SearchOptions = {"k": DEPTH, "passages": False, **options}
        asked["ignore"] = (*asked.get("ignore", ()), *ignored)
        result = self._library.search(state.draft, **asked)
        self.keep_search(self._library.record(result), rater=rater)
        return result

    def keep_search(self, record: SearchRecord, *, rater: str = "") -> Logged[Event]:
        """Keeps the record of a search; the documents of a corpus are kept once."""
        for before in self.refresh().searches:
            same = before.event.record.documents == record.documents and not before.event.documents_of
            if same and record.documents.packed:
                return self.append(SearchKept(replace(record, documents=PackedDocuments()), before.n), rater=rater)
        return self.append(SearchKept(record), rater=rater)

    def judge(self, document: str, judgement: Judged, *, rater: str = "", seen: int = 0) -> Logged[Event]:
        """Judges a document and its family: `relevant`, `maybe`, `no`, `later`, or `unjudged` to take it back."""
        number, family = self._located(document)
        return self.append(DocumentJudged(number, judgement, family, seen), rater=rater)

    def categorise(
        self, document: str, category: str, claims: Iterable[int] = (), *, withdrawn: bool = False, rater: str = ""
    ) -> Logged[Event]:
        """Gives a document a category of a search report, as `X` or `P,X`, for some claims, or withdraws it."""
        number, _ = self._located(document)
        letters = ",".join(letter.strip() for letter in category.upper().split(","))
        return self.append(CategoryGiven(number, letters, tuple(sorted(set(claims))), withdrawn), rater=rater)

    def note(self, text: str, document: str = "", *, replaces: int = 0, rater: str = "") -> Logged[Event]:
        """Writes a note on a document or on the matter; one that replaces another and is empty removes it."""
        number = self._located(document)[0] if document else ""
        return self.append(NoteWritten(text, number, replaces), rater=rater)

    def highlight(
        self, name: str, words: Iterable[str] = (), *, colour: str = "", shown: bool = True, rater: str = ""
    ) -> Logged[Event]:
        """Sets a group of words to highlight; without words it is removed."""
        return self.append(HighlightsSet(name, tuple(words), colour, shown), rater=rater)

    def seed(self, document: str, *, withdrawn: bool = False, rater: str = "") -> Logged[Event]:
        """Names a document that is known to be relevant."""
        return self.append(SeedSet(self._located(document)[0], withdrawn), rater=rater)

    def ignore(self, document: str, *, withdrawn: bool = False, rater: str = "") -> Logged[Event]:
        """Leaves a family out of searches and of the queue."""
        number, family = self._located(document)
        return self.append(FamilyIgnored(number, family, withdrawn), rater=rater)

    def add_literature(
        self,
        reference: LiteratureReference,
        *,
        places: Iterable[str] = (),
        translated: bool = False,
        replaces: str = "",
        withdrawn: bool = False,
        rater: str = "",
    ) -> str:
        """Keeps literature that is no patent, or changes an item, and returns its id for judgements and categories."""
        if replaces:
            self._located(replaces)
        logged = self.append(LiteratureKept(reference, replaces, tuple(places), translated, withdrawn), rater=rater)
        return replaces or next(item.event.document for item in self.state.literature if item.n == logged.n)

    def set_criteria(self, text: str, *, rater: str = "") -> Logged[Event]:
        """Says what counts as relevant."""
        return self.append(CriteriaSet(text), rater=rater)

    def set_stopping(self, target: float, confidence: float, *, rater: str = "") -> Logged[Event]:
        """Sets the share of relevant documents to find and how sure that must be."""
        return self.append(StoppingRuleSet(target, confidence), rater=rater)

    def show(self, documents: Iterable[str], *, rater: str = "") -> Logged[Event] | None:
        """Notes that a rater looked at documents; nothing if all were looked at before."""
        known = set(self.state.shown.get(rater and rater_name(rater), ()))
        new = tuple(number for number in dict.fromkeys(documents) if number not in known)
        return self.append(DocumentsShown(new), rater=rater) if new else None

    def undo(self, *, rater: str = "") -> Logged[Event] | None:
        """Takes back the rater's last decision and returns it; None if there is none."""
        return self._stepped(UndoAsked(), self.refresh().undo, rater)

    def redo(self, *, rater: str = "") -> Logged[Event] | None:
        """Restores the rater's last decision that was undone and returns it; None if there is none."""
        return self._stepped(RedoAsked(), self.refresh().redo, rater)

    def queue(self, *, rater: str = "", rerank: Rerank | None = None) -> tuple[QueuedDocument, ...]:
        """What a rater has not judged yet, best first."""
        return review_queue(self.state, rater and rater_name(rater), rerank=rerank)

    def agreement(self) -> tuple[RaterAgreement, ...]:
        """How far every two raters agree on what both judged."""
        return rater_agreements(self.state)

    def export(self, path: str | Path, form: str = "", *, rater: str = "", options: ExportOptions = NO_OPTIONS) -> int:
        """Writes the matter to a file in a form, by default the first of the file's ending; returns the size."""
        target = Path(path)
        name = form or self._form_of(target.suffix.lower())
        data = self.content(name, options)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            replace_bytes(target, data, private=True)
        except OSError as error:
            raise MatterError(f"{target} cannot be written: {error.strerror or error}") from None
        self.append(self._exported(name, target, len(data)), rater=rater)
        return len(data)

    def content(self, form: str, options: ExportOptions = NO_OPTIONS) -> bytes:
        """The matter in a form of export, without writing a file."""
        if form not in self._forms:
            raise BadRequest(f"{form!r} is not a form of export; there are {', '.join(self._forms)}")
        self.refresh()
        return self._forms[form].write(self, options)

    def _form_of(self, suffix: str) -> str:
        names = (name for name, form in self._forms.items() if form.suffix == suffix)
        return next(names, suffix.removeprefix("."))

    def seal(self, passphrase: str) -> None:
        """Encrypts the matter with a passphrase; every event in the file is overwritten."""
        self._log.seal(passphrase)

    def change_passphrase(self, passphrase: str, new: str) -> None:
        """Seals a sealed matter again, for another passphrase; other programs that have it open must open it again."""
        self._log.change_passphrase(passphrase, new)

    def purge(self) -> Purged:
        """Deletes the matter with the drafts and exports that it names; says what that cannot promise."""
        return purge_matter(self._library.folder, self.path, self._log)

    def close(self) -> None:
        """Closes the file."""
        self._log.close()

    def _stepped(self, event: Event, numbers: Mapping[str, int], rater: str) -> Logged[Event] | None:
        n = numbers.get(rater and rater_name(rater), 0)
        if not n:
            return None
        self.append(event, rater=rater)
        return self._log.events[n - 1]

    def _located(self, document: str) -> tuple[str, tuple[str, ...]]:
        """The id of a document and its family; what the matter knows stays known when the corpus loses it."""
        if document in {item.event.document for item in self.state.literature}:
            return document, ()
        corpus = self._library.corpus
        ids = corpus.find(document)
        if ids:
            return ids[-1], family_of(corpus, ids[-1])
        for item in self.state.judgements:
            if document in (item.event.document, *item.event.family):
                return item.event.document, item.event.family
        raise NotInCorpus(f"{document[:60]} is not in the corpus")

    def _exported(self, form: str, target: Path, size: int) -> ExportMade:
        inside = target.resolve().is_relative_to(folder := self._library.folder.resolve())
        name = target.resolve().relative_to(folder).as_posix() if inside else target.name
        return ExportMade(form, name, size, inside)
