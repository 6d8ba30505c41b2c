"""Where a measurement was made: versions and machine, written beside every result."""

from __future__ import annotations

import json
import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"
RESULTS = Path(__file__).resolve().parent / "results"


def environment(*packages: str) -> dict[str, Any]:
    """Versions of Python, foreart and the named packages, and the number of cores."""
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "versions": {name: version(name) for name in ("foreart", *packages)},
    }


def save(name: str, result: dict[str, Any]) -> None:
    """Writes `results/NAME.json` and prints it."""
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(result, indent=2)
    (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    print(text)
