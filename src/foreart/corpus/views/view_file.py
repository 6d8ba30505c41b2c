"""The file of a view, `corpus.view` next to the corpus: memory-mapped arrays with checksums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np

from foreart import array_files
from foreart.array_files import Torn
from foreart.corpus.views.view import CorpusView
from foreart.errors import IndexingError, StaleIndex

FORM = 2
FILE = "corpus.view"


def write_view(view: CorpusView, folder: Path) -> None:
    """Writes a view atomically: readers see the old or the new one."""
    folder.mkdir(parents=True, exist_ok=True)
    arrays = dict(_arrays(view))
    array_files.write_with_directory(folder / FILE, arrays, {"form": FORM, "corpus": view.corpus})


def load_view(folder: Path) -> CorpusView:
    """The memory-mapped view of a folder; IndexingError with the remedy if it is missing, outdated or damaged."""
    path = folder / FILE
    try:
        about, known = array_files.read_directory(path)
        if about["form"] != FORM:
            raise StaleIndex(f"{path} was made by another version of foreart: run `foreart build`")
        view: CorpusView = _restored(CorpusView, array_files.read(path, known), {"corpus": about["corpus"]})
        return view
    except FileNotFoundError:
        raise IndexingError(f"there is no {path}: `foreart build` creates it") from None
    except (OSError, Torn, KeyError, TypeError, ValueError) as error:
        raise IndexingError(f"{path} is damaged ({type(error).__name__}): run `foreart build`") from None


def damaged_columns(folder: Path) -> list[str]:
    """The arrays of a view whose checksum does not match."""
    load_view(folder)
    path = folder / FILE
    return array_files.damaged(path, array_files.read_directory(path)[1])


def _arrays(part: Any, prefix: str = "") -> Iterator[tuple[str, np.ndarray]]:  # noqa: ANN401 a dataclass
    for field in fields(part):
        value = getattr(part, field.name)
        if isinstance(value, np.ndarray):
            yield f"{prefix}{field.name}", value
        elif is_dataclass(value):
            yield from _arrays(value, f"{prefix}{field.name}.")


def _restored(kind: Any, arrays: Mapping[str, np.ndarray], others: Mapping[str, Any], prefix: str = "") -> Any:  # noqa: ANN401
    hints = get_type_hints(kind)
    values = dict(others)
    for field in fields(kind):
        if is_dataclass(hints[field.name]):
            values[field.name] = _restored(hints[field.name], arrays, {}, f"{prefix}{field.name}.")
        elif field.name not in values:
            values[field.name] = arrays[f"{prefix}{field.name}"]
    return kind(**values)
