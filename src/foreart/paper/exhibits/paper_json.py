"""All results and how they were computed, as one JSON object."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from foreart.paper.exhibits.exhibit import Exhibit, TableExhibit
from foreart.paper.exhibits.finding import Finding
from foreart.paper.experiments.published_values import CITATION
from foreart.paper.experiments.results import Results

_PACKAGES = ("foreart", "numpy", "scipy", "numba", "matplotlib", "gensim", "onnxruntime")


def record(
    results: Results, exhibits: Sequence[Exhibit], findings: Sequence[Finding], *, made: str, unfinished: Sequence[str]
) -> dict[str, Any]:
    """The content of `results.json`."""
    study = results.study
    return {
        "paper": CITATION,
        "made": made,
        "versions": versions(),
        "machine": machine(),
        "corpus": {"fingerprint": study.statistics.fingerprint, "documents": len(study.ids)},
        "pairs": {
            "fingerprint": study.pairs.fingerprint,
            **study.pairs.counts,
            "settings": dict(study.pairs.settings),
            "notes": list(study.pairs.notes),
        },
        "labels": len(study.judged),
        "settings": study.settings.to_record(),
        "seconds": seconds(results),
        "unfinished": list(unfinished),
        "failed": dict(results.failed),
        "findings": [finding.to_record() for finding in findings],
        "tables": {each.id: _shown(each) for each in exhibits if isinstance(each, TableExhibit)},
        "figures": {each.id: _shown(each) for each in exhibits if not isinstance(each, TableExhibit)},
    }


def seconds(results: Results) -> dict[str, float]:
    """Seconds that each step took, including tokenizing."""
    cut = results.study.texts.seconds
    values = {} if cut is None else {"cut": cut}
    return values | {name: done.seconds for name, done in results.done.items()}


def versions() -> dict[str, str]:
    """Versions of Python and of the installed libraries that the numbers depend on."""
    values = {"python": platform.python_version()}
    for name in _PACKAGES:
        try:
            values[name] = version(name)
        except PackageNotFoundError:
            continue
    return values


def machine() -> dict[str, str | int]:
    """System, processor, cores and peak memory."""
    values: dict[str, str | int] = {
        "system": platform.platform(),
        "cores": os.cpu_count() or 1,
        "processor": _processor(),
    }
    if sys.platform != "win32":
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        values["peak_memory_mb"] = round(peak / (1 << 20 if sys.platform == "darwin" else 1 << 10))
    return values


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def _shown(exhibit: Exhibit) -> dict[str, Any]:
    shown: dict[str, Any] = {"title": exhibit.title, "caption": exhibit.caption, "remark": exhibit.remark}
    if isinstance(exhibit, TableExhibit):
        return shown | {"rows": exhibit.records()}
    return shown | {"kind": exhibit.kind, "data": dict(exhibit.data)}
