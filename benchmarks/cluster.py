"""Does a cluster answer as one process does, bit for bit, and what does it cost, also when workers are killed?

    python benchmarks/cluster.py --real LIBRARY [--drawn LIBRARY] [--opensearch https://HOST:9200]
    python benchmarks/cluster.py --real LIBRARY --only equality --only kills             some parts of it

LIBRARY has the 9,015 real documents (`foreart add`, `build`, `learn`), or drawn ones (`million.py --keep`); a copy is
made and searched. OpenSearch must have the same library (`foreart build --on`). Killed at any moment, the same command
continues where it stopped, and parts that were not made are left out of the result. Workers are processes of this
machine, connected over loopback: what a real network costs is not measured.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from cluster_costs import costs
from cluster_equality import compared, targets
from cluster_faults import killed, soak, switched
from cluster_running import running
from environment import RESULTS, environment, save
from foreart.document.draft import Draft
from foreart.library import Library
from million_steps import Machine, Steps

FOLDER = Path("/var/tmp/foreart-cluster")
_WORKERS, _DRAFTS = 3, 8
Part = Callable[[], dict[str, Any]]


def copied(library: Path, folder: Path) -> Path:
    """A copy of a library, to be changed."""
    if not folder.exists():
        unfinished = folder.with_suffix(".part")
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.copytree(library, unfinished)
        unfinished.rename(folder)
    return folder


def corpus_of(library: Path) -> dict[str, Any]:
    """What a library holds."""
    with Library(library, on="here") as opened:
        index = opened.index().description
        return {"documents": len(opened.corpus), "postings": index.numbers, "fingerprint": index.corpus}


def drafts_of(library: Path, names: list[str]) -> list[Draft]:
    """Documents of the corpus as drafts, evenly chosen."""
    with Library(library, on="here") as opened:
        every = names or list(opened.index().ids)
        return [opened.draft(name) for name in every[:: len(every) // _DRAFTS][:_DRAFTS]]


def parts_of(options: argparse.Namespace, steps: Steps) -> dict[str, Part]:
    """Every part of the measurement by name, the bars first."""
    real = copied(options.real, options.folder / "real")

    def on_cluster(measure: Callable[..., dict[str, Any]], library: Path, *given: Any) -> dict[str, Any]:  # noqa: ANN401
        with running(library, _WORKERS) as cluster:
            return measure(library, cluster, *given)

    def equality() -> dict[str, Any]:
        with running(real, _WORKERS) as cluster:
            return compared(steps, real, cluster)

    def asked(library: Path, names: list[str]) -> dict[str, Any]:
        drafts, workers = drafts_of(library, names), range(1, _WORKERS + 1)
        return costs(library, drafts, rounds=options.rounds, workers=workers, opensearch=options.opensearch)

    def switches() -> dict[str, Any]:
        changed = copied(real, options.folder / "switched")
        return on_cluster(switched, changed, drafts_of(real, targets()), options.switches)

    parts: dict[str, Part] = {
        "equality": equality,
        "costs": partial(asked, real, targets()),
        "kills": lambda: on_cluster(killed, real, drafts_of(real, targets()), options.kills),
        "soak": lambda: on_cluster(soak, real, drafts_of(real, targets()), options.searches, options.minutes),
        "switches": switches,
    }
    if options.drawn:
        drawn = copied(options.drawn, options.folder / "drawn")
        parts["costs_drawn"] = lambda: {"corpus": corpus_of(drawn), **asked(drawn, [])}
        parts["kills_drawn"] = lambda: on_cluster(killed, drawn, drafts_of(drawn, []), options.kills)
    return parts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--real", type=Path, required=True)
    parser.add_argument("--drawn", type=Path)
    parser.add_argument("--opensearch", default="", metavar="URL")
    parser.add_argument("--only", action="append", metavar="PART")
    parser.add_argument("--rounds", type=int, default=5, help="searches of each draft at each place")
    parser.add_argument("--searches", type=int, default=10_000, help="of the soak")
    parser.add_argument("--minutes", type=float, default=600, help="after which the soak ends")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--switches", type=int, default=40)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where copies are, and the state of the run")
    options = parser.parse_args()
    versions = environment("distributed", "numpy", "scipy", "numba")
    corpus = corpus_of(options.real)
    steps = Steps(options.folder, {"versions": versions["versions"], "real": corpus})
    parts = parts_of(options, steps)
    for name in options.only or parts:
        made = steps.once(name, parts[name])
        found = {"question": __doc__.splitlines()[0], **versions, "real": corpus}
        machine = asdict(Machine.of(options.folder))
        save("cluster", _merged({**found, "machine_used": machine, "connection": "loopback", name: made}))
        print(name, "done", file=sys.stderr, flush=True)


def _merged(found: dict[str, Any]) -> dict[str, Any]:
    """With parts of the same corpus that were made before."""
    file = RESULTS / "cluster.json"
    before = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return {**before, **found} if before.get("real") == found["real"] else found


if __name__ == "__main__":
    main()
