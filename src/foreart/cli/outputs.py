"""Files that commands write: never an input, atomically, readable for their owner only."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import click

from foreart.corpus.library_folder import CORPUS, is_own_file
from foreart.durable import replace_bytes
from foreart.errors import ForeartError


class OutputFile(click.Path):
    """The type of an option that names a file to write."""

    def __init__(self, *, allow_dash: bool = False) -> None:
        super().__init__(dir_okay=False, allow_dash=allow_dash, path_type=Path)


class Command(click.Command):
    """A subcommand that refuses to overwrite its inputs."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 whatever the command returns
        """Runs the command, unless an output is one of its inputs."""
        outputs: list[Path] = []
        inputs: list[Path] = []
        for param in self.params:
            paths = list(_paths(ctx.params.get(param.name or "")))
            if isinstance(param.type, OutputFile):
                outputs += (path for path in paths if str(path) != "-")
            elif isinstance(param.type, click.Path):
                inputs += paths
            else:  # a string that may or may not be the name of a file
                inputs += (path for path in paths if not os.path.isdir(path))  # noqa: PTH112 never raises
        refuse_overwriting(outputs, inputs)
        return super().invoke(ctx)


def refuse_overwriting(outputs: Sequence[Path], inputs: Iterable[Path]) -> None:
    """Refuses an output that is an input, its sidecar, a file in an input folder, or a file of the library."""
    for left, right in combinations(outputs, 2):
        if left.resolve() == right.resolve():
            raise click.UsageError(f"{left} cannot be two outputs at once")
    for path in outputs:
        if any(_same(path, source) for given in inputs for source in (given, *_corrections(given))):
            raise click.UsageError(f"{path} is an input of this command and would be overwritten")


def write_output(path: Path, content: bytes) -> None:
    """Writes a file atomically and creates its folder."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_bytes(path, content, private=True)
    except OSError as error:
        raise ForeartError(f"{path} cannot be written: {error.strerror or error}") from None


def _paths(value: object) -> Iterator[Path]:
    """The paths that a parameter's value may name."""
    for item in value if isinstance(value, tuple) else (value,):
        if isinstance(item, str | Path) and str(item) and "\0" not in str(item):
            yield Path(item)


def _corrections(path: Path) -> list[Path]:
    from foreart.sources.drafts.sidecar import SUFFIXES

    return [path.with_name(path.name + suffix) for suffix in SUFFIXES if path.name]


def _same(path: Path, source: Path) -> bool:
    try:
        if not source.is_dir():
            return path.samefile(source)
    except OSError:  # one of the two does not exist, or its name is not valid
        return False
    if (source / CORPUS).exists():
        return is_own_file(source, path)
    return path.exists() and path.resolve().is_relative_to(source.resolve())
