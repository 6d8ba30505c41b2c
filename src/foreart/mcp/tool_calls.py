"""Runs tools one after the other in one thread, and makes of each a function that the protocol can offer."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from foreart.mcp.chart_tools import chart
from foreart.mcp.document_tools import show
from foreart.mcp.draft_tools import draft
from foreart.mcp.library_tools import stats
from foreart.mcp.quote_tools import verify
from foreart.mcp.reason_tools import explain
from foreart.mcp.search_tools import search, similar
from foreart.mcp.tool_context import ToolContext

Answer = TypeVar("Answer")
# All tools with their titles, in the order in which hosts list them.
TOOLS: dict[str, tuple[Callable[..., Any], str]] = {
    "search": (search, "Find the prior art of a draft"),
    "similar": (similar, "Find documents similar to a patent"),
    "draft": (draft, "Show how a draft is understood"),
    "show": (show, "Read a document of the corpus"),
    "explain": (explain, "Explain the rank of documents"),
    "chart": (chart, "Chart claims against references"),
    "verify": (verify, "Check quotes"),
    "stats": (stats, "Describe the corpus"),
}


class ToolCalls:
    """One thread for all tools: a connection to the corpus belongs to the thread that opened it."""

    def __init__(self, context: ToolContext) -> None:
        self.context = context
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tools")

    async def run(self, function: Callable[..., Answer], *arguments: object, **named: object) -> Answer:
        """What a function of the context and these arguments returns; the protocol is answered meanwhile."""
        task = partial(function, self.context, *arguments, **named)
        return await asyncio.get_running_loop().run_in_executor(self._thread, task)

    def offered(self, name: str) -> Callable[..., Awaitable[Any]]:
        """A tool without its context. It has no argument `file` unless a folder is allowed."""
        function, _ = TOOLS[name]

        async def call(**arguments: object) -> object:
            return await self.run(function, **arguments)

        signature = inspect.signature(function, eval_str=True)
        hidden = {"context"} if self.context.allowed else {"context", "file"}
        call.__name__, call.__doc__ = name, _unwrapped(inspect.getdoc(function) or "")
        shown = [parameter for parameter in signature.parameters.values() if parameter.name not in hidden]
        call.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]
        return call

    async def close(self) -> None:
        """Closes the files of the library in the thread that opened them."""
        await self.run(ToolContext.close)


def _unwrapped(text: str) -> str:
    """A docstring with one line for each paragraph."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
