"""The tool `draft`: how foreart understands a draft, and what a person should check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from foreart.document.draft_record import draft_record
from foreart.mcp.draft_input import draft_given
from foreart.mcp.tool_arguments import File, Text
from foreart.mcp.tool_context import ToolContext


@dataclass(frozen=True, slots=True)
class DraftSection:
    """A section in the order of the draft, with its paragraphs and words counted."""

    name: str
    heading: str
    paragraphs: int
    words: int


@dataclass(frozen=True, slots=True)
class ClaimNode:
    """A claim: `parents` are the claims that it refers to, `elements` the parts of an independent claim."""

    number: int
    parents: tuple[int, ...]
    independent: bool
    text: str
    elements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CitedNumber:
    """A patent number that the draft names, the section that names it, and whether the corpus has it."""

    printed: str
    number: str
    section: str
    in_corpus: bool


@dataclass(frozen=True)
class UnderstoodDraft:
    """A draft as foreart reads it. `doubts` are what a person should check before searching."""

    title: str
    language: str
    priority: str | None
    filed: str | None
    sections: list[DraftSection]
    claims: list[ClaimNode]
    numbers_cited: list[CitedNumber]
    doubts: list[str]
    fingerprint: str


def draft(context: ToolContext, text: Text = "", file: File = "") -> UnderstoodDraft:
    """Show how a draft is understood: sections, claim tree, claim elements, numbers cited, dates, doubts.

    Nothing is kept: give the text again to `search`, `explain` or `chart`.
    """
    record = draft_record(draft_given(context, text=text, file=file))
    return UnderstoodDraft(
        title=record["title"],
        language=record["language"],
        priority=record["dates"]["priority"],
        filed=record["dates"]["filed"],
        sections=[DraftSection(**section) for section in record["sections"]],
        claims=[_claim(claim) for claim in record["claims"]],
        numbers_cited=[_cited(item, context) for item in record["citations"]],
        doubts=list(record["notes"]),
        fingerprint=record["fingerprint"],
    )


def _claim(record: Mapping[str, Any]) -> ClaimNode:
    return ClaimNode(
        number=record["number"],
        parents=tuple(record["parents"]),
        independent=record["independent"],
        text=record["text"],
        elements=tuple(item["text"] for item in record["elements"]),
    )


def _cited(record: Mapping[str, Any], context: ToolContext) -> CitedNumber:
    known = context.has_corpus and bool(record["number"]) and record["number"] in context.library.corpus
    return CitedNumber(record["printed"], record["number"], record["section"], known)
