"""`foreart read` and `foreart formats`."""

from __future__ import annotations

import base64
import json
from typing import TextIO

import click
from rich.table import Table

from foreart.cli.options import FILES, command, counting, json_option, messages, output, print_json, write_line
from foreart.document.patent import Patent
from foreart.document.record import to_json
from foreart.document.reject import Reject


@command("read", example="foreart read ipg150106.zip > grants.jsonl")
@click.argument("files", nargs=-1, required=True, type=FILES)
@click.option(
    "--rejects",
    "ledger",
    type=click.File("w", encoding="utf-8"),
    help="Write unreadable records here, as JSON lines with their bytes in base64.",
)
@json_option
def read_command(files: tuple[str, ...], ledger: TextIO | None, as_json: bool) -> None:
    """Print the patents of FILES as JSON lines.

    Any known format, plain or packed (.gz, .zip, .tar, .xz, .bz2, .zst), recognised by looking inside; a folder is
    walked; - is standard input. What cannot be read is told on standard error and the rest goes on. The summary goes
    to standard error too, as JSON with --json.
    """
    from foreart.sources import scan

    read = rejected = 0
    console = messages()
    with counting("records read") as show:
        for item in (item for file in files for item in scan(file)):
            read += 1
            show(read)
            if isinstance(item, Patent):
                write_line(to_json(item))
                continue
            rejected += 1
            console.print(f"rejected: {item}", style="red", highlight=False, markup=False, soft_wrap=True)
            if ledger is not None:
                ledger.write(_ledger_line(item) + "\n")
    if as_json:
        click.echo(json.dumps({"read": read, "patents": read - rejected, "rejected": rejected}), err=True)
    else:
        console.print(f"{read} records read: {read - rejected} patents, {rejected} rejected", highlight=False)
    if read == rejected:
        raise SystemExit(1)


@command("formats", example="foreart formats")
@json_option
def formats_command(as_json: bool) -> None:
    """List the file formats that can be read."""
    from foreart.sources import READERS

    if as_json:
        print_json([{"name": item.name, "title": item.title, "seen": item.seen} for item in READERS.values()])
        return
    table = Table("name", "what it is", "written from", box=None, pad_edge=False)
    for item in READERS.values():
        table.add_row(item.name, item.title, "real files" if item.seen else "the published schema")
    output().print(table)


def _ledger_line(item: Reject) -> str:
    return json.dumps(
        {
            "file": item.file,
            "position": item.position,
            "format": item.format,
            "reason": item.reason,
            "raw": base64.b64encode(item.raw).decode("ascii"),
        }
    )
