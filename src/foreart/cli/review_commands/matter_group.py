"""`foreart matter` and its subcommands."""

from __future__ import annotations

import click

from foreart.cli.options import InOrder
from foreart.cli.review_commands.literature_command import literature_command
from foreart.cli.review_commands.matter_ending_commands import passphrase_command, purge_command, seal_command
from foreart.cli.review_commands.matter_explaining import explain_matter_command
from foreart.cli.review_commands.matter_opening_commands import list_command, new_command, open_command, search_command
from foreart.cli.review_commands.matter_writing_commands import export_command, note_command
from foreart.cli.review_commands.stopping_command import stopping_command

_EXAMPLE = """\b
Example:
  foreart matter new hinge application.docx
  foreart review hinge
  foreart matter export hinge hinge.csv
"""


@click.group("matter", cls=InOrder, epilog=_EXAMPLE, context_settings={"help_option_names": ["-h", "--help"]})
def matter_command() -> None:
    """Keep a review project: draft, searches, judgements and notes in one private file.

    Every step is kept as it is made and can be undone; several people can work in one matter. With a passphrase the
    file is encrypted. Subcommands print JSON for programs with --json.
    """


for _command in (
    new_command,
    list_command,
    open_command,
    search_command,
    stopping_command,
    explain_matter_command,
    note_command,
    literature_command,
    export_command,
    seal_command,
    passphrase_command,
    purge_command,
):
    matter_command.add_command(_command)
