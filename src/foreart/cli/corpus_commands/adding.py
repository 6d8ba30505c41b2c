"""`foreart add` and `foreart remove`."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.progress import SpinnerColumn, TimeElapsedColumn

from foreart.cli.edge import resumable
from foreart.cli.options import FILES, command, json_option, library_option, open_corpus, selection, selection_options
from foreart.cli.printing import output, print_json, progress
from foreart.corpus import EVERYTHING, Summary
from foreart.errors import NotInCorpus
from foreart.parallel import cores


@command("add", example="foreart add ipg150106.zip")
@click.argument("files", nargs=-1, required=True, type=FILES)
@click.option("--workers", type=click.IntRange(1, 64), default=None, help="Reading processes.  [default: one per core]")
@library_option
@json_option
def add_command(files: tuple[str, ...], workers: int | None, folder: Path, as_json: bool) -> None:
    """Load FILES into the corpus.

    Formats as for `foreart read`. A patent that is already stored is skipped if nothing changed, else replaced; fields
    that a new record lacks are kept. Records that cannot be read go to the ledger (`foreart rejects`). After an
    interruption at any moment the same command resumes where it stopped.
    """
    from foreart.library import Library

    started = time.monotonic()
    kept = "stored patents are kept; run the same command again to resume"
    with resumable(kept), Library(folder) as library:
        with progress("reading", SpinnerColumn(), TimeElapsedColumn()) as show:
            summary = library.add(
                files,
                workers=workers or cores(),
                progress=lambda file, summary: show(f"{Path(file).name}: {_counts(summary)}"),
            )
        documents = len(library.corpus)
    if as_json:
        print_json({**asdict(summary), "documents": documents, "seconds": round(time.monotonic() - started, 2)})
    else:
        _print_summary(summary, documents, folder)
    if summary.read and summary.read == summary.rejected:
        raise SystemExit(1)


def _counts(summary: Summary) -> str:
    return (
        f"{summary.read:,} read: {summary.added:,} added, {summary.replaced:,} replaced, "
        f"{summary.unchanged:,} unchanged, {summary.rejected:,} rejected"
    )


def _print_summary(summary: Summary, documents: int, folder: Path) -> None:
    console = output()
    if summary.resumed_after:
        console.print(f"resumed after {summary.resumed_after:,} records that an interrupted run had stored")
    console.print(_counts(summary))
    console.print(f"{documents:,} patents in {folder}")
    if summary.rejected:
        console.print("`foreart rejects` shows the rejected records and why")


@command("remove", example="foreart remove US7585299B2")
@click.argument("ids", nargs=-1)
@selection_options
@click.option("--yes", is_flag=True, help="Do not ask before removing a selection.")
@library_option
@json_option
def remove_command(ids: tuple[str, ...], yes: bool, folder: Path, as_json: bool, **conditions: Any) -> None:  # noqa: ANN401
    """Remove patents from the corpus: those of the IDS, or a selection.

    An ID without kind code means all publications of that number.
    """
    with open_corpus(folder) as corpus:
        chosen = selection(**conditions)
        if ids and chosen != EVERYTHING:
            raise click.UsageError("give either IDS or a selection, not both")
        if not ids and chosen == EVERYTHING:
            raise click.UsageError("which patents? give IDS, or a selection such as --country FR")
        found = [match for number in ids for match in corpus.find(number)] if ids else corpus.ids(chosen)
        missing = [number for number in ids if number not in corpus]
        if missing and not found:
            raise NotInCorpus(f"{', '.join(missing)}: not in the corpus {corpus.path}")
        if not ids and not yes:
            click.confirm(f"Remove {len(found)} patents?", abort=True, err=True)
        count = corpus.remove(found)
        left = len(corpus)
    if as_json:
        print_json({"removed": count, "missing": missing, "documents": left})
        return
    output().print(f"{count:,} removed, {left:,} left")
    if missing:
        output().print(f"not in the corpus: {', '.join(missing)}")
