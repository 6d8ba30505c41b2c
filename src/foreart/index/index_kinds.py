"""What an index is made of, by name: features of whole texts, or passages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from foreart.features import Features, make
from foreart.index.passages.kind import Passages

Kind: TypeAlias = Features | Passages


def make_kind(name: str, parameters: Mapping[str, object]) -> Kind:
    """The features of a name, or passages, with these parameters."""
    return Passages.of(parameters) if name == Passages.name else make(name, parameters)
