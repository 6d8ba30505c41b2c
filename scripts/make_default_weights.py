"""Learns the default weights (search/ranking/weights/default_weights.json) from a library of ../shared/data.

    foreart add ../shared/data/*.jsonl.gz -l LIBRARY && foreart build -l LIBRARY
    python scripts/make_default_weights.py LIBRARY

The 179 targets are not learned from, so that figures on them stay honest. Of the corpus only the weights are kept.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

from foreart.learning import learn
from foreart.library import Library
from foreart.search.ranking import (
    CitationGraph,
    HeldOut,
    Learned,
    SignalModels,
    open_inputs,
    ranking_inputs_of,
)

PLACE = Path(__file__).parents[1] / "src/foreart/search/ranking/weights/default_weights.json"
QRELS = Path(__file__).parents[2] / "shared/data/ultrasound.qrels"


def main(folder: str) -> None:
    """Writes both sets of weights: for corpora with citations, and for those without."""
    targets = sorted({line.split()[0] for line in QRELS.read_text("utf-8").splitlines()})
    with Library(folder) as library:
        inputs = open_inputs(Path(folder))
        texts = ranking_inputs_of(CitationGraph(inputs.view, from_texts=True), inputs.texts.indexes)
        made = {
            "citations": learn(library.corpus, inputs, without=targets),
            "texts": learn(library.corpus, texts, labels=inputs.graph, without=targets),
        }
    PLACE.write_text(json.dumps({name: _bare(learned) for name, learned in made.items()}, indent=1) + "\n", "utf-8")
    for name, learned in made.items():
        sys.stdout.write(f"{name}: {dict(learned.metrics)}\n")


def _bare(learned: Learned) -> dict[str, object]:
    """Weights only: documents, topics and chances are those of another corpus."""
    plain = learned.plain
    held_out = learned.held_out if plain is None else plain.held_out
    record = replace(
        learned,
        weights=learned.weights if plain is None else plain.weights,
        models=SignalModels(learned.models.neighbours),
        held_out=HeldOut(held_out.metrics, held_out.cold),
        hubs={},
        hub_mean=0.0,
        folds=(),
        topics={},
        plain=None,
        training={**learned.training, "without": "the 179 targets"},
    )
    return record.to_record()


if __name__ == "__main__":
    main(sys.argv[1])
