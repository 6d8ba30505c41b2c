"""`foreart matter note` and `foreart matter export`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from foreart.cli.options import command, json_option, library_option
from foreart.cli.outputs import OutputFile
from foreart.cli.printing import messages, output, print_json, write_bytes
from foreart.cli.review_commands.passphrases import open_matter, passphrase_option, rater_option
from foreart.library import Library
from foreart.review.casework.matter_forms import FORMS
from foreart.review.labels import rater_name
from foreart.review.matters import event_json
from foreart.review.matters.export_options import PARTS, ExportOptions

_Command = TypeVar("_Command", bound=Callable[..., Any])


@command("note", example="foreart matter note hinge 'Ask the inventor about the spring' --document US7585299B2")
@click.argument("name")
@click.argument("text", default="-")
@click.option("--document", default="", metavar="NUMBER", help="A note on this document.  [default: on the matter]")
@click.option("--replace", "replaces", type=click.IntRange(1), default=None, metavar="N", help="Replace note N.")
@passphrase_option
@rater_option
@library_option
@json_option
def note_command(
    name: str,
    text: str,
    document: str,
    replaces: int | None,
    passphrase_file: Path | None,
    rater: str,
    folder: Path,
    as_json: bool,
) -> None:
    """Write a note in the matter NAME; without a TEXT, or with -, it is read from standard input.

    An empty TEXT with --replace removes that note. Arguments stay in the history of the shell, standard input does not.
    """
    with Library(folder) as library, open_matter(library, name, passphrase_file) as matter:
        written = sys.stdin.read().strip() if text == "-" else text
        logged = matter.note(written, document, replaces=replaces or 0, rater=rater)
        if as_json:
            print_json(event_json(logged))
        else:
            output().print(f"note {logged.n} is kept")


def _head_options(function: _Command) -> _Command:
    """The facts of a report's head that a draft does not have."""
    for option in reversed(
        (
            click.option("--docket", default="", help="Report: docket number."),
            click.option("--application-number", default="", help="Report: number of the application."),
            click.option("--examiner", default="", help="Report: name of the examiner."),
            click.option("--art-unit", default="", help="Report: art unit."),
            click.option("--items-before", type=click.IntRange(0), default=0, help="IDS: items of earlier statements."),
            click.option("--searcher", default="", help="Report: who searched.  [default: the rater]"),
            click.option("--place", default="", help="Report: place of search."),
            click.option("--abstracts", is_flag=True, help="Report: with abstracts."),
            click.option(
                "--leave-out", type=click.Choice(PARTS), multiple=True, help="Report: without this part; repeatable."
            ),
        )
    ):
        function = option(function)
    return function


@command("export", example="foreart matter export hinge report.docx --form epo-docx --docket N-1")
@click.argument("name")
@click.argument("file", type=OutputFile(allow_dash=True))
@click.option(
    "--form", type=click.Choice(list(FORMS)), default=None, help="The form.  [default: the first of the file's ending]"
)
@_head_options
@passphrase_option
@rater_option
@library_option
@json_option
def export_command(
    name: str,
    file: Path,
    form: str | None,
    passphrase_file: Path | None,
    rater: str,
    folder: Path,
    as_json: bool,
    **head: Any,  # noqa: ANN401 those of ExportOptions
) -> None:
    """Write the matter NAME to FILE: itself, as JSON or CSV, or a search report in any form; - prints it.

    A report has what was judged relevant or maybe, categories, notes, verbatim passages that `foreart verify` checks,
    searches with their filters, and the estimate of what is unread. The forms epo, pct and ids have the columns of
    office forms; report-json and report-csv are the report, json and csv the matter. The file is private to you but not
    encrypted, also if the matter is sealed; `foreart matter purge` deletes exports that lie in the library, and no
    others.
    """
    options = ExportOptions(rater=rater and rater_name(rater), **head)
    with Library(folder) as library, open_matter(library, name, passphrase_file) as matter:
        if str(file) == "-":
            write_bytes(matter.content(form or "json", options))
            return
        size = matter.export(file, form or "", rater=rater, options=options)
        if matter.is_sealed:
            messages().print(f"{file} is not encrypted, though the matter is sealed", soft_wrap=True)
        if as_json:
            print_json({"file": str(file), "size": size})
        else:
            output().print(f"{file}: {size:,} bytes", soft_wrap=True)
