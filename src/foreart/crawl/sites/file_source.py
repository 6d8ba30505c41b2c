"""Files of any known format as a source: loaded once into a corpus, which is then crawled."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from foreart.corpus import Corpus
from foreart.crawl.sites.local import LocalCorpus
from foreart.errors import CrawlError
from foreart.loading import Progress, load
from foreart.sources import files


def folder_source(
    paths: Sequence[str | Path],
    beside: Path,
    *,
    citing: bool = False,
    workers: int = 1,
    place: str = "",
    progress: Progress | None = None,
) -> LocalCorpus:
    """The patents of files and folders as a source; unchanged files are not read again."""
    named = [file for path in paths for file in files(path)]
    if not named:
        raise CrawlError(f"there is no file in {', '.join(str(path) for path in paths)}")
    corpus = beside / f"files-{_fingerprint(named)}.db"
    done = corpus.with_suffix(".done")
    if not done.exists():
        with Corpus(corpus, create=True) as opened:
            load(named, opened, workers=workers, progress=progress)
        done.touch()
    where = place or ", ".join(str(Path(path).resolve()) for path in paths)
    return LocalCorpus(corpus, citing=citing, place=where)


def _fingerprint(named: Sequence[str]) -> str:
    """Changes with the list of files, their sizes and times."""
    digest = hashlib.blake2b(digest_size=8)
    for file in named:
        status = Path(file).stat()
        digest.update(f"{Path(file).resolve()}\0{status.st_size}\0{status.st_mtime_ns}\n".encode("utf-8", "replace"))
    return digest.hexdigest()
