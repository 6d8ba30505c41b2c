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
    """The fields of one line and where it stands."""

    file: str
    number: int
    fields: tuple[str, ...]

    def bad(self, what: str) -> BadFile:
        """The error with file, line and reason."""
        return BadFile(f"{self.file}: line {self.number}: {what}")


def spelled(text: str) -> str:
    """An id as foreart spells it; one that names no office, as `T1` for a topic, stays as it is.

    >>> spelled("us7,585,299 b2"), spelled("T1")
    ('US7585299B2', 'T1')
    """
    number = loose_number(text)
    return str(number) if text.strip()[:1].upper() == number.country[:1] else text.strip()


class Keys(dict[str, str]):
    """The number without kind code of every id that was asked for: what matching compares."""

    def __missing__(self, number: str) -> str:
        self[number] = key = number_key(number)
        return key


def matched(asked: Iterable[str], known: Collection[str]) -> dict[str, str]:
    """The known id that each asked one stands for: itself, else the first of the same number; none for the others."""
    numbers: dict[str, str] = {}
    for number in known:
        numbers.setdefault(number_key(number), number)
    ids = frozenset(known)
    found = {number: number if number in ids else numbers.get(number_key(number)) for number in asked}
    return {number: other for number, other in found.items() if other is not None}


def lines(path: str | Path, *, fields: int, form: str) -> Iterator[TrecLine]:
    """The lines of a file that are not blank, each with as many fields as the form has."""
    for number, text in enumerate(_texts(Path(path)), start=1):
        parts = tuple(text.split())
        if not parts:
            continue
        line = TrecLine(str(path), number, parts)
        if len(parts) != fields:
            raise line.bad(f"{len(parts)} fields where there should be {fields} ({form})")
        yield line


def write_lines(path: str | Path, rows: Iterable[tuple[str, ...]]) -> None:
    """Writes rows with a space between their fields; gzipped if the name ends so, the same bytes every time."""
    place = Path(path)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with replacing(place) as raw:
            if place.suffix == ".gz":
                with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
                    _write(packed, rows)
            else:
                _write(raw, rows)
    except OSError as error:
        raise BadFile(f"{place}: {error.strerror or error}") from None


def _write(file: BinaryIO | gzip.GzipFile, rows: Iterable[tuple[str, ...]]) -> None:
    for row in rows:
        for text in row:
            if not text or text.split() != [text]:
                raise ForeartError(f"{text!r} cannot stand in a TREC file, whose fields have no spaces in them")
        file.write((" ".join(row) + "\n").encode())


def _texts(place: Path) -> Iterator[str]:
    """The lines of a file, known as gzipped by its first bytes."""
    try:
        with place.open("rb") as raw:
            packed = raw.read(2) == _GZIP
            raw.seek(0)
            for line in gzip.GzipFile(fileobj=raw) if packed else raw:
                yield line.decode().removeprefix("\ufeff")
    except UnicodeDecodeError:
        raise BadFile(f"{place}: not a text file in UTF-8") from None
    except (OSError, EOFError, zlib.error) as error:
        raise BadFile(f"{place}: {getattr(error, 'strerror', None) or error}") from None
