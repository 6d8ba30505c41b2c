"""The steps that each table or figure needs, their order, and their estimated time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from foreart.paper.experiments import scoring
from foreart.paper.experiments.corpus_facts import corpus_facts
from foreart.paper.experiments.measuring import measure, weighting_settings
from foreart.paper.experiments.published_values import NORMS, WEIGHTINGS
from foreart.paper.experiments.representations import REPRESENTATIONS
from foreart.paper.experiments.results import SECTION_NAMES
from foreart.paper.experiments.study import Study
from foreart.paper.experiments.work import Done

# Quick ones first, so that most tables are available early; training on full texts takes longest and comes last.
_ORDER = ("tfidf", "log-tfidf", "bm25", "measures", "ppmi", "lsa", "kpca", "embedding", "word2vec", "doc2vec")
CUT = "cut"
_SECTION_ORDER = ("full", "claims", "abstract", "description")


@dataclass(frozen=True)
class Step:
    """`cost` is the estimate in seconds; `words` is the form in which the tokenized texts are needed."""

    name: str
    title: str
    cost: float
    compute: Callable[[], Done]
    settings: Mapping[str, Any] = field(default_factory=dict)
    words: Literal["", "counts", "stream"] = ""


def plan(study: Study, exhibits: Collection[str]) -> list[Step]:
    """Every step that the exhibits need, finished or not, in order of execution."""
    names = dict.fromkeys(name for exhibit in exhibits for name in needs(exhibit, study))
    return sorted((_step(name, study) for name in names), key=_rank)


def needs(exhibit: str, study: Study) -> list[str]:
    """The names of the steps that a table or figure needs."""
    settings = study.settings
    every = [f"{name}:{section}" for name in settings.representations for section in settings.sections_of(name)]
    words_of_labels = ["tfidf:full"] if study.judged else []
    needed: dict[str, Iterable[str]] = {
        "T1": every,
        "T3": words_of_labels,
        "T4": [name for name in every if name.endswith(":full")],
        "T6": ["corpus"],
        "T7": [f"measures:{weighting}:{norm}" for norm in NORMS for weighting in WEIGHTINGS],
        "X1": [name for name in every if REPRESENTATIONS[name.partition(":")[0]].dimensions],
        "X2": [name for name in every if name.endswith(":full")],
        "F2": ["tfidf:full", "tfidf:claims"],
        "F3": words_of_labels,
        "F4": ["tfidf:full", "tfidf:claims", "tfidf:abstract"],
        "F6": ["corpus"],
        "F7": ["corpus"],
        "F8": ["corpus"],
        "F9": words_of_labels,
    }
    return list(needed.get(exhibit, ()))


def with_cut(study: Study, steps: Sequence[Step]) -> list[Step]:
    """The steps, with tokenizing inserted before the first that needs words, unless the texts are tokenized."""
    first = next((place for place, step in enumerate(steps) if step.words), None)
    stream = any(step.words == "stream" for step in steps)
    if first is None or study.texts.has(stream=stream):
        return list(steps)
    title = f"reading {len(study.ids):,} documents"
    cost = 0.5 * study.words("full") + 0.0012 * len(study.ids)
    cut = Step(CUT, title, cost, Done, words="stream" if stream else "counts")
    return [*steps[:first], cut, *steps[first:]]


def _step(name: str, study: Study) -> Step:
    if name == "corpus":
        settings = {"sampled": study.settings.sampled, "seed": study.settings.seed}
        return Step(name, "counting the corpus", 1.0, partial(corpus_facts, study), settings)
    kind, _, rest = name.partition(":")
    if kind == "measures":
        weighting, _, norm = rest.partition(":")
        title = f"all measures, {weighting}, {norm}"
        cost = 2.0 + 4e-5 * len(study.compared)
        return Step(name, title, cost, partial(measure, weighting, norm, study),
                    weighting_settings(weighting, norm, study), "counts")  # fmt: skip
    title = f"{REPRESENTATIONS[kind].label}, {SECTION_NAMES[rest]}"
    source = REPRESENTATIONS[kind].source
    return Step(name, title, _cost(kind, rest, study), partial(scoring.score, kind, rest, study),
                scoring.settings(kind, study), "" if source == "texts" else source)  # fmt: skip


def _rank(step: Step) -> tuple[int, int, str]:
    kind, _, rest = step.name.partition(":")
    place = _ORDER.index(kind) if kind in _ORDER else -1
    return place, _SECTION_ORDER.index(rest) if rest in _SECTION_ORDER else 0, step.name


def _cost(kind: str, section: str, study: Study) -> float:
    """Seconds on two cores, measured on ../shared/data; corrected as steps finish."""
    words, documents = study.words(section), len(study.ids) / 1000
    compared = (len(study.compared.targets) + len(study.compared.documents)) / 1000
    pairs = 1e-5 * len(study.compared)
    reduced = 0.3 * words + 1.3 * documents**2 * max(study.settings.dimensions) / 1000
    return 0.3 + pairs + {
        "tfidf": 0.03 * words,
        "log-tfidf": 0.03 * words,
        "bm25": 0.03 * words,
        "ppmi": 0.8 * words,
        "lsa": reduced,
        "kpca": reduced,
        "embedding": compared * (15 if section == "abstract" else 200),
        "word2vec": 15.0 * words,
        # The model of the full texts serves all sections.
        "doc2vec": 30.0 * words if section == "full" else 12.0 * words * compared / documents,
    }[kind]  # fmt: skip
