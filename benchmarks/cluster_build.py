"""What does it cost to build a library on the workers of a Dask cluster instead of one process pool?

    python benchmarks/cluster_build.py LIBRARY                 on this machine, and on 1, 2 and 3 workers here
    python benchmarks/cluster_build.py LIBRARY --workers 2     on this machine, and on 2 workers

Builds copies of a library from nothing. Workers share the cores of this machine, so that nothing can be gained: what
counts is the time of processors, which is that of the asking process and all workers, and whether all indexes have the
same bytes. The folder of parts is looked at twice a second.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from environment import ROOT, environment, save

sys.path.insert(0, str(ROOT / "tests"))

from foreart.cluster.spread.dask_cluster import LocalSettings, local_cluster
from library_files import library_files


class PartsWatch(threading.Thread):
    """The greatest size of the folder of parts."""

    def __init__(self, library: Path) -> None:
        super().__init__(daemon=True)
        self._folder, self.over, self.peak = library / "building", threading.Event(), 0

    def run(self) -> None:
        """Until the build is over."""
        while not self.over.wait(0.5):
            self.peak = max(self.peak, sum(_size(path) for path in self._folder.rglob("*")))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # removed meanwhile
        return 0


def processor_seconds(process: int) -> float:
    """Of a process, and of its children that live and that have ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return 0.0
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return own + sum(processor_seconds(int(child)) for child in children)


def built(corpus: Path, library: Path, on: str) -> dict[str, Any]:
    """One build from nothing."""
    library.mkdir()
    shutil.copy(corpus, library / "corpus.db")
    watch = PartsWatch(library)
    watch.start()
    before, began = processor_seconds(os.getpid()), time.perf_counter()
    command = [sys.executable, "-m", "foreart", "build", "--on", on, "--library", str(library), "--json"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    seconds, busy = time.perf_counter() - began, processor_seconds(os.getpid()) - before
    watch.over.set()
    return {
        "seconds": round(seconds, 1),
        "processor_seconds": round(busy, 1),
        "megabytes_of_parts": round(watch.peak / 1e6),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=Path)
    parser.add_argument("--workers", type=int, action="append")
    parser.add_argument("--folder", type=Path, help="where libraries are made")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as made:
        corpus = Path(made) / "corpus.db"
        with (
            closing(sqlite3.connect(options.library / "corpus.db")) as source,
            closing(sqlite3.connect(corpus)) as copy,
        ):
            source.backup(copy)
        found: dict[str, Any] = {"this machine": built(corpus, Path(made) / "here", "here")}
        wanted = library_files(Path(made) / "here")
        print(found, file=sys.stderr, flush=True)
        for workers in options.workers or (1, 2, 3):
            library = Path(made) / f"on-{workers}"
            with local_cluster(LocalSettings(workers, port=0)) as home:
                about = built(corpus, library, str(home))
            equal = library_files(library) == wanted
            found[f"{workers} workers"] = {**about, "same_bytes": equal, "files": len(wanted)}
            print(found, file=sys.stderr, flush=True)
            shutil.rmtree(library)
    question = __doc__.splitlines()[0]
    save("cluster_build", {"question": question, **environment("numpy", "distributed"), "builds": found})


if __name__ == "__main__":
    main()
