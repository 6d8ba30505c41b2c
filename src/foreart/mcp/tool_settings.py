"""The settings of the tools, and the configuration with which a host program starts them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """The folder of the library, and the folders whose files may be read as drafts: none by default."""

    library: Path
    allowed: tuple[Path, ...] = ()

    def host_configuration(self, program: Sequence[str]) -> dict[str, Any]:
        """The entry `mcpServers` of a host, which starts `program` with these settings; all paths are absolute."""
        command, *first = program
        folders = [word for folder in self.allowed for word in ("--allow", str(folder.resolve()))]
        arguments = [*first, "mcp", "--library", str(self.library.resolve()), *folders]
        return {"mcpServers": {"foreart": {"command": command, "args": arguments}}}
