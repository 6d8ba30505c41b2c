"""Options that several commands share."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from foreart.cli.outputs import Command
from foreart.corpus import Corpus, Selection
from foreart.corpus.selection import checked
from foreart.document.patent import DEPTHS, Depth
from foreart.rankings import RANKINGS
from foreart.regimes import HIT_STATUSES, REGIMES

Function = TypeVar("Function", bound=Callable[..., Any])

# Ranges that fit every store and array; the range of seeds is NumPy's.
COUNT = click.IntRange(1, 10**9)
COUNT_OR_NONE = click.IntRange(0, 10**9)
SEED = click.IntRange(0, 2**32 - 1)
FILES = click.Path(exists=True, allow_dash=True, path_type=str)


def command(name: str, *, example: str) -> Callable[[Callable[..., Any]], click.Command]:
    """A subcommand with an example in its help."""
    return click.command(
        name, cls=Command, epilog=f"\b\nExample:\n  {example}", context_settings={"help_option_names": ["-h", "--help"]}
    )


class InOrder(click.Group):
    """Subcommands in the order in which they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """As they were added."""
        return list(self.commands)


class Finite(click.FloatRange):
    """A number in a range; `nan`, which click accepts in every range, is refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """The number."""
        number = super().convert(value, param, ctx)
        return number if math.isfinite(number) else self.fail(f"{value} is not a finite number", param, ctx)


def json_option(function: Function) -> Function:
    """`--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")(function)


def library_option(function: Function) -> Function:
    """`--library`, the folder all commands of one corpus share."""
    return click.option(
        "-l",
        "--library",
        "folder",
        default="foreart-data",
        envvar="FOREART_LIBRARY",
        show_default=True,
        show_envvar=True,
        type=click.Path(file_okay=False, path_type=Path),
        help="Folder of the corpus and its indexes.",
    )(function)


def on_option(function: Function) -> Function:
    """`--on`, the cluster that has the indexes."""
    return click.option(
        "--on",
        default="",
        metavar="ADDRESS",
        help="A cluster: dask://HOST:8786, https://HOST:9200.  [default: that of `foreart cluster use`]",
    )(function)


def law_options(function: Function) -> Function:
    """`--cutoff` and `--regime`: the date and the law by which documents count."""
    options = (
        click.option(
            "--cutoff", default="", metavar="DATE", help="Cut-off date.  [default: found in the draft, else today]"
        ),
        click.option(
            "--regime",
            type=click.Choice(list(REGIMES)),
            default="any",
            show_default=True,
            help="Law that defines prior art.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def ranking_options(function: Function) -> Function:
    """The ranking: one index alone, or all channels, how they are fused, and what is emphasised."""
    options = (
        click.option("--index", default="", metavar="NAME", help="Rank by this index alone.  [default: all channels]"),
        click.option(
            "--ranking",
            type=click.Choice(RANKINGS),
            default="auto",
            help="How channels are fused.  [default: learned, if `foreart learn` was run, else default-weights]",
        ),
        click.option("--exact", is_flag=True, help="Compare every document in full, without choosing candidates."),
        click.option("--emphasise", multiple=True, metavar="TERM", help="Words of the draft that matter most."),
        click.option(
            "--emphasise-paragraph", "emphasise_paragraphs", multiple=True, metavar="NUMBER", help="Paragraphs: 0012."
        ),
        click.option(
            "--emphasise-class", "emphasise_classes", multiple=True, metavar="SYMBOL", help="Classes: 'A61B 8'."
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def selection_options(function: Function) -> Function:
    """The conditions of a Selection."""
    options = (
        click.option(
            "--from",
            "published_from",
            default="",
            metavar="DATE",
            help="Published on or after (2004, 2004-05, 2004-05-17).",
        ),
        click.option("--to", "published_to", default="", metavar="DATE", help="Published on or before."),
        click.option(
            "--class",
            "classes",
            multiple=True,
            metavar="SYMBOL",
            help="CPC or IPC with subclasses: A61B, 'A61B 17/70'.",
        ),
        click.option("--country", "countries", multiple=True, metavar="CC", help="Publishing office: US, EP, WO."),
        click.option("--kind", "kinds", multiple=True, metavar="CODE", help="Kind code or its letter: A1, B."),
        click.option("--language", "languages", multiple=True, metavar="CODE", help="Language: en, de."),
        click.option("--applicant", "applicants", multiple=True, metavar="TEXT", help="Part of an applicant's name."),
        click.option("--depth", "depths", multiple=True, type=click.Choice(DEPTHS), help="How much text there is."),
    )
    return _with(options, function)


def filter_options(function: Function) -> Function:
    """Filters of a search in addition to a selection."""
    options = (
        click.option(
            "--must", multiple=True, metavar="TERM", help="Only texts with this term: word, 'a phrase', screw*."
        ),
        click.option("--without", multiple=True, metavar="TERM", help="Only texts without this term."),
        click.option(
            "--status",
            "statuses",
            multiple=True,
            type=click.Choice(HIT_STATUSES),
            help="Only with this status on the date.",
        ),
        click.option("--ignore", multiple=True, metavar="FILE|NUMBER", help="Exclude the families of these documents."),
        click.option("--only-new", multiple=True, metavar="RECORD", help="Exclude the hits of a saved search."),
    )
    return _with(options, function)


def _with(options: Sequence[Callable[[Function], Function]], function: Function) -> Function:
    for option in reversed(options):
        function = option(function)
    return function


def selection(
    published_from: str,
    published_to: str,
    classes: tuple[str, ...],
    countries: tuple[str, ...],
    kinds: tuple[str, ...],
    languages: tuple[str, ...],
    applicants: tuple[str, ...],
    depths: tuple[Depth, ...],
) -> Selection:
    """The selection of a command's options, validated."""
    return checked(
        Selection(
            published_from=published_from,
            published_to=published_to,
            classes=classes,
            countries=countries,
            kinds=kinds,
            languages=languages,
            applicants=applicants,
            depths=depths,
        )
    )


def open_corpus(folder: Path) -> Corpus:
    """The corpus of an existing library."""
    return Corpus(folder / "corpus.db")
