"""Tools called as a host calls them: in memory, and in a real process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from foreart.mcp import ToolSettings

if TYPE_CHECKING:
    from mcp import Client
    from mcp_types import CallToolResult

    from foreart.mcp.tool_server import ForeartTools


def with_tools(folder: Path, ask: Callable[[Client], Any], *allowed: Path) -> Any:
    """What a function finds with a client in memory."""
    from mcp import Client

    async def run() -> Any:
        async with Client(_server(folder, allowed)) as client:
            return await ask(client)

    return anyio.run(run)


@lru_cache(maxsize=64)
def _server(folder: Path, allowed: tuple[Path, ...]) -> ForeartTools:
    """Making its schemas takes longer than most calls; a client that leaves closes the files of the library."""
    from foreart.mcp.tool_server import make_server

    return make_server(ToolSettings(folder, allowed))


def answer(folder: Path, name: str, *allowed: Path, **arguments: Any) -> Any:
    """The structured answer of a tool, which must not fail."""
    result = call(folder, name, *allowed, **arguments)
    assert not result.is_error, result.content
    return result.structured_content


def refusal(folder: Path, name: str, *allowed: Path, **arguments: Any) -> str:
    """The sentence of a tool that must fail."""
    result = call(folder, name, *allowed, **arguments)
    assert result.is_error
    assert result.structured_content is None
    (said,) = result.content
    return str(said.text)


def call(folder: Path, name: str, *allowed: Path, **arguments: Any) -> CallToolResult:
    return with_tools(folder, lambda client: client.call_tool(name, arguments), *allowed)


def in_process(
    folder: Path, ask: Callable[[Client], Any], *options: str, log: Path, environment: dict[str, str] | None = None
) -> Any:
    """What a function finds with a client of a real `foreart mcp`, whose standard error goes to a file."""
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    arguments = ["-m", "foreart", "mcp", "--library", str(folder), *options]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=environment)

    async def run() -> Any:
        with log.open("w", encoding="utf-8") as stream:
            async with Client(stdio_client(server, errlog=stream)) as client:
                return await ask(client)

    return anyio.run(run)
