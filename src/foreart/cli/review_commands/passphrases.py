"""Passphrases: asked for without an echo, or read from a private file; never an argument."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from foreart.cli.printing import ask_secret
from foreart.errors import BadFile, WrongPassphrase
from foreart.library import Library
from foreart.review.matters import Matter
from foreart.review.matters.event_log import is_sealed_file
from foreart.review.matters.matter_folder import existing_path

Function = TypeVar("Function", bound=Callable[..., Any])


def passphrase_option(function: Function) -> Function:
    """`--passphrase-file`."""
    return click.option(
        "--passphrase-file",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE",
        help="File with the passphrase in its first line.  [default: asked for]",
    )(function)


def rater_option(function: Function) -> Function:
    """`--rater`."""
    return click.option(
        "--rater", default="", envvar="FOREART_RATER", metavar="NAME", help="Who works, if several people review."
    )(function)


def open_matter(library: Library, name: str, passphrase_file: Path | None) -> Matter:
    """The matter, opened with its passphrase if it is sealed."""
    return library.matter(name, passphrase=passphrase_of(library, name, passphrase_file))


def passphrase_of(library: Library, name: str, passphrase_file: Path | None) -> str:
    """The passphrase of a sealed matter; nothing for an open one."""
    if not is_sealed_file(existing_path(library.folder, name)):
        return ""
    if passphrase_file is not None:
        return read_passphrase(passphrase_file)
    _require_terminal(f"the matter {name} is sealed: give its passphrase with --passphrase-file FILE")
    return ask_secret(f"passphrase of {name}")


def new_passphrase(name: str, passphrase_file: Path | None) -> str:
    """A passphrase to seal with: from a file, or typed twice."""
    if passphrase_file is not None:
        return read_passphrase(passphrase_file)
    _require_terminal("give the passphrase with --passphrase-file FILE")
    passphrase = ask_secret(f"new passphrase of {name}")
    if ask_secret("the same again") != passphrase:
        raise WrongPassphrase("the two passphrases differ: try again")
    return passphrase


def read_passphrase(path: Path) -> str:
    """The first line of a file that only its owner may read."""
    try:
        if os.name == "posix" and path.stat().st_mode & 0o077:
            raise BadFile(f"{path} can be read by other users: run `chmod 600 {path}`")
        return path.read_text("utf-8").split("\n")[0].rstrip("\r")
    except (OSError, UnicodeDecodeError):
        raise BadFile(f"{path}: the passphrase cannot be read") from None


def _require_terminal(sentence: str) -> None:
    """Without a terminal nothing can be asked without an echo."""
    if not sys.stdin.isatty():
        raise click.UsageError(sentence)
