"""A folder with a corpus and its indexes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from foreart.corpus import Corpus, Summary
from foreart.loading import Progress, load


class Library:
    """One folder: `corpus.db` and `indexes/`. The corpus is made when something is first added."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._corpus: Corpus | None = None

    @property
    def corpus_path(self) -> Path:
        """Where the corpus is or will be."""
        return self.folder / "corpus.db"

    @property
    def corpus(self) -> Corpus:
        """The corpus, opened when first asked for and made if there is none."""
        if self._corpus is None:
            self._corpus = Corpus(self.corpus_path, create=True)
        return self._corpus

    def add(self, paths: Iterable[str | Path], *, workers: int = 1, progress: Progress | None = None) -> Summary:
        """Loads files in any known format; what cannot be read goes to the reject ledger."""
        return load(paths, self.corpus, workers=workers, progress=progress)

    def close(self) -> None:
        """Lets go of all files."""
        if self._corpus is not None:
            self._corpus.close()
            self._corpus = None
