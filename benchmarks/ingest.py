"""How fast are files read and loaded, compared with a bare lxml iterparse over the same weekly file in the same run?

    python benchmarks/ingest.py            weekly file of about 60 MB, made from the real ones in ../shared/data
    python benchmarks/ingest.py --corpus   also loads the 9,015 documents of ../shared/data and measures memory

The weekly file repeats the real documents with new publication numbers, so that every copy is a new patent. Each
figure is the best of some rounds; the rounds of all contestants alternate, so that noise of the machine meets all.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from lxml import etree

from environment import SHARED, environment, ran, save
from foreart.corpus import Corpus
from foreart.document.record import to_json
from foreart.document.reject import Reject
from foreart.sources import raw_records, scan
from foreart.sources.patent_files import Document

WEEKLY = SHARED / "raw" / "uspto_grant_xml_v4_weekly"
_NUMBER = re.compile(
    rb"(<publication-reference>\s*<document-id>\s*<country>US</country>\s*<doc-number>)(\w+)(</doc-number>)"
)


def make_weekly(path: Path, copies: int) -> None:
    """One long weekly file."""
    documents = [
        item.record.data
        for file in sorted(WEEKLY.iterdir())
        for item in raw_records(file)
        if isinstance(item, Document)
    ]
    number = 10_000_000
    with path.open("wb") as out:
        for _ in range(copies):
            for data in documents:
                number += 1
                out.write(_NUMBER.sub(rb"\g<1>%d\g<3>" % number, data).strip() + b"\n")


def bare(documents: list[bytes]) -> None:
    """The limit: every element is seen once and forgotten; nothing is made of it."""
    for data in documents:
        for _, element in etree.iterparse(io.BytesIO(data), huge_tree=True):
            element.clear()


def to_lines(path: Path, out: Path) -> None:
    """What `foreart read` does."""
    with out.open("w", encoding="utf-8") as file:
        for item in scan(path):
            if isinstance(item, Reject):
                sys.exit(f"rejected: {item}")
            file.write(to_json(item) + "\n")


def add(path: Path, folder: Path, workers: int) -> dict[str, float]:
    """What `foreart add` does, start of processes included; seconds and peak memory of parent and largest child."""
    command = [
        sys.executable,
        "-m",
        "foreart",
        "add",
        str(path),
        "--library",
        str(folder),
        "--workers",
        str(workers),
        "--json",
    ]
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return {"seconds": time.perf_counter() - began}


def timed(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def measure(copies: int, rounds: int) -> dict[str, object]:
    with tempfile.TemporaryDirectory(prefix="foreart-bench-") as name:
        folder = Path(name)
        weekly = folder / "weekly.xml"
        make_weekly(weekly, copies)
        documents = [item.record.data for item in raw_records(weekly) if isinstance(item, Document)]
        size = weekly.stat().st_size / 1e6
        best = {"iterparse": 1e9, "read": 1e9, "add_1": 1e9, "add_2": 1e9}
        for turn in range(rounds):
            best["iterparse"] = min(best["iterparse"], timed(lambda: bare(documents)))
            best["read"] = min(best["read"], timed(lambda: to_lines(weekly, folder / "out.jsonl")))
            for workers in (1, 2):
                seconds = add(weekly, folder / f"{workers}-{turn}", workers)["seconds"]
                best[f"add_{workers}"] = min(best[f"add_{workers}"], seconds)
        with Corpus(folder / "1-0" / "corpus.db") as one, Corpus(folder / "2-0" / "corpus.db") as two:
            assert one.fingerprint == two.fingerprint
            fingerprint, patents = one.fingerprint, len(one)
        stored = (folder / "1-0" / "corpus.db").stat().st_size / 1e6
        return {
            "weekly_file": {
                "megabytes": round(size, 1),
                "patents": patents,
                "sha256": hashlib.sha256(weekly.read_bytes()).hexdigest()[:16],
                "corpus_fingerprint": fingerprint,
            },
            "megabytes_per_second": {key: round(size / seconds, 1) for key, seconds in best.items()},
            "read_share_of_iterparse": round(best["iterparse"] / best["read"], 3),
            "add_two_workers_over_one": round(best["add_1"] / best["add_2"], 2),
            "corpus_share_of_xml": round(stored / size, 3),
        }


def load_everything() -> dict[str, object]:
    """The 9,015 real documents: time, memory, size."""
    files = [SHARED / "ultrasound.jsonl.gz", SHARED / "background.jsonl.gz"]
    with tempfile.TemporaryDirectory(prefix="foreart-bench-") as name:
        command = [sys.executable, "-m", "foreart", "add", *map(str, files), "--library", name, "--json"]
        took = ran(command)
        with Corpus(Path(name) / "corpus.db") as corpus:
            found = {"documents": len(corpus), "fingerprint": corpus.fingerprint}
        return {**found, "seconds": round(took.seconds, 1), "peak_megabytes_of_all_processes": took.megabytes}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copies", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--corpus", action="store_true")
    options = parser.parse_args()
    result: dict[str, object] = {"question": "How fast are files read and loaded?", **environment("lxml", "zstandard")}
    if options.corpus:
        result["real_corpus"] = load_everything()
    result.update(measure(options.copies, options.rounds))
    save("ingest", result)


if __name__ == "__main__":
    main()
