"""`foreart rejects`."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from foreart.cli.options import COUNT, command, json_option, library_option, open_corpus
from foreart.cli.printing import output, print_json, write_bytes
from foreart.document.reject import numbered_rejects
from foreart.errors import NotInCorpus


@command("rejects", example="foreart rejects --raw 1 > record.xml")
@click.option("--raw", "number", type=COUNT, help="Write the bytes of this reject to standard output.")
@library_option
@json_option
def rejects_command(number: int | None, folder: Path, as_json: bool) -> None:
    """Show the records that could not be read: file, position, reason; their bytes are kept."""
    with open_corpus(folder) as corpus:
        items = list(corpus.rejects())
    if number is not None:
        if number > len(items):
            raise NotInCorpus(f"there is no reject {number}: the ledger has {len(items)}")
        write_bytes(items[number - 1].raw)
        return
    if as_json:
        print_json(list(numbered_rejects(items)))
        return
    table = Table("no.", "file", "position", "reason", box=None, pad_edge=False)
    for row_number, item in enumerate(items, start=1):
        table.add_row(str(row_number), Text(item.file, overflow="fold"), item.position, Text(item.reason))
    console = output()
    if items:
        console.print(table)
    console.print(f"{len(items):,} rejected")
