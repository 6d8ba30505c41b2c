"""How fast is a crawl, do rate and memory stay constant, and how much of a field does it reach from a few seeds?

    python benchmarks/crawl.py                      all of it; loads the 9,015 documents of ../shared/data first
    python benchmarks/crawl.py --corpus corpus.db   inside a corpus that has them
    python benchmarks/crawl.py --only reach         one part: speed, pace, memory, reach

Pages come from a server on this machine, in a process of its own; their layout is that of Google Patents, their text
invented. What is reached is measured inside the corpus, where nothing is fetched.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from environment import RESULTS, ROOT, SHARED, environment, save
from foreart.corpus import Corpus
from foreart.corpus.frontier import crawl_entries
from foreart.corpus.schema import connect_to_read
from foreart.crawl import (
    CrawlAccess,
    CrawlConditions,
    CrawlPolicy,
    CrawlSpec,
    CrawlStatus,
    Following,
    crawl,
    open_source,
)
from foreart.identifiers.numbers import parse_number
from foreart.loading import load

SEEDS = (5, 10, 20)
DRAWS = 10
FIELD = "kelu-ultrasound"

# A chain of documents that cite the next ones: every page leads on, none is found twice in a row.
SERVER = """
import sys, time
from crawl.pages import Invented
from crawl.site import Site, serving
class Documents(dict):
    def get(self, number, default=None):
        place = int(number[2:-2]) - 1_000_000
        cites = tuple(f"US{1_000_000 + place + step}B2" for step in (1, 2, 7, 50))
        return Invented(number, cites=cites, words=600)
site = Site(Documents())
with serving(site):
    print(site.base, flush=True)
    for line in sys.stdin:
        moments = [moment for moment, path, _ in site.log if path.startswith("/patent/")]
        site.log.clear()
        print(len(moments), moments[-1] - moments[0] if moments else 0, flush=True)
"""


@contextmanager
def server() -> Iterator[tuple[str, Callable[[], tuple[int, float]]]]:
    """Its address, and a question: how many pages were asked for in how many seconds?"""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={"PYTHONPATH": f"{ROOT / 'src'}:{ROOT / 'tests'}"},
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None

    def asked() -> tuple[int, float]:
        process.stdin.write("\n")  # type: ignore[union-attr]
        process.stdin.flush()  # type: ignore[union-attr]
        count, seconds = process.stdout.readline().split()  # type: ignore[union-attr]
        return int(count), float(seconds)

    try:
        yield process.stdout.readline().strip(), asked
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


def fetched(base: str, pages: int, rate: float, progress: Callable[[CrawlStatus], None] | None = None) -> CrawlStatus:
    """A crawl over the connection, until so many patents are kept."""
    with tempfile.TemporaryDirectory(prefix="foreart-bench-") as name:
        folder = Path(name)
        access = CrawlAccess(address=base + "/patent/{number}/en", rate=rate, policy=CrawlPolicy(), cache=False)
        with (
            closing(open_source("google", folder, access)) as source,
            Corpus(folder / "corpus.db", create=True) as corpus,
        ):
            return crawl(corpus, source, ["US1000000B2"], limit=pages, progress=progress).status


def pace() -> dict[str, Any]:
    """How much of the allowed rate is reached, by the server's clock."""
    found = {}
    with server() as (base, asked):
        for rate in (5, 20, 50, 100):
            fetched(base, int(rate * 12), rate)
            count, seconds = asked()
            found[str(rate)] = {"pages": count, "share_of_rate": round((count - 1) / seconds / rate, 4)}
    return found


