"""Jobs that change a library or take long: adding, building, learning, checking, laying out a map."""

from __future__ import annotations

import re
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
    """Loads uploaded files into the corpus; documents, not drafts, which are never written."""

    names = [given_name(path) for path in paths]

    def show(file: str, summary: Summary) -> None:
        report(f"reading {given_name(file)}", summary.read, 0)

    summary = library.add(paths, workers=cores(), progress=show)
    return {**asdict(summary), "files": names, "documents": len(library.corpus)}


def given_name(path: str) -> str:
    """The name that a person gave to an uploaded file, which is stored under a name of our own."""
    return re.sub(r"^[0-9a-f]{8}-", "", Path(path).name)


def sample_job(library: Library, report: Report) -> dict[str, Any]:
    """Loads the sample corpus and builds its indexes."""
    report("reading", 0, 0)
    summary = library.add([SAMPLE / "patents.jsonl"])
    return {**asdict(summary), "documents": len(library.corpus), **build_job(library, report)}


def build_job(library: Library, report: Report) -> dict[str, Any]:
    """Builds all that the default ranking needs."""
    built = library.build(
        workers=cores(),
        progress=lambda done, total: report("reading" if done < total else "computing", done, total),
    )
    return {"indexes": sorted(built)}


def learn_job(library: Library, report: Report, seed: int) -> dict[str, Any]:
    """Learns the weights of the ranking."""
    learned = library.learn(seed=seed, progress=lambda stage, done, total: report(stage, done, total))
    record: dict[str, Any] = learned.to_record(matrices=False)
    return {name: record[name] for name in ("weights", "metrics", "cold", "training") if name in record}


def doctor_job(library: Library, report: Report) -> dict[str, Any]:
    """Checks corpus, indexes and installation, as `foreart doctor --json` prints it."""
    report("checking", 0, 0)
    findings = examine(library.folder)
    return {
        "healthy": all(item.state != "bad" for item in findings),
        "findings": [asdict(item) for item in findings],
    }


def map_job(library: Library, report: Report, draft: Draft | str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The neighbourhood of a draft in two dimensions by t-SNE."""
    from foreart.server.work.map_layout import map_record

    return map_record(library, draft, options, layout="tsne", report=lambda done, total: report("layout", done, total))
