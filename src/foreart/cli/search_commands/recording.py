"""`foreart rerun` and `foreart diff`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from foreart.cli.options import command, json_option, library_option, on_option
from foreart.cli.outputs import OutputFile, refuse_overwriting, write_output
from foreart.cli.printing import messages, output, print_json
from foreart.cli.search_commands.searching import existing

if TYPE_CHECKING:
    from foreart.records import Difference

_RECORD = click.Path(exists=True, dir_okay=False, path_type=Path)


@command("rerun", example="foreart rerun hinge.record.json")
@click.argument("record", type=_RECORD)
@click.option("--draft", metavar="FILE", help="Where the draft is now.  [default: where it was]")
@click.option("--save", type=OutputFile(), metavar="RECORD", help="Write the record of the repeated search.")
@on_option
@library_option
@json_option
def rerun_command(record: Path, draft: str | None, save: Path | None, folder: Path, on: str, as_json: bool) -> None:
    """Repeat the search of RECORD and report whether the list is the same, or what changed.

    RECORD is a file written by `foreart search --save`. The parameters are those recorded, including the cut-off date
    of that search, even if it was the day of the search. Reports changes of draft, corpus, index or ranking and
    versions, then changes of the list. Exit codes: 0 the same list bit for bit, 1 another list, or it could not be
    repeated (then only the reason is printed), 2 wrong usage.
    """
    from foreart.records import diff, read_record, write_record

    first = read_record(record)
    refuse_overwriting([save] if save else [], [Path(first.draft.path)])
    with existing(folder, on) as library:
        again = library.rerun(first, draft=draft)
    if save is not None:
        write_record(again, save)
        messages().print(f"record: {save}")
    _print_difference(diff(first, again), as_json)


@command("diff", example="foreart diff hinge.record.json hinge2.record.json --html changes.html")
@click.argument("record", type=_RECORD)
@click.argument("other", metavar="RECORD", type=_RECORD)
@click.option("--html", "page", type=OutputFile(), metavar="FILE", help="Write a page with a chart of the ranks.")
@json_option
def diff_command(record: Path, other: Path, page: Path | None, as_json: bool) -> None:
    """Compare two recorded searches: what is new, moved or gone in the second, and why.

    Causes come first: draft, corpus, parameters, index or ranking, versions. Then the documents that are new, gone or
    moved, or have another status or score. No library is needed. Exit codes: 0 both lists are the same bit for bit,
    1 they differ, or a record cannot be read (then only the reason is printed), 2 wrong usage.
    """
    from foreart.records import diff, read_record

    before, after = read_record(record), read_record(other)
    difference = diff(before, after)
    if page is not None:
        from foreart.report.pages.difference_page import difference_html

        write_output(page, difference_html(before, after, difference).encode())
        messages().print(f"report: {page}")
    _print_difference(difference, as_json)


def _print_difference(difference: Difference, as_json: bool) -> None:
    """Prints the difference, and exits with 1 if the lists differ."""
    from foreart.records import difference_json
    from foreart.report.terminal.difference_terminal import terminal_difference

    if as_json:
        print_json(difference_json(difference))
    else:
        output().print(terminal_difference(difference))
    if not difference.same_list:
        raise SystemExit(1)
