"""The titles of subclasses and classes in the Cooperative Patent Classification."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources


def title(symbol: str) -> str:
    """The title of the subclass (`A61B`) or class (`A61`) of a symbol; `""` if the scheme does not have it."""
    head = "".join(symbol[:5].upper().split())[:4]
    return subclass_titles().get(head, "") if len(head) == 4 else class_titles().get(head, "")


def subclass_titles() -> Mapping[str, str]:
    """All subclasses and their titles."""
    return _titles("cpc_subclasses.tsv")


def class_titles() -> Mapping[str, str]:
    """All classes and their titles."""
    return _titles("cpc_classes.tsv")


@lru_cache
def _titles(file: str) -> Mapping[str, str]:
    lines = resources.files("foreart.identifiers").joinpath(file).read_text("utf-8").splitlines()
    pairs = (line.split("\t", 1) for line in lines if "\t" in line and not line.startswith("#"))
    return {symbol.strip(): name.strip() for symbol, name in pairs}
