"""Writes docs/commands.md from the commands themselves: `python scripts/make_docs.py`."""

from __future__ import annotations

from pathlib import Path

import click

from foreart.cli.app import COMMANDS, app

TARGET = Path(__file__).resolve().parents[1] / "docs" / "commands.md"
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


if __name__ == "__main__":
    TARGET.write_text(commands(), encoding="utf-8")
