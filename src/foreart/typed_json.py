"""Converts values of annotated types to JSON values, and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec


class TypeMismatch(ValueError):
    """A JSON value is not of the expected type."""


def to_json(value: Any) -> Any:  # noqa: ANN401 any value of a record
    """A value as JSON types: lists for tuples, strings for keys and paths."""
    return json.loads(json.dumps(to_builtins(value)))


def to_builtins(value: Any) -> Any:  # noqa: ANN401 any value of a record
    """A value as dictionaries and lists, much faster than `dataclasses.asdict`."""
    return msgspec.to_builtins(value, enc_hook=_encoded)


def from_json(kind: Any, value: Any, path: str = "") -> Any:  # noqa: ANN401 any type, any value
    """A JSON value as the expected type; a mismatch is an error that names its path."""
    try:
        return msgspec.convert(value, kind, dec_hook=_decoded)
    except msgspec.ValidationError as error:
        problem, _, inside = str(error).partition(" - at `$")
        where = (path + inside.rstrip("`")).lstrip(".") or "the value"
        raise TypeMismatch(f"{where}: {problem.replace('`', '')}") from None


def _encoded(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, Path):
        return value.as_posix()
    if hasattr(value, "tolist"):  # NumPy scalars and arrays
        return value.tolist()
    raise TypeError(f"a search record cannot hold a {type(value).__name__}")


def _decoded(kind: type, value: Any) -> Any:  # noqa: ANN401
    if kind is Path and isinstance(value, str):
        return Path(value)
    raise msgspec.ValidationError(f"Expected {kind.__name__}, got {type(value).__name__}")
