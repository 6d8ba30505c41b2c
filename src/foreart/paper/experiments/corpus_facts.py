"""Counts of the corpus for T6, F6, F7 and F8."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from foreart.corpus.corpus_counts import Histogram
from foreart.corpus.fronts import fronts
from foreart.paper.experiments.study import Study
from foreart.paper.experiments.work import Done


def corpus_facts(study: Study) -> Done:
    """Years, years of targets, subclasses, and citations of a random sample."""
    counted = study.statistics
    return Done(
        {
            "documents": counted.documents,
            "undated": counted.undated,
            "years": [[year, patents] for year, patents in counted.years.items()],
            "target_years": _target_years(study),
            "subclasses": [[row.symbol, row.title, row.cpc, row.ipc] for row in counted.subclasses.counts],
            "citations": drawn(counted.citations.made, study.settings.sampled, study.settings.seed),
        }
    )


def drawn(made: Histogram, number: int, seed: int) -> dict[str, Any]:
    """The histogram of citations made by patents drawn at random.

    Drawing from the counts is equivalent to drawing patents and counting.
    """
    every = np.repeat([value for value, _ in made], [patents for _, patents in made]).astype(np.int64)
    chosen = np.random.default_rng(seed).choice(every, number, replace=False) if len(every) > number else every
    values, patents = np.unique(chosen, return_counts=True)
    return {
        "citations": values.tolist(),
        "patents": patents.tolist(),
        "sampled": len(chosen),
        "of": len(every),
        "drawn": len(every) > number,
    }


def _target_years(study: Study) -> list[list[int]]:
    dates = fronts(study.corpus)
    years = Counter(dates[target].published[:4] for target in study.pairs.targets)
    return sorted([int(year), count] for year, count in years.items() if year.isdecimal())
