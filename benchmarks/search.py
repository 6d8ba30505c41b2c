"""How long does a search with a full application take, compared with other engines in the same run?

    python benchmarks/search.py                              all of it: an hour, 20 GB of disk, 12 GB of memory
    python benchmarks/search.py --sizes 50000 --json -       one size, printed and not kept
    python benchmarks/search.py --only filters,soak          some parts; the other figures stay as they are
    python benchmarks/search.py --corpus corpus.db           with a corpus that is loaded already
    python benchmarks/search.py --folder /tmp/search         keeps what is made for the next time

Documents are the 9,015 real ones of ../shared/data or drawn ones that are shaped like them (search_synthetic.py; `fit`
tells how alike they are). A query is a whole document: the cosine of log-tf × idf with all others, the best hundred.
Real queries are the targets, drawn ones are documents that are not in the corpus. All engines take turns, each in a
process of its own; peers get weights that are ready. One thread each, but for modes that tell otherwise.

- `search`: our modes and the peers; bytes of memory a posting; `floor`: the time in which memory could be read at best.
- `filters`: with 10 %, 1 % and 0.1 % of documents allowed, drawn by chance.
- `recall`: what fast finds of exact's best hundred; on real text only, all targets.
- `throughput`: two processes beside one.
- `soak`: many queries in one process. `build`: from the corpus file, beside scikit-learn's CountVectorizer.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import search_contest as contest
from environment import RESULTS, SHARED, environment, save
from search_building import building
from search_case import REAL, Case, make
from search_peers import PEERS, install
from search_plot import plot
from search_shape import beside, real_rows

Result = dict[str, Any]
SIZES = (REAL, 10_000, 50_000, 200_000, 1_000_000)
PEERS_UP_TO = {"scipy": 200_000, "qdrant": 200_000, "lucene": 200_000}
OTHERS_UP_TO = 50_000
PARTS = ("fit", "search", "filters", "recall", "throughput", "soak", "build")
BY_SIZE = ("search", "filters")
# Of one size, and soon done.
SHORT = ("search", "filters", "recall")


class Bench:
    """One run: its corpus and its folder; parts add to what was found."""

    def __init__(self, options: argparse.Namespace, folder: Path, found: Result) -> None:
        self.options = options
        self.folder = folder
        self.found = found

    def case(self, documents: int, *, peers: bool = False) -> Case:
        """The corpus of so many documents."""
        return make(documents, self.folder, corpus=self.options.corpus, peers=peers)

    @property
    def largest(self) -> int:
        """The size at which parts are measured that are measured once."""
        return max(self.options.sizes)

    def put(self, key: str, table: list[Result]) -> None:
        """Replaces the rows of these sizes."""
        sizes = {row["n"] for row in table}
        kept = [row for row in self.found.get(key, []) if row["n"] not in sizes]
        self.found[key] = sorted([*kept, *table], key=lambda row: row["n"])

    def fit(self) -> None:
        """Real documents beside drawn ones."""
        self.found["fit"] = beside(real_rows(self.options.corpus)[0].rows)

    def search(self) -> None:
        """Every size, with the peers that can do it."""
        for size in self.options.sizes:
            peers = [name for name in self.options.peers if size <= PEERS_UP_TO.get(name, OTHERS_UP_TO)]
            case = self.case(size, peers=bool(peers))
            table, about = contest.search(case, peers, self.options.rounds)
            self.put("results", table)
            self.put("floor", [contest.floor(case, table)])
            self.put("sizes", [{"n": size, **about}])

    def filters(self) -> None:
        """Every size."""
        for size in self.options.sizes:
            self.put("filters", contest.filters(self.case(size), self.options.rounds))

    def recall(self) -> None:
        """Real text."""
        self.found["recall"] = contest.recall(self.case(REAL))

    def throughput(self) -> None:
        """The greatest size."""
        self.put("throughput", [contest.throughput(self.case(self.largest))])

    def soak(self) -> None:
        """Real text."""
        self.found["soak"] = contest.soak(self.case(REAL), self.options.soak)

    def build(self) -> None:
        """Real text."""
        self.found["build"] = building(self.options.corpus, 2)


def loaded(folder: Path) -> Path:
    """The real documents as a corpus file."""
    corpus = folder / "library" / "corpus.db"
    if not corpus.exists():
        files = [SHARED / "ultrasound.jsonl.gz", SHARED / "background.jsonl.gz"]
        command = [sys.executable, "-m", "foreart", "add", *map(str, files), "--library", str(corpus.parent), "--json"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return corpus


def measure(options: argparse.Namespace, folder: Path) -> Result:
    """Runs what is asked for; figures that are not measured again stay, unless the result is only printed."""
    file = RESULTS / "search.json"
    before = json.loads(file.read_text("utf-8")) if file.exists() and not options.json else {}
    found: Result = {
        "question": __doc__.splitlines()[0],
        **environment("numpy", "scipy", "numba", "scikit-learn"),
        **{
            key: value
            for key, value in before.items()
            if key not in ("question", "python", "machine", "cores", "versions")
        },
    }
    bench = Bench(options, folder, found)
    for part in options.only:
        contest.say(f"== {part}")
        getattr(bench, part)()
        names = [f"{part} {size}" for size in options.sizes] if part in BY_SIZE else [part]
        # Figures that are not measured again stay, so each says which version it is of.
        version = found["versions"]["foreart"]
        found["measured_with"] = {**found.get("measured_with", {}), **dict.fromkeys(names, version)}
        if not options.json:
            save("search", found)
            plot(found, RESULTS)
    return found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=lambda text: [int(size) for size in text.split(",")], default=list(SIZES))
    parser.add_argument("--only", help=f"some of {', '.join(PARTS)}")
    parser.add_argument("--peers", default=",".join(PEERS), help=f"some of {', '.join(PEERS)}, or none")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--soak", type=int, default=20_000, help="how many queries")
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--json", choices=["-"], help="print the result and keep nothing")
    options = parser.parse_args()
    parts = options.only.split(",") if options.only else SHORT if options.json else PARTS
    options.only = [part for part in PARTS if part in parts]
    options.peers = [name for name in PEERS if name in options.peers.split(",")]
    if options.peers and "search" in options.only:
        install()
    return options


def main() -> None:
    options = _options()
    with ExitStack() as stack:
        folder = options.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="foreart-bench-")))
        folder.mkdir(parents=True, exist_ok=True)
        if options.corpus is None and SHARED.exists():
            options.corpus = loaded(folder)
        elif options.corpus is None:
            contest.say("There are no real documents in ../shared/data: only what is drawn is measured.")
            options.only = [part for part in options.only if part in ("search", "filters", "throughput")]
            options.sizes = [size for size in options.sizes if size != REAL]
        found = measure(options, folder)
    if options.json:
        print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
