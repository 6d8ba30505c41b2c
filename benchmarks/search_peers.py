"""Other engines that find the best rows for a sparse query, each in a separate process, queried one by one.

    python benchmarks/search_peers.py --list                        which of them can run here, and why the others not

All are given weights that are ready: log-tf × idf, rows of length 1; so cosine is a sum of products to them. An engine
reads rows from a folder of bare arrays, prints one line of JSON when it is ready, and then, for each number of a query
that it reads, its milliseconds and its best 100 rows. Engines that the project's own environment lacks are looked for
in benchmarks/.venv, which search.py makes if it is not there (requirements-peers.txt, from PyPI).
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from scipy.sparse import csr_array

HERE = Path(__file__).resolve().parent
OTHER = HERE / ".venv" / "bin" / "python"
K = 100
Search = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Rows:
    """Sparse rows in three bare arrays."""

    ends: np.ndarray
    terms: np.ndarray
    weights: np.ndarray

    def row(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Terms and weights of one row."""
        part = slice(self.ends[number], self.ends[number + 1])
        return self.terms[part], self.weights[part]


FILES = {"ends": np.int64, "terms": np.int32, "weights": np.float32}


def write_rows(folder: Path, name: str, rows: Rows) -> None:
    """Bare arrays that every language can read."""
    for part, dtype in FILES.items():
        getattr(rows, part).astype(dtype).tofile(folder / f"{name}.{part}")


def read_rows(folder: Path, name: str) -> Rows:
    return Rows(**{part: np.fromfile(folder / f"{name}.{part}", dtype) for part, dtype in FILES.items()})


def best(scores: np.ndarray) -> np.ndarray:
    """The best hundred, best first."""
    some = np.argpartition(scores, -K)[-K:] if len(scores) > K else np.arange(len(scores))
    return some[np.argsort(-scores[some], kind="stable")]


def _matrix(rows: Rows, width: int) -> csr_array:
    ends = rows.ends.astype(np.int32) if rows.ends[-1] < 2**31 else rows.ends
    return csr_array((rows.weights, rows.terms, ends), shape=(len(rows.ends) - 1, width))


def _single(terms: np.ndarray, weights: np.ndarray, width: int) -> csr_array:
    return _matrix(Rows(np.array([0, len(terms)]), terms, weights), width)


def scipy_sparse(documents: Rows, width: int, _: Path) -> tuple[Search, int]:
    """The query as a sparse row times the transposed matrix in row form: an inverted index, by the library."""
    turned = _matrix(documents, width).T.tocsr()

    def search(terms: np.ndarray, weights: np.ndarray) -> np.ndarray:
        return best((_single(terms, weights, width) @ turned).toarray().ravel())

    return search, _bytes(turned)


def scipy_dense(documents: Rows, width: int, _: Path) -> tuple[Search, int]:
    """All rows times the query as a dense vector."""
    matrix = _matrix(documents, width)

    def search(terms: np.ndarray, weights: np.ndarray) -> np.ndarray:
        query = np.zeros(width, np.float32)
        query[terms] = weights
        return best(matrix @ query)

    return search, _bytes(matrix)


def sklearn(documents: Rows, width: int, _: Path) -> tuple[Search, int]:
    """scikit-learn's linear_kernel of one row and all."""
    from sklearn.metrics.pairwise import linear_kernel

    matrix = _matrix(documents, width)

    def search(terms: np.ndarray, weights: np.ndarray) -> np.ndarray:
        return best(linear_kernel(_single(terms, weights, width), matrix).ravel())

    return search, _bytes(matrix)


def topn(documents: Rows, width: int, _: Path) -> tuple[Search, int]:
    """sparse_dot_topn, one thread."""
    from scipy.sparse import csr_matrix
    from sparse_dot_topn import sp_matmul_topn

    turned = csr_matrix(_matrix(documents, width).T.tocsr())

    def search(terms: np.ndarray, weights: np.ndarray) -> np.ndarray:
        query = csr_matrix(_single(terms, weights, width))
        found = sp_matmul_topn(query, turned, top_n=K, sort=True, n_threads=1)
        return found.indices[np.argsort(-found.data, kind="stable")]

    return search, _bytes(turned)


def qdrant(documents: Rows, _: int, scratch: Path) -> tuple[Search, int]:
    """qdrant's engine in this process: sparse vectors in one optimized segment, exact, one thread of search."""
    import qdrant_edge as qd

    folder = scratch / "qdrant"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    config = qd.EdgeConfig(
        sparse_vectors={"f": qd.EdgeSparseVectorParams(on_disk=False, full_scan_threshold=1)},
        optimizers=qd.EdgeOptimizersConfig(default_segment_number=1, indexing_threshold=1),
        max_search_threads=1,
        wal_enabled=False,
    )
    shard = qd.EdgeShard.create(str(folder), config)
    for first in range(0, len(documents.ends) - 1, 500):
        points = []
        for number in range(first, min(first + 500, len(documents.ends) - 1)):
            terms, weights = documents.row(number)
            points.append(qd.Point(number, {"f": qd.SparseVector(terms.tolist(), weights.tolist())}))
        shard.update(qd.UpdateOperation.upsert_points(points))
    shard.optimize()
    shard.flush()

    def search(terms: np.ndarray, weights: np.ndarray) -> np.ndarray:
        query = qd.Query.Nearest(qd.SparseVector(terms.tolist(), weights.tolist()), using="f")
        params = qd.SearchParams(exact=True)
        return np.array([hit.id for hit in shard.query(qd.QueryRequest(limit=K, query=query, params=params))])

    # What a search reads: the inverted index. The rows themselves and empty pages are on the disk besides.
    return search, sum(file.stat().st_size for file in folder.rglob("inverted_index*") if file.is_file())


