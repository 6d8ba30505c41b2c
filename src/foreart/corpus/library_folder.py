"""Which files in the folder of a library are its own: no report is written there, and no purge deletes them."""

from __future__ import annotations

from pathlib import Path

CORPUS = "corpus.db"
_FILES = {
    *(CORPUS, f"{CORPUS}-wal", f"{CORPUS}-shm", f"{CORPUS}.writer", "build.writer", "published.json", "corpus.view"),
    *("cluster.json", "shards.json"),
}
_FOLDERS = {"indexes", "postings", "views", "ranking", "building", "matters", "desk", "crawl", "expert-sets"}


def is_own_file(library: Path, path: Path) -> bool:
    """Whether a path is that of a file of the library, which may not exist yet; links are followed."""
    root, place = library.resolve(), path.resolve()
    if not place.is_relative_to(root) or place == root:
        return False
    first, *below = place.relative_to(root).parts
    return first in _FOLDERS or (not below and first in _FILES)
