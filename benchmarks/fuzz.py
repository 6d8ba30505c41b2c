"""Do readers survive damage? 2,000 damaged copies of the files of each format, in a process of limited memory.

python benchmarks/fuzz.py [--mutants 2000] [--format NAME ...]
"""

from __future__ import annotations

import argparse
import json
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from environment import ROOT, environment, save

sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "sources")]

from test_fuzz import formats

from foreart.document.patent import Patent
from foreart.document.record import from_json, to_json
from foreart.sources import scan
from fuzzing import mutant

MEMORY = 2 << 30
SECONDS = 20


class Hang(Exception):
    """A mutant took too long."""


def _hang(signum: int, frame: object) -> None:
    raise Hang


def fuzz(name: str, mutants: int) -> dict[str, object]:
    """What became of the mutants of one format, with limited memory."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, _hang)
    data = formats()[name]()
    counts: Counter[str] = Counter()
    failures: list[str] = []
    slowest = 0.0
    with tempfile.TemporaryDirectory(prefix="foreart-fuzz-") as folder:
        path = Path(folder) / "mutant"
        for seed in range(mutants):
            path.write_bytes(mutant(data[seed % len(data)], seed))
            began = time.perf_counter()
            signal.alarm(SECONDS)
            try:
                for item in scan(path):
                    if isinstance(item, Patent):
                        counts["read"] += 1
                        if from_json(to_json(item)) != item:
                            failures.append(f"seed {seed}: does not survive its JSON form")
                    else:
                        counts["rejected"] += 1
            except Hang:
                failures.append(f"seed {seed}: hangs")
            except BaseException as error:  # noqa: BLE001 any crash at all is what is looked for
                failures.append(f"seed {seed}: {type(error).__name__}: {error}")
            signal.alarm(0)
            slowest = max(slowest, time.perf_counter() - began)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "mutants": mutants,
        "read": counts["read"],
        "rejected": counts["rejected"],
        "failures": failures[:20],
        "slowest_seconds": round(slowest, 2),
        "peak_megabytes": round(peak),
    }


def in_a_process(name: str, mutants: int) -> dict[str, object]:
    """The same in a process of its own, whose death would be a result too."""
    command = [sys.executable, __file__, "--one", name, "--mutants", str(mutants)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return {"mutants": mutants, "failures": [f"the process died with {done.returncode}: {done.stderr[-300:]}"]}
    found: dict[str, object] = json.loads(done.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=2000)
    parser.add_argument("--format", action="append", default=[])
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(fuzz(options.one, options.mutants)))
        return
    chosen = [name for name in formats() if not options.format or name in options.format]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(in_a_process, chosen, [options.mutants] * len(chosen)))
    found = dict(zip(chosen, results, strict=True))
    save("fuzz", {"question": "Do readers survive damage?", **environment("lxml"), "formats": found})
    if any(result["failures"] for result in results):
        sys.exit(1)


if __name__ == "__main__":
    main()
