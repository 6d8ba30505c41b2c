"""`foreart mcp`."""

from __future__ import annotations

import os
import signal
import sys
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

import click

from foreart.cli.options import command, library_option
from foreart.cli.printing import messages, print_json
from foreart.errors import MissingExtra
from foreart.mcp import ToolSettings


@command("mcp", example="foreart mcp --library foreart-data")
@library_option
@click.option(
    "--allow",
    "allowed",
    multiple=True,
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder whose files may be read as drafts; can be repeated.  [default: none]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the configuration for hosts as JSON, and serve nothing.")
def mcp_command(folder: Path, allowed: tuple[Path, ...], as_json: bool) -> None:
    """Give the corpus to an assistant as tools of the Model Context Protocol, over standard input and output.

    A host program starts this command (docs/mcp.md); --json prints what to put into its configuration. Nothing
    listens, nothing is sent and no file is read but the library and the folders of --allow. What the host does with a
    draft that it is given is beyond foreart.
    """
    settings = ToolSettings(folder, allowed)
    if as_json:
        print_json(settings.host_configuration(_program()))
        return
    # Not `mcp`: any folder of that name where the command is started would be found.
    if find_spec("mcp_types") is None:
        raise MissingExtra("`foreart mcp`", "mcp")
    if sys.stdin.isatty():
        messages().print("waiting for a host on standard input; Ctrl-C stops, --json prints what to configure")
    from foreart.mcp.tool_server import run_tools

    signal.signal(signal.SIGINT, _stop)
    run_tools(settings)


def _stop(number: int, frame: FrameType | None) -> None:
    """Ends at once: nothing is being written, and the thread that waits for the host cannot be interrupted."""
    messages().print("stopped")
    os._exit(130)


def _program() -> list[str]:
    """The command that starts foreart from any folder: hosts do not know the path of a virtual environment."""
    script = Path(sys.executable).with_name("foreart.exe" if sys.platform == "win32" else "foreart")
    return [str(script)] if script.exists() else [sys.executable, "-m", "foreart"]
