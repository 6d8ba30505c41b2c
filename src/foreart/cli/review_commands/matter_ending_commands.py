"""`foreart matter seal`, `foreart matter passphrase` and `foreart matter purge`."""

from __future__ import annotations

from pathlib import Path

import click

from foreart.cli.options import command, json_option, library_option
from foreart.cli.printing import ask, messages, output, print_json
from foreart.cli.review_commands.passphrases import (
    new_passphrase,
    passphrase_of,
    passphrase_option,
    read_passphrase,
)
from foreart.errors import MatterError
from foreart.library import Library
from foreart.review.matters import purge
from foreart.review.matters.matter_folder import existing_path


@command("seal", example="foreart matter seal hinge")
@click.argument("name")
@passphrase_option
@library_option
@json_option
def seal_command(name: str, passphrase_file: Path | None, folder: Path, as_json: bool) -> None:
    """Encrypt the matter NAME with a passphrase; every event in the file is overwritten.

    Without the passphrase nobody can read it again, you included. Copies, backups and exports that were made before
    stay readable, and on SSDs and in snapshots old blocks of the file may remain.
    """
    with Library(folder) as library, library.matter(name) as matter:
        matter.seal(new_passphrase(name, passphrase_file))
        if as_json:
            print_json({"name": name, "sealed": True, "events": matter.state.last, "check": matter.digest})
        else:
            output().print(f"the matter {name} is sealed")


@command("passphrase", example="foreart matter passphrase hinge")
@click.argument("name")
@passphrase_option
@click.option(
    "--new-passphrase-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File with the new passphrase in its first line.  [default: asked for]",
)
@library_option
@json_option
def passphrase_command(
    name: str, passphrase_file: Path | None, new_passphrase_file: Path | None, folder: Path, as_json: bool
) -> None:
    """Give the sealed matter NAME another passphrase; every event in the file is encrypted again and overwritten.

    If the command is killed, the file has the old passphrase or the new one, and all its events. Copies and backups
    that were made before still open with the old passphrase.
    """
    with Library(folder) as library:
        passphrase = passphrase_of(library, name, passphrase_file)
        with library.matter(name, passphrase=passphrase) as matter:
            if not matter.is_sealed:
                raise MatterError(f"the matter {name} is not sealed: `foreart matter seal {name}` seals it")
            matter.change_passphrase(passphrase, new_passphrase(name, new_passphrase_file))
            if as_json:
                print_json({"name": name, "sealed": True, "events": matter.state.last, "check": matter.digest})
            else:
                output().print(f"the matter {name} has another passphrase")


@command("purge", example="foreart matter purge hinge")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@passphrase_option
@library_option
@json_option
def purge_command(name: str, yes: bool, passphrase_file: Path | None, folder: Path, as_json: bool) -> None:
    """Delete the matter NAME for good: its file, drafts that the server kept for it, and exports in the library.

    Each deleted file is overwritten, and printed with its size; then follows what that cannot promise. A sealed matter
    can be purged without its passphrase, but then the drafts and exports that it names are not known.
    """
    existing_path(folder, name)
    if not yes and ask(f"type {name} again to delete it for good: ") != name:
        raise MatterError(f"the matter {name} was not deleted")
    purged = purge(folder, name, passphrase=read_passphrase(passphrase_file) if passphrase_file else "")
    if as_json:
        removed = [{"file": file.file, "bytes": file.size} for file in purged.files]
        print_json({"name": name, "removed": removed, "notes": list(purged.notes)})
        return
    for file in purged.files:
        output().print(f"deleted {file.file}: {file.size:,} bytes", soft_wrap=True)
    for note in purged.notes:
        messages().print(note, soft_wrap=True)
