"""`foreart paper`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
from click.core import ParameterSource
from rich.progress import BarColumn, TimeElapsedColumn

from foreart.cli.edge import resumable
from foreart.cli.options import COUNT, SEED, command, json_option, library_option, open_corpus
from foreart.cli.printing import output, print_json, progress
from foreart.evaluation.pairs.pairs import RULES, Rule

if TYPE_CHECKING:
    from foreart.paper import Made
    from foreart.paper import Progress as StepProgress

_RANDOM, _SEED = 1000, 1
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


# Options that do not change the results: the report does not repeat them.
_NOT_REPEATED = ("only", "out", "workers", "folder", "as_json")


@command("paper", example="foreart paper --year 2015 --out report")
@click.option("--year", type=click.IntRange(1700, 2200), help="Targets are the patents published in this year.")
@click.option("--targets", type=_FILE, help="Targets are the ids in this file, one per line.")
@click.option("--qrels", type=_FILE, help="Targets and the documents they cite, from this TREC qrels file.")
@click.option("--pairs", "pairs_file", type=_FILE, help="Use the pairs in this file, written by `foreart pairs`.")
@click.option("--random", "number", type=COUNT, default=_RANDOM, show_default=True, help="Number of random documents.")
@click.option(
    "--random-rule",
    "rule",
    type=click.Choice(list(RULES)),
    help="Which documents may be random.  [default: uncited with --qrels; else as `foreart pairs`]",
)
@click.option("--seed", type=SEED, default=_SEED, show_default=True, help="Seed for drawing random documents.")
@click.option("--labels", type=click.Path(exists=True, path_type=Path), help="Expert labels: T2, T3, T4, F3, F9.")
@click.option(
    "--model",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of a sentence encoder, for one more row in T1.",
)
@click.option("--only", default="", metavar="NAMES", help="Only these tables and figures: T1,T7,F2.")
@click.option("--without", default="", metavar="NAMES", help="Skip these, which take long: word2vec,doc2vec.")
@click.option(
    "--dimensions",
    default="100,250,500,1000",
    show_default=True,
    metavar="NUMBERS",
    help="Dimensions of LSA and KPCA; T1 uses the largest.",
)
@click.option("--as-published", is_flag=True, help="Tokenize as the authors' scripts did.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Threads for training.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder of the report.")
@library_option
@json_option
@click.pass_context
def paper_command(
    context: click.Context,
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
    """Reproduce every table and figure of Helmers et al. (2019) for this corpus, next to the paper's values.

    Writes report.html, which needs only a browser, tables/*.csv, figures/*.png and .svg, and results.json, by default
    into paper/report of the library. Targets are those of --year, --targets, --qrels or --pairs, by default of the last
    full year of the corpus. Finished steps are kept in the library: after an interruption at any moment the same
    command resumes. Training word2vec and doc2vec on full texts takes long and comes last; all else is written before.
    """
    from foreart.corpus import Selection
    from foreart.evaluation.pairs.pairs import PairSettings
    from foreart.evaluation.pairs.pairs_file import read_pairs
    from foreart.evaluation.pairs.pairs_making import make_pairs
    from foreart.paper import StudySettings, make_paper
    from foreart.paper.exhibits.exhibits import chosen
    from foreart.review import read_judged

    if sum(each is not None for each in (year, targets, qrels, pairs_file)) > 1:
        raise click.UsageError("give one of --year, --targets, --qrels and --pairs")
    names = _names(only)
    settings = StudySettings(
        dimensions=_numbers(dimensions),
        without=tuple(_names(without)),
        model=str(model or ""),
        seed=seed,
        workers=workers,
        as_published=as_published,
    )
    period = "" if year is None else str(year)
    # With qrels the random documents are those of `foreart evaluate`, so that both report the same AUC and AP.
    default_rule: Rule | Literal[""] = "uncited" if qrels is not None else ""
    pair_settings = PairSettings(
        Selection(published_from=period, published_to=period), number, rule or default_rule, seed
    )
    report_folder = out or folder / "paper" / ("-".join(["report", *chosen(names)]) if names else "report")
    started = time.monotonic()
    kept = f"{report_folder} has the finished parts; run the same command again to resume"
    bar = progress("pairing", BarColumn(), TimeElapsedColumn())
    with resumable(kept), open_corpus(folder) as corpus, bar as show:
        pairs = (
            read_pairs(pairs_file) if pairs_file else make_pairs(corpus, pair_settings, targets=targets, qrels=qrels)
        )
        made = make_paper(
            corpus, pairs, folder / "paper" / "steps", report_folder, settings=settings,
            judged=read_judged(labels) if labels else (), only=names, command=_command_line(context, folder),
            tell=lambda status: _show_progress(show, status, started),
        )  # fmt: skip
    _print_results(made, report_folder, as_json)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _numbers(text: str) -> tuple[int, ...]:
    names = _names(text)
    if not names or not all(name.isdecimal() and int(name) for name in names):
        raise click.BadParameter(f"{text!r} is not a list of numbers separated by commas", param_hint="--dimensions")
    return tuple(sorted(map(int, names)))


def _command_line(context: click.Context, folder: Path) -> list[str]:
    """The command line without the options that do not change the results."""
    words = ["foreart", "paper", "--library", str(folder)]
    for option in context.command.params:
        name = option.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name not in _NOT_REPEATED:
            value = context.params[name]
            words += [option.opts[-1]] if value is True else [option.opts[-1], str(value)]
    return words


def _show_progress(show: Callable[..., None], status: StepProgress, started: float) -> None:
    spent = time.monotonic() - started
    left = f"about {_duration(status.left)} left"
    show(f"{status.number}/{status.of} {status.title}, {left}", spent, spent + status.left)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _print_results(made: Made, report_folder: Path, as_json: bool) -> None:
    content = json.loads((report_folder / "results.json").read_text("utf-8"))
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
