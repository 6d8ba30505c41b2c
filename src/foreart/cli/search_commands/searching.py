"""`foreart build`, `foreart search` and `foreart similar`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from foreart.cli.edge import resumable
from foreart.cli.options import (
    COUNT,
    command,
    filter_options,
    json_option,
    law_options,
    library_option,
    on_option,
    ranking_options,
    selection_options,
)
from foreart.cli.outputs import OutputFile, write_output
from foreart.cli.printing import messages, output, print_json, progress
from foreart.cluster.cluster_settings import cluster_settings
from foreart.errors import CorpusError
from foreart.index_store import INDEXES
from foreart.library import Library
from foreart.parallel import cores
from foreart.search.draft_source import publication_draft
from foreart.text import SECTIONS

if TYPE_CHECKING:
    from foreart.document.draft import Draft
    from foreart.index import Index


@command("build", example="foreart build lsa --sections claims --set dimensions=250")
@click.argument("kinds", nargs=-1, metavar="[KIND]...", type=click.Choice(list(INDEXES)))
@click.option(
    "--sections", type=click.Choice(list(SECTIONS)), default="full", show_default=True, help="Which text is compared."
)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A parameter of the features.")
@click.option("--name", default="", help="Name of the index.  [default: its kind, and its sections if not full]")
@click.option("--merge", is_flag=True, help="Merge all segments, as a build from scratch would leave them.")
@click.option("--refresh", is_flag=True, help="Learn topics and word vectors again, of all documents.")
@on_option
@library_option
@json_option
def build_command(
    kinds: tuple[str, ...],
    sections: str,
    settings: tuple[str, ...],
    name: str,
    merge: bool,
    refresh: bool,
    on: str,
    folder: Path,
    as_json: bool,
) -> None:
    """Build the indexes that searches and evaluations need, from the corpus as it is now.

    Only documents that are new or have changed are read and encoded, in every index that was built before; topics and
    word vectors keep what they learned, and the output says how well that still fits. All indexes are published
    together at the end: until then, and after an interruption, searches use the state before. The same command resumes.

    With --on dask://HOST:8786 the workers of that cluster count, invert and encode the documents, in a folder that all
    machines share; the indexes are the same byte for byte. `--on here` builds on this machine.

    \b
    KIND is the kind of features; without any, everything is built that `foreart search` uses: log-tfidf of full text,
    claims and abstract, tfidf, bm25, topics, and the citation and name graph.
      log-tfidf  words, counts dampened by a logarithm
      tfidf      words, weighted as in Helmers et al. 2019
      bm25       words, weighted by BM25
      lsa, kpca  topics of those words: dimensions=1000
      topics     250 topics of dampened counts, as `foreart search` uses them
      ppmi       sums of word vectors learned here
      word2vec   sums of word vectors by gensim
      doc2vec    document vectors by gensim
      embedding  your own sentence encoder: model=FOLDER
      passages   words of passages, scored by the best one: words=300, or aggregate=mean
    """
    started = time.monotonic()
    with resumable("earlier indexes are kept; run the same command again to resume"), existing(folder, on) as library:
        built = build(
            library,
            *kinds,
            sections=sections,
            name=name,
            parameters=_parameters(settings),
            merge=merge,
            refresh=refresh,
        )
    seconds = round(time.monotonic() - started, 2)
    if as_json:
        print_json(
            [{"index": name, **made.description.to_record(), "seconds": seconds} for name, made in built.items()]
        )
        return
    from foreart.index.row_drift import Drift

    for name, made in built.items():
        output().print(f"index {name}: {len(made):,} documents, {made.description}")
        if note := Drift.of(made).note:
            output().print(f"  {note}")
    output().print(f"{seconds} s")


def _result_options(function: Callable[..., None]) -> Callable[..., None]:
    """What `search` and `similar` have in common: which documents count, how they are ranked, what is written."""
    options = (
        click.option("-k", "--hits", "k", type=COUNT, default=20, show_default=True, help="How many hits."),
        law_options,
        ranking_options,
        selection_options,
        filter_options,
        click.option("--family", is_flag=True, help="List the other members of each hit's family."),
        click.option(
            "--passages/--no-passages", default=True, help="Quote the closest passage of each hit.  [default: yes]"
        ),
        click.option("--html", "page", type=OutputFile(), help="Write a report for the browser."),
        click.option("--save", type=OutputFile(), help="Write a record, for rerun and diff."),
        click.option("--private", is_flag=True, help="Omit words of the draft from the record."),
        on_option,
        library_option,
        json_option,
    )
    for option in reversed(options):
        function = option(function)
    return function


@command("search", example="foreart search application.docx --html report.html")
@click.argument("draft")
@_result_options
def search_command(draft: str, folder: Path, on: str, **options: Any) -> None:  # noqa: ANN401 as `search` has them
    """Find the prior art of DRAFT: a Word, PDF, ODT, RTF, HTML, Markdown, text or office file; - is standard input.

    DRAFT may also be a publication number in the corpus. Every document that passes the filters is compared; the report
    says how many each filter removed. Each hit has its status on the cut-off date with the rule that gives it, and the
    words that contribute most to its score; each family is one hit, and the draft's own family is listed separately.
    The draft is read on this machine and sent nowhere.
    """
    with existing(folder, on) as library:
        search(library, library.draft(draft), **options)


@command("similar", example="foreart similar US7585299B2 --from 1990")
@click.argument("number")
@_result_options
def similar_command(number: str, folder: Path, on: str, **options: Any) -> None:  # noqa: ANN401 as `search` has them
    """Find the documents of the corpus most similar to the patent NUMBER, in any spelling.

    The same as a search with the text of that patent as the draft: documents that may count against it on its own
    priority date. Its own family is listed separately. With `--cutoff` another date counts: later documents too.
    """
    with existing(folder, on) as library:
        search(library, publication_draft(number, library.corpus), **options)


def existing(folder: Path, on: str | None = None) -> Library:
    """The library of a folder, which must have a corpus; `on` is the value of the option, for commands that have it.

    Where the settings of the library name a cluster, the person reads so before anything is sent there.
    """
    library = Library(folder, on=on or "")
    if not library.corpus_path.exists():
        raise CorpusError(f"no corpus at {library.corpus_path}: load files with `foreart add FILE...`")
    home = cluster_settings(folder).home if on == "" else None
    if home is not None:
        messages().print(f"on {home}, which `foreart cluster use` set; `--on here` is this machine", soft_wrap=True)
    return library


def build(
    library: Library,
    *kinds: str,
    sections: str = "full",
    name: str = "",
    parameters: Mapping[str, object] | None = None,
    merge: bool = False,
    refresh: bool = False,
) -> dict[str, Index]:
    """Builds indexes with a progress bar."""
    with progress("reading") as show:
        return library.build(
            *kinds,
            sections=sections,
            name=name,
            parameters=parameters,
            merge=merge,
            refresh=refresh,
            workers=cores(),
            progress=lambda done, total: show("reading" if done < total else "computing", done, total),
        )


def _parameters(settings: Iterable[str]) -> dict[str, object]:
    """Values parsed as JSON (`dimensions=250`, `idf=false`, `landmarks=null`), anything else as a string."""
    parameters: dict[str, object] = {}
    for setting in settings:
        name, sign, value = setting.partition("=")
        if not sign:
            raise click.UsageError(f"--set {setting}: write it as NAME=VALUE, such as dimensions=250")
        try:
            parameters[name] = json.loads(value)
        except (ValueError, RecursionError):
            parameters[name] = value
    return parameters


def search(
    library: Library,
    draft: Draft,
    *,
    page: Path | None = None,
    as_json: bool = False,
    save: Path | None = None,
    private: bool = False,
    family: bool = False,
    **options: Any,  # noqa: ANN401 SearchOptions
) -> None:
    """Searches and writes or prints the result in the requested formats."""
    if private and save is None:
        raise click.UsageError("--private applies to the record: give --save FILE too")
    result = library.search(draft, **options)
    if save is not None:
        result.save(save, private=private)
        messages().print(f"record: {save}")
    if page is not None:
        from foreart.report.pages.search_page import search_html

        text = search_html(result, made=datetime.now().astimezone().isoformat(timespec="minutes"))
        write_output(page, text.encode())
    if as_json:
        from foreart.report.exports.result_json import result_record

        print_json(result_record(result))
        return
    from foreart.report.terminal.search_terminal import terminal_search

    output().print(terminal_search(result, family=family))
    if page is not None:
        output().print(f"report: {page}")
