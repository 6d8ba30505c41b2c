"""The drafts of the desk: what was uploaded, how it was understood, and its corrections; one private file each."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any

from starlette.exceptions import HTTPException

from foreart.document.draft import Draft
from foreart.durable import replace_bytes
from foreart.server.json_store import JsonStore, private_folder
from foreart.typed_json import TypeMismatch, from_json

_MOST_WHOLE = 32
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
        self._drafts: OrderedDict[str, StoredDraft] = OrderedDict()
        self._fronts: dict[str, StoredDraft] = {}
        self._sources: dict[str, bytes] = {}
        self._lock = Lock()

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
        self._remember(found)
        return found

    def source(self, draft_id: str) -> bytes:
        """The bytes that were uploaded."""
        try:
            return self._sources.get(draft_id) or (self._folder / f"{draft_id}.source").read_bytes()
        except OSError:
            raise HTTPException(404, UNKNOWN) from None

    def all(self) -> list[StoredDraft]:
        """All drafts with their titles but without their texts, the latest first."""
        found = [front for name in self._records.names() if (front := self._front(name))]
        return sorted(found, key=lambda draft: (-draft.added, draft.id))

    def remove(self, draft_id: str) -> list[tuple[str, int]]:
        """Removes a draft; returns the files that were deleted, with their sizes."""
        self.get(draft_id)
        self._drafts.pop(draft_id, None)
        self._fronts.pop(draft_id, None)
        self._sources.pop(draft_id, None)
        path = self._folder / f"{draft_id}.source"
        removed = [(path.name, path.stat().st_size)] if path.exists() else []
        path.unlink(missing_ok=True)
        return [*removed, *self._records.remove(draft_id)]

    def _write(self, stored: StoredDraft, draft: Any) -> None:  # noqa: ANN401
        self._remember(stored)
        record = {"name": stored.name, "added": stored.added, "corrections": dict(stored.corrections), "draft": draft}
        self._records.put(stored.id, record)

    def _remember(self, stored: StoredDraft) -> None:
        """The latest drafts whole; of the others their titles, for the list."""
        self._fronts[stored.id] = replace(stored, draft=Draft(title=stored.draft.title), corrections={})
        with self._lock:
            self._drafts[stored.id] = stored
            self._drafts.move_to_end(stored.id)
            while len(self._drafts) > _MOST_WHOLE:
                self._drafts.popitem(last=False)

    def _front(self, draft_id: str) -> StoredDraft | None:
        if draft_id not in self._fronts and (found := self._read(draft_id)) is not None:
            self._remember(found)
        return self._fronts.get(draft_id)

    def _read(self, draft_id: str) -> StoredDraft | None:
        record = self._records.get(draft_id)
        try:
            if record is None:
                return None
            draft = from_json(Draft, record["draft"])
            return StoredDraft(draft_id, record["name"], record["added"], draft, record["corrections"])
        except (KeyError, TypeError, TypeMismatch):
            return None
