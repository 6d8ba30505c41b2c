"""`foreart draft`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from foreart.cli.options import command, json_option, library_option
from foreart.cli.printing import messages, output, print_json
from foreart.errors import BadFile
from foreart.library import Library

if TYPE_CHECKING:
    from foreart.document.draft import Draft

_WORDS = 16  # words of a claim in the tree


@command("draft", example="foreart draft application.docx")
@click.argument("source", metavar="FILE")
@click.option(
    "--with", "sidecar", type=click.Path(exists=True, dir_okay=False), help="Corrections.  [default: FILE.foreart.yaml]"
)
@click.option("--write", is_flag=True, help="Write what was recognised next to FILE, to be corrected there.")
@library_option
@json_option
def draft_command(source: str, sidecar: str | None, write: bool, folder: Path, as_json: bool) -> None:
    """Show how a draft is parsed before it is searched.

    FILE is DOCX, PDF, ODT, RTF, HTML, Markdown or plain text, the XML of a published document, - for standard input, or
    the publication number of a patent in the corpus. Shows sections, the claim tree, the elements of independent
    claims, dates, people and cited patents, and what is doubtful. Correct it in FILE.foreart.yaml or FILE.foreart.json
    next to the file: `--write` creates one to start from; searches use it too.
    """
    from foreart.document.draft_record import draft_record

    with Library(folder) as library:
        draft = library.draft(source, sidecar=sidecar)
    if write:
        _write_corrections(draft, source)
    record = draft_record(draft)
    if as_json:
        print_json(record)
        return
    _print_draft(record, output())


def _write_corrections(draft: Draft, source: str) -> None:
    from foreart.sources.drafts import sidecar_of, write_sidecar

    if source == "-":
        raise click.UsageError("--write needs a FILE: standard input has no folder to write to")
    draft_file = Path(source if Path(source).exists() else draft.source)
    sidecar_path = sidecar_of(draft_file)
    if sidecar_path is not None:
        raise BadFile(f"{sidecar_path} has corrections, which would be lost: edit that file, or move it away first")
    sidecar_path = write_sidecar(draft, draft_file)
    messages().print(f"written: {sidecar_path}")


def _print_draft(record: dict[str, Any], console: Console) -> None:
    _front(record, console)
    _sections(record, console)
    _claims(record, console)
    _elements(record, console)
    _mentions(record, console)
    if record["notes"]:
        console.print(Text("\nTo check", style="bold yellow"))
        for note in record["notes"]:
            console.print(Text(f"  {note}"))
    else:
        console.print(Text("\nNothing doubtful.", style="green"))


def _front(record: dict[str, Any], console: Console) -> None:
    console.print(Text(record["title"] or "without a title", style="bold"))
    grid = Table.grid(padding=(0, 2))
    people = ((name, "; ".join(record[name])) for name in ("applicants", "inventors"))
    for name, value in (*record["dates"].items(), *people, ("language", record["language"])):
        ground = record["grounds"].get(name, "")
        shown = Text(value or "not found", style="" if value else "dim" if name in record else "yellow")
        grid.add_row(Text(name, style="dim"), shown, Text(f"from: {ground}" if value and ground else "", style="dim"))
    grid.add_row(
        Text("source", style="dim"), Text(record["source"]), Text(f"fingerprint {record['fingerprint'][:12]}", "dim")
    )
    console.print(grid)


def _sections(record: dict[str, Any], console: Console) -> None:
    table = Table(
        "section", "heading", box=None, pad_edge=False, title="\nSections", title_justify="left", title_style="bold"
    )
    table.add_column("paragraphs", justify="right")
    table.add_column("words", justify="right")
    for item in record["sections"]:
        table.add_row(item["name"], Text(item["heading"]), f"{item['paragraphs']:,}", f"{item['words']:,}")
    console.print(table)


def _claims(record: dict[str, Any], console: Console) -> None:
    """Each claim under the first claim it refers to; other parents are named after it."""
    if not record["claims"]:
        return
    root = Tree(Text("Claims", style="bold"), guide_style="dim")
    placed: dict[int, Tree] = {}
    for claim in record["claims"]:
        parent_branch = next((placed[parent] for parent in claim["parents"] if parent in placed), None)
        independent = claim["independent"]
        branch = (root if independent or parent_branch is None else parent_branch).add(
            _claim_line(claim, independent=independent)
        )
        placed[claim["number"]] = branch
    console.print(Text(""))
    console.print(root)


def _claim_line(claim: dict[str, Any], *, independent: bool) -> Text:
    words = claim["text"].split()
    head = " ".join(words[:_WORDS]) + (" …" if len(words) > _WORDS else "")
    line = Text(f"{claim['number']}. ", style="bold" if independent else "")
    line.append(head)
    if len(claim["parents"]) > 1 or (independent and claim["parents"]):
        line.append(f"  [to {', '.join(map(str, claim['parents']))}]", style="dim")
    return line


def _elements(record: dict[str, Any], console: Console) -> None:
    for claim in record["claims"]:
        if not claim["elements"]:
            continue
        console.print(Text(f"\nElements of claim {claim['number']}", style="bold"))
        grid = Table.grid(padding=(0, 2))
        for number, item in enumerate(claim["elements"]):
            grid.add_row(
                Text(f"  {claim['number']}.{number}"),
                Text(item["kind"], style="dim"),
                Text(" ".join(item["text"].split())),
            )
        console.print(grid)


def _mentions(record: dict[str, Any], console: Console) -> None:
    numbers = list(dict.fromkeys(item["number"] for item in record["citations"]))
    filed = list(dict.fromkeys(item["number"] for item in record["applications"]))
    shown = len({item["figure"] for item in record["figures"] if item["kind"] == "statement"})
    rows = (
        ("patents cited", ", ".join(numbers)),
        ("applications named", ", ".join(filed)),
        ("figures described", str(shown) if shown else ""),
        ("reference numerals", ", ".join(f"{item['numeral']} {item['name']}" for item in record["numerals"][:12])
         + (f" and {len(record['numerals']) - 12} more" if len(record["numerals"]) > 12 else "")),
    )  # fmt: skip
    grid = Table.grid(padding=(0, 2))
    for name, value in rows:
        if value:
            grid.add_row(Text(name, style="dim"), Text(value))
    console.print(Text(""))
    console.print(grid)
