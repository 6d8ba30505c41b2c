"""What every kind of features is: parameters, what it learned from texts, and rows."""

from __future__ import annotations

import inspect
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

from scipy.sparse import csr_array

from foreart.text import tokens


class Features(ABC):
    """The contract. The constructor stores its parameters and does nothing else; names that `fit` learns end in `_`.

    Texts come as any iterable and are gone through once, so that no corpus has to fit in memory.
    """

    name: ClassVar[str]

    @property
    def parameters(self) -> dict[str, Any]:
        """What the constructor was given: enough to make the same features again."""
        return {name: getattr(self, name) for name in list(inspect.signature(type(self)).parameters)}

    @abstractmethod
    def fit(self, texts: Iterable[str]) -> Self:
        """Learns from texts."""

    @abstractmethod
    def encode(self, texts: Iterable[str]) -> csr_array:
        """A row for each text; words that were not learned are dropped."""

    @abstractmethod
    def fit_encode(self, texts: Iterable[str]) -> csr_array:
        """`fit` and `encode` of the same texts, going through them only once."""

    def words(self, text: str) -> list[str]:
        """A text cut as these features cut it."""
        return tokens(text)

    @property
    @abstractmethod
    def terms(self) -> Sequence[str]:
        """The word each column stands for; empty where columns stand for no words."""

    @abstractmethod
    def save_learned(self, folder: Path) -> None:
        """Writes what was learned, as `.npy` and JSON files."""

    @abstractmethod
    def load_learned(self, folder: Path) -> None:
        """Takes up what was written."""

    def save(self, folder: Path) -> None:
        """Makes the folder and writes name, parameters and all that was learned."""
        folder.mkdir(parents=True)
        self.save_learned(folder)
        form = {"name": self.name, "parameters": self.parameters}
        (folder / "features.json").write_text(json.dumps(form, indent=1), "utf-8")
