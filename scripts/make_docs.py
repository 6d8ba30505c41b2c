"""Writes what documents say from what is: `python scripts/make_docs.py`.

docs/commands.md from the commands themselves, the results in README.md and benchmarks/README.md from
benchmarks/results/.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import click

from foreart.cli.app import COMMANDS, app

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "docs" / "commands.md"
README = ROOT / "README.md"
BENCHMARKS = ROOT / "benchmarks" / "README.md"
_BENCHMARKS = """# Benchmarks

Made by `python scripts/make_docs.py`; do not edit. Each module answers one question and writes `results/NAME.json` with
versions and fingerprints. Speed is a ratio to a peer measured in the same run. They need the real files in
`../shared/data`.

"""
_MARKS = ("<!-- results -->\n", "<!-- /results -->")
_WIDTH = 100
_TOP = """# Commands

Made from the commands by `python scripts/make_docs.py`; do not edit. Exit codes: 0 done, 1 could not be done, 2 wrong
usage. Results go to standard output, progress and notes to standard error.
"""


def commands() -> str:
    """The text of docs/commands.md: the help of each command, a hundred characters wide."""
    with _context(app, "foreart", None) as top:
        parts = [_TOP, _block(app.get_help(top))]
        for name in COMMANDS:
            command = app.get_command(top, name)
            if command is None:
                raise SystemExit(f"the table has a command {name} that is not there")
            with _context(command, name, top) as inner:
                parts += [f"## foreart {name}\n", _block(command.get_help(inner))]
    return "\n".join(parts)


def _context(command: click.Command, name: str, parent: click.Context | None) -> click.Context:
    settings = command.context_settings
    return click.Context(
        command,
        info_name=name,
        parent=parent,
        terminal_width=_WIDTH,
        max_content_width=_WIDTH,
        help_option_names=settings.get("help_option_names"),
    )


def _block(text: str) -> str:
    lines = (line.rstrip() for line in text.rstrip().splitlines())
    return "```\n" + "\n".join(lines) + "\n```\n"


def readme() -> str:
    """The text of README.md with the results as they were last measured."""
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(_MARKS[0])
    _, _, after = rest.partition(_MARKS[1])
    return before + _MARKS[0] + results() + _MARKS[1] + after


def benchmarks() -> str:
    """The text of benchmarks/README.md: which question each module asks, and the last answers."""
    questions = []
    for path in sorted((ROOT / "benchmarks").glob("*.py")):
        first = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").splitlines()[0]
        if first.endswith("?") or "?" in first:
            questions.append(f"- `python benchmarks/{path.name}`: {first}")
    return _BENCHMARKS + "\n".join(questions) + "\n\n" + results()


def results() -> str:
    """The table of results."""
    ingest, fuzz = _result("ingest"), _result("fuzz")
    speed, corpus, weekly = ingest["megabytes_per_second"], ingest["real_corpus"], ingest["weekly_file"]
    formats = fuzz["formats"].values()
    mutants = sum(item["mutants"] for item in formats)
    failures = sum(len(item["failures"]) for item in formats)
    rows = (
        (
            f"Reading USPTO XML to JSON lines, one core ({weekly['megabytes']:g} MB)",
            f"{speed['read']:g} MB/s: {ingest['read_share_of_iterparse']:.0%} of a bare lxml iterparse in the same run",
        ),
        (
            "Loading it into the corpus",
            f"{speed['add_2']:g} MB/s on two cores, {ingest['add_two_workers_over_one']:g} × one; "
            f"stored in {ingest['corpus_share_of_xml']:.0%} of its size",
        ),
        (
            f"Loading {corpus['documents']:,} full-text patents",
            f"{corpus['seconds']:g} s, at most {corpus['peak_megabytes_of_all_processes']} MB of memory in all",
        ),
        (
            f"{mutants:,} damaged copies of files of {len(formats)} formats",
            f"{failures} crashes or hangs; the slowest took {max(item['slowest_seconds'] for item in formats):g} s",
        ),
        ("Loadings killed with -9 at 50 random moments (in the tests)", "all ended with exactly the same corpus"),
    )
    lines = ["| what | measured |", "|---|---|", *(f"| {what} | {measured} |" for what, measured in rows)]
    return "\n".join(lines) + "\n"


def _result(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    TARGET.write_text(commands(), encoding="utf-8")
    README.write_text(readme(), encoding="utf-8")
    BENCHMARKS.write_text(benchmarks(), encoding="utf-8")
