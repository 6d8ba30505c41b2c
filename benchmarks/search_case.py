"""A corpus of a given size, real or synthetic, prepared for every engine: our index, bare arrays for the others.

Made in a process of its own, so that its peak of memory is that of the making. A folder that is kept is used again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from environment import Watch
from foreart.index.storage.frequent import ONE_IN
from search_engine import Part, build, drawn_part, drawn_query, real_part
from search_peers import FILES, Rows, write_rows
from search_shape import frequencies, real_rows, weighted
from search_synthetic import SHAPE, Drawing, load_shape

REAL = 9015
POSTING = 3  # bytes: 2 of the document, 1 of the count
QUERIES = 50


@dataclass(frozen=True)
class Case:
    """What was made, where."""

    folder: Path
    about: dict[str, Any]

    @property
    def documents(self) -> int:
        """How many."""
        return int(self.about["documents"])

    @property
    def drawn(self) -> bool:
        """Not real."""
        return bool(self.about["drawn"])

    @property
    def queries(self) -> int:
        """How many queries are measured; real ones are the first of all targets."""
        return min(QUERIES, int(self.about["queries"]))

    @property
    def touched(self) -> float:
        """Bytes of the postings of all words of a query, but those that every document has: the median."""
        return POSTING * float(np.median(self.about["postings_of_queries"][: self.queries]))

    @property
    def read(self) -> float:
        """Bytes that our own index has to read for that, by the form it keeps them in."""
        return float(np.median(self.about["bytes_of_queries"][: self.queries]))


def make(documents: int, folder: Path, *, corpus: Path | None, peers: bool, seed: int = 0) -> Case:
    """The case of so many documents; real ones if there are as many, else drawn ones."""
    kind = "real" if documents == REAL and corpus else "drawn"
    key = hashlib.sha256(SHAPE.read_bytes() + f"{seed} {corpus if kind == 'real' else ''}".encode()).hexdigest()[:8]
    place = folder / f"{kind}-{documents}-{key}{'-peers' if peers else ''}"
    if not (place / "case.json").exists():
        place.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, __file__, "--documents", str(documents), "--folder", str(place), "--seed", str(seed)]
        command += (["--corpus", str(corpus)] if kind == "real" else []) + (["--peers"] if peers else [])
        subprocess.run(command, check=True)
    return Case(place, json.loads((place / "case.json").read_text("utf-8")))


class Making:
    """Gathers what is needed besides the index while the rows go by."""

    def __init__(self, peers: bool) -> None:
        self.df: np.ndarray = np.zeros(0, dtype=np.int64)
        self.kept: list[csr_array] = []
        self.peers = peers
        self.watch = Watch()
        self.drawing = 0.0
        self.postings = 0

    def add(self, rows: csr_array) -> None:
        """Some more documents."""
        found = frequencies(rows)
        self.df = found if not len(self.df) else self.df + found
        self.postings += int(rows.nnz)
        if self.peers:
            self.kept.append(rows)


def _drawn(documents: int, drawing: Drawing, making: Making) -> Iterator[Part]:
    """Parts for the index; the time of drawing is not that of building."""
    began, first = time.perf_counter(), 0
    for rows in drawing.chunks(documents):
        making.add(rows)
        part = drawn_part(rows, first)
        first += rows.shape[0]
        making.drawing += time.perf_counter() - began
        yield part
        began = time.perf_counter()


def make_drawn(documents: int, folder: Path, *, peers: bool, seed: int) -> None:
    """A drawn corpus; its queries are documents that are not in it."""
    drawing, making = Drawing(load_shape(), seed=seed), Making(peers)
    making.watch.start()
    queries = drawing.queries(QUERIES)
    began = time.perf_counter()
    build(folder / "index", _drawn(documents, drawing, making))
    seconds = time.perf_counter() - began - making.drawing
    words = [drawn_query(*_row(queries, number)) for number in range(QUERIES)]
    _finish(folder, documents, making, queries, words, {"drawn": True, "build_seconds": round(seconds, 1)})


def make_real(corpus: Path, folder: Path, *, peers: bool) -> None:
    """The real corpus; its queries are the targets, which are among its documents."""
    counts, ids, targets = real_rows(corpus)
    making = Making(peers)
    making.watch.start()
    making.add(counts.rows)
    began = time.perf_counter()
    build(folder / "index", [real_part(ids, list(counts.terms), counts.rows)])
    seconds = time.perf_counter() - began
    queries = counts.rows[targets]
    words = []
    for number in range(len(targets)):
        terms, found = _row(queries, number)
        words.append(dict(zip([counts.terms[term] for term in terms.tolist()], found.tolist(), strict=True)))
    _finish(folder, len(ids), making, queries, words, {"drawn": False, "build_seconds": round(seconds, 1)})


def _row(rows: csr_array, number: int) -> tuple[np.ndarray, np.ndarray]:
    part = slice(rows.indptr[number], rows.indptr[number + 1])
    return rows.indices[part], rows.data[part]


def _finish(
    folder: Path, documents: int, making: Making, queries: csr_array, words: list[dict[str, int]], about: dict[str, Any]
) -> None:
    (folder / "queries.jsonl").write_text("".join(json.dumps(each) + "\n" for each in words), "utf-8")
    held = np.where(making.df < documents, making.df, 0)
    # Our own index has the frequent words in another form: a byte for each document there is.
    read = np.where(held * ONE_IN > documents, documents, POSTING * held)
    terms = [_row(queries, number)[0] for number in range(queries.shape[0])]
    if making.peers:
        _for_peers(folder, documents, making, queries)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    about = {
        "documents": documents,
        "queries": queries.shape[0],
        "postings": making.postings,
        "terms": int((making.df > 0).sum()),
        "drawing_seconds": round(making.drawing, 1),
        **about,
        "peak_megabytes": round(peak / 1e6),
        "peak_megabytes_without_files": making.watch.megabytes,
        "postings_of_queries": [int(held[each].sum()) for each in terms],
        "bytes_of_queries": [int(read[each].sum()) for each in terms],
    }
    (folder / "case.json").write_text(json.dumps(about) + "\n", "utf-8")


def _for_peers(folder: Path, documents: int, making: Making, queries: csr_array) -> None:
    """Weights that are ready, over the words that the corpus has; words of weight 0 are left out, as our own does."""
    used = np.flatnonzero((making.df > 0) & (making.df < documents))
    columns = np.full(len(making.df), -1, dtype=np.int32)
    columns[used] = np.arange(len(used))
    files = {part: (folder / f"documents.{part}").open("wb") for part in FILES}
    last = np.zeros(1, dtype=np.int64)
    last.tofile(files["ends"])
    while making.kept:
        rows = weighted(_narrow(making.kept.pop(0), columns, len(used)), making.df[used], documents)
        (last[-1] + rows.indptr[1:].astype(np.int64)).tofile(files["ends"])
        last = last[-1:] + rows.nnz
        rows.indices.astype(np.int32).tofile(files["terms"])
        rows.data.tofile(files["weights"])
    for file in files.values():
        file.close()
    rows = weighted(_narrow(queries, columns, len(used)), making.df[used], documents)
    write_rows(folder, "queries", Rows(rows.indptr, rows.indices, rows.data))


def _narrow(rows: csr_array, columns: np.ndarray, width: int) -> csr_array:
    places = columns[rows.indices]
    known = places >= 0
    ends = np.concatenate([[0], np.cumsum(known)])[rows.indptr]
    return csr_array((rows.data[known], places[known], ends), shape=(rows.shape[0], width))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--peers", action="store_true")
    options = parser.parse_args()
    if options.corpus:
        make_real(options.corpus, options.folder, peers=options.peers)
    else:
        make_drawn(options.documents, options.folder, peers=options.peers, seed=options.seed)


if __name__ == "__main__":
    main()
