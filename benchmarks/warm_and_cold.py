"""How good are the rankings that searches use, for drafts with siblings in the corpus and for drafts on new subjects?

As users get them: files are added, indexes built, weights learned, and `foreart evaluate` ranks the 179 targets; a
target that was learned from is judged by the fold that did not see it. Warm is the corpus as it is, cold hides
siblings (docs/evaluating.md). The same corpus without its citations shows what is left where there are none, and the
background documents that cite at least three others show another mixture of fields.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from environment import SHARED, environment, save
from foreart.evaluation import EvaluationReport, Qrels, evaluate, read_qrels
from foreart.library import Library
from foreart.search.ranking import MIN_RELEVANT, open_inputs

METRICS = ("map", "ndcg@10", "recall@100", "pres@100", "auc", "ap")
FILES = ("ultrasound.jsonl.gz", "background.jsonl.gz")
# What ranks: its title in tables, and how it is asked for.
SYSTEMS: dict[str, dict[str, str]] = {
    "all channels, learned (the default after `foreart learn`)": {"ranking": "learned"},
    "all channels, default weights (before `foreart learn`)": {"ranking": "default-weights"},
    "all channels, reciprocal ranks (`--ranking rrf`)": {"ranking": "rrf"},
    "log-tf-idf": {"index": "log-tfidf"},
    "tf-idf, full text (the paper)": {"index": "tfidf"},
}


def figures(report: EvaluationReport) -> dict[str, Any]:
    """Warm and cold metrics, and the number of queries."""
    record = report.to_record()
    return {"metrics": record["metrics"], "queries": record["queries"], "cold": record["cold"]}


def built(folder: Path, files: list[Path]) -> Library:
    """A library of these files, with all indexes."""
    library = Library(folder)
    library.add(files, workers=2)
    library.build(workers=2)
    return library


def without_citations(folder: Path) -> list[Path]:
    """The files with the citations of every record removed."""
    made = []
    for name in FILES:
        with gzip.open(SHARED / name, "rt", encoding="utf-8") as source:
            target = folder / name
            with gzip.open(target, "wt", encoding="utf-8", compresslevel=1) as file:
                file.writelines(json.dumps({**json.loads(line), "citations": []}) + "\n" for line in source)
        made.append(target)
    return made


def background_qrels(library: Library) -> Qrels:
    """The background documents that cite at least three earlier documents of the corpus, and what they cite."""
    with gzip.open(SHARED / FILES[1], "rt", encoding="utf-8") as source:
        background = {json.loads(line)["id"] for line in source}
    graph = open_inputs(library.folder).graph
    ids, lists = graph.view.ids, graph.relevant
    rows = (row for row, length in enumerate(lists.indptr[1:] - lists.indptr[:-1]) if length >= MIN_RELEVANT)
    return Qrels(
        {
            ids[row]: {ids[other]: 1 for other in lists.indices[lists.indptr[row] : lists.indptr[row + 1]].tolist()}
            for row in rows
            if ids[row] in background
        }
    )


def main() -> None:
    """Writes results/warm_and_cold.json."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, help="a library of the real documents, built and learned")
    options = parser.parse_args()
    qrels = read_qrels(SHARED / "ultrasound.qrels")
    with tempfile.TemporaryDirectory() as made:
        folder = options.library or Path(made) / "library"
        with built(folder, [SHARED / name for name in FILES]) as library:
            began = time.monotonic()
            learned = library.learn()
            result: dict[str, Any] = {
                "question": __doc__.splitlines()[0],
                **environment("numpy", "scipy", "numba"),
                "corpus": library.corpus.fingerprint,
                "documents": len(library.corpus),
                "learn": {
                    "seconds": round(time.monotonic() - began, 1),
                    "metrics": dict(learned.metrics),
                    "cold": dict(learned.cold),
                },
                "systems": {},
            }
            for name, system in SYSTEMS.items():
                print(name, file=sys.stderr, flush=True)
                result["systems"][name] = figures(evaluate(library, qrels, METRICS, samples=0, **system))
            background = background_qrels(library)
            result["background"] = figures(evaluate(library, background, METRICS, samples=0))
        with built(Path(made) / "bare", without_citations(Path(made))) as library:
            name = "all channels, in a corpus without citations"
            print(name, file=sys.stderr, flush=True)
            result["systems"][name] = figures(evaluate(library, qrels, METRICS, samples=0))
    save("warm_and_cold", result)


if __name__ == "__main__":
    main()
