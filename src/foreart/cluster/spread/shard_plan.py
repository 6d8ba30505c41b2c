"""The plan of shards: which rows of each index belong to each, kept in one small file, and on which workers they are.

`shards.json` in the library names the published state by its fingerprint, the rows of every index in each shard, and
the files of the state. A plan depends on the state and the number of shards only, so that it can be made at any time.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from foreart.durable import ChecksumError, read_checked, write_checked
from foreart.index import Index
from foreart.index.published_state import PublishedIndex, PublishedState

FILE = "shards.json"
_FORM = 1
# A cut is moved to the beginning of a file if that is as near as this share of a shard.
_NEAR = 0.1
# How many workers open each shard: the second answers if the first is lost.
COPIES = 2


@dataclass(frozen=True, slots=True)
class Shard:
    """One shard: for each index its first row, and the first row that is behind it."""

    number: int
    rows: Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class ShardPlan:
    """All shards of a state; `fingerprint` is that of the state, `asked` how many were wanted: a document has one."""

    fingerprint: str
    asked: int
    shards: tuple[Shard, ...]

    def name(self, shard: Shard) -> str:
        """A name that no other shard of any state has."""
        return f"{self.fingerprint[:16]}-{len(self.shards)}-{shard.number}"


def state_record(state: PublishedState) -> dict[str, Any]:
    """What names the files of a state, as JSON."""
    indexes = {name: asdict(entry) for name, entry in sorted(state.indexes.items())}
    return {"indexes": indexes, "postings": dict(sorted(state.postings.items())), "view": state.view_name}


def state_of(library: Path, record: Mapping[str, Any]) -> PublishedState:
    """The state that a record names, in a folder."""
    entries = {name: PublishedIndex(**entry) for name, entry in record["indexes"].items()}
    return PublishedState(library, entries, record["postings"], record["view"])


def fingerprint_of(record: Mapping[str, Any]) -> str:
    """A hash of a state: generations have random names, so that no two states have the same."""
    text = json.dumps(record, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def plan_of(fingerprint: str, indexes: Mapping[str, Index], shards: int) -> ShardPlan:
    """Divides the rows of every index; no shard is empty as long as there are enough documents."""
    number = max(1, min([shards, *(len(index) for index in indexes.values())]))
    cuts = {name: _cuts(len(index), number, index.boundaries) for name, index in indexes.items()}
    return ShardPlan(
        fingerprint,
        shards,
        tuple(
            Shard(part, {name: (bounds[part], bounds[part + 1]) for name, bounds in cuts.items()})
            for part in range(number)
        ),
    )


def _cuts(rows: int, shards: int, boundaries: np.ndarray) -> list[int]:
    """Where shards begin, and the number of rows: of equal size, or at beginnings of files that are near enough."""
    cuts = [rows * part // shards for part in range(shards + 1)]
    for part in range(1, shards):
        if len(boundaries):
            nearest = int(boundaries[np.abs(boundaries - cuts[part]).argmin()])
            if abs(nearest - cuts[part]) <= _NEAR * rows / shards and cuts[part - 1] < nearest < rows:
                cuts[part] = nearest
    return cuts


def kept_plan(library: Path) -> ShardPlan | None:
    """The plan in the library's file; None if there is none that can be read."""
    try:
        record = read_checked(library / FILE)
        if record["form"] != _FORM:
            return None
        shards = (
            Shard(number, {name: (first, last) for name, (first, last) in rows.items()})
            for number, rows in enumerate(record["shards"])
        )
        return ShardPlan(record["fingerprint"], int(record["asked"]), tuple(shards))
    except (OSError, ChecksumError, KeyError, TypeError, ValueError, AttributeError):
        return None


def keep_plan(library: Path, plan: ShardPlan, files: Iterable[Path]) -> None:
    """Writes the plan, with the folders of the state relative to the library."""
    write_checked(
        library / FILE,
        {
            "form": _FORM,
            "foreart": version("foreart"),
            "fingerprint": plan.fingerprint,
            "asked": plan.asked,
            "files": sorted(path.relative_to(library).as_posix() for path in files),
            "shards": [{name: list(rows) for name, rows in shard.rows.items()} for shard in plan.shards],
        },
    )


def placed(plan: ShardPlan, workers: Sequence[str]) -> dict[int, tuple[str, ...]]:
    """The workers of each shard by number, the first one first.

    Rendezvous hashing with bounded loads: a worker that joins or leaves moves few shards, and none has more than its
    share as the first.
    """
    most, loads, places = -(-len(plan.shards) // max(len(workers), 1)), dict.fromkeys(workers, 0), {}
    for shard in plan.shards:
        order = sorted(workers, key=lambda worker: _weight(plan.name(shard), worker), reverse=True)
        first = next(worker for worker in order if loads[worker] < most)
        loads[first] += 1
        places[shard.number] = (first, *[worker for worker in order if worker != first][: COPIES - 1])
    return places


def _weight(shard: str, worker: str) -> bytes:
    return hashlib.blake2b(f"{shard}\0{worker}".encode(), digest_size=8).digest()
