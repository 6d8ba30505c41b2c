"""`foreart learn`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.table import Table

from foreart.cli.options import SEED, command, json_option, library_option
from foreart.cli.printing import output, print_json, progress
from foreart.cli.search_commands.searching import existing
from foreart.library import Library

if TYPE_CHECKING:
    from foreart.search.ranking import Learned


@command("learn", example="foreart learn")
@click.option(
    "--without",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Qrels, or a list of numbers: documents excluded from training.",
)
@click.option(
    "--seed", type=SEED, default=0, show_default=True, help="Seed for sampling training queries from a large corpus."
)
@library_option
@json_option
def learn_command(without: Path | None, seed: int, folder: Path, as_json: bool) -> None:
    """Learn the weights of the search channels from the citations of the corpus.

    Past patents of the corpus are the training queries: their own citations, their families and all later documents
    are hidden, and the documents they cite are relevant. Takes minutes on this machine; `foreart search` uses the
    weights from then on. The figures are measured on held-out folds, warm and cold: with the corpus as it is, and
    without siblings, the documents that have nearly the same citations as the query. Expect the cold figures for a
    draft of today on a subject that is new to the corpus: they count how much more crowded the subjects of past
    patents have become, and each group of siblings once. The plain means are shown beside them.
    """
    hidden = _numbers(without) if without is not None else ()
    with existing(folder) as library:
        learned = learn(library, hidden, seed)
    if as_json:
        print_json(learned.to_record(matrices=False))
        return
    table = Table("channel signal", "weight", box=None)
    for name, weight in sorted(learned.weights.items(), key=lambda item: -abs(item[1])):
        if abs(weight) >= 0.005:
            table.add_row(name, f"{weight:.2f}")
    output().print(table)
    output().print(_figures(learned))
    if "plain" in learned.cold:
        output().print(
            "Cold: without siblings, what a draft of today on a new subject can expect. Subjects are more crowded than "
            "they were for past patents, and siblings count once; the plain mean ignores both."
        )


def _figures(learned: Learned) -> Table:
    """The metrics of held-out folds: warm, what a cold draft of today can expect, and plain means of the cold ones."""
    cold = learned.cold
    names = [name for name in ("map", "ndcg@10", "recall@100", "pres@100") if name in learned.metrics]
    table = Table("held out", "number", *names, box=None)
    judged = f"{cold['judged']:,}" if cold else ""
    groups = f"{cold['groups']:,} groups" if "groups" in cold else ""
    rows = {
        "warm": (f"{learned.metrics['judged']:,}", learned.metrics),
        "cold": (judged, cold),
        "  95 % interval": (groups, cold.get("intervals", {})),
        "  plain mean": (judged, cold.get("plain", {})),
    }
    for kind, (number, figures) in rows.items():
        if all(name in figures for name in names):
            table.add_row(kind, number, *(_figure(figures[name]) for name in names))
    return table


def _figure(value: float | list[float]) -> str:
    return "–".join(f"{end:.2f}" for end in value) if isinstance(value, list) else f"{value:.3f}"


def _numbers(path: Path) -> tuple[str, ...]:
    """The first word of each line: the query ids of qrels, or the numbers of a list."""
    lines = path.read_text("utf-8", "replace").splitlines()
    return tuple(dict.fromkeys(line.split()[0] for line in lines if line.split()))


def learn(library: Library, hidden: tuple[str, ...] = (), seed: int = 0) -> Learned:
    """Trains the ranking with a progress bar."""
    with progress("reading") as show:
        return library.learn(without=hidden, seed=seed, progress=show)
