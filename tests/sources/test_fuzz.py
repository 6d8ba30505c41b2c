"""No damaged file stops, hangs or swells a reader; what is read from it is still a patent that can be stored.

The same with 2,000 mutants a format: python benchmarks/fuzz.py
"""

from __future__ import annotations

import resource
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from expectation import OWN, RAW
from foreart.document.patent import Patent
from foreart.document.record import from_json, to_json
from foreart.document.reject import Reject
from foreart.sources import scan
from foreart.sources.patent_files import Document, raw_records
from fuzzing import mutant
from schema_files import schema_files

SAMPLE = Path(__file__).resolve().parents[2] / "src" / "foreart" / "sample"
MUTANTS = 50
SECONDS = 20
LARGEST = 300_000


def formats() -> dict[str, Callable[[], list[bytes]]]:
    """What is damaged, a format a name: the files of the project, and those of the offices."""
    found = {item.name: partial(specimens, item) for item in (*sorted(OWN.iterdir()), SAMPLE)}
    if RAW.is_dir():
        found |= {f"real {item.name}": partial(specimens, item) for item in sorted(RAW.iterdir()) if item.is_dir()}
    return {**found, **{name: partial(list, [data]) for name, data in schema_files().items()}}


def specimens(folder: Path) -> list[bytes]:
    """Files small enough to be damaged often; of a long file its first records."""
    found: list[bytes] = []
    for file in sorted(item for item in folder.iterdir() if item.is_file()):
        data = file.read_bytes()
        if len(data) > LARGEST:
            parts = [item.record.data for item in raw_records(file) if isinstance(item, Document)]
            data = b"\n".join(parts[:2])[: 2 * LARGEST]
        if data:
            found.append(data)
    return found


def examine(path: Path) -> None:
    """Reads a file and holds what comes out to what must always hold."""
    for item in scan(path):
        assert isinstance(item, Patent | Reject)
        if isinstance(item, Patent):
            assert from_json(to_json(item)) == item
        else:
            assert item.reason


@pytest.mark.parametrize("name", formats())
def test_mutants_are_read_or_rejected(name: str, tmp_path: Path) -> None:
    def too_slow(signum: int, frame: object) -> None:
        raise AssertionError(f"mutant {number} of {name} hangs")

    data = formats()[name]()
    path = tmp_path / "mutant"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    previous = signal.signal(signal.SIGALRM, too_slow)
    try:
        for number in range(MUTANTS):
            path.write_bytes(mutant(data[number % len(data)], number))
            signal.alarm(SECONDS)
            examine(path)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    kibibytes = grown / 1024 if sys.platform == "darwin" else grown
    assert kibibytes < 400 * 1024
