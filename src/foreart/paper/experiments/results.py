"""Results of the finished steps, from which tables, figures and findings are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from foreart.paper.experiments.label_tables import Labels, labels_of
from foreart.paper.experiments.representations import REPRESENTATIONS
from foreart.paper.experiments.study import Study
from foreart.paper.experiments.work import Done

SECTION_NAMES = {"full": "full text", "abstract": "abstract", "claims": "claims", "description": "description"}
NOT_YET = "not computed yet: run the same command again to resume"
HOW_TO_LABEL = (
    "There are no expert labels for this corpus; the paper's values are shown. To collect labels: `foreart sample` "
    "draws pairs and writes a blind sheet, `foreart label` records the scores; then run this with --labels FOLDER. "
    "A folder of the authors' sheets (<target>_human_eval.csv) can be read too."
)


@dataclass(frozen=True)
class Results:
    """Finished steps by name; `failed` has the reason for each that could not be computed."""

    study: Study
    done: Mapping[str, Done]
    failed: Mapping[str, str] = field(default_factory=dict)

    def metrics(self, name: str, section: str, line: int = -1) -> Mapping[str, Any] | None:
        """The metrics of a representation of a section, by default for the largest number of dimensions."""
        step = self.done.get(f"{name}:{section}")
        return step.numbers["metrics"][line] if step else None

    def figure(self, name: str, section: str, metric: str, line: int = -1) -> float | None:
        """One metric."""
        metrics = self.metrics(name, section, line)
        return None if metrics is None else float(metrics[metric])

    def scores(self, name: str, section: str, line: int = -1) -> np.ndarray | None:
        """The score of every pair."""
        step = self.done.get(f"{name}:{section}")
        return np.asarray(step.arrays["scores"][line]) if step else None

    def weighted(self, measure: str, norm: str, weighting: str, metric: str = "auc") -> float | None:
        """One cell of T7."""
        step = self.done.get(f"measures:{weighting}:{norm}")
        return None if step is None else float(step.numbers[metric][measure])

    def why(self, name: str, sections: Sequence[str] = ()) -> str:
        """Why a representation has no values for some of the sections, by default of all; `""` if it has them."""
        settings = self.study.settings
        if name in settings.without:
            return f"left out (--without {name})"
        if name == "embedding" and not settings.model:
            return "give the folder of a sentence encoder with --model FOLDER"
        steps = [f"{name}:{section}" for section in sections or settings.sections_of(name)]
        sentences = {self.failed[step] for step in steps if step in self.failed}
        if sentences:
            return "; ".join(sorted(sentences))
        return NOT_YET if any(step not in self.done for step in steps) else ""

    @cached_property
    def labels(self) -> Labels | None:
        """The expert labels, if there are any."""
        return labels_of(self.study, self.scores("tfidf", "full"))

    def label(self, name: str) -> str:
        """The display name of a representation."""
        return REPRESENTATIONS[name].label
