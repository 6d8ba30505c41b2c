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
    "families": ("corpus_commands.showing", "Show which patents are one invention, and why."),
    "remove": ("corpus_commands.adding", "Take patents out of the corpus."),
    "stats": ("corpus_commands.describing", "Describe the corpus in numbers and plots."),
    "rejects": ("corpus_commands.ledger", "Show the records that could not be read."),
    "doctor": ("corpus_commands.doctoring", "Check that corpus, indexes and installation are sound."),
    "draft": ("search_commands.drafting", "Show what is understood of a draft."),
    "build": ("search_commands.searching", "Build the indexes that searches need."),
    "learn": ("search_commands.learning", "Learn from the corpus' citations how to rank."),
    "search": ("search_commands.searching", "Find the prior art of a draft."),
    "rerun": ("search_commands.recording", "Repeat a recorded search and say what has changed."),
    "diff": ("search_commands.recording", "Compare two recorded searches."),
    "explain": ("search_commands.explaining", "Say why documents stand where they stand, exactly."),
    "chart": ("search_commands.charting", "Chart claim elements against references, with verbatim quotes."),
    "verify": ("search_commands.charting", "Look up every quote of an exported chart again."),
    "near": ("search_commands.nearing", "List all pairs of documents that are nearly the same."),
    "pairs": (
        "study_commands.pairing",
        "Pair targets with what they cite, with random documents and with their family.",
    ),
    "sample": ("study_commands.labelling", "Make a set of pairs for experts to judge, blind."),
    "label": ("study_commands.labelling", "Judge the pairs of an expert set, or tell how far raters agree."),
    "evaluate": ("study_commands.evaluating", "Measure how well an index or a run finds what is relevant."),
    "paper": ("study_commands.reproducing", "Give every table and figure of Helmers et al. 2019 for this corpus."),
    "demo": ("demo", "Load the sample corpus and search a sample draft."),
}

_EXAMPLE = """\b
Example:
  foreart add ipg150106.zip        load a weekly file of US grants
  foreart build                    make the index
  foreart search application.docx  find its prior art
"""


class Commands(click.Group):
    """Subcommands from the table, loaded when needed; errors as one sentence and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of the table, which is the order of work."""
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
        """Runs a subcommand, which is imported here too."""
        with edge():
            return super().invoke(ctx)


@click.group(cls=Commands, epilog=_EXAMPLE, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="foreart", message="foreart %(version)s")
def app() -> None:
    """Find a patent application's prior art by comparing its whole text with the whole text of every patent.

    Nothing leaves this machine, and only `foreart crawl` fetches anything. Exit codes: 0 done, 1 could not be done,
    2 wrong usage, 130 stopped by Ctrl-C.
    """


def run() -> None:
    """Runs the command that was typed, with little garbage collection.

    Imported modules make hundreds of thousands of objects that stay: looking through them for garbage, again and again
    and once more at the end, takes a third of the time of a search.
    """
    gc.set_threshold(100_000, 20, 20)
    open_streams()
    try:
        app(prog_name="foreart")
    finally:
        gc.freeze()
