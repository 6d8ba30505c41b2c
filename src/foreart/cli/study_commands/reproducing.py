"""`foreart paper`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
from rich.progress import BarColumn, TimeElapsedColumn

from foreart.cli.edge import resumable
from foreart.cli.options import command, json_option, library_option, open_corpus
from foreart.cli.printing import output, print_json, progress
from foreart.evaluation.pairs.pairs import RULES, Pairs, Rule

if TYPE_CHECKING:
    from foreart.corpus import Corpus
    from foreart.paper import Made
    from foreart.paper import Progress as Stand

_RANDOM, _SEED = 1000, 1
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@dataclass(frozen=True, slots=True)
class _PairOptions:
    """Of which targets and documents the pairs are made: at most one of the first four is given."""

    year: int | None
    targets: Path | None
    qrels: Path | None
    pairs: Path | None
    random: int
    rule: Rule | None
    seed: int

    def words(self) -> list[str]:
        """As they were typed, without what is the default."""
        given: dict[str, object] = {
            "--year": self.year,
            "--targets": self.targets,
            "--qrels": self.qrels,
            "--pairs": self.pairs,
            "--random": self.random if self.random != _RANDOM else None,
            "--random-rule": self.rule,
            "--seed": self.seed if self.seed != _SEED else None,
        }
        return _typed(given)

    def check(self) -> None:
        """Refuses what contradicts itself."""
        if sum(each is not None for each in (self.year, self.targets, self.qrels, self.pairs)) > 1:
            raise click.UsageError("give one of --year, --targets, --qrels and --pairs")


@command("paper", example="foreart paper --year 2015 --out report")
@click.option("--year", type=click.IntRange(1700, 2200), help="Targets are the patents published in this year.")
@click.option("--targets", type=_FILE, help="Targets are the ids of this file, one a line.")
@click.option("--qrels", type=_FILE, help="Targets and what they cite are those of this TREC qrels file.")
@click.option("--pairs", "pairs_file", type=_FILE, help="Take the pairs that `foreart pairs` wrote to this file.")
@click.option(
    "--random", "number", type=click.IntRange(1), default=_RANDOM, show_default=True, help="Random documents."
)
@click.option(
    "--random-rule",
    "rule",
    type=click.Choice(list(RULES)),
    help="Which documents may be random.  [default: uncited with --qrels; else as `foreart pairs`]",
)
@click.option("--seed", type=int, default=_SEED, show_default=True, help="Another seed draws other documents.")
@click.option("--labels", type=click.Path(exists=True, path_type=Path), help="Expert labels: T2, T3, T4, F3, F9.")
@click.option(
    "--model",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of a sentence encoder, for one more row in T1.",
)
@click.option("--only", default="", metavar="NAMES", help="Only these tables and figures: T1,T7,F2.")
@click.option("--without", default="", metavar="NAMES", help="Leave out, as they take long: word2vec,doc2vec.")
@click.option(
    "--dimensions",
    default="100,250,500,1000",
    show_default=True,
    metavar="NUMBERS",
    help="Of LSA and KPCA; T1 has the last.",
)
@click.option("--as-published", is_flag=True, help="Cut words as the authors' scripts did.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Threads for training.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder of the report.")
@library_option
@json_option
def paper_command(
    year: int | None,
    targets: Path | None,
    qrels: Path | None,
    pairs_file: Path | None,
    number: int,
    rule: Rule | None,
    seed: int,
    labels: Path | None,
    model: Path | None,
    only: str,
    without: str,
    dimensions: str,
    as_published: bool,
    workers: int,
    out: Path | None,
    folder: Path,
    as_json: bool,
) -> None:
    """Give every table and figure of Helmers et al. (2019) for this corpus, beside the paper's values.

    Writes report.html, which needs nothing but a browser, tables/*.csv, figures/*.png and .svg, and results.json, by
    default into paper/report of the library. Targets are those of --year, --targets, --qrels or --pairs, by default of
    the last whole year of the corpus. What is finished is kept in the library: stopped at any moment, the same command
    goes on. Training word2vec and doc2vec on full texts takes long and comes last; all else is written before.
    """
    from foreart.paper import StudySettings, make_paper
    from foreart.paper.exhibits.exhibits import chosen
    from foreart.review import read_judged

    asked = _PairOptions(year, targets, qrels, pairs_file, number, rule, seed)
    asked.check()
    names = _names(only)
    settings = StudySettings(
        dimensions=_numbers(dimensions),
        without=tuple(_names(without)),
        model=str(model or ""),
        seed=seed,
        workers=workers,
        as_published=as_published,
    )
    given = {
        "--labels": labels,
        "--model": model,
        "--without": without or None,
        "--dimensions": dimensions if settings.dimensions != StudySettings().dimensions else None,
        "--as-published": as_published or None,
    }
    typed = ["foreart", "paper", "--library", str(folder), *asked.words(), *_typed(given)]
    place = out or folder / "paper" / ("-".join(["report", *chosen(names)]) if names else "report")
    began = time.monotonic()
    kept = f"{place} has what was finished, and the same command goes on"
    bar = progress("pairing", BarColumn(), TimeElapsedColumn())
    with resumable(kept), open_corpus(folder) as corpus, bar as show:
        made = make_paper(
            corpus, _pairs(corpus, asked), folder / "paper" / "steps", place, settings=settings,
            judged=read_judged(labels) if labels else (), only=names, command=typed,
            tell=lambda stand: _show(show, stand, began),
        )  # fmt: skip
    _tell(made, place, as_json)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _numbers(text: str) -> tuple[int, ...]:
    names = _names(text)
    if not names or not all(name.isdecimal() and int(name) for name in names):
        raise click.BadParameter(f"{text!r} are not numbers with commas between them", param_hint="--dimensions")
    return tuple(sorted(map(int, names)))


def _typed(given: Mapping[str, object]) -> list[str]:
    """Options as words; None is not given, and True needs no value."""
    words: list[str] = []
    for option, value in given.items():
        if value is not None:
            words += [option] if value is True else [option, str(value)]
    return words


def _pairs(corpus: Corpus, asked: _PairOptions) -> Pairs:
    from foreart.corpus import Selection
    from foreart.evaluation.pairs.pairs import PairSettings
    from foreart.evaluation.pairs.pairs_file import read_pairs, read_targets
    from foreart.evaluation.pairs.pairs_making import make_pairs
    from foreart.evaluation.trec.qrels import read_qrels

    if asked.pairs is not None:
        return read_pairs(asked.pairs)
    period = "" if asked.year is None else str(asked.year)
    # With qrels the random documents are those of `foreart evaluate`, so that both give the same AUC and AP.
    usual: Rule | Literal[""] = "uncited" if asked.qrels is not None else ""
    return make_pairs(
        corpus,
        PairSettings(
            Selection(published_from=period, published_to=period), asked.random, asked.rule or usual, asked.seed
        ),
        targets=read_targets(asked.targets) if asked.targets else None,
        qrels=read_qrels(asked.qrels) if asked.qrels else None,
    )


def _show(show: Callable[..., None], stand: Stand, began: float) -> None:
    spent = time.monotonic() - began
    left = f"about {_duration(stand.left)} left"
    show(f"{stand.number}/{stand.of} {stand.title}, {left}", spent, spent + stand.left)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _tell(made: Made, place: Path, as_json: bool) -> None:
    content = json.loads((place / "results.json").read_text("utf-8"))
    if as_json:
        print_json({"page": str(made.page), "computed": list(made.computed), **content})
        return
    console = output()
    for finding in content["findings"]:
        console.print(f"{finding['verdict']:>6}  {finding['question']}")
        console.print(f"        {finding['text']}", style="dim")
    for name, sentence in content["failed"].items():
        console.print(f"not done: {name}: {sentence}")
    console.print(f"report: {made.page}")
