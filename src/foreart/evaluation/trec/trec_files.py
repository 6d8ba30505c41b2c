"""TREC files as lines of fields: plain or gzipped, separated by spaces or tabs."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from foreart.durable import replacing
from foreart.errors import BadFile, ForeartError
from foreart.identifiers.numbers import loose_number, number_key

_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class TrecLine:
    """The fields of one line with its file and line number."""

    file: str
    number: int
    fields: tuple[str, ...]

    def bad(self, what: str) -> BadFile:
        """The error with file, line and reason."""
        return BadFile(f"{self.file}: line {self.number}: {what}")


def spelled(text: str) -> str:
    """An id in foreart's spelling; one without an office, such as `T1` for a topic, is unchanged.

    >>> spelled("us7,585,299 b2"), spelled("T1")
    ('US7585299B2', 'T1')
    """
    number = loose_number(text)
    return str(number) if text.strip()[:1].upper() == number.country[:1] else text.strip()


class Keys(dict[str, str]):
    """Cache of ids without kind code, by which ids are matched."""

    def __missing__(self, number: str) -> str:
        self[number] = key = number_key(number)
        return key


def matched(ids: Iterable[str], known: Collection[str]) -> dict[str, str]:
    """The known id of each id: itself, else the first of the same number; ids without a match are omitted."""
    numbers: dict[str, str] = {}
    for number in known:
        numbers.setdefault(number_key(number), number)
    exact = frozenset(known)
    matches = {number: number if number in exact else numbers.get(number_key(number)) for number in ids}
    return {number: match for number, match in matches.items() if match is not None}


def lines(path: str | Path, *, fields: int, form: str) -> Iterator[TrecLine]:
    """The non-blank lines of a file, each with the expected number of fields."""
    for number, text in enumerate(_texts(Path(path)), start=1):
        parts = tuple(text.split())
        if not parts:
            continue
        line = TrecLine(str(path), number, parts)
        if len(parts) != fields:
            raise line.bad(f"{len(parts)} fields instead of {fields} ({form})")
        yield line


def write_lines(path: str | Path, rows: Iterable[tuple[str, ...]]) -> None:
    """Writes rows with fields separated by spaces; gzipped if the name ends in `.gz`, with reproducible bytes."""
    file = Path(path)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with replacing(file) as raw:
            if file.suffix == ".gz":
                with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as compressed:
                    _write(compressed, rows)
            else:
                _write(raw, rows)
    except OSError as error:
        raise BadFile(f"{file}: {error.strerror or error}") from None


def _write(file: BinaryIO | gzip.GzipFile, rows: Iterable[tuple[str, ...]]) -> None:
    for row in rows:
        for text in row:
            if not text or text.split() != [text]:
                raise ForeartError(f"{text!r} cannot be written to a TREC file, whose fields have no spaces")
        file.write((" ".join(row) + "\n").encode())


def _texts(file: Path) -> Iterator[str]:
    """The lines of a file; gzip is recognised by its first bytes."""
    try:
        with file.open("rb") as raw:
            compressed = raw.read(2) == _GZIP
            raw.seek(0)
            for line in gzip.GzipFile(fileobj=raw) if compressed else raw:
                yield line.decode().removeprefix("\ufeff")
    except UnicodeDecodeError:
        raise BadFile(f"{file}: not a text file in UTF-8") from None
    except (OSError, EOFError, zlib.error) as error:
        raise BadFile(f"{file}: {getattr(error, 'strerror', None) or error}") from None
