"""`foreart explain`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from foreart.cli.options import COUNT, command, json_option, law_options, library_option, on_option, ranking_options
from foreart.cli.outputs import OutputFile, write_output
from foreart.cli.printing import output, print_json
from foreart.cli.search_commands.searching import existing

if TYPE_CHECKING:
    from foreart.search.explaining import Reasons


@command("explain", example="foreart explain application.docx US7585299B2 --html reasons.html")
@click.argument("source", metavar="DRAFT")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--words", type=COUNT, default=15, show_default=True, help="Terms shown per text channel.")
@ranking_options
@law_options
@click.option("--html", "page", type=OutputFile(), help="Write a page for the browser.")
@on_option
@library_option
@json_option
def explain_command(
    source: str,
    ids: tuple[str, ...],
    words: int,
    page: Path | None,
    folder: Path,
    on: str,
    as_json: bool,
    **options: Any,  # noqa: ANN401 SearchOptions
) -> None:
    """Explain the rank of documents for DRAFT with exact score contributions.

    ID is a publication number in the corpus. Shows rank, status and rule; the contribution of each channel, which sum
    to the score; the contribution of each word to a channel; rare terms of both texts with their locations; similar
    documents that cite it; words of similar meaning, marked as such; and how often documents with such a score are
    cited.
    """
    with existing(folder, on) as library:
        explainer = library.explainer(library.draft(source), words=words, **options)
        reasons = [explainer.of(number) for number in dict.fromkeys(ids)]
    print_reasons(reasons, page, as_json=as_json)


def print_reasons(reasons: Sequence[Reasons], page: Path | None, *, as_json: bool) -> None:
    """Prints explanations, and writes a page of them."""
    if page is not None:
        from foreart.report.pages.explain_page import explain_html

        text = explain_html(reasons, made=datetime.now().astimezone().isoformat(timespec="minutes"))
        write_output(page, text.encode())
    if as_json:
        from foreart.report.exports.explain_json import reasons_record

        print_json(reasons_record(reasons))
        return
    from foreart.report.terminal.explain_terminal import terminal_explain

    console = output()
    for number, item in enumerate(reasons):
        if number:
            console.rule(style="dim")
        console.print(terminal_explain(item))
    if page is not None:
        console.print(Text(f"page: {page}"))
