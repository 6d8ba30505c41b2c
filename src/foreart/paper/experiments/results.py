"""Results of the finished steps, as tables, figures and findings read them."""

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
NOT_YET = "not computed yet: run the same command again to continue"
HOW_TO_LABEL = (
    "There are no expert labels for this corpus; the paper's values are shown. To get them: `foreart sample` draws "
    "pairs and writes a blind sheet, `foreart label` takes the scores; then run this with --labels FOLDER. "
    "A folder of the authors' sheets (<target>_human_eval.csv) is read as well."
)


@dataclass(frozen=True)
class Results:
    """Finished steps by name; `failed` has a sentence for each that could not be done."""

    study: Study
    done: Mapping[str, Done]
    failed: Mapping[str, str] = field(default_factory=dict)

    def told(self, name: str, section: str, line: int = -1) -> Mapping[str, Any] | None:
        """The figures of a representation of a section; of several numbers of dimensions the greatest."""
        found = self.done.get(f"{name}:{section}")
        return found.numbers["told"][line] if found else None

    def figure(self, name: str, section: str, metric: str, line: int = -1) -> float | None:
        """One of them."""
        told = self.told(name, section, line)
        return None if told is None else float(told[metric])

    def scores(self, name: str, section: str, line: int = -1) -> np.ndarray | None:
        """The score of every pair."""
        found = self.done.get(f"{name}:{section}")
        return np.asarray(found.arrays["scores"][line]) if found else None

    def weighted(self, measure: str, norm: str, weighting: str, metric: str = "auc") -> float | None:
        """One cell of T7."""
        found = self.done.get(f"measures:{weighting}:{norm}")
        return None if found is None else float(found.numbers[metric][measure])

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
        """The expert's, if there are any."""
        return labels_of(self.study, self.scores("tfidf", "full"))

    def label(self, name: str) -> str:
        """How a representation is called."""
        return REPRESENTATIONS[name].label
