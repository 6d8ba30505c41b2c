"""The entry point: from a corpus and pairs to a folder with every table and figure."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from foreart.corpus import Corpus
from foreart.errors import ForeartError
from foreart.evaluation.pairs.pairs import Pairs
from foreart.paper.exhibits.exhibits import chosen
from foreart.paper.experiments.representations import REPRESENTATIONS
from foreart.paper.experiments.results import Results
from foreart.paper.experiments.step_runner import Tell, run, seconds_to_do
from foreart.paper.experiments.study import StudySettings, study
from foreart.paper.report_files import Report
from foreart.review import JudgedPair

OMISSIBLE = (*(name for name in REPRESENTATIONS if name != "tfidf"), "description")


@dataclass(frozen=True, slots=True)
class Made:
    """The page written, its results, and the steps that this run computed."""

    page: Path
    results: Results
    computed: tuple[str, ...]


def make_paper(
    corpus: Corpus,
    pairs: Pairs,
    work: str | Path,
    out: str | Path,
    *,
    settings: StudySettings | None = None,
    judged: Sequence[JudgedPair] = (),
    only: Sequence[str] = (),
    command: Sequence[str] = ("foreart", "paper"),
    tell: Tell = lambda progress: None,
) -> Made:
    """Writes every table and figure of Helmers et al. (2019), or those of `only`, next to the paper's values, to `out`.

    Finished steps are kept in `work`: killed at any moment, the same call resumes. `command` is the command line that
    the page shows.
    """
    settings = settings or StudySettings()
    for name in settings.without:
        if name not in OMISSIBLE:
            raise ForeartError(f"{name!r} cannot be left out; these can: {', '.join(OMISSIBLE)}")
    exhibits = chosen(only)
    commands = {name: shlex.join([*command, "--only", name]) for name in exhibits}
    report = Report(out, exhibits, commands)
    done = run(study(corpus, pairs, work, settings=settings, judged=judged), exhibits, tell=tell, write=report.write)
    return Made(report.page, done.results, done.computed)


def estimated_seconds(
    corpus: Corpus, pairs: Pairs, work: str | Path, *, settings: StudySettings | None = None, only: Sequence[str] = ()
) -> float:
    """How long `make_paper` takes with these arguments, without the steps that are finished; nothing is written."""
    return seconds_to_do(study(corpus, pairs, work, settings=settings or StudySettings()), chosen(only))