def resident() -> float:
    """Megabytes of memory this process holds (Linux)."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def memory(pages: int) -> dict[str, Any]:
    """Memory while pages come as fast as they can; the table of numbers, which has an end, is filled before."""
    for place in range(parse_number.cache_info().maxsize or 0):
        parse_number(f"EP{place}A1")
    samples: dict[int, float] = {}

    def note(status: CrawlStatus) -> None:
        if status.kept < pages:  # at the end families are computed, of the whole corpus
            samples.setdefault(status.kept // 1000 * 1000, round(resident(), 1))

    began = time.monotonic()
    with server() as (base, _):
        fetched(base, pages, 1000, note)
    after = [value for kept, value in samples.items() if kept >= pages // 4]
    return {
        "pages": pages,
        "seconds": round(time.monotonic() - began, 1),
        "megabytes": samples,
        "growth_after_a_quarter": round(after[-1] / after[0] - 1, 4),
    }


def inside(
    corpus: Path, seeds: list[str], asked: CrawlSpec, look: Callable[[Corpus, str], Any]
) -> tuple[CrawlStatus, Any]:
    """A crawl inside the corpus, and what one wants to see of it; in memory, where the disk is not the question."""
    memory_disk = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(prefix="foreart-bench-", dir=memory_disk) as name:
        source = open_source(str(corpus), Path(name), CrawlAccess(), citing=asked.following.citing)
        with closing(source), Corpus(Path(name) / "corpus.db", create=True) as grown:
            status = crawl(grown, source, seeds, asked).status
            return status, look(grown, asked.identity(source))


def speed(corpus: Path, rounds: int) -> dict[str, Any]:
    """Documents decided a second: along citations, and where every one of them is kept."""
    with closing(connect_to_read(corpus)) as connection:
        everything = [row[0] for row in connection.execute("SELECT id FROM patent ORDER BY serial")]
    targets = _targets()
    along = max((_timed(corpus, targets, CrawlSpec()) for _ in range(rounds)), key=lambda item: item["a_second"])
    every = CrawlSpec(CrawlConditions(report="off"))
    kept = max((_timed(corpus, everything, every, depth=0) for _ in range(rounds)), key=lambda item: item["a_second"])
    return {"along_citations": along, "every_one_kept": kept}


def _timed(corpus: Path, seeds: list[str], asked: CrawlSpec, *, depth: int | None = None) -> dict[str, Any]:
    """From the first decision to the last: what is computed of the whole corpus at the end is not part of it."""
    seen: list[CrawlStatus] = []
    with tempfile.TemporaryDirectory(prefix="foreart-bench-") as name:
        source = open_source(str(corpus), Path(name), CrawlAccess())
        with closing(source), Corpus(Path(name) / "corpus.db", create=True) as grown:
            crawl(grown, source, seeds, asked, depth=depth, progress=seen.append)
    last = max(seen[:-1], key=lambda status: status.decided)
    return {
        "decided": last.decided,
        "kept": last.kept,
        "seconds": round(last.seconds, 2),
        "a_second": round(last.decided / last.seconds),
    }


def reach(corpus: Path) -> dict[str, Any]:
    """How much of the ultrasound collection is kept at which depth, from the first seeds and from drawn ones."""
    with closing(connect_to_read(corpus)) as connection:
        rows = connection.execute("SELECT id FROM patent WHERE collection = ?", (FIELD,)).fetchall()
    field = {row[0] for row in rows}
    found: dict[str, Any] = {"documents": len(field)}
    for name, following in (("cited", Following()), ("cited_and_citing", Following(citing=True))):
        asked = CrawlSpec(CrawlConditions(), following)
        found[name] = {}
        for number in SEEDS:
            drawn = [_drawn(number, draw) for draw in range(DRAWS)]
            first = _profile(corpus, _targets()[:number], asked, field)
            profiles = [_profile(corpus, seeds, asked, field) for seeds in drawn]
            found[name][str(number)] = {"first": first, "drawn": _summary(profiles)}
    return found


def _targets() -> list[str]:
    lines = (SHARED / "ultrasound.qrels").read_text("utf-8").splitlines()
    return list(dict.fromkeys(line.split()[0] for line in lines))


def _drawn(number: int, draw: int) -> list[str]:
    return random.Random(draw).sample(_targets(), number)


def _profile(corpus: Path, seeds: list[str], asked: CrawlSpec, field: set[str]) -> list[float]:
    """The share of the collection that is kept within 0, 1, 2, … steps."""

    def look(grown: Corpus, identity: str) -> list[float]:
        kept = (entry for entry in crawl_entries(grown.connection, identity, states=("kept",)) if entry.number in field)
        steps = Counter(entry.depth for entry in kept)
        return [round(sum(steps[at] for at in range(depth + 1)) / len(field), 4) for depth in range(max(steps) + 1)]

    return list(inside(corpus, seeds, asked, look)[1])


def _summary(profiles: list[list[float]]) -> list[dict[str, float]]:
    longest = max(len(profile) for profile in profiles)
    padded = [profile + [profile[-1]] * (longest - len(profile)) for profile in profiles]
    return [
        {"mean": round(statistics.mean(column), 4), "least": min(column), "most": max(column)}
        for column in zip(*padded, strict=True)
    ]


def plot(found: dict[str, Any]) -> None:
    """results/crawl_reach.svg and .png."""
    from foreart.report.axes import figure_with_axes, name_axes, remark, whole_numbers

    figure, axes = figure_with_axes(4.2)
    colours = dict(zip(map(str, SEEDS), ("#9cc3ea", "#2f6fb0", "#123a63"), strict=True))
    for name, style, what in (("cited_and_citing", "--", "cited and citing"), ("cited", "-", "cited")):
        for number, colour in reversed(colours.items()):
            drawn = found[name][number]["drawn"]
            low, mean, high = ([100 * step[key] for step in drawn] for key in ("least", "mean", "most"))
            steps = range(len(mean))
            axes.plot(steps, mean, style, color=colour, marker="o", markersize=3.5, label=f"{number} seeds, {what}")
            if name == "cited":
                axes.fill_between(steps, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.set_ylim(0, 100)
    axes.legend(ncols=2, fontsize=8, frameon=False, loc="lower right")
    whole_numbers(axes.xaxis)
    name_axes(axes, "Ultrasound collection reached", "steps from the seeds", "% of its 1,129 documents")
    remark(axes, f"mean of {DRAWS} draws of seeds; band: least to most")
    for suffix in ("svg", "png"):
        figure.savefig(RESULTS / f"crawl_reach.{suffix}", dpi=150)


@contextmanager
def loaded(given: str) -> Iterator[Path]:
    """The corpus that was named, or a new one of the real documents."""
    if given:
        yield Path(given)
        return
    with tempfile.TemporaryDirectory(prefix="foreart-bench-") as name:
        path = Path(name) / "corpus.db"
        with Corpus(path, create=True) as corpus:
            load([SHARED / "ultrasound.jsonl.gz", SHARED / "background.jsonl.gz"], corpus, workers=2)
        yield path


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--corpus", default="", help="a corpus of the 9,015 documents of ../shared/data")
    parser.add_argument("--only", choices=("speed", "pace", "memory", "reach"))
    parser.add_argument("--pages", type=int, default=20_000, help="pages for the measurement of memory")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    stored = RESULTS / "crawl.json"
    result: dict[str, Any] = json.loads(stored.read_text("utf-8")) if stored.exists() else {}
    result["environment"] = environment("lxml", "zstandard")
    with loaded(given.corpus) as corpus:
        parts: dict[str, Callable[[], dict[str, Any]]] = {
            "speed": lambda: speed(corpus, given.rounds),
            "pace": pace,
            "memory": lambda: memory(given.pages),
            "reach": lambda: reach(corpus),
        }
        for name, part in parts.items():
            if given.only in (None, name):
                result[name] = part()
    if "reach" in result:
        plot(result["reach"])
    save("crawl", result)


if __name__ == "__main__":
    main()
