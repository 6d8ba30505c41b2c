"""The `foreart` command and its subcommands, each imported when it is called."""

from __future__ import annotations

import gc
import importlib

import click

from foreart.cli.edge import edge, open_streams

# Command, module of this package, one line of help. Listed here so that `--help` imports none of them.
COMMANDS: dict[str, tuple[str, str]] = {
    "read": ("corpus_commands.reading", "Print the patents of files as JSON lines."),
    "formats": ("corpus_commands.reading", "List the file formats that can be read."),
    "add": ("corpus_commands.adding", "Load files into the corpus."),
    "crawl": ("corpus_commands.crawling", "Grow the corpus from seeds along citations."),
    "show": ("corpus_commands.showing", "Show a patent of the corpus."),
    "list": ("corpus_commands.showing", "List the patents of the corpus, or a selection of them."),
    "export": ("corpus_commands.showing", "Write patents of the corpus as JSON lines."),
    "families": ("corpus_commands.showing", "Show patent families, and why their members belong together."),
    "remove": ("corpus_commands.adding", "Remove patents from the corpus."),
    "stats": ("corpus_commands.describing", "Describe the corpus in numbers and plots."),
    "rejects": ("corpus_commands.ledger", "Show the records that could not be read."),
    "doctor": ("corpus_commands.doctoring", "Check corpus, indexes and installation for damage."),
    "draft": ("search_commands.drafting", "Show how a draft is parsed."),
    "build": ("search_commands.searching", "Build the indexes that searches need."),
    "learn": ("search_commands.learning", "Learn ranking weights from the citations of the corpus."),
    "search": ("search_commands.searching", "Find the prior art of a draft."),
    "similar": ("search_commands.searching", "Find the documents most similar to a patent of the corpus."),
    "rerun": ("search_commands.recording", "Repeat a recorded search and report what changed."),
    "diff": ("search_commands.recording", "Compare two recorded searches."),
    "explain": ("search_commands.explaining", "Explain the rank of documents with exact score contributions."),
    "chart": ("search_commands.charting", "Chart claim elements against references, with verbatim quotes."),
    "verify": ("search_commands.charting", "Check every quote of an exported chart or report against the corpus."),
    "matter": ("review_commands.matter_group", "Keep a review project: draft, searches, judgements and notes."),
    "review": ("review_commands.review_command", "Judge the documents of a matter one after the other."),
    "near": ("search_commands.nearing", "List all pairs of near-duplicate documents."),
    "pairs": (
        "study_commands.pairing",
        "Pair targets with the documents they cite, random documents and family members.",
    ),
    "sample": ("study_commands.labelling", "Sample pairs for experts to judge blind."),
    "label": ("study_commands.labelling", "Judge the pairs of an expert set, or report agreement between raters."),
    "evaluate": ("study_commands.evaluating", "Measure retrieval quality of an index or a run."),
    "paper": ("study_commands.reproducing", "Reproduce every table and figure of Helmers et al. 2019 for this corpus."),
    "cluster": ("clustering", "Search on a cluster: name one, start one on this machine, see how it is."),
    "serve": ("serving", "Serve pages and a REST API on this machine."),
    "open": ("serving", "Open the pages in the browser."),
    "mcp": ("mcp_serving", "Give the corpus to an assistant as tools, over standard input and output."),
    "demo": ("demo", "Load the sample corpus and search a sample draft."),
}

_EXAMPLE = """\b
Example:
  foreart add ipg150106.zip        load a weekly file of US grants
  foreart build                    build the indexes
  foreart search application.docx  find its prior art
"""


class Commands(click.Group):
    """Subcommands from the table, loaded when needed; errors as one sentence and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of the table, which follows the workflow."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"foreart.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in `--help`, without importing any command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_text) for name, (_, help_text) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> object:
        """Imports and runs a subcommand."""
        with edge():
            return super().invoke(ctx)


@click.group(cls=Commands, epilog=_EXAMPLE, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="foreart", message="foreart %(version)s")
def app() -> None:
    """Find a patent application's prior art by comparing its full text with the full text of every patent.

    Nothing leaves this machine, and only `foreart crawl` uses the network. Exit codes: 0 success, 1 failure, 2 wrong
    usage, 130 interrupted by Ctrl-C.
    """


def run() -> None:
    """Runs the command of `sys.argv` with infrequent garbage collection.

    Imported modules create hundreds of thousands of long-lived objects; scanning them for garbage repeatedly and at
    exit takes a third of the time of a search.
    """
    gc.set_threshold(100_000, 20, 20)
    open_streams()
    try:
        app(prog_name="foreart")
    finally:
        gc.freeze()
