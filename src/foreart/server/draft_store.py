"""The drafts of the desk: what was uploaded, how it was understood, and its corrections; one private file each."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException

from foreart.document.draft import Draft
from foreart.durable import replace_bytes
from foreart.server.json_store import JsonStore, private_folder
from foreart.typed_json import TypeMismatch, from_json

UNKNOWN = "there is no such draft: upload it again"


@dataclass(frozen=True, slots=True, repr=False)
class StoredDraft:
    """A draft with its id; `corrections` are those of a person, as of a sidecar."""

    id: str
    name: str
    added: float
    draft: Draft
    corrections: Mapping[str, Any]


class DraftStore:
    """Drafts by id, in memory and, unless nothing may be kept, in a folder that only its owner can read."""

    def __init__(self, folder: Path, *, keep: bool) -> None:
        self._folder = folder
        self._keep = keep
        self._records = JsonStore(folder, keep=keep)
        self._drafts: dict[str, StoredDraft] = {}
        self._sources: dict[str, bytes] = {}

    def add(self, name: str, data: bytes, draft: Any) -> StoredDraft:  # noqa: ANN401 JSON
        """Keeps an uploaded draft."""
        stored = StoredDraft(secrets.token_urlsafe(16), name, time.time(), from_json(Draft, draft), {})
        if self._keep:
            private_folder(self._folder)
            replace_bytes(self._folder / f"{stored.id}.source", data, private=True)
        else:
            self._sources[stored.id] = data
        self._write(stored, draft)
        return stored

    def correct(self, stored: StoredDraft, corrections: Mapping[str, Any], draft: Any) -> StoredDraft:  # noqa: ANN401
        """Keeps a draft as it was read again with corrections."""
        changed = StoredDraft(stored.id, stored.name, stored.added, from_json(Draft, draft), dict(corrections))
        self._write(changed, draft)
        return changed

    def get(self, draft_id: str) -> StoredDraft:
        """The draft of an id; 404 if there is none."""
        found = self._drafts.get(draft_id) or self._read(draft_id)
        if found is None:
            raise HTTPException(404, UNKNOWN)
        self._drafts[draft_id] = found
        return found

    def source(self, draft_id: str) -> bytes:
        """The bytes that were uploaded."""
        try:
            return self._sources.get(draft_id) or (self._folder / f"{draft_id}.source").read_bytes()
        except OSError:
            raise HTTPException(404, UNKNOWN) from None

    def all(self) -> list[StoredDraft]:
        """All drafts, the latest first."""
        found = [draft for name in self._records.names() if (draft := self._drafts.get(name) or self._read(name))]
        return sorted(found, key=lambda draft: (-draft.added, draft.id))

    def remove(self, draft_id: str) -> list[tuple[str, int]]:
        """Removes a draft; returns the files that were deleted, with their sizes."""
        self.get(draft_id)
        self._drafts.pop(draft_id, None)
        self._sources.pop(draft_id, None)
        path = self._folder / f"{draft_id}.source"
        removed = [(path.name, path.stat().st_size)] if path.exists() else []
        path.unlink(missing_ok=True)
        return [*removed, *self._records.remove(draft_id)]

    def _write(self, stored: StoredDraft, draft: Any) -> None:  # noqa: ANN401
        self._drafts[stored.id] = stored
        record = {"name": stored.name, "added": stored.added, "corrections": dict(stored.corrections), "draft": draft}
        self._records.put(stored.id, record)

    def _read(self, draft_id: str) -> StoredDraft | None:
        record = self._records.get(draft_id)
        try:
            if record is None:
                return None
            draft = from_json(Draft, record["draft"])
            return StoredDraft(draft_id, record["name"], record["added"], draft, record["corrections"])
        except (KeyError, TypeError, TypeMismatch):
            return None
