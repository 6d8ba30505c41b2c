"""A matter as JSON with its state and all events, and its judgements as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from foreart.records.record_data import Listed
from foreart.review.matters.matter import Matter
from foreart.review.matters.matter_events import CATEGORIES
from foreart.review.matters.matter_state import MatterState, reviewed
from foreart.review.matters.payloads import event_json
from foreart.typed_json import to_json

SCHEMA = "foreart matter"
COLUMNS = ("rater", "document", "judgement", "time", "family", "categories", "notes", "rank", "status", "title")
# What a spreadsheet would take for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export_json(matter: Matter) -> bytes:
    """The state of a matter, the agreement of its raters, and every event as it was given."""
    record = {
        "schema": SCHEMA,
        "version": 1,
        "foreart": version("foreart"),
        **matter_json(matter),
        "categories": CATEGORIES,
        "state": state_json(matter.state),
        "agreement": [asdict(item) for item in matter.agreement()],
        "log": [event_json(logged) for logged in matter.events],
    }
    try:
        return json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False).encode()
    except UnicodeEncodeError:  # a lone surrogate in a title or a draft
        return json.dumps(record, indent=1, allow_nan=False).encode()


def matter_json(matter: Matter) -> dict[str, Any]:
    """What a list or a page shows of a matter, as JSON."""
    state = matter.state
    counts = {name: sum(item.event.judgement == name for item in state.judgements) for name in ("relevant", "maybe")}
    return {
        "name": matter.name,
        "title": state.title,
        "sealed": matter.is_sealed,
        "created": state.created,
        "events": state.last,
        "check": matter.digest,
        "raters": list(state.raters),
        "drafts": len(state.drafts),
        "searches": len(state.searches),
        "judged": len(state.judgements),
        **counts,
        "size": matter.path.stat().st_size,
    }


def state_json(state: MatterState) -> dict[str, Any]:
    """The state for programs: drafts without their text, searches without their hits, everything else in full."""
    parts = ("judgements", "categories", "notes", "highlights", "seeds", "ignored", "literature", "exports")
    return {
        "title": state.title,
        "created": state.created,
        "last": state.last,
        "raters": list(state.raters),
        "criteria": state.criteria,
        "stopping": event_json(state.stopping) if state.stopping else None,
        "drafts": [_draft(state, place) for place in range(len(state.drafts))],
        "searches": [_search(state, place) for place in range(len(state.searches))],
        **{part: [event_json(logged) for logged in getattr(state, part)] for part in parts},
        "unseen": {str(n): replaced for n, replaced in state.unseen.items()},
        "read": {rater: list(reviewed(state, rater)) for rater in ({*state.shown, *state.raters})},
        "undo": dict(state.undo),
        "redo": dict(state.redo),
    }


def judgements_csv(matter: Matter) -> bytes:
    """The judgements, one line each, with categories and notes of the document."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for row in _rows(matter.state):
        writer.writerow([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in row])
    return text.getvalue().encode("utf-8-sig", "backslashreplace")


def _rows(state: MatterState) -> Iterator[tuple[str, ...]]:
    hits = {hit.id: hit for search in state.searches for hit in search.event.record.hits}
    literature = {item.event.document: item.event.reference.title for item in state.literature}
    for item in state.judgements:
        document = item.event.document
        lines = [logged.event for logged in state.categories if logged.event.document == document]
        categories = "; ".join(f"{line.category} {_claims(line.claims)}".strip() for line in lines)
        notes = " | ".join(note.event.text for note in state.notes if note.event.document == document)
        hit = hits.get(document)
        family = " ".join(item.event.family)
        title = literature.get(document, "")
        yield item.rater, document, item.event.judgement, item.time, family, categories, notes, *_listed(hit, title)


def _listed(hit: Listed | None, title: str) -> tuple[str, str, str]:
    return (str(hit.rank), hit.status, hit.title) if hit else ("", "", title)


def _claims(claims: tuple[int, ...]) -> str:
    return ", ".join(map(str, claims))


def _draft(state: MatterState, place: int) -> dict[str, Any]:
    logged = state.drafts[place]
    draft = logged.event.draft
    return {
        "n": logged.n,
        "time": logged.time,
        "rater": logged.rater,
        "title": draft.title,
        "source": draft.source,
        "fingerprint": draft.fingerprint,
        "claims": len(draft.claims),
        "desk": logged.event.desk,
    }


def _search(state: MatterState, place: int) -> dict[str, Any]:
    logged = state.searches[place]
    record = logged.event.record
    return {
        "n": logged.n,
        "time": logged.time,
        "rater": logged.rater,
        "draft": record.draft.fingerprint,
        "cutoff": to_json(record.cutoff),
        "parameters": dict(record.parameters),
        "corpus": to_json(record.corpus),
        "counts": dict(record.counts),
        "hits": len(record.hits),
    }
