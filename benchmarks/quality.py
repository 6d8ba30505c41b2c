"""How well does each representation find what patents cite, and what people judged relevant?

Ranks by the protocol of ../shared/data/README.md: earlier documents only, a target's own citations hidden. Indexes that
the library has not are built; `--kinds` leaves the slow ones (word2vec, doc2vec: an hour each) to those who ask.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from environment import SHARED, environment, save
from foreart.evaluation import (
    Assessment,
    Evaluation,
    EvaluationOptions,
    Qrels,
    QueryDocument,
    assess_scorer,
    collection_of,
    compare,
    corpus_queries,
    intervals,
    ranker_scorer,
    read_qrels,
    read_topics,
)
from foreart.evaluation.evaluation_json import evaluation_record
from foreart.index_store import index_name
from foreart.library import Library

# Each index: its kind, the sections, and parameters other than the paper's.
INDEXES: dict[str, tuple[str, str, dict[str, object]]] = {
    "tf-idf, full text (the paper)": ("tfidf", "full", {}),
    "tf-idf, claims": ("tfidf", "claims", {}),
    "tf-idf, title and abstract": ("tfidf", "abstract", {}),
    "tf-idf, description": ("tfidf", "description", {}),
    "log-tf-idf": ("log-tfidf", "full", {}),
    "BM25": ("bm25", "full", {}),
    "LSA 250": ("lsa", "full", {"dimensions": 250}),
    "LSA 250 of log-tf-idf": ("lsa", "full", {"dimensions": 250, "tf": "log"}),
    "KPCA 250": ("kpca", "full", {"dimensions": 250}),
    "tf-idf × PPMI vectors": ("ppmi", "full", {}),
    "tf-idf × word2vec": ("word2vec", "full", {}),
    "doc2vec": ("doc2vec", "full", {}),
}
SLOW = ("word2vec", "doc2vec")
METRICS = ("map", "ndcg@10", "recall@100", "pres@100", "mrr", "auc", "ap")


def measure(library: Library, kinds: list[str]) -> dict[str, Any]:
    """Every index on the targets; differences to the paper's, with the p of a paired randomisation test."""
    qrels = read_qrels(SHARED / "ultrasound.qrels")
    queries = corpus_queries(library.corpus, qrels).queries
    found: dict[str, Any] = {}
    evaluations: dict[str, Evaluation] = {}
    for name, (kind, sections, parameters) in INDEXES.items():
        if kind not in kinds:
            continue
        built_as, seconds = _built(library, kind, sections, parameters)
        began = time.monotonic()
        assessed = _assessed(library, built_as, queries, qrels, METRICS)
        evaluations[name] = assessed.evaluation
        found[name] = {
            **evaluation_record(assessed.evaluation, intervals(assessed.evaluation)),
            "index": library.index(built_as).description.to_record(),
            "seconds_to_build": seconds,
            "seconds_to_rank": round(time.monotonic() - began, 1),
        }
        print(name, found[name]["metrics"], file=sys.stderr)
    paper = next(iter(INDEXES))
    if paper in evaluations:
        for name in list(evaluations)[1:]:
            for contrast in compare({paper: evaluations[paper], name: evaluations[name]}):
                if contrast.metric in ("map", "recall@100"):
                    found[name].setdefault("p_against_the_paper", {})[contrast.metric] = round(contrast.p, 5)
    return found


def topics(library: Library) -> dict[str, Any]:
    """The two topics of patsnap with human judgements: title and abstract only, so figures of two questions."""
    asked = read_topics(SHARED / "patsnap")
    result: dict[str, Any] = {}
    library.add([SHARED / "patsnap" / "patsnap_abstracts.jsonl.gz"], workers=2)
    for kind in ("tfidf", "log-tfidf", "bm25", "lsa", "ppmi"):
        name, _ = _built(library, kind, "full", {"dimensions": 100} if kind == "lsa" else {})
        assessed = _assessed(library, name, asked.queries, asked.qrels, ("map", "p@10", "recall@100", "auc"))
        result[kind] = evaluation_record(assessed.evaluation)["metrics"]
    return result


def _assessed(
    library: Library, name: str, queries: Sequence[QueryDocument], qrels: Qrels, metrics: tuple[str, ...]
) -> Assessment:
    ranker = library.ranker(name)
    documents = collection_of(ranker, library.corpus)
    return assess_scorer(ranker_scorer(ranker), documents, queries, qrels, EvaluationOptions(metrics=metrics))


def _built(library: Library, kind: str, sections: str, parameters: dict[str, object]) -> tuple[str, float | None]:
    """The name of an index, built if it is not there: a name of its own where parameters are not the default."""
    name = "-".join([index_name(kind, sections), *(str(value) for value in parameters.values())])
    if name in library.indexes and library.index(name).description.corpus == library.corpus.fingerprint:
        return name, None
    began = time.monotonic()
    library.build(kind, sections=sections, name=name, parameters=parameters)
    return name, round(time.monotonic() - began, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, required=True, help="where the corpus and its indexes are kept")
    parser.add_argument("--kinds", default="", help="only these kinds, with commas; all but the slow ones if not given")
    options = parser.parse_args()
    every = dict.fromkeys(kind for kind, _, _ in INDEXES.values())
    kinds = options.kinds.split(",") if options.kinds else [kind for kind in every if kind not in SLOW]
    with Library(options.library / "ultrasound") as library, Library(options.library / "patsnap") as second:
        library.add([SHARED / "ultrasound.jsonl.gz", SHARED / "background.jsonl.gz"], workers=2)
        result = {
            **environment("numpy", "scipy", "numba"),
            "corpus": library.corpus.fingerprint,
            "documents": len(library.corpus),
            "representations": measure(library, kinds),
            "patsnap_topics": topics(second),
        }
    save("quality", result)


if __name__ == "__main__":
    main()
