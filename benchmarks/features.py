"""What time and memory do LSA and word vectors of 9,015 full texts take, compared with scikit-learn and gensim?

    python benchmarks/features.py                        all of it, after loading ../shared/data: half an hour
    python benchmarks/features.py --corpus corpus.db     with a corpus that is loaded already
    python benchmarks/features.py --only lsa,sklearn     some of it; the other figures stay as they are

Each contestant runs in a process of its own, which tells its seconds and its peak memory; seconds of words (reading
from the corpus, cutting, counting) and of learning apart, on the clock and of all cores. scikit-learn gets the rows of
foreart's tf-idf, so that only the SVD differs. gensim's skip-gram trains on a share of the texts, with as many workers
as there are cores, and its seconds are scaled by the number of words.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from environment import RESULTS, SHARED, environment, save
from foreart.corpus import Corpus
from foreart.features import Counts, Tfidf, count, make, tokenized
from foreart.features.topics.kpca import Kpca
from foreart.features.topics.lsa import Lsa
from foreart.text import section_text

Result = dict[str, Any]


def texts(corpus: Path, *, every: int = 1) -> Iterator[str]:
    with Corpus(corpus) as opened:
        for number, patent in enumerate(opened):
            if number % every == 0:
                yield section_text(patent, "full")


def timed(action: Callable[[], Any]) -> tuple[Any, Result]:
    """What an action makes, and its seconds on the clock and of all cores; a busy machine stretches only the first."""
    began, worked = time.perf_counter(), time.process_time()
    made = action()
    clock, cores = time.perf_counter() - began, time.process_time() - worked
    return made, {"seconds": round(clock, 1), "core_seconds": round(cores, 1)}


def counted(corpus: Path) -> tuple[Counts, Result]:
    return timed(lambda: count(texts(corpus), Tfidf().tokenizer))


def reduced(corpus: Path, kind: type[Lsa] | type[Kpca], dimensions: int) -> Result:
    """One of our own reductions: learned, and all documents encoded."""
    counts, words = counted(corpus)
    features, fit = timed(lambda: kind(dimensions=dimensions).fit_counts(counts))
    rows, encode = timed(lambda: features.encode_counts(counts))
    found: Result = {"words": words, "fit": fit, "encode": encode, "dimensions": rows.shape[1]}
    with tempfile.TemporaryDirectory() as folder:
        features.save(Path(folder) / "features")
        size = sum(file.stat().st_size for file in Path(folder).rglob("*.*"))
    found |= {"vocabulary": len(counts.terms), "saved_megabytes": round(size / 1e6)}
    return found | (_singular(features.singular_values_) if isinstance(features, Lsa) else {})


def sklearn(corpus: Path) -> Result:
    """The same rows, scikit-learn's truncated SVD with its own settings."""
    from sklearn.decomposition import TruncatedSVD

    counts, words = counted(corpus)

    def learn() -> TruncatedSVD:
        rows = Tfidf().fit_counts(counts).encode_counts(counts)
        return TruncatedSVD(250, random_state=0).fit(rows)

    model, fit = timed(learn)
    return {"words": words, "fit": fit, "dimensions": 250, **_singular(model.singular_values_)}


def _singular(values: np.ndarray) -> Result:
    """A truncated SVD that has not converged finds smaller ones."""
    last, total = float(values[-1]), float((values**2).sum())
    return {"last_singular_value": round(last, 5), "sum_of_squares": round(total, 4)}


def word_vectors(corpus: Path, name: str, *, every: int = 1, **parameters: object) -> Result:
    """Vectors of 200 dimensions from every so-manieth text."""
    features = make(name, {"dimensions": 200, **parameters})
    stream, words = timed(lambda: tokenized(texts(corpus, every=every), features.tokenizer))
    _, fit = timed(lambda: features.fit_stream(stream))  # type: ignore[attr-defined]
    return {"words": words, "fit": fit, "dimensions": 200, "words_of_texts": len(stream.ids), "texts": len(stream)}


CONTESTANTS: dict[str, Callable[[Path], Result]] = {
    "lsa_250": lambda corpus: reduced(corpus, Lsa, 250),
    "sklearn_250": sklearn,
    "lsa_1000": lambda corpus: reduced(corpus, Lsa, 1000),
    "kpca_1000": lambda corpus: reduced(corpus, Kpca, 1000),
    "ppmi_200": lambda corpus: word_vectors(corpus, "ppmi"),
    "word2vec_200": lambda corpus: word_vectors(corpus, "word2vec", every=20, workers=os.cpu_count() or 1),
}


def child(name: str, corpus: Path) -> None:
    """One contestant: prints its figures as JSON."""
    found = CONTESTANTS[name](corpus)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({**found, "peak_megabytes": round(peak / 1e6)}))


def run(name: str, corpus: Path) -> Result:
    """A contestant in a process of its own, and how busy the machine was when it began."""
    busy = round(os.getloadavg()[0], 1)
    command = [sys.executable, __file__, "--child", name, "--corpus", str(corpus)]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    found: Result = {**json.loads(told), "load_before": busy}
    print(name, found, file=sys.stderr)
    return found


def compared(found: Result) -> Result:
    """Ratios to the peers, where both were measured."""
    ratios: Result = {}
    if {"lsa_250", "sklearn_250"} <= set(found):
        ours, theirs = found["lsa_250"]["fit"], found["sklearn_250"]["fit"]
        ratios["sklearn_over_lsa"] = {key: round(theirs[key] / ours[key], 2) for key in ours}
    if {"ppmi_200", "word2vec_200"} <= set(found):
        share = found["word2vec_200"]["words_of_texts"] / found["ppmi_200"]["words_of_texts"]
        ours, theirs = found["ppmi_200"]["fit"], found["word2vec_200"]["fit"]
        ratios["word2vec_fit_scaled_to_all_words"] = {key: round(theirs[key] / share) for key in ours}
        ratios["word2vec_over_ppmi"] = {key: round(theirs[key] / share / ours[key], 1) for key in ours}
    return ratios


def described(corpus: Path) -> Result:
    with Corpus(corpus) as opened:
        return {"documents": len(opened), "fingerprint": opened.fingerprint}


def measure(corpus: Path, names: list[str]) -> None:
    """Runs what is asked for; figures of the same corpus that are not measured again stay."""
    about = described(corpus)
    file = RESULTS / "features.json"
    before = json.loads(file.read_text("utf-8")) if file.exists() else {}
    found = before.get("measured", {}) if before.get("corpus") == about else {}
    for name in names:
        found[name] = run(name, corpus)
        result: Result = {
            "question": "How long do LSA and word vectors of 9,015 full texts take, and how much memory?",
            **environment("numpy", "scipy", "numba", "scikit-learn", "gensim"),
            "corpus": about,
            "measured": {each: found[each] for each in CONTESTANTS if each in found},
            "compared": compared(found),
        }
        save("features", result)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--only", default=",".join(CONTESTANTS), help=f"some of {', '.join(CONTESTANTS)}")
    parser.add_argument("--child", choices=CONTESTANTS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child, options.corpus)
        return
    names = [name for name in CONTESTANTS if any(name.startswith(asked) for asked in options.only.split(","))]
    if options.corpus:
        measure(options.corpus, names)
        return
    with tempfile.TemporaryDirectory(prefix="foreart-bench-") as folder:
        files = [SHARED / "ultrasound.jsonl.gz", SHARED / "background.jsonl.gz"]
        command = [sys.executable, "-m", "foreart", "add", *map(str, files), "--library", folder, "--json"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        measure(Path(folder) / "corpus.db", names)


if __name__ == "__main__":
    main()
