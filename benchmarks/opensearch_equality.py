"""Compares searches of a library on this machine with the same ones in an OpenSearch cluster that has stored it.

    python benchmarks/opensearch_equality.py LIBRARY https://HOST:9200 --targets TARGETS.txt --sample 40

`LIBRARY` was built with `foreart build --on`; TARGETS is a file of publication numbers, each searched as a draft.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np

from foreart.library import Library

K = 100


def compared(here: Library, there: Library, number: str) -> dict[str, float]:
    """How much of the best hundred is the same, the greatest difference of scores, and both times."""
    found = {}
    for name, library in (("here", here), ("there", there)):
        began = time.perf_counter()
        result = library.similar(number, k=K, passages=False)
        found[name] = {hit.id: hit.score for hit in result}, time.perf_counter() - began
    (expected, first), (other, second) = found["here"], found["there"]
    shared = expected.keys() & other.keys()
    return {
        "same": len(shared) / max(len(expected), 1),
        "same order": float(list(expected) == list(other)),
        "difference": max((abs(expected[number] - other[number]) for number in shared), default=0.0),
        "seconds here": first,
        "seconds there": second,
    }


def channel_difference(here: Library, there: Library, numbers: list[str]) -> dict[str, float]:
    """The greatest difference of scores of each index to the exact ones, as a share of the largest score."""
    worst: dict[str, float] = {}
    for number in numbers:
        text = here.draft(number).description_text
        for name in here.indexes:
            exact, own = here.index(name), there.index(name)
            rows, scores = own.nearest(own.encode(text), K)  # of all documents: what is asked of few is answered here
            places = np.array([exact.row_of(own.ids[row]) for row in rows.tolist()], dtype=np.int64)
            right = exact.scores_of(exact.encode(text), places)
            largest = max(float(right.max(initial=0.0)), 1e-12)
            worst[name] = max(worst.get(name, 0.0), float(abs(scores - right).max(initial=0.0)) / largest)
    return worst


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", type=Path)
    parser.add_argument("address")
    parser.add_argument("--targets", type=Path, required=True)
    parser.add_argument("--sample", type=int, default=0, help="so many targets, drawn with a seed; 0 means all")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    numbers = options.targets.read_text("utf-8").split()
    if options.sample:
        numbers = sorted(random.Random(1).sample(numbers, min(options.sample, len(numbers))))
    with Library(options.library, on="here") as here, Library(options.library, on=options.address) as there:
        rows = []
        for place, number in enumerate(numbers, start=1):
            rows.append(compared(here, there, number))
            print(place, number, rows[-1], flush=True)
        view = here.index("log-tfidf").description
        record = {
            "foreart": version("foreart"),
            "corpus": view.corpus,
            "documents": view.documents,
            "searches": len(rows),
            "same best hundred, mean": statistics.fmean(row["same"] for row in rows),
            "same best hundred, least": min(row["same"] for row in rows),
            "same order, share of searches": statistics.fmean(row["same order"] for row in rows),
            "difference of fused scores, greatest": max(row["difference"] for row in rows),
            "difference of fused scores, median": statistics.median(row["difference"] for row in rows),
            "seconds here, median": statistics.median(row["seconds here"] for row in rows),
            "seconds there, median": statistics.median(row["seconds there"] for row in rows),
            "difference by index, share of the largest score": channel_difference(here, there, numbers[:10]),
        }
    text = json.dumps(record, indent=1)
    print(text)
    if options.output:
        options.output.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
