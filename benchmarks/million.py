"""How do all steps behave, up to a million documents: adding, building, learning, searching, updating every week?

    python benchmarks/million.py                                 10k, 50k, 200k and 1M drawn documents: many hours
    python benchmarks/million.py --sizes 400 2000 --week 100 --no-save                a trial of some minutes
    python benchmarks/million.py --check                         compares drawn with real documents: some minutes

Every step goes through the commands of foreart. Documents are drawn so that texts, citations, people, dates, classes
and families have the shape of the 9,015 real ones; `--check` says how well they fit. Killed at any moment, the same
command continues where it stopped: what is done stands in the work folder (the time of killed attempts is counted), and
figures are written after each step. Processor time stands beside wall time, for machines that others use too.
Documents are drawn in chunks whose files are deleted when they were added. `--words 0.5` draws texts of half the length
where the disk is small.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from environment import RESULTS, SHARED, environment, ran
from foreart.corpus import Corpus
from million_bars import REFERENCE, bars, told
from million_documents import Plan
from million_fit import printed, summary, table
from million_library import Making, Table
from million_plot import plot
from million_steps import Machine, Steps

SIZES = [10_000, 50_000, 200_000, 1_000_000]
FOLDER = Path("/var/tmp/foreart-million")
_FILES = ("ultrasound.jsonl.gz", "background.jsonl.gz")
_SOURCES = (
    "million_documents.py",
    "million_relations.py",
    "million_words.py",
    "search_synthetic.py",
    "search_shape.json",
)


def fingerprint() -> str:
    """Of all that decides on drawn documents."""
    here = Path(__file__).parent
    return hashlib.blake2b(b"".join((here / name).read_bytes() for name in _SOURCES), digest_size=8).hexdigest()


@dataclass
class Run:
    """The figures of a run so far, written after each step."""

    options: argparse.Namespace
    steps: Steps
    write: Callable[[list[dict[str, Any]]], None]
    sizes: list[dict[str, Any]] = field(default_factory=list)

    def measure(self) -> None:
        """All sizes in the order given; steps that were made before are not made again."""
        reference = Making(self.steps, self.plan(self.options.reference))
        for step in [*reference.make().values(), *([] if self.options.learn_last else reference.learn().values())]:
            step()
        makings = [Making(self.steps, self.plan(size)) for size in self.documents]
        self.sizes += [{"documents": each.plan.documents, "week": each.plan.week} for each in makings]
        for size, making in zip(self.sizes, makings, strict=True):
            self._fill(size, making.make())
            if not self.options.learn_last:
                self._fill(size, making.learn())
            self._fill(size, self._asked(making, reference))
            self._fill(size, making.update())
            if not self.options.keep and not self.options.learn_last:
                making.remove()
        if self.options.learn_last:
            for size, making in sorted(zip(self.sizes, makings, strict=True), key=lambda pair: -pair[0]["documents"]):
                self._fill(size, making.learn())
        if not self.options.keep:
            for making in (*makings, reference):
                making.remove()

    @property
    def documents(self) -> list[int]:
        """The sizes, without the reference."""
        return [size for size in dict.fromkeys(self.options.sizes) if size != self.options.reference]

    def plan(self, documents: int) -> Plan:
        """What is drawn for a size."""
        return Plan(documents, min(self.options.week, documents), self.options.words, self.options.seed)

    def _asked(self, making: Making, reference: Making) -> Table:
        return {
            "answers": partial(making.answers, "answers"),
            "reference_beside": partial(reference.answers, f"answers beside {making.plan.documents}"),
            "disk": making.size,
        }

    def _fill(self, size: dict[str, Any], table: Table) -> None:
        for name, step in table.items():
            group, _, part = name.partition(".")
            if part:
                size.setdefault(group, {})[part] = step()
            else:
                size[group] = step()
            self.write(self.sizes)


def checked(folder: Path, seed: int) -> dict[str, Any]:
    """Real and drawn documents of full length, loaded in the same way, side by side."""
    real = folder / "real" / "library"
    if not (real / "corpus.db").exists() or not _complete(real):
        files = [str(SHARED / name) for name in _FILES]
        ran([sys.executable, "-m", "foreart", "add", *files, "--library", str(real), "--json"])
    making = Making(Steps(folder / "check", {"fingerprint": fingerprint(), "seed": seed}), Plan(REFERENCE, seed=seed))
    making.added("add", 0, REFERENCE, making.library)
    rows = table(real / "corpus.db", making.library / "corpus.db")
    shutil.rmtree(folder / "check")
    print(printed(rows), file=sys.stderr)
    return {"documents": REFERENCE, "summary": summary(rows), "properties": rows}


def _complete(library: Path) -> bool:
    """Whether all real documents are there: `foreart add` may have been killed."""
    with Corpus(library / "corpus.db") as corpus:
        return len(corpus) >= REFERENCE


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="how many documents; a library for each")
    parser.add_argument("--words", type=float, default=1.0, help="length of drawn texts, as a share of the real mean")
    parser.add_argument("--week", type=int, default=7_000, help="how many documents a week brings")
    parser.add_argument("--reference", type=int, default=REFERENCE, help="documents of the library to compare with")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--folder", type=Path, default=FOLDER, help="where libraries are made, and the state of the run"
    )
    parser.add_argument(
        "--learn-last",
        action="store_true",
        help="learns when all else is measured, the largest size first: searches use the default weights",
    )
    parser.add_argument("--keep", action="store_true", help="leaves the libraries")
    parser.add_argument("--check", action="store_true", help="only compares drawn documents with real ones")
    parser.add_argument("--no-save", action="store_true", help="prints the result and writes none")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    file = RESULTS / "million.json"
    result: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    drawn = {"fingerprint": fingerprint(), "seed": options.seed}
    if options.check:
        result["fit"] = {**drawn, **checked(options.folder, options.seed)}
        _saved(result, options, file)
    else:
        versions = environment("numpy", "scipy", "numba")
        about = {**drawn, "words": options.words, "week": options.week, "versions": versions["versions"]}
        machine = Machine.of(options.folder)

        def write(sizes: list[dict[str, Any]]) -> None:
            result.update(
                question=__doc__.splitlines()[0],
                **versions,
                machine_used=f"{versions['cores']} cores, {machine.memory_gb:g} GB",
                details_of_machine=asdict(machine),
                documents_are="drawn, none is real",
                drawing=drawn,
                words=options.words,
                searches_use="default weights" if options.learn_last else "learned weights",
                reference=options.reference,
                bars=bars(sizes, options.reference),
                sizes=sizes,
            )
            _saved(result, options, file)

        Run(options, Steps(options.folder, about), write).measure()
        print(told(result["bars"]), file=sys.stderr)
    print(json.dumps(result, indent=1))


def _saved(result: dict[str, Any], options: argparse.Namespace, file: Path) -> None:
    """Writes what is known so far, beside the libraries too."""
    text = json.dumps(result, indent=1) + "\n"
    (options.folder / "figures.json").write_text(text, encoding="utf-8")
    if not options.no_save:
        file.write_text(text, encoding="utf-8")
        if "sizes" in result:
            plot(result, RESULTS)


if __name__ == "__main__":
    main()
