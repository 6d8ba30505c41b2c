"""Jobs that change a library or take long: adding, building, learning, checking, laying out a map."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from foreart.corpus import Summary
from foreart.doctor import examine
from foreart.document.draft import Draft
from foreart.library import SAMPLE, Library
from foreart.parallel import cores
from foreart.server.work.jobs import Report


def add_job(library: Library, report: Report, paths: Sequence[str]) -> dict[str, Any]:
    """Loads uploaded files into the corpus, as `foreart add --json` prints it; documents, not drafts."""
    started = time.monotonic()
    names = [given_name(path) for path in paths]

    def show(file: str, summary: Summary) -> None:
        report(f"reading {given_name(file)}", summary.read, 0)

    summary = library.add(paths, workers=cores(), progress=show)
    counts = {**asdict(summary), "documents": len(library.corpus), "seconds": _since(started)}
    return {**counts, "files": names}


def given_name(path: str) -> str:
    """The name that a person gave to an uploaded file, which is stored under a name of our own."""
    return re.sub(r"^[0-9a-f]{8}-", "", Path(path).name)


def sample_job(library: Library, report: Report) -> dict[str, Any]:
    """Loads the sample corpus and builds its indexes."""
    started = time.monotonic()
    report("reading", 0, 0)
    summary = library.add([SAMPLE / "patents.jsonl"])
    counts = {**asdict(summary), "documents": len(library.corpus)}
    return {**counts, "indexes": build_job(library, report), "seconds": _since(started)}


def build_job(library: Library, report: Report) -> list[dict[str, Any]]:
    """Builds all that the default ranking needs, as `foreart build --json` prints it."""
    started = time.monotonic()
    built = library.build(
        workers=cores(),
        progress=lambda done, total: report("reading" if done < total else "computing", done, total),
    )
    seconds = _since(started)
    return [{"index": name, **index.description.to_record(), "seconds": seconds} for name, index in built.items()]


def learn_job(library: Library, report: Report, seed: int) -> dict[str, Any]:
    """Learns the weights of the ranking, as `foreart learn --json` prints them."""
    learned = library.learn(seed=seed, progress=lambda stage, done, total: report(stage, done, total))
    return learned.to_record(matrices=False)


def doctor_job(library: Library, report: Report) -> dict[str, Any]:
    """Checks corpus, indexes and installation, as `foreart doctor --json` prints it."""
    report("checking", 0, 0)
    findings = examine(library.folder)
    return {
        "ok": all(item.state != "bad" for item in findings),
        "findings": [asdict(item) for item in findings],
    }


def map_job(library: Library, report: Report, draft: Draft | str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The neighbourhood of a draft in two dimensions by t-SNE."""
    from foreart.server.work.map_layout import map_record

    return map_record(library, draft, options, layout="tsne", report=lambda done, total: report("layout", done, total))


def _since(started: float) -> float:
    return round(time.monotonic() - started, 2)
