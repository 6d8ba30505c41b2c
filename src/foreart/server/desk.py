"""The state of a running server: its libraries, workers, drafts and sessions."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from weakref import WeakValueDictionary

from fastapi import Request
from starlette.exceptions import HTTPException

from foreart.document.draft import Draft
from foreart.durable import TEMPORARY
from foreart.search.charting import element_texts
from foreart.server.draft_store import DraftStore
from foreart.server.json_store import JsonStore
from foreart.server.open_matters import OpenMatters
from foreart.server.security.access import Access
from foreart.server.server_settings import ServerSettings
from foreart.server.work.draft_readers import DraftReaders
from foreart.server.work.jobs import Jobs
from foreart.server.work.search_tasks import warm
from foreart.server.work.worker_pool import WorkerPool

# The folder of a library in which the desk keeps what people give it.
KEPT = "desk"
# Where files for the corpus are received, in that folder.
UPLOADS = "uploads"
_LEFT_SECONDS = 3600.0


class Desk:
    """One per application; routes get it from the request."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.libraries = named(settings.libraries)
        self.home = settings.libraries[0] / KEPT
        self.access = Access(settings, file=None if settings.forget else self.home / "sessions.json")
        self.drafts = DraftStore(self.home / "drafts", keep=not settings.forget)
        self.searches = JsonStore(self.home / "searches", keep=not settings.forget)
        self.grades = JsonStore(self.home / "grades", keep=not settings.forget)
        self.workspaces = JsonStore(self.home / "workspaces", keep=not settings.forget)
        self.matters = OpenMatters(self.access)
        self.jobs = Jobs()
        self.readers = DraftReaders(settings.workers, settings.waiting)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.pool = WorkerPool(settings.workers, settings.waiting, warm=warm, folders=list(self.libraries.values()))

    def open(self) -> None:
        """Starts the workers and removes what a killed server left."""
        _remove_left(self.home)
        self.pool.start()

    def close(self) -> None:
        """Ends the workers and jobs."""
        self.matters.close_all()
        self.jobs.close()
        self.pool.close()

    def turn(self, draft_id: str) -> asyncio.Lock:
        """The lock of a draft: two corrections at once would lose one."""
        return self._turns.setdefault(draft_id, asyncio.Lock())

    def remove_draft(self, draft_id: str) -> list[tuple[str, int]]:
        """Removes a draft with all that was kept of it; returns the deleted files with their sizes."""
        removed = self.drafts.remove(draft_id)
        for name in self.searches.names():
            kept = self.searches.get(name)
            if kept is not None and kept["asked"]["draft"] == draft_id:
                removed += self.searches.remove(name)
        return [*removed, *self.grades.remove(draft_id), *self.workspaces.remove(draft_id)]

    def forget_grades(self, draft_id: str, before: Draft, after: Draft) -> None:
        """Removes a person's grades of elements whose text a correction has changed: they were given to other words."""
        kept = self.grades.get(draft_id)
        if not kept or (before.claims == after.claims and before.elements == after.elements):
            return
        old, new = element_texts(before), element_texts(after)
        self.grades.put(draft_id, {row: cells for row, cells in kept.items() if old.get(row) == new.get(row)})

    def forget_draft(self, draft_id: str) -> list[tuple[str, int]]:
        """Removes what is left of a draft, also if it is known no more."""
        try:
            return self.remove_draft(draft_id)
        except HTTPException:
            return []

    def library(self, name: str) -> Path:
        """The folder of a library by its name; without a name, that of the first."""
        if not name:
            return self.settings.libraries[0]
        if name not in self.libraries:
            raise HTTPException(404, f"there is no library of that name; there are {', '.join(self.libraries)}")
        return self.libraries[name]


def _remove_left(home: Path) -> None:
    """Removes files that a killed server was receiving or writing; recent ones may be those of another server."""
    for path in home.rglob("*"):
        unfinished = path.parent.name == UPLOADS or TEMPORARY.fullmatch(path.name)
        with suppress(OSError):
            if unfinished and path.is_file() and time.time() - path.stat().st_mtime > _LEFT_SECONDS:
                path.unlink()


def named(folders: tuple[Path, ...]) -> Mapping[str, Path]:
    """Libraries by the names of their folders; those of the same name are numbered."""
    libraries: dict[str, Path] = {}
    for folder in folders:
        base = folder.resolve().name or "library"
        name, number = base, 2
        while name in libraries:
            name, number = f"{base}-{number}", number + 1
        libraries[name] = folder
    return libraries


def desk_of(request: Request) -> Desk:
    """The desk of a request's application."""
    desk: Desk = request.app.state.desk
    return desk
