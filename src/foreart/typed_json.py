"""Values of annotated types as JSON holds them, and back again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec


class Misfit(ValueError):
    """A JSON value that is not of the type that is expected at its place."""


def to_json(value: Any) -> Any:  # noqa: ANN401 any value of a record
    """A value as JSON holds it: lists for tuples, strings for keys and paths."""
    return json.loads(json.dumps(msgspec.to_builtins(value, enc_hook=_encoded)))


def from_json(kind: Any, value: Any, place: str = "") -> Any:  # noqa: ANN401 any type, any value
    """A JSON value as the type that is expected of it; a mismatch is an error that names its place."""
    try:
        return msgspec.convert(value, kind, dec_hook=_decoded)
    except msgspec.ValidationError as error:
        told, _, inside = str(error).partition(" - at `$")
        raise Misfit(f"{(place + inside.rstrip('`')).lstrip('.') or 'all of it'}: {told.replace('`', '')}") from None


def _encoded(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, Path):
        return value.as_posix()
    if hasattr(value, "tolist"):  # numbers and arrays of numpy
        return value.tolist()
    raise TypeError(f"a search record cannot hold a {type(value).__name__}")


def _decoded(kind: type, value: Any) -> Any:  # noqa: ANN401
    if kind is Path and isinstance(value, str):
        return Path(value)
    raise msgspec.ValidationError(f"Expected {kind.__name__}, got {type(value).__name__}")
