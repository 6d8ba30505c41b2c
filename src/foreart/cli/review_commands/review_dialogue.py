"""The review in the terminal: shows a document, and asks for one key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import click
from rich.console import Console
from rich.text import Text

from foreart.cli.printing import visible
from foreart.cli.review_commands.document_view import document_view
from foreart.cli.review_commands.key_reading import KeyReader
from foreart.corpus import Corpus
from foreart.errors import BadRequest, ForeartError, IndexingError, MatterError
from foreart.library import Library
from foreart.review.casework import MatterReview, QueueItem, ReviewQueue
from foreart.review.casework.queue_details import QueueDetail, Tokenizer, queue_detail
from foreart.review.matters import Event, Judged, Logged, Matter, QueuedDocument, reviewed
from foreart.review.matters.matter_events import CATEGORIES, DocumentJudged
from foreart.review.stopping import Stopping

JUDGING: Mapping[str, Judged] = {"r": "relevant", "m": "maybe", "i": "no", "l": "later"}
# With Shift a judgement does not move on.
STAYING: Mapping[str, Judged] = {key.upper(): judgement for key, judgement in JUDGING.items()}
# Every key, its name in the question, and its explanation in the help.
KEYS: Mapping[str, tuple[str, str]] = {
    "r": ("relevant", "the document is relevant; its family is judged with it"),
    "m": ("maybe", "it may be relevant"),
    "i": ("irrelevant", "it is not relevant"),
    "l": ("later", "put it off: it comes again after all others"),
    "R": ("relevant, stay", "relevant, and the document stays: to categorise it, or to write a note"),
    "M": ("maybe, stay", "maybe, and it stays"),
    "I": ("irrelevant, stay", "irrelevant, and it stays"),
    "L": ("later, stay", "later, and it stays"),
    "j": ("next", "the next document, without a judgement of this one"),
    "k": ("previous", "the document that was passed over last"),
    "v": ("category", f"a category of a search report, {' '.join(CATEGORIES)}, and the claims it concerns"),
    "n": ("note", "write a note on the document"),
    "s": ("seed", "name a document that is known to be relevant"),
    "c": ("claims", "read all claims of the document"),
    "z": ("undo", "take back the last decision"),
    "Z": ("redo", "restore what was taken back"),
    "q": ("quit", "stop; the same command resumes here"),
    "?": ("help", "show this help"),
}
# Documents whose details are computed before a person asks for them.
_AHEAD = 3
_CATEGORY = re.compile(r"\s*([A-Za-z&](?:\s*,\s*[A-Za-z&])*)\s*([\d\s,–-]*)")
_MOST_CLAIMS = 1000


class ReviewDialogue:
    """One sitting of a rater, at the terminal or through a pipe with one key a line."""

    def __init__(
        self, matter: Matter, library: Library, rater: str, console: Console, *, elsewhere: float = 0.0
    ) -> None:
        self.matter = matter
        self.rater = rater
        self.console = console
        self._elsewhere = elsewhere
        self._corpus: Corpus = library.corpus
        self._tokenize = _tokenizer(library, matter)
        self._details: dict[str, QueueDetail] = {}
        # Documents that were passed over, and the one of them to show again.
        self._passed: list[str] = []
        self._wanted = ""
        self._keys = KeyReader()

    def run(self) -> bool:
        """Asks until nothing is left or the rater quits; returns whether Ctrl-C interrupted it."""
        if self.matter.state.search is None:
            name = self.matter.name
            raise MatterError(f"the matter {name} has no search yet: `foreart matter search {name} DRAFT` makes one")
        self._help()
        for line in self._opening():
            self._say(line)
        try:
            with self._keys.reading():
                while self._continued(self._queue()):
                    pass
        except EOFError:
            self.console.print()
        except KeyboardInterrupt:
            self.console.print()
            return True
        return False

    def _review(self) -> MatterReview:
        return MatterReview.of(self.matter, rater=self.rater)

    def _queue(self) -> ReviewQueue:
        """The next documents; one that was passed over comes again after all others, or when it is asked for."""
        limit = None if self._wanted else len(self._passed) + _AHEAD + 1
        queue = self._review().queue(elsewhere=self._elsewhere, limit=limit)
        items = [item for item in queue.items if item.queued.id not in self._passed]
        if queue.items and not items:
            self._say("these were all documents that are not judged: the queue begins again")
            self._passed, items = [], list(queue.items)
        items.sort(key=lambda item: item.queued.id != self._wanted)
        self._wanted = ""
        return replace(queue, items=tuple(items[: _AHEAD + 1]))

    def _opening(self) -> Iterator[str]:
        """The stopping rule, and what the reader should know of the order."""
        review = self._review()
        yield review.snapshot.rule_sentence
        yield from review.notes
        yield from (change.sentence for change in review.changes)

    def _continued(self, queue: ReviewQueue) -> bool:
        if queue.items:
            return self._judged(queue)
        self._say("no document is left: z takes back the last decision, q stops")
        key = self._key()
        if key == "z":
            self._stepped("undone", self.matter.undo(rater=self.rater))
        elif key == "Z":
            self._stepped("restored", self.matter.redo(rater=self.rater))
        return key != "q"

    def _judged(self, queue: ReviewQueue) -> bool:
        """Shows the first document and asks until another one is to be shown; False if the rater quits."""
        first, item = queue.items[0], queue.items[0].queued
        self.console.print(document_view(self._detail(first), self.matter.state, self.rater, left=queue.left))
        self.matter.show([item.id], rater=self.rater)
        # While the person reads: after most answers one of these comes next.
        self._details = {following.queued.id: self._detail(following) for following in queue.items}
        while True:
            key = self._key()
            if key == "q":
                return False
            try:
                if self._acted(key, item):
                    return True
            except (ForeartError, ValueError) as error:
                self._say(str(error))

    def _acted(self, key: str, item: QueuedDocument) -> bool:
        """Does what a key says; whether the next document is to be shown."""
        judgement = JUDGING.get(key) or STAYING.get(key)
        if judgement:
            self.matter.judge(item.id, judgement, rater=self.rater, seen=self.matter.state.last)
            self._say(estimate_line(self._review().stopping()))
            if key in STAYING:
                self._say(f"{judgement} is kept: j shows the next document")
            return key in JUDGING
        actions: Mapping[str, Callable[[QueuedDocument], bool]] = {
            "j": self._pass,
            "k": lambda item: self._back(),
            "v": self._category,
            "n": self._note,
            "s": self._seed,
            "c": self._claims,
            "z": lambda item: self._stepped("undone", self.matter.undo(rater=self.rater)),
            "Z": lambda item: self._stepped("restored", self.matter.redo(rater=self.rater)),
            "?": lambda item: self._help(),
        }
        if key in actions:
            return actions[key](item)
        self._say(f"{' '.join(KEYS)}: ? explains them")
        return False

    def _pass(self, item: QueuedDocument) -> bool:
        """Shows the next document; one that was judged and stayed is in the queue no more."""
        if self.matter.state.judgement(item.id, self.rater) in ("unjudged", "later"):
            self._passed.append(item.id)
        return True

    def _back(self) -> bool:
        if not self._passed:
            self._say("no document was passed over before this one")
            return False
        self._wanted = self._passed.pop()
        return True

    def _category(self, item: QueuedDocument) -> bool:
        category, claims = parsed_category(self._line("category and claims, as X 1,3-5: "))
        self.matter.categorise(item.id, category, claims, rater=self.rater)
        self._say(f"{category} is kept; now judge the document")
        return False

    def _note(self, item: QueuedDocument) -> bool:
        self.matter.note(self._line("note: "), item.id, rater=self.rater)
        self._say("the note is kept")
        return False

    def _seed(self, item: QueuedDocument) -> bool:
        number = self._line(f"number of the seed (Enter: {item.id}): ") or item.id
        self.matter.seed(number, rater=self.rater)
        return True

    def _claims(self, item: QueuedDocument) -> bool:
        claims = [claim for number in self._corpus.find(item.id)[-1:] for claim in self._corpus[number].claims]
        text = "\n\n".join(f"{claim.number}. {claim.text}" for claim in claims) or "(the corpus has no claims of it)"
        if self.console.is_terminal:
            with self._keys.paused():
                click.echo_via_pager(visible(text))
        else:
            self._say(text)
        return False

    def _stepped(self, what: str, logged: Logged[Event] | None) -> bool:
        if logged is None:
            self._say("there is nothing to undo" if what == "undone" else "there is nothing to restore")
            return False
        event = logged.event
        told = f"{event.judgement} for {event.document}" if isinstance(event, DocumentJudged) else f"event {logged.n}"
        self._say(f"{what}: {told}")
        return True

    def _help(self) -> bool:
        for key, (name, text) in KEYS.items():
            self._say(f"  {key}  {name}: {text}")
        return False

    def _detail(self, item: QueueItem) -> QueueDetail:
        """The details of a document are read once; only its place and score change with judgements."""
        found = self._details.get(item.queued.id)
        return replace(found, item=item) if found else queue_detail(item, self._corpus, self._tokenize)

    def _key(self) -> str:
        state = self.matter.state
        relevant = sum(item.rater == self.rater and item.event.judgement == "relevant" for item in state.judgements)
        read = len(reviewed(state, self.rater))
        self.console.print(Text(f"{relevant} found in {read} read · {' '.join(KEYS)} ", "bold"), end="")
        key = self._keys.key()
        if self._keys.echoes:
            self.console.print(Text(key))
        return key

    def _line(self, question: str) -> str:
        self.console.print(Text(question, "bold"), end="")
        return self._keys.line()

    def _say(self, text: str) -> None:
        self.console.print(Text(text))


def estimate_line(stopping: Stopping) -> str:
    """What can be said of the unread after a judgement, and whether the rule lets reading end."""
    return f"{stopping.sentence} You may stop." if stopping.may_stop else stopping.sentence


def parsed_category(text: str) -> tuple[str, tuple[int, ...]]:
    """A category and claim numbers, as `X`, `p,x 1` or `Y 1, 3-5`."""
    found = _CATEGORY.fullmatch(text)
    if not found:
        raise BadRequest(f"write a category and the numbers of claims, as X 1,3-5; not {text[:40]!r}")
    claims: list[int] = []
    for part in filter(None, re.split(r"[\s,]+", re.sub(r"\s*[–-]\s*", "-", found[2].strip()))):
        first, _, last = part.partition("-")
        if not first or (_ and not last) or int(last or first) - int(first) > _MOST_CLAIMS:
            raise BadRequest(f"{part!r} is not a number of a claim or a range like 3-5")
        claims += range(int(first), int(last or first) + 1)
    return re.sub(r"\s", "", found[1]).upper(), tuple(claims)


def _tokenizer(library: Library, matter: Matter) -> Tokenizer | None:
    """How the index of the last search splits texts into words; None if that index cannot be opened."""
    search = matter.state.search
    if search is None:
        return None
    try:
        return library.ranker(str(search.parameters.get("index", ""))).words
    except IndexingError:
        return None
