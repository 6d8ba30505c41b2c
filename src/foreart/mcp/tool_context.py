"""What all tools work with: one library and the folders that may be read, as the command line set them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foreart.document.patent import Patent
from foreart.errors import NotInCorpus
from foreart.library import Library

EMPTY = "the library has no documents yet: `foreart add FILE` loads them, then `foreart build` builds the indexes"


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


class ToolContext:
    """The library is opened by the first tool that needs it, in the thread that runs all of them."""

    def __init__(self, settings: ToolSettings) -> None:
        self._library = Library(settings.library)
        self.allowed: tuple[Path, ...] = settings.allowed

    @property
    def library(self) -> Library:
        """The library; NotInCorpus if it is empty, because looking into it must not create a corpus."""
        if not self.has_corpus:
            raise NotInCorpus(EMPTY)
        return self._library

    @property
    def has_corpus(self) -> bool:
        """Whether anything was added to the library."""
        return self._library.corpus_path.exists()

    def patent(self, number: str) -> Patent:
        """The document of a number, with or without kind code: its latest publication."""
        corpus = self.library.corpus
        return corpus[corpus.latest(number)]

    def close(self) -> None:
        """Closes its files; a later tool opens them again."""
        self._library.close()