def _bytes(matrix: csr_array) -> int:
    return int(matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes)


@dataclass(frozen=True)
class Peer:
    """An engine: how it is called in the results, what must be importable, and how it is made ready."""

    title: str
    module: str
    make: Callable[[Rows, int, Path], tuple[Search, int]] | None  # Lucene is a program of its own


PEERS: dict[str, Peer] = {
    "scipy": Peer("scipy q @ Xᵀ", "scipy", scipy_sparse),
    "scipy-dense": Peer("scipy X @ dense q", "scipy", scipy_dense),
    "sklearn": Peer("scikit-learn linear_kernel", "sklearn", sklearn),
    "topn": Peer("sparse_dot_topn", "sparse_dot_topn", topn),
    "qdrant": Peer("qdrant-edge-py", "qdrant_edge", qdrant),
    "lucene": Peer("Lucene FeatureField, all terms", "pyserini", None),
}


def command(name: str, folder: Path) -> list[str]:
    """How the engine is started; if it cannot be, a sentence that says why is raised as LookupError."""
    python = _python(PEERS[name].module)
    if name != "lucene":
        return [python, str(HERE / "search_peers.py"), "--peer", name, "--folder", str(folder)]
    if not shutil.which("java") or not shutil.which("javac"):
        raise LookupError("there is no java with javac")
    found = "import importlib.util as u; print(u.find_spec('pyserini').submodule_search_locations[0])"
    package = Path(subprocess.run([python, "-c", found], check=True, capture_output=True, text=True).stdout.strip())
    jar = next((package / "resources" / "jars").glob("anserini-*-fatjar.jar"), None)
    if jar is None:
        raise LookupError(f"there is no jar in {package}")
    subprocess.run(["javac", "-cp", str(jar), "-d", str(folder), str(HERE / "search_lucene.java")], check=True)
    options = ["-Xmx4g", "-XX:+UseParallelGC", "-cp", f"{jar}:{folder}"]
    return ["java", *options, "SearchLucene", str(folder), str(folder / "lucene"), "all"]


def _python(module: str) -> str:
    """The first environment that has the module: this one, or that of the peers."""
    look = f"import importlib.util as u, sys; sys.exit(u.find_spec({module!r}) is None)"
    for python in (sys.executable, str(OTHER)):
        if Path(python).exists() and subprocess.run([python, "-c", look], check=False).returncode == 0:
            return python
    raise LookupError(f"{module} is not installed; see benchmarks/requirements-peers.txt")


def install() -> None:
    """Makes the environment of the peers, once; where that cannot be done, those that need it are left out."""
    if OTHER.exists():
        return
    print(f"installing the engines to compare with in {OTHER.parents[1]} (--peers none does without)", file=sys.stderr)
    wanted = ["-r", str(HERE / "requirements-peers.txt")]
    try:
        subprocess.run([sys.executable, "-m", "venv", str(OTHER.parents[1])], check=True)
        subprocess.run([str(OTHER), "-m", "pip", "install", "--quiet", "--no-deps", *wanted], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"without them: {error}", file=sys.stderr)


class Engine:
    """A running process that answers each line by a line of JSON; `about` is what it told when it was ready."""

    def __init__(self, command: list[str], log: Path) -> None:
        self._log = log
        with log.open("w") as errors:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        self.about: dict[str, Any] = self._line()

    def ask(self, question: object) -> dict[str, Any]:
        """The answer to one line."""
        assert self.process.stdin is not None
        print(question, file=self.process.stdin, flush=True)
        return self._line()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(60)

    def _line(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"it ended with {self.process.wait()}: {self._log.read_text('utf-8')[-300:]}")
        told: dict[str, Any] = json.loads(line)
        return told


def serve(name: str, folder: Path) -> None:
    """Answers query by query."""
    make = PEERS[name].make
    assert make is not None
    documents, queries = read_rows(folder, "documents"), read_rows(folder, "queries")
    width = int(max(documents.terms.max(), queries.terms.max())) + 1
    began = time.perf_counter()
    search, size = make(documents, width, folder)
    print(json.dumps({"build_seconds": round(time.perf_counter() - began, 1), "bytes": size}), flush=True)
    for line in sys.stdin:
        row = queries.row(int(line))
        began = time.perf_counter()
        found = search(*row)
        spent = (time.perf_counter() - began) * 1e3
        print(json.dumps({"ms": round(spent, 3), "rows": found.tolist()}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--peer", choices=PEERS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        serve(options.peer, options.folder)
        return
    for name, peer in PEERS.items():
        try:
            print(f"{name:12} {peer.title:32} {_python(peer.module)}")
        except LookupError as missing:
            print(f"{name:12} {peer.title:32} {missing}")


if __name__ == "__main__":
    main()
