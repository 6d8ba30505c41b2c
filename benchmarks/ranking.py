"""What does each channel of a search contribute, and how good is the ranking on targets it was not trained on?

The 179 targets are divided in two by groups of similar citation lists. Each half is judged by weights that the
other half and the other citing documents of the corpus taught: each channel alone, all channels but one, all of them,
a boosted tree on the same signals, reciprocal ranks, and the same without any citations. The paper's tf-idf is the
baseline, and every figure comes with the p of a paired randomisation test. Which text of a draft asks best is measured
too. Each variant also has cold figures, without the siblings of the targets.
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
from foreart.document.draft import Draft, draft_of_patent, outlined
from foreart.document.figures import figures, without
from foreart.evaluation import (
    AllScores,
    Assessment,
    Collection,
    Evaluation,
    EvaluationOptions,
    QueryDocument,
    assess_scorer,
    compare,
    corpus_queries,
    intervals,
    ranker_scorer,
    read_qrels,
)
from foreart.evaluation.evaluation_json import cold_record, evaluation_record
from foreart.evaluation.protocol import Scorer
from foreart.learning.examples import Examples
from foreart.learning.hubs import hubs_of
from foreart.learning.trainer import PENALTY, Trainer
from foreart.learning.training import fit_models, neighbour_examples_of, similarity_pools
from foreart.learning.training_queries import folds, training_queries
from foreart.library import Library
from foreart.search import Scope
from foreart.search.ranking import (
    CHANNELS,
    EXACT,
    FORMS,
    RRF,
    CitationGraph,
    FusedRanker,
    Learned,
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
    """Targets, judgements, and the assessment of every variant."""

    def __init__(self, library: Library, inputs: RankingInputs) -> None:
        self.library = library
        self.qrels = read_qrels(SHARED / "ultrasound.qrels")
        self.queries = corpus_queries(library.corpus, self.qrels).queries
        self.ids = tuple(inputs.view.ids)
        self.collection = Collection(inputs.view, library.corpus)
        self.assessments: dict[str, Assessment] = {}

    def judge(self, name: str, scorer: Scorer) -> None:
        """Evaluates a scorer on all targets, warm and cold."""
        options = EvaluationOptions(metrics=METRICS)
        told = assess_scorer(scorer, self.collection, self.queries, self.qrels, options)
        self.assessments[name] = told
        for kind, evaluation in (("warm", told.evaluation), ("cold", told.cold)):
            if evaluation is not None:
                print(f"{name:45} {kind}", _rounded(evaluation), file=sys.stderr)

    def record(self, *, against: str) -> dict[str, Any]:
        """All figures; differences to one variant with the p of a paired test."""
        found = {}
        for name, told in self.assessments.items():
            evaluation = told.evaluation
            found[name] = evaluation_record(evaluation, intervals(evaluation) if name in (PAPER, ALL) else None)
            found[name]["cold"] = cold_record(told.cold, told.with_siblings)
            if name != against:
                tested = compare({against: self.assessments[against].evaluation, name: evaluation})
                found[name]["p"] = {item.metric: round(item.p, 5) for item in tested if item.metric in METRICS[:4]}
        return found


def _rounded(evaluation: Evaluation) -> dict[str, float]:
    return {key: round(value, 4) for key, value in evaluation.values.items()}


class Halves:
    """Signals of all targets, with models learned on the other half and the rest of the corpus.

    Weights are fitted as `learn` does: to the signals of training queries under models learned without them.
    """

    def __init__(self, bench: Bench, inputs: RankingInputs, labels: CitationGraph) -> None:
        view = labels.view
        targets = [view.ids.row(query.document.id) for query in bench.queries]
        examples = Examples(bench.library.corpus, inputs, labels)
        queries = training_queries(labels).only(lambda row: len(examples.relevant(row)) > 0)
        neighbours = neighbour_examples_of(examples, queries)
        pools = similarity_pools(examples, queries.listed, seed=0)
        trainer = Trainer(examples, hubs_of(examples, queries.ranked), CHANNELS, seed=0)
        self.parts = folds(targets, labels, count=2)
        self._half_of = {bench.ids[row]: place for place, part in enumerate(self.parts) for row in part}
        self._rankers, self._tables = [], []
        for part in self.parts:
            ranked, listed = (set(rows).difference(part) for rows in (queries.ranked, queries.listed))
            tables = []
            for fold in folds(sorted(ranked), labels, others=sorted(listed - ranked)):
                models = fit_models(neighbours, pools, {*part, *fold})
                items = [item for row in fold if row in ranked for item in trainer.neighboured(row, models)]
                self._channels = trainer.candidates(items[0]).channels if items else self._channels
                tables += [trainer.rows(item) for item in items]
            self.names, self._signs = tables[0].names, tables[0].signs
            columns = ("values", "cited", "weights")
            self._tables.append([np.concatenate([getattr(table, name) for table in tables]) for name in columns])
            self._rankers.append(
                FusedRanker(inputs, Learned({}, fit_models(neighbours, pools, set(part))), depth=EXACT)
            )
        # The signals of a target and its scores by reciprocal ranks, by what it may know.
        self._compared: dict[tuple[str, bytes], tuple[np.ndarray, np.ndarray]] = {}

    @property
    def channels(self) -> list[str]:
        """The channels with signals that get a weight."""
        return list(dict.fromkeys(self._channels[name] for name in self.names))

    def fused(self, kept: Iterable[str], *, tree: bool = False) -> Scorer:
        """Scores by the channels that are kept."""
        wanted = set(kept)
        columns = [place for place, name in enumerate(self.names) if self._channels[name] in wanted]
        names, signs = ([items[place] for place in columns] for items in (self.names, self._signs))
        scores = [
            _tree(values[:, columns], cited, weights)
            if tree
            else _linear(values[:, columns], cited, weights, names, signs)
            for values, cited, weights in self._tables
        ]
        return lambda query, scope: AllScores(scores[self._half(query)](self._of(query, scope)[0][:, columns]))

    def ranks(self) -> Scorer:
        """Scores by reciprocal ranks."""
        return lambda query, scope: AllScores(self._of(query, scope)[1])

    def _half(self, query: QueryDocument) -> int:
        return self._half_of[query.document.id]

    def _of(self, query: QueryDocument, scope: Scope) -> tuple[np.ndarray, np.ndarray]:
        key = query.document.id, np.packbits(scope.known).tobytes()
        if key not in self._compared:
            compared = self._rankers[self._half(query)].compare(outlined(query.document), scope)
            found = compared.signals(np.arange(len(scope.known)))
            table = np.stack(
                [found.columns[name] for name in self.names], axis=1, dtype=np.float32, casting="same_kind"
            )
            self._compared[key] = table, RRF.scores(found, compared.known)
        return self._compared[key]


def _linear(values: np.ndarray, cited: np.ndarray, weights: np.ndarray, names: list[str], signs: list[int]) -> Score:
    fitted = fit_logistic(
        values.astype(np.float64), cited.astype(float), names, signs=signs, penalty=PENALTY, weights=weights
    )
    return lambda table: table @ fitted.weights


def _tree(values: np.ndarray, cited: np.ndarray, weights: np.ndarray) -> Score:
    from sklearn.ensemble import HistGradientBoostingClassifier

    made = HistGradientBoostingClassifier(
        max_iter=200, learning_rate=0.05, max_leaf_nodes=15, min_samples_leaf=100, l2_regularization=1.0, random_state=0
    ).fit(values, cited, sample_weight=weights)
    return lambda table: made.decision_function(table)


def ablation(bench: Bench, inputs: RankingInputs) -> dict[str, Any]:
    """Each channel alone, all but each, all, and others on the same signals."""
    halves = Halves(bench, inputs, inputs.graph)
    every = halves.channels
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
    every = halves.channels
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
        bench.judge(name, _stored(scores))


def _stored(scores: Mapping[str, np.ndarray]) -> Scorer:
    """Scores that do not depend on what is known."""
    return lambda query, scope: AllScores(scores[query.document.id])


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
        bench.judge(PAPER, ranker_scorer(library.ranker("tfidf")))
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
