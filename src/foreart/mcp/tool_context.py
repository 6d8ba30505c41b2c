"""What all tools work with: one library and the folders that may be read."""

from __future__ import annotations

from pathlib import Path

from foreart.errors import NotInCorpus
from foreart.library import Library
from foreart.mcp.tool_settings import ToolSettings

EMPTY = "the library has no documents yet: `foreart add FILE` loads them, then `foreart build` builds the indexes"


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

    def close(self) -> None:
        """Closes its files; a later tool opens them again."""
        self._library.close()
