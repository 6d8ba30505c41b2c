"""Values of annotated types as JSON holds them, and back again: whatever does not fit is told with its place."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence, Set
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path, PurePath
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

_SCALARS = (str, bool, int, float)


class Misfit(ValueError):
    """A JSON value that is not of the type that is expected at its place."""


def to_json(value: Any) -> Any:  # noqa: ANN401 any value of a record
    """A value as JSON holds it; sets are sorted, so that equal values are equal bytes."""
    if value is None or isinstance(value, _SCALARS):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: to_json(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted(to_json(item) for item in value)
    if isinstance(value, Sequence):
        return [to_json(item) for item in value]
    if isinstance(value, PurePath):
        return value.as_posix()
    if isinstance(value, datetime.date):
        return value.isoformat()
    if hasattr(value, "tolist"):  # numbers and arrays of numpy
        return value.tolist()
    raise TypeError(f"a search record cannot hold a {type(value).__name__}")


def from_json(kind: Any, value: Any, place: str = "") -> Any:  # noqa: ANN401 any type, any value
    """A JSON value as the type that is expected of it."""
    if kind is Any or kind is object:
        return value
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _either(inner, value, place)
    if origin is Literal:
        return _checked(value, value in inner, kind, place)
    if is_dataclass(kind) and isinstance(kind, type):
        return _object(kind, value, place)
    if kind is Path or kind is datetime.date:
        return _named(kind, value, place)
    if isinstance(origin or kind, type) and not issubclass(origin or kind, str | int | float | NoneType):
        return _many(origin or kind, inner, value, place)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    wanted = NoneType if kind is None else kind
    return _checked(value, type(value) is wanted, wanted, place)


def _either(kinds: Sequence[Any], value: Any, place: str) -> Any:  # noqa: ANN401
    for kind in kinds:
        try:
            return from_json(kind, value, place)
        except Misfit:
            continue
    return _checked(value, False, Union[tuple(kinds)], place)  # noqa: UP007 made at run time


def _named(kind: Any, value: Any, place: str) -> Any:  # noqa: ANN401
    _checked(value, isinstance(value, str), kind, place)
    try:
        return Path(value) if kind is Path else datetime.date.fromisoformat(value)
    except ValueError:
        raise Misfit(f"{place}: {value!r} is no date") from None


def _many(kind: type, inner: Sequence[Any], value: Any, place: str) -> Any:  # noqa: ANN401
    if issubclass(kind, Mapping):
        _checked(value, isinstance(value, dict), kind, place)
        item = inner[1] if inner else Any
        return {key: from_json(item, held, f"{place}.{key}") for key, held in value.items()}
    _checked(value, isinstance(value, list), kind, place)
    if kind is tuple and inner and inner[-1] is not Ellipsis:
        _checked(value, len(value) == len(inner), kind, place)
        return tuple(
            from_json(one, held, f"{place}[{at}]") for at, (one, held) in enumerate(zip(inner, value, strict=True))
        )
    item = inner[0] if inner else Any
    found = [from_json(item, held, f"{place}[{at}]") for at, held in enumerate(value)]
    if issubclass(kind, Set):
        return frozenset(found)
    return found if kind is list else tuple(found)


def _object(kind: type, value: Any, place: str) -> Any:  # noqa: ANN401
    _checked(value, isinstance(value, dict), kind, place)
    hints = get_type_hints(kind)
    names = [item.name for item in fields(kind)]
    inside = f"{place}." if place else ""
    for name in value:
        if name not in names:
            raise Misfit(f"{inside}{name} is not known")
    given: dict[str, Any] = {}
    for item in fields(kind):
        if item.name in value:
            given[item.name] = from_json(hints[item.name], value[item.name], f"{inside}{item.name}")
        elif item.default is MISSING and item.default_factory is MISSING:
            raise Misfit(f"{inside}{item.name} is missing")
    return kind(**given)


def _checked(value: Any, fits: bool, kind: Any, place: str) -> Any:  # noqa: ANN401
    if fits:
        return value
    wanted = getattr(kind, "__name__", str(kind))
    raise Misfit(f"{place or 'all of it'} should be {wanted}, not {type(value).__name__}")
