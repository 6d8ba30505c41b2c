"""`foreart read` and `foreart formats`."""

from __future__ import annotations

import base64
import json
from contextlib import ExitStack
from pathlib import Path

import click
from rich.table import Table

from foreart.cli.options import FILES, command, json_option
from foreart.cli.outputs import OutputFile
from foreart.cli.printing import counting, messages, output, print_json, write_line
from foreart.document.patent import Patent
from foreart.document.record import to_json
from foreart.document.reject import Reject
from foreart.durable import replacing


@command("read", example="foreart read ipg150106.zip > grants.jsonl")
@click.argument("files", nargs=-1, required=True, type=FILES)
@click.option(
    "--rejects",
    "ledger",
    type=OutputFile(),
    help="Write unreadable records here, as JSON lines with their bytes in base64.",
)
@json_option
def read_command(files: tuple[str, ...], ledger: Path | None, as_json: bool) -> None:
    """Print the patents of FILES as JSON lines.

    Any known format, plain or compressed (.gz, .zip, .tar, .xz, .bz2, .zst), recognised by its content; folders are
    read recursively; - is standard input. Records that cannot be read are reported on standard error and skipped. The
    summary goes to standard error too, as JSON with --json.
    """
    from foreart.sources import scan

    read = rejected = 0
    console = messages()
    with ExitStack() as stack:
        show = stack.enter_context(counting("records read"))
        rejects = stack.enter_context(replacing(ledger)) if ledger is not None else None
        for item in (item for file in files for item in scan(file)):
            read += 1
            show(read)
            if isinstance(item, Patent):
                write_line(to_json(item))
                continue
            rejected += 1
            console.print(f"rejected: {item}", style="red", soft_wrap=True)
            if rejects is not None:
                rejects.write(_ledger_line(item).encode() + b"\n")
    if as_json:
        console.print(json.dumps({"read": read, "patents": read - rejected, "rejected": rejected}), soft_wrap=True)
    else:
        console.print(f"{read} records read: {read - rejected} patents, {rejected} rejected")
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
    table = Table("name", "description", "based on", box=None, pad_edge=False)
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
