"""`foreart serve` and `foreart open`."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import click

from foreart.cli.options import command, json_option
from foreart.cli.printing import announce, messages
from foreart.errors import MissingExtra
from foreart.parallel import cores
from foreart.server import ServerSettings

Function = TypeVar("Function", bound=Callable[..., Any])
# Folders that programs copy to other machines.
_SYNCHRONISED = (
    "dropbox",
    "onedrive",
    "icloud",
    "clouddocs",
    "google drive",
    "googledrive",
    "nextcloud",
    "owncloud",
    "syncthing",
)
# What may stand in a header as a bearer token (RFC 6750), and behind the # of an address as it is.
_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{32,}")
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def _libraries_option(function: Function) -> Function:
    return click.option(
        "-l",
        "--library",
        "folders",
        multiple=True,
        default=("foreart-data",),
        envvar="FOREART_LIBRARY",
        show_default=True,
        type=click.Path(file_okay=False, path_type=Path),
        help="Folder of a corpus and its indexes; can be repeated.",
    )(function)


@command("serve", example="foreart serve --library foreart-data --open")
@_libraries_option
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 takes a free one.")
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
@click.option("--address", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--host-name", "host_names", multiple=True, metavar="NAME", help="Name of this server for browsers.")
@click.option("--password-file", type=_FILE, help="File with the password, needed beyond this machine.")
@click.option("--certfile", type=_FILE, help="TLS certificate, needed beyond this machine.")
@click.option("--keyfile", type=_FILE, help="Key of the certificate.")
@click.option("--behind-proxy", is_flag=True, help="A proxy in front does TLS; needs --host-name.")
@click.option(
    "--token",
    default="",
    envvar="FOREART_TOKEN",
    help="Token to use, at least 32 letters, digits or -._~+/=.  [default: random]",
)
@click.option("--no-token", is_flag=True, help="Ask for no token: every user of this machine can read everything.")
@click.option("--forget", is_flag=True, help="Keep drafts and searches in memory only.")
@click.option(
    "--workers", type=click.IntRange(1, 64), default=None, help="Searching processes.  [default: one per core]"
)
@json_option
def serve_command(folders: tuple[Path, ...], opens: bool, no_token: bool, token: str, **options: Any) -> None:  # noqa: ANN401
    """Serve the pages and the REST API on this machine; prints the address to open.

    Only this machine can connect, and only with the token in the address. For other machines a password and TLS are
    needed (docs/server.md). Nothing is sent anywhere. Ctrl-C stops the server.
    """
    if token and not _TOKEN.fullmatch(token):
        raise click.UsageError("--token: at least 32 letters, digits or -._~+/=, so that nobody guesses it")
    if no_token:
        messages().print("--no-token: every user and program of this machine can read drafts and change the library")
    serve(folders, opens=opens, token="" if no_token else token or secrets.token_urlsafe(32), **options)


@command("open", example="foreart open")
@_libraries_option
@json_option
def open_command(folders: tuple[Path, ...], as_json: bool) -> None:
    """Open the desk in the browser: `foreart serve --open` on a free port."""
    serve(folders, opens=True, token=secrets.token_urlsafe(32), as_json=as_json, port=0)


def serve(
    folders: tuple[Path, ...],
    *,
    opens: bool,
    token: str,
    as_json: bool,
    password_file: Path | None = None,
    workers: int | None = None,
    **options: Any,  # noqa: ANN401 those of ServerSettings
) -> None:
    """Runs the server until it is stopped."""
    if any(find_spec(name) is None for name in ("fastapi", "uvicorn")):
        raise MissingExtra("`foreart serve`", "server")
    settings = ServerSettings(libraries=folders, token=token, workers=workers or cores(), **options)
    if password_file is not None:
        from foreart.server.security.passwords import read_password

        settings = replace(settings, password=read_password(password_file))
    for folder in folders:
        if name := synchronised(folder):
            messages().print(f"{folder} lies in a folder that {name} copies to other machines: drafts are kept in it")
    from foreart.server.running import run_server

    run_server(settings, lambda address: _announce(address, opens=opens, as_json=as_json))


def synchronised(folder: Path) -> str:
    """The part of a path that names a synchronised folder, or nothing."""
    parts = folder.resolve().parts
    return next((part for part in parts if any(name in part.lower() for name in _SYNCHRONISED)), "")


def _announce(address: str, *, opens: bool, as_json: bool) -> None:
    place, _, token = address.partition("#")
    announce(json.dumps({"address": place, "token": token or None}) if as_json else address)
    if opens:
        from webbrowser import open as open_browser

        open_browser(address)
