"""`foreart show`, `list`, `export` and `families`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from foreart.cli.options import (
    COUNT_OR_NONE,
    command,
    json_option,
    library_option,
    open_corpus,
    selection,
    selection_options,
)
from foreart.cli.printing import counting, output, print_json, write_line
from foreart.document.patent import Patent
from foreart.document.record import to_json, to_record
from foreart.errors import NotInCorpus


@command("show", example="foreart show 'US 7,585,299 B2'")
@click.argument("ids", nargs=-1, required=True)
@click.option("--brief", is_flag=True, help="Without description and claims.")
@library_option
@json_option
def show_command(ids: tuple[str, ...], brief: bool, folder: Path, as_json: bool) -> None:
    """Show patents of the corpus; IDs in any spelling, without kind code for all publications of the number."""
    with open_corpus(folder) as corpus:
        patents: list[Patent] = []
        for number in ids:
            matches = corpus.find(number)
            if not matches:
                raise NotInCorpus(f"{number} is not in the corpus {corpus.path}")
            patents += [corpus[match] for match in matches]
    if as_json:
        records = [to_record(patent) for patent in patents]
        print_json(records[0] if len(records) == 1 else records)
        return
    console = output()
    for patent in patents:
        _front_page(patent, console)
        if not brief:
            _text(patent, console)


@command("list", example="foreart list --class A61B --from 2001 --depth full")
@selection_options
@click.option("--limit", type=COUNT_OR_NONE, default=0, help="Maximum number (0: all).")
@library_option
@json_option
def list_command(limit: int, folder: Path, as_json: bool, **conditions: Any) -> None:  # noqa: ANN401
    """List the patents of the corpus, or a selection of them."""
    with open_corpus(folder) as corpus:
        rows = corpus.overview(selection(**conditions), limit=limit)
    if as_json:
        print_json([{"id": row[0], "published": row[1] or None, "depth": row[2], "title": row[3]} for row in rows])
        return
    table = Table("id", "published", "text", "title", box=None, pad_edge=False)
    for number, published, depth, title in rows:
        table.add_row(number, published or "unknown", depth, Text(title))
    output().print(table)


@command("export", example="foreart export --country EP > ep.jsonl")
@selection_options
@library_option
@json_option
def export_command(folder: Path, as_json: bool, **conditions: Any) -> None:  # noqa: ANN401
    """Write patents of the corpus as JSON lines, which `foreart add` can read."""
    with open_corpus(folder) as corpus, counting("patents written") as show:
        for done, patent in enumerate(corpus.select(selection(**conditions)), start=1):
            write_line(to_json(patent))
            show(done)


@command("families", example="foreart families US7585299B2")
@click.argument("ids", nargs=-1)
@library_option
@json_option
def families_command(ids: tuple[str, ...], folder: Path, as_json: bool) -> None:
    """Show patent families, and why their members belong together: all families, or those of the IDS."""
    from foreart.corpus.relations.families import families

    with open_corpus(folder) as corpus:
        wanted = {match for number in ids for match in corpus.find(number)}
        if ids and not wanted:
            raise NotInCorpus(f"{', '.join(ids)}: not in the corpus {corpus.path}")
        matches = [item for item in families(corpus) if not ids or wanted & {member.id for member in item.members}]
    if as_json:
        print_json(
            [
                {
                    "family": item.name,
                    "members": [{"id": member.id, "reason": member.reason} for member in item.members],
                }
                for item in matches
            ]
        )
        return
    console = output()
    for item in matches:
        console.print(Text(f"family of {item.name}", style="bold"))
        for member in item.members:
            console.print(Text(f"  {member.id:<20} {member.reason}"))
    console.print(f"{len(matches):,} families with more than one publication")


def _front_page(patent: Patent, console: Console) -> None:
    console.print(Text(f"{patent.id}  {patent.title}", style="bold"))
    counts = Counter(citation.category for citation in patent.citations)
    rows = (
        ("published", patent.published + (" (estimated)" if patent.published_estimated else "")),
        ("filed", patent.filed),
        ("priority", f"{patent.priority} {' '.join(patent.priority_numbers)}".strip()),
        ("application", patent.application_number),
        ("applicants", "; ".join(patent.applicants)),
        ("inventors", "; ".join(patent.inventors)),
        ("CPC", ", ".join(symbol.symbol for symbol in patent.cpc)),
        ("IPC", ", ".join(symbol.symbol for symbol in patent.ipc)),
        ("USPC", ", ".join(patent.uspc)),
        ("family", " ".join(filter(None, (patent.family_id, *patent.family_refs)))),
        ("cites", ", ".join(f"{number} by {category}" for category, number in counts.items())),
        ("literature", f"{len(patent.literature)}" if patent.literature else ""),
        ("language", patent.language),
        ("document", " ".join(filter(None, (patent.document_type, patent.publication_status)))),
        ("read from", "; ".join(f"{origin.file} {origin.position} ({origin.format})" for origin in patent.origins)),
    )
    grid = Table.grid(padding=(0, 2))
    for name, value in rows:
        if value:
            grid.add_row(Text(name, style="dim"), Text(value))
    console.print(grid)
    if patent.abstract:
        console.print(Padding(Text(patent.abstract), (1, 0, 1, 2)))


def _text(patent: Patent, console: Console) -> None:
    for paragraph in patent.description:
        if paragraph.is_heading:
            console.print(Text(paragraph.text, style="bold"))
        else:
            console.print(Text(f"[{paragraph.number}] {paragraph.text}" if paragraph.number else paragraph.text))
    if patent.claims:
        console.print(Text("\nCLAIMS", style="bold"))
    for claim in patent.claims:
        console.print(Text(f"{claim.number}. {claim.text}"))
