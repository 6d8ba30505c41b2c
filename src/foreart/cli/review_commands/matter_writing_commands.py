"""`foreart matter note` and `foreart matter export`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from foreart.cli.options import command, json_option, library_option
from foreart.cli.outputs import OutputFile
from foreart.cli.printing import messages, output, print_json, write_bytes
from foreart.cli.review_commands.passphrases import open_matter, passphrase_option, rater_option
from foreart.library import Library
from foreart.review.casework.matter_forms import FORMS
from foreart.review.matters import event_json


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


@command("export", example="foreart matter export hinge hinge.csv")
@click.argument("name")
@click.argument("file", type=OutputFile(allow_dash=True))
@click.option("--form", type=click.Choice(list(FORMS)), default=None, help="The form.  [default: by the file's ending]")
@passphrase_option
@rater_option
@library_option
@json_option
def export_command(
    name: str, file: Path, form: str | None, passphrase_file: Path | None, rater: str, folder: Path, as_json: bool
) -> None:
    """Write the matter NAME to FILE: its state and all events as JSON, or its judgements as CSV; - prints it.

    The file is private to you but not encrypted, also if the matter is sealed; `foreart matter purge` deletes exports
    that lie in the library, and no others.
    """
    with Library(folder) as library, open_matter(library, name, passphrase_file) as matter:
        if str(file) == "-":
            write_bytes(matter.content(form or "json"))
            return
        size = matter.export(file, form or "", rater=rater)
        if matter.is_sealed:
            messages().print(f"{file} is not encrypted, though the matter is sealed", soft_wrap=True)
        if as_json:
            print_json({"file": str(file), "size": size})
        else:
            output().print(f"{file}: {size:,} bytes", soft_wrap=True)
