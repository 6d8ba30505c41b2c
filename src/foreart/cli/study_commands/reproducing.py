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
    from foreart.paper import Progress as Stand

_RANDOM, _SEED = 1000, 1
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


# Options that say where and how fast, not what: the report does not repeat them.
_NOT_REPEATED = ("only", "out", "workers", "folder", "as_json")


@command("paper", example="foreart paper --year 2015 --out report")
@click.option("--year", type=click.IntRange(1700, 2200), help="Targets are the patents published in this year.")
@click.option("--targets", type=_FILE, help="Targets are the ids of this file, one a line.")
@click.option("--qrels", type=_FILE, help="Targets and what they cite are those of this TREC qrels file.")
@click.option("--pairs", "pairs_file", type=_FILE, help="Take the pairs that `foreart pairs` wrote to this file.")
@click.option("--random", "number", type=COUNT, default=_RANDOM, show_default=True, help="Random documents.")
@click.option(
    "--random-rule",
    "rule",
    type=click.Choice(list(RULES)),
    help="Which documents may be random.  [default: uncited with --qrels; else as `foreart pairs`]",
)
@click.option("--seed", type=SEED, default=_SEED, show_default=True, help="Another seed draws other documents.")
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
    """Give every table and figure of Helmers et al. (2019) for this corpus, beside the paper's values.

    Writes report.html, which needs nothing but a browser, tables/*.csv, figures/*.png and .svg, and results.json, by
    default into paper/report of the library. Targets are those of --year, --targets, --qrels or --pairs, by default of
    the last whole year of the corpus. What is finished is kept in the library: stopped at any moment, the same command
    goes on. Training word2vec and doc2vec on full texts takes long and comes last; all else is written before.
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
    # With qrels the random documents are those of `foreart evaluate`, so that both give the same AUC and AP.
    usual: Rule | Literal[""] = "uncited" if qrels is not None else ""
    drawn = PairSettings(Selection(published_from=period, published_to=period), number, rule or usual, seed)
    place = out or folder / "paper" / ("-".join(["report", *chosen(names)]) if names else "report")
    began = time.monotonic()
    kept = f"{place} has what was finished, and the same command goes on"
    bar = progress("pairing", BarColumn(), TimeElapsedColumn())
    with resumable(kept), open_corpus(folder) as corpus, bar as show:
        pairs = read_pairs(pairs_file) if pairs_file else make_pairs(corpus, drawn, targets=targets, qrels=qrels)
        made = make_paper(
            corpus, pairs, folder / "paper" / "steps", place, settings=settings,
            judged=read_judged(labels) if labels else (), only=names, command=_typed(context, folder),
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


def _typed(context: click.Context, folder: Path) -> list[str]:
    """The command as it was typed, but for what only says where and how fast."""
    words = ["foreart", "paper", "--library", str(folder)]
    for option in context.command.params:
        name = option.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name not in _NOT_REPEATED:
            value = context.params[name]
            words += [option.opts[-1]] if value is True else [option.opts[-1], str(value)]
    return words


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
