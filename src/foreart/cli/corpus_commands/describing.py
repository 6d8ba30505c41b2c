"""`foreart stats`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from foreart.cli.options import command, json_option, library_option, open_corpus, selection, selection_options
from foreart.cli.printing import messages, output, print_json


@command("stats", example="foreart stats --plots figures")
@selection_options
@click.option(
    "--plots",
    "figures",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write PNG and SVG figures into this folder.",
)
@library_option
@json_option
def stats_command(figures: Path | None, folder: Path, as_json: bool, **conditions: Any) -> None:  # noqa: ANN401
    """Describe the corpus, or a selection of it: years, classes, citations, text depth, lengths, what is missing."""
    from foreart.corpus.statistics import statistics
    from foreart.report.terminal.statistics_terminal import terminal_statistics

    with open_corpus(folder) as corpus:
        counted = statistics(corpus, selection(**conditions))
    if figures is not None:
        from foreart.report.statistics_plots import plot

        for path in plot(counted, figures):
            messages().print(f"wrote {path}")
    if as_json:
        print_json(counted.to_dict())
    else:
        output().print(terminal_statistics(counted))
