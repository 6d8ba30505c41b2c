"""`foreart matter new`, `list`, `open` and `search`."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from foreart.cli.options import COUNT, command, json_option, law_options, library_option
from foreart.cli.printing import messages, output, print_json
from foreart.cli.review_commands.matter_summary import print_matter
from foreart.cli.review_commands.passphrases import new_passphrase, open_matter, passphrase_option, rater_option
from foreart.library import Library
from foreart.report.wording.phrases import count
from foreart.review.matters import DEPTH, Matter, matter_json, state_json


@command("new", example="foreart matter new hinge application.docx --title 'Hinge of 2026'")
@click.argument("name")
@click.argument("draft", required=False)
@click.option("--title", default="", help="A title for the list of matters; the name is that of a file.")
@click.option("--sealed", is_flag=True, help="Encrypt the matter with a passphrase.")
@passphrase_option
@rater_option
@library_option
@json_option
def new_command(
    name: str,
    draft: str | None,
    title: str,
    sealed: bool,
    passphrase_file: Path | None,
    rater: str,
    folder: Path,
    as_json: bool,
) -> None:
    """Create the matter NAME; with a DRAFT, keep it and search for it.

    A matter is one file in the library, private to you. With --sealed or --passphrase-file all its content is encrypted
    from the first event on: without the passphrase nobody can read it again, you included. Its name, the size of the
    file and the number of events stay visible.
    """
    passphrase = new_passphrase(name, passphrase_file) if sealed or passphrase_file else ""
    with Library(folder) as library:
        found = library.draft(draft) if draft else None
        with library.matter(name, create=True, title=title, passphrase=passphrase) as matter:
            if found is not None:
                matter.search(found, rater=rater)
            _print_made(matter, as_json)


@command("list", example="foreart matter list")
@library_option
@json_option
def list_command(folder: Path, as_json: bool) -> None:
    """List the matters of the library, the last changed first.

    Titles are in the files, and those of sealed matters cannot be shown without their passphrases.
    """
    entries = Library(folder).matters()
    if as_json:
        print_json([asdict(entry) for entry in entries])
        return
    table = Table("name", "", "size", "changed", box=None)
    for entry in entries:
        changed = datetime.fromtimestamp(entry.changed).astimezone().isoformat(" ", "minutes")
        table.add_row(entry.name, entry.problem or ("sealed" if entry.sealed else ""), f"{entry.size:,}", changed)
    if entries:
        output().print(table)
    else:
        messages().print(f"{folder} has no matters: `foreart matter new NAME DRAFT` creates one", soft_wrap=True)


@command("open", example="foreart matter open hinge")
@click.argument("name")
@passphrase_option
@library_option
@json_option
def open_command(name: str, passphrase_file: Path | None, folder: Path, as_json: bool) -> None:
    """Show what the matter NAME contains, after checking every event in it.

    Counts of the review, criteria, stopping rule, notes, categories, and how far its raters agree. Note the check value
    and the number of events: if the file is ever replaced by an older copy of itself, they differ.
    """
    with Library(folder) as library, open_matter(library, name, passphrase_file) as matter:
        if as_json:
            agreement = [asdict(item) for item in matter.agreement()]
            print_json({**matter_json(matter), "agreement": agreement, "state": state_json(matter.state)})
        else:
            print_matter(matter)


@command("search", example="foreart matter search hinge application-v2.docx")
@click.argument("name")
@click.argument("draft", required=False)
@click.option("-k", "--hits", "k", type=COUNT, default=DEPTH, show_default=True, help="How many hits to keep.")
@law_options
@passphrase_option
@rater_option
@library_option
@json_option
def search_command(
    name: str,
    draft: str | None,
    passphrase_file: Path | None,
    rater: str,
    folder: Path,
    as_json: bool,
    **options: Any,  # noqa: ANN401 those of a search
) -> None:
    """Search for the draft of the matter NAME, or for a new version of it, and keep the record.

    What was judged stays judged, and families that the matter ignores are left out.
    """
    with Library(folder) as library, open_matter(library, name, passphrase_file) as matter:
        matter.search(library.draft(draft) if draft else None, rater=rater, **options)
        _print_made(matter, as_json)


def _print_made(matter: Matter, as_json: bool) -> None:
    if as_json:
        print_json(matter_json(matter))
        return
    search = matter.state.search
    hits = f"{count(len(search.hits), 'document')} to review: `foreart review {matter.name}`" if search else "no search"
    output().print(f"matter {matter.name}{' (sealed)' if matter.is_sealed else ''}: {hits}", soft_wrap=True)
