"""foreart for assistants: tools and resources of the Model Context Protocol, over standard input and output."""

from foreart.mcp.tool_context import ToolSettings

__all__ = ["ToolSettings"]
