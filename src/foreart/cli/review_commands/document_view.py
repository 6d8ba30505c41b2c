"""A document of the queue in the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from foreart.report.wording.channel_groups import GROUPS
from foreart.report.wording.phrases import count, percent, plain, signed
from foreart.review.casework.queue_details import QueueDetail
from foreart.review.matters import MatterState
from foreart.review.queue import CHANNEL

_LONGEST = 1500


def document_view(detail: QueueDetail, state: MatterState, rater: str, *, left: int) -> RenderableType:
    """Front page, status, closest passage and reasons, and what the rater already noted."""
    queued = detail.item.queued
    again = ", put off before" if queued.postponed else ""
    rank = f"{queued.hit.rank}. of the search, " if queued.hit else ""
    item = detail.item
    chance = f", chance {percent(item.chance)}" if item.chance is not None else ""
    strange = " · from elsewhere: unlike what you judged" if item.elsewhere else ""
    head = f"{queued.id} · {rank}score {queued.score:.3f}{chance}{again}{strange} · {left} left"
    parts: list[RenderableType] = [
        Text(""),
        Rule(Text(head), align="left"),
        Text(plain(detail.title) or "(no title)", "bold"),
    ]
    parts += [Text(line) for line in _front(detail)]
    parts += [_status(detail), Padding(Text(_quoted(detail)), (1, 0, 1, 2))]
    parts += [Text(line, "dim") for line in (*_reasons(detail), *_notes(state, detail, rater))]
    return Group(*parts)


def _status(detail: QueueDetail) -> Text:
    hit = detail.item.queued.hit
    if hit is None:
        return Text("not among the hits of the search", "dim")
    return Text.assemble((hit.status, "bold"), f": {plain(hit.rule)}" if hit.rule else "")


def _front(detail: QueueDetail) -> Iterator[str]:
    if detail.applicants:
        yield plain("; ".join(detail.applicants))
    dates = (("published", detail.published), ("filed", detail.filed), ("priority", detail.priority))
    known = ", ".join(f"{name} {value}" for name, value in dates if value)
    hit = detail.item.queued.hit
    members = [member.id for member in hit.family_members] if hit else []
    family = f" · family: {', '.join(members[:6])}{' …' if len(members) > 6 else ''}" if members else ""
    yield (known or "no date") + family
    if not detail.known:
        yield "the corpus no longer has this document"


def _quoted(detail: QueueDetail) -> str:
    """The closest passage, else the abstract, else the first claim."""
    if detail.passage is not None:
        place = f"[{detail.passage.number}] " if detail.passage.number else ""
        text = f"{place}{detail.passage.text}"
    else:
        text = detail.abstract or detail.claim or "(no text)"
    return plain(text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …")


def _reasons(detail: QueueDetail) -> Iterator[str]:
    """The greatest contributions, channels of one group together."""
    groups: dict[str, float] = {}
    for channel, share in detail.channels:
        name = GROUPS[channel].name if channel in GROUPS else channel
        groups[name] = groups.get(name, 0.0) + share
    why = [f"{name} {share:+.2f}" for name, share in groups.items()]
    words = [f"words: {', '.join(map(plain, detail.words))}"] if detail.words else []
    if why or words:
        yield f"why: {'; '.join((*why, *words))}"
    if detail.item.parts:
        parts = "; ".join(f"{part.words} {signed(part.contribution, 2)}" for part in detail.item.parts)
        yield f"{CHANNEL}: {signed(detail.item.contribution, 2)} ({parts})"


def _notes(state: MatterState, detail: QueueDetail, rater: str) -> Iterator[str]:
    number = detail.item.queued.id
    if state.criteria:
        yield f"criteria: {plain(state.criteria)}"
    for line in state.categories:
        if line.event.document == number:
            claims = f", {count(len(line.event.claims), 'claim')}" if line.event.claims else ""
            yield f"category {line.event.category}{claims}"
    for note in state.notes:
        # What another rater wrote must not influence this one's judgement.
        if note.event.document == number and note.rater == rater:
            yield f"note: {plain(note.event.text)}"
