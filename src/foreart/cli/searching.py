"""`foreart build` and `foreart search`."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from foreart.cli.options import command, json_option, library_option, messages, output, print_json
from foreart.errors import CorpusError
from foreart.library import DEFAULT_INDEX, INDEXES, Library


@command("build", example="foreart build")
@click.argument("names", nargs=-1, metavar="[NAME]...", type=click.Choice(list(INDEXES)))
@library_option
@json_option
def build_command(names: tuple[str, ...], folder: Path, as_json: bool) -> None:
    """Build the index that searches need, from the corpus as it is now.

    NAME is log-tfidf (the default, which `foreart search` takes) or tfidf (that of Helmers et al. 2019).
    """
    built: list[dict[str, str | int | float]] = []
    with existing(folder) as library:
        for name in names or (DEFAULT_INDEX,):
            began = time.monotonic()
            documents = build(library, name)
            built.append({"index": name, "documents": documents, "seconds": round(time.monotonic() - began, 2)})
    if as_json:
        print_json(built)
        return
    for item in built:
        output().print(f"index {item['index']}: {item['documents']:,} documents, {item['seconds']} s", highlight=False)


@command("search", example="foreart search application.docx --html report.html")
@click.argument("draft", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("-k", "--hits", "k", type=click.IntRange(1), default=20, show_default=True, help="How many hits.")
@click.option(
    "--cutoff", default="", metavar="DATE", help="Date that counts.  [default: found in the draft, else today]"
)
@click.option(
    "--index", type=click.Choice(list(INDEXES)), default=DEFAULT_INDEX, show_default=True, help="Which index."
)
@click.option("--html", "page", type=click.Path(dir_okay=False, path_type=Path), help="Write a report for the browser.")
@library_option
@json_option
def search_command(draft: str, k: int, cutoff: str, index: str, page: Path | None, folder: Path, as_json: bool) -> None:
    """Find the prior art of DRAFT: a Word, PDF, text or Markdown file; - is standard input.

    Every document of the corpus is compared. Each hit has its status on the date that counts and the words that made
    its score. The draft is read on this machine and goes nowhere else.
    """
    with existing(folder) as library:
        search(library, draft, k=k, cutoff=cutoff, index=index, page=page, as_json=as_json)


def existing(folder: Path) -> Library:
    """The library of a folder that must have a corpus."""
    library = Library(folder)
    if not library.corpus_path.exists():
        raise CorpusError(f"no corpus at {library.corpus_path}: load files with `foreart add FILE...`")
    return library


def build(library: Library, name: str = DEFAULT_INDEX) -> int:
    """Builds an index under a progress bar; how many documents it has."""
    columns = (TextColumn("indexing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=messages(), transient=True) as bar:
        task = bar.add_task("indexing")
        built = library.build(name, progress=lambda done, total: bar.update(task, completed=done, total=total))
    return len(built)


def search(
    library: Library,
    draft: str,
    *,
    k: int,
    cutoff: str = "",
    index: str = DEFAULT_INDEX,
    page: Path | None,
    as_json: bool,
) -> None:
    """Searches and shows what was found, in the way that was asked for."""
    from foreart.report import html_report, result_record, terminal_report
    from foreart.sources import read_draft

    result = library.search(read_draft(draft), k=k, cutoff=cutoff, index=index)
    if page is not None:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(html_report(result, made=datetime.now().astimezone().isoformat(timespec="minutes")), "utf-8")
    if as_json:
        print_json(result_record(result))
        return
    output().print(terminal_report(result))
    if page is not None:
        output().print(f"report: {page}", highlight=False)
