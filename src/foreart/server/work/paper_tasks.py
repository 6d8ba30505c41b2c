"""The reproduction of the paper for a library: the report that was made, how long one takes, and making it."""

from __future__ import annotations

import base64
import json
import math
from pathlib import Path
from typing import Any

from foreart.errors import BadFile, ForeartError, NotInCorpus
from foreart.evaluation.pairs.pairs import Pairs, PairSettings
from foreart.evaluation.pairs.pairs_making import make_pairs
from foreart.library import Library
from foreart.paper import Progress, StudySettings, estimated_seconds, make_paper
from foreart.server.work.jobs import Report
from foreart.server.work.search_tasks import require_corpus

# What each size leaves out; training word2vec and doc2vec takes hours and stays with `foreart paper`.
SIZES = {
    "words": ("ppmi", "lsa", "kpca", "word2vec", "doc2vec"),
    "topics": ("word2vec", "doc2vec"),
}
_RANDOM = 1000
_TOLD = ("made", "corpus", "pairs", "unfinished", "failed", "findings", "settings")


def paper_task(library: Library) -> dict[str, Any]:
    """The findings of the report that was made, and the seconds that each size of a new one takes here."""
    require_corpus(library)
    return {"report": _made(library), "sizes": _sizes(library), "current": library.corpus.fingerprint}


def paper_page_task(library: Library) -> str:
    """The page of the report, in base64."""
    path = report_folder(library) / "report.html"
    if not path.exists():
        raise NotInCorpus("no report was made for this library yet")
    return base64.b64encode(path.read_bytes()).decode()


def paper_job(library: Library, report: Report, size: str) -> dict[str, Any]:
    """Makes the report; finished steps are kept, so that the same job resumes after an end at any moment."""

    def tell(progress: Progress) -> None:
        spent = 0 if not math.isfinite(progress.left) else round(progress.left)
        report(f"step {progress.number} of {progress.of}, {progress.title}, {_duration(spent)} left", 0, 0)

    require_corpus(library)
    report("pairing", 0, 0)
    command = ("foreart", "paper", "--without", ",".join(SIZES[size]))
    make_paper(
        library.corpus, _pairs(library), _work(library), report_folder(library),
        settings=_settings(size), command=command, tell=tell,
    )  # fmt: skip
    return {"report": _made(library)}


def report_folder(library: Library) -> Path:
    """Where `foreart paper` writes the report of a library."""
    return library.folder / "paper" / "report"


def _work(library: Library) -> Path:
    return library.folder / "paper" / "steps"


def _pairs(library: Library) -> Pairs:
    return make_pairs(library.corpus, PairSettings(random=min(_RANDOM, len(library.corpus) // 4)))


def _settings(size: str) -> StudySettings:
    return StudySettings(dimensions=(100, 250), without=SIZES[size])


def _sizes(library: Library) -> dict[str, Any]:
    """Seconds by size, and the sentence that says why there can be no report."""
    try:
        pairs = _pairs(library)
        seconds = {
            size: round(estimated_seconds(library.corpus, pairs, _work(library), settings=_settings(size)))
            for size in SIZES
        }
    except ForeartError as error:
        return {"seconds": {}, "targets": 0, "problem": str(error)}
    return {"seconds": seconds, "targets": len(pairs.targets), "problem": ""}


def _made(library: Library) -> dict[str, Any] | None:
    path = report_folder(library) / "results.json"
    if not path.exists():
        return None
    try:
        record = json.loads(path.read_text("utf-8"))
        return {name: record[name] for name in _TOLD}
    except (ValueError, KeyError, OSError):
        raise BadFile("the report of this library cannot be read: make it again") from None


def _duration(seconds: int) -> str:
    return f"about {seconds} s" if seconds < 90 else f"about {round(seconds / 60)} min"
