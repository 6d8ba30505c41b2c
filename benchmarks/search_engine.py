"""Our own engine for the benchmarks: built from rows or a corpus file, queried one by one.

The one module of the benchmarks that knows how the engine is called. A query is a dictionary of words and counts.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from foreart.corpus import Corpus
from foreart.features.counting.string_arrays import joined
from foreart.index.build.coded_rows import coded
from foreart.index.build.document_rows import DocumentRows
from foreart.index.build.inverting import inverted
from foreart.index.build.snapshot_updating import update
from foreart.index.query.costs import sums_cost
from foreart.index.query.engine import Engine
from foreart.index.query.two_stage import chosen, default_stages, staged_cost
from foreart.index.scoring.blocks import lengths
from foreart.index.scoring.query_terms import Query
from foreart.index.storage import store
from foreart.index.storage.frequent import grid_name
from foreart.index.storage.publishing import Measured, SnapshotSource, publish
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.weighting import Weighting

K = 100
LOG = "log-tfidf"
WEIGHTINGS = {LOG: Weighting.of("tfidf", {"tf": "log"}), "tfidf": Weighting.of("tfidf")}
Queries = list[dict[str, int]]
_DIGITS = np.frombuffer(b"0123456789abcdefghijklmnopqrstuvwxyz", dtype=np.uint8)
_WIDTH = 8  # letters of a drawn word, about as many as real ones have


@dataclass(frozen=True)
class Part:
    """Documents for one segment: ids, terms as bytes behind one another and where each ends, rows of counts."""

    ids: list[str]
    letters: np.ndarray
    ends: np.ndarray
    rows: csr_array


def word_letters(numbers: np.ndarray) -> np.ndarray:
    """The letters of drawn words, a row each."""
    powers = 36 ** np.arange(_WIDTH - 1, -1, -1, dtype=np.int64)
    return _DIGITS[(numbers[:, None].astype(np.int64) // powers) % 36]


def drawn_part(rows: csr_array, first: int) -> Part:
    """A chunk of drawn rows with the words that occur in it."""
    used = np.zeros(rows.shape[1], dtype=bool)
    used[rows.indices] = True
    numbers = np.flatnonzero(used)
    places = np.cumsum(used, dtype=np.int32) - 1
    narrow = csr_array((rows.data, places[rows.indices], rows.indptr), shape=(rows.shape[0], len(numbers)))
    ids = [f"S{number:08}" for number in range(first, first + rows.shape[0])]
    return Part(ids, word_letters(numbers).ravel(), np.arange(len(numbers) + 1) * _WIDTH, narrow)


def drawn_query(terms: np.ndarray, counts: np.ndarray) -> dict[str, int]:
    """The words of a drawn document."""
    words = word_letters(terms).tobytes().decode()
    names = [words[start : start + _WIDTH] for start in range(0, len(words), _WIDTH)]
    return dict(zip(names, counts.tolist(), strict=True))


def real_part(ids: list[str], terms: list[str], rows: csr_array) -> Part:
    """Real documents, few enough for one segment."""
    encoded = [term.encode() for term in terms]
    ends = np.concatenate([[0], np.cumsum([len(term) for term in encoded])])
    return Part(ids, np.frombuffer(b"".join(encoded), dtype=np.uint8), ends, rows)


def build(folder: Path, parts: Iterable[Part]) -> None:
    """An index of ready term lists: a segment for each part, then the snapshot that holds."""
    (folder / store.SEGMENTS).mkdir(parents=True, exist_ok=True)
    (folder / store.SNAPSHOTS).mkdir(exist_ok=True)
    stored = [_segment(folder, part) for part in parts]
    publish(folder, stored, [None] * len(stored), SnapshotSource("full", "default", "drawn"), measure=_lengths)


def build_corpus(folder: Path, corpus: Path) -> None:
    """An index of a corpus file, as `foreart build` makes it."""
    with Corpus(corpus) as opened:
        update(folder, opened, DocumentRows(), measure=_lengths)


def _segment(folder: Path, part: Part) -> store.StoredSegment:
    rows = part.rows
    made = inverted(joined(part.ids), part.letters, part.ends, coded(rows.indptr, rows.indices, rows.data))
    digests = np.frombuffer(
        b"".join(hashlib.blake2b(each.encode(), digest_size=store.DIGEST).digest() for each in part.ids), dtype=np.uint8
    ).reshape(-1, store.DIGEST)
    name = store.segment_name(digests, sections="full", cutting="default")
    return store.write_segment(folder, name, made, digests)


def _lengths(snapshot: Snapshot) -> Measured:
    """Lengths of documents, kept with the index as `foreart build` keeps them."""
    found = {weighting.lengths_key or "": lengths(snapshot, weighting, threads=2) for weighting in WEIGHTINGS.values()}
    return Measured(found)


class Opened:
    """An index that is open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.snapshot = store.load(folder)
        self.documents = len(self.snapshot)
        self.postings = sum(segment.postings for segment in self.snapshot.segments)

    @cache  # noqa: B019 # one object a process
    def engine(self, weighting: str, candidates: int | None = None) -> Engine:
        """The engine of one weighting; with another number of candidates than its own if that is asked for."""
        chosen = WEIGHTINGS[weighting]
        own = default_stages(chosen)
        fast = replace(own, candidates=candidates) if own and candidates else None
        lengths, grids = self.snapshot.lengths.get(chosen.lengths_key or ""), self.snapshot.grids.get(grid_name(chosen))
        return Engine(self.snapshot, chosen, lengths, grids=grids, stages=fast)

    def query(self, words: dict[str, int], weighting: str = LOG) -> Query:
        """The words found in the index, and weighted."""
        return self.engine(weighting).query(words)

    def top(self, query: Query, asked: dict[str, Any]) -> tuple[list[int], list[float]]:
        """Rows and scores of the best hundred."""
        allowed = self.allowed(asked["share"]) if asked.get("share") else None
        engine = self.engine(asked.get("weighting", LOG), asked.get("candidates"))
        rows, scores = engine.top(query, K, allowed=allowed, exact=asked["exact"], threads=asked["threads"])
        return rows.tolist(), scores.tolist()

    def two_stages(self, query: Query, weighting: str = LOG) -> bool:
        """Whether a fast search of this query has two stages, and is not exact because that is cheaper."""
        engine = self.engine(weighting)
        if engine.stages is None:
            return False
        blocks, taken = engine._ready(2), chosen(query, engine.stages, self.documents)
        return staged_cost(blocks, query, K, engine.stages, taken) < sums_cost(blocks, query)

    @cache  # noqa: B019
    def allowed(self, share: float) -> np.ndarray:
        """A mask that lets such a share of documents through, drawn by chance: the worst case for skipping."""
        return np.random.default_rng(1).random(self.documents) < share


