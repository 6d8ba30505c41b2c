"""A matter in the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from foreart.cli.printing import output
from foreart.report.wording.phrases import count, plain
from foreart.review.casework import snapshot_of
from foreart.review.casework.matter_report import agreement_sentence
from foreart.review.matters import JUDGEMENTS, Matter, MatterState, reviewed

_SHOWN_NOTES = 20


def print_matter(matter: Matter) -> None:
    """Prints what a matter contains."""
    state = matter.state
    console = output()
    sealed = ", sealed" if matter.is_sealed else ", not sealed"
    console.print(Text(plain(state.title) or matter.name, "bold"), soft_wrap=True)
    console.print(f"{count(state.last, 'event')}{sealed}; check value {matter.digest}", soft_wrap=True)
    agreement = map(agreement_sentence, matter.agreement())
    rule = [snapshot_of(matter).rule_sentence] if state.stopping else []
    for line in (*_drafts(state), *_reviews(state), *_texts(state), *rule, *agreement):
        console.print(Text(line), soft_wrap=True)


def _drafts(state: MatterState) -> Iterator[str]:
    for logged in state.drafts:
        draft = logged.event.draft
        yield f"draft of {logged.time[:10]}: {plain(draft.title) or '(no title)'}, {count(len(draft.claims), 'claim')}"
    for search in state.searches[-1:]:
        record = search.event.record
        yield (
            f"last of {count(len(state.searches), 'search', 'searches')}: {search.time[:10]}, cut-off "
            f"{record.cutoff.date}, {count(len(record.hits), 'hit')}"
        )


def _reviews(state: MatterState) -> Iterator[str]:
    for rater in dict.fromkeys((*state.shown, *(item.rater for item in state.judgements))):
        mine = [item.event.judgement for item in state.judgements if item.rater == rater]
        counts = ", ".join(f"{mine.count(name)} {name}" for name in JUDGEMENTS if name in mine)
        who = f"{rater}: " if rater else ""
        yield f"{who}{count(len(reviewed(state, rater)), 'document')} read" + (f", {counts}" if counts else "")
    if state.seeds:
        yield f"seeds: {', '.join(logged.event.document for logged in state.seeds)}"
    if state.ignored:
        yield f"ignored: {', '.join(logged.event.document for logged in state.ignored)}"
    for item in state.literature:
        yield f"{item.event.document}: {plain(item.event.reference.citation)}"


def _texts(state: MatterState) -> Iterator[str]:
    if state.criteria:
        yield f"criteria: {plain(state.criteria)}"
    for line in state.categories:
        claims = f" (claims {', '.join(map(str, line.event.claims))})" if line.event.claims else ""
        yield f"{line.event.category}  {line.event.document}{claims}"
    for note in state.notes[-_SHOWN_NOTES:]:
        about = f" on {note.event.document}" if note.event.document else ""
        yield f"note {note.n}{about}: {plain(note.event.text)}"
