"""What does each channel of a search contribute, and how good is the ranking on targets it was not trained on?

The 179 targets are divided in two by groups of similar citation lists. Each half is judged by weights that the
other half and the other citing documents of the corpus taught: each channel alone, all channels but one, all of them,
a boosted tree on the same signals, reciprocal ranks, and the same without any citations. The paper's tf-idf is the
baseline, and every figure comes with the p of a paired randomisation test. Which text of a draft asks best is measured
too.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from environment import SHARED, environment, save
from foreart.document.draft import Draft, draft_of_patent
from foreart.document.figures import figures, without
from foreart.evaluation import (
    Collection,
    Evaluation,
    EvaluationOptions,
    assess_scorer,
    compare,
    corpus_queries,
    intervals,
    ranker_scorer,
    read_qrels,
)
from foreart.evaluation.evaluation_json import evaluation_record
from foreart.learning.examples import Examples
from foreart.learning.hubs import hubs_of
from foreart.learning.trainer import PENALTY, Trainer
from foreart.learning.training import neighbour_examples_of
from foreart.learning.training_queries import folds, training_queries
from foreart.library import Library
from foreart.search.ranking import (
    CHANNELS,
    FORMS,
    RRF,
    CitationGraph,
    RankingInputs,
    fit_logistic,
    open_inputs,
    ranking_inputs_of,
)
from foreart.text import query_words, section_text
from foreart.text.passages import passages

METRICS = ("map", "ndcg@10", "recall@100", "pres@100", "auc", "ap")
PAPER = "tf-idf of full text (the paper)"
ALL = "all channels, learned"
Score = Callable[[np.ndarray], np.ndarray]


class Bench:
    """Targets, judgements, and every score of every variant."""

    def __init__(self, library: Library, inputs: RankingInputs) -> None:
        self.library = library
        self.qrels = read_qrels(SHARED / "ultrasound.qrels")
        self.queries = corpus_queries(library.corpus, self.qrels).queries
        self.ids = tuple(inputs.view.ids)
        self.collection = Collection(inputs.view, library.corpus)
        self.evaluations: dict[str, Evaluation] = {}

    def judge(self, name: str, scores: Mapping[str, np.ndarray]) -> None:
        """Evaluates the scores of all targets."""
        told = assess_scorer(
            lambda query, scope: scores[query.document.id],
            self.collection,
            self.queries,
            self.qrels,
            EvaluationOptions(metrics=METRICS),
        )
        self.evaluations[name] = told.evaluation
        print(f"{name:45}", {key: round(value, 4) for key, value in told.evaluation.values.items()}, file=sys.stderr)

    def record(self, *, against: str) -> dict[str, Any]:
        """All figures; differences to one variant with the p of a paired test."""
        found = {}
        for name, evaluation in self.evaluations.items():
            found[name] = evaluation_record(evaluation, intervals(evaluation) if name in (PAPER, ALL) else None)
            if name != against:
                tested = compare({against: self.evaluations[against], name: evaluation})
                found[name]["p"] = {item.metric: round(item.p, 5) for item in tested if item.metric in METRICS[:4]}
        return found


class Halves:
    """Signals of all targets, with neighbours learned on the other half and the rest of the corpus."""

    def __init__(self, bench: Bench, inputs: RankingInputs, labels: CitationGraph) -> None:
        self.bench, self.inputs = bench, inputs
        view = labels.view
        targets = [view.ids.row(query.document.id) for query in bench.queries]
        queries = training_queries(labels)
        examples = Examples(bench.library.corpus, inputs, labels)
        hubs = hubs_of(examples, queries.ranked).column
        trainer = Trainer(
            examples, queries, neighbour_examples_of(examples, queries), hubs, frozenset(CHANNELS), seed=0
        )
        self.parts = folds(targets, labels, count=2)
        self.tables, self.signals, self.known = [], {}, {}
        for part in self.parts:
            neighbours, _ = trainer.fit(set(part))
            tables = [trainer.rows(row, neighbours) for row in queries.ranked if row not in set(part)]
            self.names, self.signs = tables[0].names, tables[0].signs
            self.tables.append((np.concatenate([t.values for t in tables]), np.concatenate([t.cited for t in tables])))
            for row in part:
                example = examples[row]
                self.signals[row] = examples.signals(example, neighbours, hubs)
                self.known[row] = example.features.known
        self.channels = self.signals[targets[0]].channels

    def fused(self, kept: Iterable[str], *, tree: bool = False) -> dict[str, np.ndarray]:
        """Scores of all targets by the channels that are kept."""
        wanted = set(kept)
        columns = [place for place, name in enumerate(self.names) if self.channels[name] in wanted]
        names = [self.names[place] for place in columns]
        found = {}
        for part, (values, cited) in zip(self.parts, self.tables, strict=True):
            score = (
                _tree(values[:, columns], cited)
                if tree
                else _linear(values[:, columns], cited, names, [self.signs[place] for place in columns])
            )
            for row in part:
                table = np.stack([self.signals[row].columns[name] for name in names], axis=1)
                found[row] = score(table)
        return self._by_id(found)

    def ranks(self) -> dict[str, np.ndarray]:
        """Scores of all targets by reciprocal ranks."""
        return self._by_id({row: RRF.scores(self.signals[row], self.known[row]) for row in self.signals})

    def _by_id(self, found: dict[int, np.ndarray]) -> dict[str, np.ndarray]:
        return {self.bench.ids[row]: scores for row, scores in found.items()}


def _linear(values: np.ndarray, cited: np.ndarray, names: list[str], signs: list[int]) -> Score:
    fitted = fit_logistic(values, cited.astype(float), names, signs=signs, penalty=PENALTY)
    return lambda table: table @ fitted.weights


def _tree(values: np.ndarray, cited: np.ndarray) -> Score:
    from sklearn.ensemble import HistGradientBoostingClassifier

    made = HistGradientBoostingClassifier(
        max_iter=200, learning_rate=0.05, max_leaf_nodes=15, min_samples_leaf=100, l2_regularization=1.0, random_state=0
    ).fit(values, cited)
    return lambda table: made.decision_function(table)


def ablation(bench: Bench, inputs: RankingInputs) -> dict[str, Any]:
    """Each channel alone, all but each, all, and others on the same signals."""
    halves = Halves(bench, inputs, inputs.graph)
    every = list(dict.fromkeys(halves.channels.values()))
    bench.judge(ALL, halves.fused(every))
    bench.judge("all channels, boosted tree", halves.fused(every, tree=True))
    bench.judge("all channels, reciprocal ranks", halves.ranks())
    for channel in every:
        bench.judge(f"only {channel}", halves.fused([channel]))
        bench.judge(f"without {channel}", halves.fused([name for name in every if name != channel]))
    citing = [name for name in every if CHANNELS[name].citations]
    bench.judge("without all channels of citations", halves.fused([name for name in every if name not in citing]))
    return {"sizes_of_halves": [len(part) for part in halves.parts], "channels": every}


def no_citations(bench: Bench, inputs: RankingInputs) -> None:
    """A corpus that has none: what texts name stands for them; citations only teach, as they taught what is brought."""
    named = CitationGraph(inputs.view, from_texts=True)
    halves = Halves(bench, ranking_inputs_of(named, inputs.texts.indexes), inputs.graph)
    every = list(dict.fromkeys(halves.channels.values()))
    bench.judge("no citations in the corpus, learned", halves.fused(every))
    bench.judge("no citations in the corpus, reciprocal ranks", halves.ranks())
    numbers = ("named in draft", "named by near", "shared numbers")
    texts = [name for name in every if not CHANNELS[name].citations and name not in numbers]
    bench.judge("no citations and no numbers in texts, learned", halves.fused(texts))


def forms(bench: Bench) -> None:
    """Which text of the draft asks best, of log-tf-idf over full texts."""
    index = bench.library.index("log-tfidf")
    for name, form in {**QUERY_FORMS, **{f"form {name}": made for name, made in FORMS.items()}}.items():
        scores = {}
        for query in bench.queries:
            draft = draft_of_patent(query.blind)
            words = index.words(form(draft)) if name.endswith("all words") else query_words(index.words(form(draft)))
            scores[query.document.id] = index.engine.scores(index.engine.query(words))
        bench.judge(name, scores)


def _without_figures(draft: Draft) -> str:
    text = draft.description_text
    told = without(text, [(item.start, item.end) for item in figures(text)])
    return "\n".join((draft.title, draft.abstract, told, *(claim.text for claim in draft.claims)))


def _summary(draft: Draft) -> str:
    return "\n".join((draft.title, draft.section_text("summary"), *(claim.text for claim in draft.claims[:1])))


def _essence(draft: Draft) -> str:
    """Abstract, claims, and the twenty passages with most words of the claims and the title."""
    wanted = {word for word in section_text(draft, "claims").lower().split() if len(word) > 4}
    parts = passages(draft.description_text, words=40)
    best = sorted(range(len(parts)), key=lambda at: (-len(wanted & set(parts[at].lower().split())), at))[:20]
    return "\n".join(
        (section_text(draft, "abstract"), section_text(draft, "claims"), *(parts[at] for at in sorted(best)))
    )


QUERY_FORMS = {
    "form whole, all words": FORMS["whole"],
    "form whole without figure prose": _without_figures,
    "form summary and first claim": _summary,
    "form extractive essence": _essence,
}


def main() -> None:
    """Writes results/ranking.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, required=True, help="where the corpus and its indexes are kept")
    parser.add_argument("--optional", default="ppmi,passages", help="indexes of optional channels, with commas")
    options = parser.parse_args()
    with Library(options.library) as library:
        library.add([SHARED / "ultrasound.jsonl.gz", SHARED / "background.jsonl.gz"], workers=2)
        began = time.monotonic()
        library.build(workers=2)
        built = round(time.monotonic() - began, 1)
        for kind in filter(None, options.optional.split(",")):
            if kind not in library.indexes or library.index(kind).description.corpus != library.corpus.fingerprint:
                library.build(kind)
        inputs = open_inputs(options.library)
        bench = Bench(library, inputs)
        scorer = ranker_scorer(library.ranker("tfidf"))
        found = {query.document.id: scorer(query, bench.collection.scope(query)) for query in bench.queries}
        bench.judge(PAPER, found)
        began = time.monotonic()
        about = ablation(bench, inputs)
        no_citations(bench, inputs)
        forms(bench)
        result = {
            **environment("numpy", "scipy", "numba", "scikit-learn"),
            "corpus": library.corpus.fingerprint,
            "documents": len(library.corpus),
            "targets": len(bench.queries),
            **about,
            "seconds": {"build": built, "measure": round(time.monotonic() - began, 1)},
            "variants": bench.record(against=ALL),
        }
    save("ranking", result)


if __name__ == "__main__":
    main()
