"""Creates, opens and purges the matters of a library."""

from __future__ import annotations

from pathlib import Path

from foreart.errors import MatterError
from foreart.review.labels import rater_name
from foreart.review.matters.event_log import EventLog, create_log
from foreart.review.matters.matter import Matter, MatterForms
from foreart.review.matters.matter_events import MatterCreated
from foreart.review.matters.matter_folder import existing_path, matter_path, prepare_folder
from foreart.review.matters.matter_library import MatterLibrary
from foreart.review.matters.purging import Purged, purge_matter
from foreart.review.session import now


def opened_matter(
    library: MatterLibrary,
    name: str,
    *,
    forms: MatterForms,
    passphrase: str = "",
    create: bool = False,
    title: str = "",
    rater: str = "",
) -> Matter:
    """A matter, verified from its first event to its last. A new one is sealed from its first event."""
    if create:
        path = matter_path(library.folder, name)
        prepare_folder(library.folder)
        create_log(path, MatterCreated(title), time=now(), rater=rater and rater_name(rater), passphrase=passphrase)
    return Matter(EventLog(existing_path(library.folder, name), passphrase), library, forms=forms)


def purge(library: Path, name: str, *, passphrase: str = "") -> Purged:
    """Deletes a matter with the drafts and exports that it names; without its passphrase only its own files."""
    path = existing_path(library, name)
    try:
        log = EventLog(path, passphrase)
    except MatterError:
        if passphrase:
            raise
        log = None
    return purge_matter(library, path, log)