def memory() -> int:
    """Bytes of memory that this process holds now, mapped files that are in memory included."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def mapped(folder: Path) -> int:
    """Bytes of the files of an index that are in this process's memory now."""
    found, inside = 0, False
    for line in Path("/proc/self/smaps").read_text("utf-8", "replace").splitlines():
        if "-" in line.split(" ", 1)[0]:
            inside = line.endswith(str(folder)) or f"{folder.resolve()}/" in line
        elif inside and line.startswith("Rss:"):
            found += int(line.split()[1]) * 1024
    return found


def run(opened: Opened, queries: Queries, asked: dict[str, Any]) -> dict[str, Any]:
    """As many queries as can be answered in some seconds, each from its words."""
    began, number = time.perf_counter(), 0
    while (spent := time.perf_counter() - began) < asked["run"]:
        opened.top(opened.query(queries[number % len(queries)]), asked)
        number += 1
    return {"queries": number, "seconds": spent}


def soak(opened: Opened, queries: Queries, number: int) -> dict[str, Any]:
    """So many queries in a row, a tenth of them exact, each from its words; memory after each hundredth of them."""
    began, held = time.perf_counter(), []
    for asked in range(number):
        opened.top(opened.query(queries[asked % len(queries)]), {"exact": asked % 10 == 0, "threads": 2})
        if asked % (number // 100) == number // 100 - 1:
            held.append(memory())
    seconds = time.perf_counter() - began
    return {"queries": number, "seconds": round(seconds, 1), "megabytes": [round(each / 1e6, 1) for each in held]}


def answer(opened: Opened, queries: Queries, asked: dict[str, Any]) -> dict[str, Any]:
    """What one line asks for."""
    if "soak" in asked:
        return soak(opened, queries, asked["soak"])
    if "memory" in asked:
        return {"bytes": memory(), "mapped": mapped(opened.folder)}
    if "run" in asked:
        return run(opened, queries, asked)
    if "two_stages" in asked:
        chosen = asked["two_stages"]
        return {"share": sum(opened.two_stages(opened.query(each, chosen), chosen) for each in queries) / len(queries)}
    words = queries[asked["query"]]
    began = time.perf_counter()
    query = opened.query(words, asked.get("weighting", LOG))
    making = _since(began)
    # Peers get their query with weights and numbers of words; so this is not in the time of the search.
    began, spent = time.perf_counter(), time.process_time()
    rows, scores = opened.top(query, asked)
    worked = round((time.process_time() - spent) * 1e3, 3)
    return {"ms": _since(began), "cpu_ms": worked, "query_ms": making, "rows": rows, "scores": scores}


def _since(began: float) -> float:
    return round((time.perf_counter() - began) * 1e3, 3)


def warm() -> None:
    """Answers from a tiny index in all ways, so that what the compiler needs is there before memory is measured."""
    generator = np.random.default_rng(0)
    rows = csr_array((generator.random((5_000, 60)) < 0.3).astype(np.int32) * 3)
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder), [drawn_part(rows, 0)])
        opened = Opened(Path(folder))
        for weighting, exact, threads, share in product(WEIGHTINGS, (True, False), (1, 2), (None, 0.5, 0.01)):
            query = opened.query(drawn_query(np.arange(40), np.arange(1, 41)), weighting)
            opened.top(query, {"exact": exact, "threads": threads, "share": share, "weighting": weighting})


def main() -> None:
    """Answers line by line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--queries", type=Path, required=True)
    options = parser.parse_args()
    queries = [json.loads(line) for line in options.queries.read_text("utf-8").splitlines()]
    warm()
    before, began = memory(), time.perf_counter()
    opened = Opened(options.folder)
    about = {
        "open_ms": _since(began),
        "documents": opened.documents,
        "postings": opened.postings,
        "memory_before": before,
        "disk": sum(file.stat().st_size for file in options.folder.rglob("*") if file.is_file()),
    }
    print(json.dumps(about), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(opened, queries, json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
