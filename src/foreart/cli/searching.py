"""`foreart build` and `foreart search`."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from foreart.cli.options import (
    command,
    json_option,
    library_option,
    messages,
    output,
    print_json,
    selection,
    selection_options,
)
from foreart.corpus import EVERYTHING, Selection
from foreart.errors import CorpusError
from foreart.library import DEFAULT_INDEX, INDEXES, Library
from foreart.text import SECTIONS

if TYPE_CHECKING:
    from foreart.index import Index


@command("build", example="foreart build lsa --sections claims --set dimensions=250")
@click.argument("kinds", nargs=-1, metavar="[KIND]...", type=click.Choice(list(INDEXES)))
@click.option(
    "--sections", type=click.Choice(list(SECTIONS)), default="full", show_default=True, help="Which text is compared."
)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A parameter of the features.")
@click.option("--name", default="", help="Name of the index.  [default: its kind, and its sections if not full]")
@click.option("--merge", is_flag=True, help="Leave the postings as a build from nothing would.")
@library_option
@json_option
def build_command(
    kinds: tuple[str, ...],
    sections: str,
    settings: tuple[str, ...],
    name: str,
    merge: bool,
    folder: Path,
    as_json: bool,
) -> None:
    """Build the indexes that searches and evaluations need, from the corpus as it is now.

    Words are counted once for all indexes of words, and only in documents that are new or have changed. Interrupted,
    the same command goes on; what was built before serves until then.

    \b
    KIND is what a text becomes; without any, log-tfidf and tfidf are built:
      log-tfidf  words, counts dampened: what `foreart search` takes
      tfidf      words, as Helmers et al. 2019
      bm25       words, as search engines weigh them
      lsa, kpca  topics of those words: dimensions=1000
      ppmi       sums of word vectors learned here
      word2vec   sums of word vectors by gensim
      doc2vec    document vectors by gensim
      embedding  a sentence encoder of yours: model=FOLDER
    """
    began = time.monotonic()
    with existing(folder) as library:
        built = build(library, *kinds, sections=sections, name=name, parameters=_parameters(settings), merge=merge)
    seconds = round(time.monotonic() - began, 2)
    if as_json:
        print_json(
            [{"index": name, **made.description.to_record(), "seconds": seconds} for name, made in built.items()]
        )
        return
    for name, made in built.items():
        output().print(f"index {name}: {len(made):,} documents, {made.description}", highlight=False)
    output().print(f"{seconds} s", highlight=False)


@command("search", example="foreart search application.docx --html report.html")
@click.argument("draft", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("-k", "--hits", "k", type=click.IntRange(1), default=20, show_default=True, help="How many hits.")
@click.option(
    "--cutoff", default="", metavar="DATE", help="Date that counts.  [default: found in the draft, else today]"
)
@click.option("--index", default=DEFAULT_INDEX, show_default=True, metavar="NAME", help="Which index.")
@selection_options
@click.option("--html", "page", type=click.Path(dir_okay=False, path_type=Path), help="Write a report for the browser.")
@library_option
@json_option
def search_command(
    draft: str,
    k: int,
    cutoff: str,
    index: str,
    page: Path | None,
    folder: Path,
    as_json: bool,
    **conditions: Any,  # noqa: ANN401 those of a selection
) -> None:
    """Find the prior art of DRAFT: a Word, PDF, ODT, RTF, HTML, Markdown, text or office file; - is standard input.

    Every document of the corpus is compared, or every one selected. Each hit has its status on the date that counts
    and the words that made its score. The draft is read on this machine and goes nowhere else.
    """
    with existing(folder) as library:
        chosen = selection(**conditions)
        search(library, draft, k=k, cutoff=cutoff, index=index, chosen=chosen, page=page, as_json=as_json)


def existing(folder: Path) -> Library:
    """The library of a folder that must have a corpus."""
    library = Library(folder)
    if not library.corpus_path.exists():
        raise CorpusError(f"no corpus at {library.corpus_path}: load files with `foreart add FILE...`")
    return library


def build(
    library: Library,
    *kinds: str,
    sections: str = "full",
    name: str = "",
    parameters: Mapping[str, object] | None = None,
    merge: bool = False,
) -> dict[str, Index]:
    """Builds indexes under a progress bar."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=messages(), transient=True) as bar:
        task = bar.add_task("reading")

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, description="reading" if done < total else "computing")

        return library.build(*kinds, sections=sections, name=name, parameters=parameters, merge=merge, progress=show)


def _parameters(settings: Iterable[str]) -> dict[str, object]:
    """`dimensions=250` as a number, `idf=false` and `landmarks=null` as JSON has them, everything else as it stands."""
    found: dict[str, object] = {}
    for setting in settings:
        name, sign, value = setting.partition("=")
        if not sign:
            raise click.UsageError(f"--set {setting}: write it as NAME=VALUE, such as dimensions=250")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


def search(
    library: Library,
    draft: str,
    *,
    k: int,
    cutoff: str = "",
    index: str = DEFAULT_INDEX,
    chosen: Selection = EVERYTHING,
    page: Path | None,
    as_json: bool,
) -> None:
    """Searches and shows what was found, in the way that was asked for."""
    from foreart.report import html_report, result_record, terminal_report
    from foreart.sources import read_draft

    result = library.search(read_draft(draft), k=k, cutoff=cutoff, index=index, selection=chosen)
    if page is not None:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(html_report(result, made=datetime.now().astimezone().isoformat(timespec="minutes")), "utf-8")
    if as_json:
        print_json(result_record(result))
        return
    output().print(terminal_report(result))
    if page is not None:
        output().print(f"report: {page}", highlight=False)
