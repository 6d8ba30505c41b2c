"""Does the coverage of a claim chart separate disclosing documents from others, and how long does a chart take?

    python benchmarks/charts.py --library FOLDER    a library of the 9,015 documents of ../shared/data, built

Targets of ../shared/data play the draft. Each is charted against itself, its own description without its claims, a
member of its family, documents it cites, documents of its field that it does not cite, and documents that share no
class with it. Nothing is labelled by hand: a cited document need not disclose every element, and one of the field may.
What is sure is the order. The constants of `search/charting` were chosen on 24 targets, which are not among these.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from environment import SHARED, environment, save
from foreart.corpus import Corpus
from foreart.corpus.relations.family_names import family_of
from foreart.document.draft import Draft, draft_of_patent
from foreart.document.patent import Patent
from foreart.index.query.snapshot_counts import frequencies
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.store import load as load_postings
from foreart.search.charting import GRADES, chart_building, coverage, element_terms, quoting, reference_words
from foreart.search.charting.chart_rows import ChartedElement, rows_of
from foreart.search.charting.coverage import Wanted, grade
from foreart.search.charting.quoting import Windows, quotes
from foreart.search.charting.reference_words import ChartVocabulary, read

GROUPS = ("itself", "own description", "family", "cited", "same field", "other field")
EACH = 4  # documents of a group for each target
CHOSEN = 60  # the first targets, among them all that constants were chosen on
PERCENTILES = (1, 5, 25, 50, 75, 95, 99)


@dataclass
class Case:
    """A target and the documents it is charted against."""

    draft: Draft
    groups: dict[str, list[Patent]]


@dataclass
class Seen:
    """Coverages of cells and of whole documents, and the lengths of quotes."""

    cells: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    documents: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    words: list[int] = field(default_factory=list)
    pairs: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))


def cases(corpus: Corpus, number: int) -> Iterator[Case]:
    """Targets in a random but fixed order, those that constants were chosen on left out."""
    cited: dict[str, list[str]] = defaultdict(list)
    for line in (SHARED / "ultrasound.qrels").read_text("utf-8").splitlines():
        target, _, document, _ = line.split()
        cited[target].append(document)
    drawn = random.Random(7)
    targets = sorted(cited)
    drawn.shuffle(targets)
    pool = [patent for one in drawn.sample(corpus.ids(), 1500) if usable(patent := corpus[one])]
    families = family_of(corpus)
    members: dict[str, list[str]] = defaultdict(list)
    for one, name in families.items():
        members[name].append(one)
    found = 0
    for target in targets[CHOSEN:]:
        patent = corpus[target]
        draft = draft_of_patent(patent)
        own = [corpus[one] for one in members.get(families.get(target, ""), ()) if one != patent.id]
        of_them = [other for one in cited[target] if one in corpus and usable(other := corpus[one])]
        if found == number or not usable(patent) or not draft.elements or len(of_them) < EACH:
            continue
        found += 1
        near = [one for one in pool if "A61B" in classes(one) and one.id not in cited[target] and one.id != patent.id]
        far = [one for one in pool if classes(one) and not classes(one) & classes(patent)]
        yield Case(
            draft,
            {
                "itself": [patent],
                "own description": [replace(patent, claims=())],
                "family": [one for one in own if usable(one)][:EACH],
                "cited": drawn.sample(of_them, EACH),
                "same field": drawn.sample(near, EACH),
                "other field": drawn.sample(far, EACH),
            },
        )


def usable(patent: Patent) -> bool:
    return patent.language == "en" and bool(patent.claims) and patent.depth == "full"


def classes(patent: Patent) -> set[str]:
    return {symbol.symbol[:4] for symbol in (*patent.cpc, *patent.ipc)}


def measure(found: list[Case], postings: Snapshot) -> Seen:
    """The coverage of every cell."""
    seen = Seen()
    for case in found:
        asked = rows_of(case.draft, lambda words: frequencies(postings, words).tolist(), len(postings))
        weights = np.array([one.row.weight for one in asked])
        totals = {
            group: [_document(patent, asked, weights, seen, group) for patent in patents]
            for group, patents in case.groups.items()
        }
        for other in ("same field", "other field"):
            wins = [(one > two) + 0.5 * (one == two) for one in totals["cited"] for two in totals[other]]
            seen.pairs[other].append(statistics.fmean(wins))
    return seen


def _document(patent: Patent, asked: tuple[ChartedElement, ...], weights: np.ndarray, seen: Seen, group: str) -> float:
    columns = chart_building.columns_of(asked)
    words = {term.stem: term.word for one in asked for term in one.terms}
    windows = Windows(read(patent, ChartVocabulary(list(columns), [words[key] for key in columns], "en", {})))
    totals = []
    for one in asked:
        made, total = quotes(Wanted.of(one.terms, columns), windows, [term.word for term in one.terms])
        totals.append(total)
        seen.words += [len(quote.text.split()) for quote in made]
    seen.cells[group] += totals
    seen.documents[group].append(float(weights @ np.array(totals)))
    return seen.documents[group][-1]


def described(values: list[float]) -> dict[str, Any]:
    marks = np.percentile(values, PERCENTILES)
    return {
        "number": len(values),
        **{f"p{p}": round(float(mark), 3) for p, mark in zip(PERCENTILES, marks, strict=True)},
    }


def graded(values: list[float]) -> dict[str, float]:
    told = [grade(value) for value in values]
    return {name: round(told.count(name) / len(told), 4) for name in GRADES}


def separation(seen: Seen) -> dict[str, float]:
    """How often, of a cited document and one of another kind, the cited one covers the target better (AUC)."""
    return {f"cited over {other}": round(statistics.fmean(values), 4) for other, values in seen.pairs.items()}


def difference(base: Seen, other: Seen) -> dict[str, list[float]]:
    """What leaving an idea out changes, target by target: the mean and its 95 % interval by bootstrap over targets."""
    drawn = np.random.default_rng(7)
    told = {}
    for group, values in base.pairs.items():
        steps = np.array(other.pairs[group]) - np.array(values)
        means = steps[drawn.integers(0, len(steps), (10_000, len(steps)))].mean(axis=1)
        low, high = np.percentile(means, (2.5, 97.5))
        told[f"cited over {group}"] = [round(float(one), 4) for one in (steps.mean(), low, high)]
    return told


@contextmanager
def without(what: str) -> Iterator[None]:
    """One of the ideas of the coverage left out."""
    changes = {
        "as it is": [],
        "words count in full wherever they stand": [patch.object(coverage, "ALONE", 1.0)],
        "further quotes count in full": [patch.object(quoting, "FURTHER", 1.0)],
        "all words weigh the same": [patch.object(element_terms, "log", lambda _: 1.0)],
        "no stems": [
            patch.object(element_terms, "stem", lambda word, _: word),
            patch.object(element_terms, "forms", lambda word, _: (word,)),
            patch.object(reference_words, "stem", lambda word, _: word),
        ],
    }[what]
    for change in changes:
        change.start()
    try:
        yield
    finally:
        for change in changes:
            change.stop()


IDEAS = (
    "as it is",
    "words count in full wherever they stand",
    "further quotes count in full",
    "all words weigh the same",
    "no stems",
)


def speed(library: Path, found: list[Case], rounds: int) -> dict[str, Any]:
    """Seconds of a cold process for about 12 elements × 20 references, without and with all files written."""
    case = min(found, key=lambda one: abs(len(one.draft.elements) - 12))
    ids = [patent.id for one in found for patent in one.groups["cited"]][:20]
    told: dict[str, Any] = {"elements": len(case.draft.elements), "references": len(ids)}
    with tempfile.TemporaryDirectory() as folder:
        files = [part for kind in ("csv", "xlsx", "html", "docx") for part in (f"--{kind}", f"{folder}/c.{kind}")]
        for name, options in (("chart", ["--json"]), ("chart and all files", ["--json", *files])):
            command = [sys.executable, "-m", "foreart", "chart", case.draft.source, *ids, "-l", str(library), *options]
            walls, cpus = zip(*(_timed(command) for _ in range(rounds)), strict=True)
            told[name] = {"seconds": round(min(walls), 2), "cpu seconds": round(min(cpus), 2)}
        walls, cpus = zip(
            *(
                _timed([sys.executable, "-m", "foreart", "verify", f"{folder}/c.docx", "-l", str(library)])
                for _ in "ab"
            ),
            strict=True,
        )
        told["verify"] = {"seconds": round(min(walls), 2), "cpu seconds": round(min(cpus), 2)}
    return told


def _timed(command: list[str]) -> tuple[float, float]:
    before, began = os.times(), time.monotonic()
    subprocess.run(command, check=True, capture_output=True)
    wall, after = time.monotonic() - began, os.times()
    return wall, after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--targets", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    postings = load_postings(options.library / "postings" / "full")
    with Corpus(options.library / "corpus.db") as corpus:
        found = list(cases(corpus, options.targets))
    ideas = {}
    for idea in IDEAS:
        with without(idea):
            ideas[idea] = measure(found, postings)
        print(idea, separation(ideas[idea]), file=sys.stderr)
    seen = ideas["as it is"]
    save(
        "charts",
        {
            "question": __doc__.splitlines()[0],
            **environment("numpy", "scipy", "numba"),
            "targets": len(found),
            "grades": dict(GRADES),
            "cells": {group: {**described(seen.cells[group]), "grades": graded(seen.cells[group])} for group in GROUPS},
            "documents": {group: described(seen.documents[group]) for group in GROUPS},
            "words of a quote": described([float(words) for words in seen.words]),
            "separation": {idea: separation(result) for idea, result in ideas.items()},
            "difference, low, high": {
                idea: difference(seen, result) for idea, result in ideas.items() if result is not seen
            },
            "speed": speed(options.library, found, options.rounds),
        },
    )


if __name__ == "__main__":
    main()
