"""Judgements of a rater: an append-only file of JSON lines, flushed to disk after each judgement."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from foreart.durable import flush
from foreart.errors import BadFile, ForeartError

LOWEST, HIGHEST = 0, 5
RELEVANT = 2  # a score above it means relevant (Helmers et al. 2019)

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Label:
    """One judgement of one pair; without a score it is a comment only. `time` is ISO, in UTC."""

    rater: str
    target: str
    document: str
    score: int | None
    comment: str = ""
    time: str = ""

    @property
    def pair(self) -> Pair:
        """What was judged."""
        return self.target, self.document


def rater_name(text: str) -> str:
    """A name in its one spelling; it also names a file, so it is made of letters, digits, spaces and . _ @ -."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not re.fullmatch(r"\w[\w .@-]{0,62}", name) or name.endswith("."):
        raise ForeartError(f"{text!r} cannot be the name of a rater: use letters, digits, spaces and . _ @ -")
    return name


def label_file(folder: str | Path, rater: str) -> Path:
    """Where the labels of a rater are kept; names are case-insensitive."""
    return Path(folder) / f"{rater_name(rater).casefold()}.jsonl"


def append_label(path: str | Path, label: Label) -> None:
    """Adds one judgement and returns when it is on the disk."""
    if label.score is not None and not LOWEST <= label.score <= HIGHEST:
        raise ForeartError(f"the score {label.score} is not from {LOWEST} to {HIGHEST}")
    place = Path(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("a+b") as file:
        _mend(file)
        file.write(json.dumps(asdict(label), ensure_ascii=False).encode() + b"\n")
        flush(file)


def _mend(file: Any) -> None:  # noqa: ANN401 a file that can be read, written and cut
    """Removes the incomplete last line of an interrupted write."""
    file.seek(0)
    data: bytes = file.read()
    if data and not data.endswith(b"\n"):
        whole = data.rfind(b"\n") + 1
        if _is_label(data[whole:]):
            file.write(b"\n")
        else:
            file.truncate(whole)


def _is_label(line: bytes) -> bool:
    try:
        _label(line)
    except (ValueError, TypeError):
        return False
    return True


def read_labels(path: str | Path) -> list[Label]:
    """All judgements of a file in the order in which they were made; none if there is no file."""
    place = Path(path)
    if not place.exists():
        return []
    lines = place.read_bytes().split(b"\n")
    tail = lines.pop()  # empty, or the incomplete last line of an interrupted write
    if _is_label(tail):
        lines.append(tail)
    found: list[Label] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found.append(_label(line))
        except (ValueError, TypeError):
            raise BadFile(f"{place}: line {number} is not a judgement: correct or remove it") from None
    return found


def _label(line: bytes) -> Label:
    record = json.loads(line)
    label = Label(**record)
    if label.score is not None and label.score not in range(LOWEST, HIGHEST + 1):
        raise ValueError(label.score)
    return label


def latest(labels: Iterable[Label]) -> dict[Pair, Label]:
    """The latest judgement of each pair."""
    return {label.pair: label for label in labels}


def scores(labels: Mapping[Pair, Label]) -> dict[Pair, int]:
    """The score of each pair that has one."""
    return {pair: label.score for pair, label in labels.items() if label.score is not None}


def read_raters(folder: str | Path) -> dict[str, dict[Pair, Label]]:
    """The latest judgement of each rater on each pair, raters in order of their names."""
    found: dict[str, dict[Pair, Label]] = {}
    for path in sorted(Path(folder).glob("*.jsonl")):
        labels = read_labels(path)
        if labels:
            found[labels[-1].rater] = latest(labels)
    return dict(sorted(found.items()))
