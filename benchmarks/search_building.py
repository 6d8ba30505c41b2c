"""Time and memory of building an index of 9,015 real full texts from the corpus file, compared with scikit-learn.

Each contestant runs in a process of its own, in turns, and the best turn counts. scikit-learn's CountVectorizer, as it
comes, gets texts that are in memory already: its seconds of reading them from the corpus are reported separately. Ours
include everything: reading, splitting, counting, inverting, writing, publishing.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from environment import ran
from foreart.corpus import Corpus
from foreart.text import section_text
from search_engine import build_corpus

Result = dict[str, Any]


def foreart(corpus: Path) -> Result:
    """Our own build, with as many processes or threads as it takes by itself."""
    with tempfile.TemporaryDirectory(prefix="foreart-bench-", dir=corpus.parent) as folder:
        began = time.perf_counter()
        build_corpus(Path(folder) / "postings", corpus)
        seconds = time.perf_counter() - began
        size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
    return {"seconds": round(seconds, 1), "megabytes_on_disk": round(size / 1e6)}


def sklearn(corpus: Path) -> Result:
    """scikit-learn's counting of words."""
    from sklearn.feature_extraction.text import CountVectorizer

    began = time.perf_counter()
    with Corpus(corpus) as opened:
        texts = [section_text(patent, "full") for patent in opened]
    read = time.perf_counter()
    counts = CountVectorizer().fit_transform(texts)
    seconds = time.perf_counter() - read
    return {
        "seconds": round(seconds, 1),
        "seconds_of_reading": round(read - began, 1),
        "postings": int(counts.nnz),
        "megabytes_of_texts": round(sum(map(len, texts)) / 1e6),
    }


CONTESTANTS: dict[str, Callable[[Path], Result]] = {"foreart": foreart, "sklearn": sklearn}


def building(corpus: Path, rounds: int) -> Result:
    """Both, in turns."""
    found: Result = {}
    for _ in range(rounds):
        for name in CONTESTANTS:
            command = [sys.executable, __file__, "--contestant", name, "--corpus", str(corpus)]
            took = ran(command)
            told = {**json.loads(took.output), "peak_megabytes": took.megabytes}
            print(name, told, file=sys.stderr, flush=True)
            if name not in found or told["seconds"] < found[name]["seconds"]:
                found[name] = told
    ours, theirs = found["foreart"], found["sklearn"]
    together = theirs["seconds"] + theirs["seconds_of_reading"]
    return {
        **found,
        "times_faster": round(theirs["seconds"] / ours["seconds"], 2),
        "times_faster_with_reading": round(together / ours["seconds"], 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--contestant", choices=CONTESTANTS, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    options = parser.parse_args()
    print(json.dumps(CONTESTANTS[options.contestant](options.corpus)))


if __name__ == "__main__":
    main()
