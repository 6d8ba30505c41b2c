"""Drawn patents as JSON lines: texts of `million_words`, relations of `million_relations`, dates, families.

A document is a function of the seed, of its number and of how many there are, which decides on its date alone. Shares
and quantiles are those of the 9,015 real documents (`million.py --check` compares); no text or name is taken from them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import zstandard

from million_relations import CITED, INSIDE, LEVELS, NAMED, NAMED_LEVELS, NAMES_CITED, Relations, shares
from million_words import buffer_size, spelled, spellings, write
from search_synthetic import QUERIES, Drawing, load_shape

BATCH = 256  # documents in memory
# Quantiles of the real documents.
_TENTHS = np.array([0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0])
_CLAIMS, _CLAIM_WORDS = np.array([0, 0, 2, 14, 20, 38, 120.0]), np.array([0, 0, 190, 700, 1110, 2190, 8000.0])
_TITLE, _ABSTRACT = np.array([1, 2, 5, 8, 11, 16, 25.0]), np.array([5, 36, 75, 107, 140, 177, 300.0])
_DATES = """
    1963-04-30 1990-01-09 2005-02-27 2007-11-20 2007-11-20 2007-11-20 2007-11-20 2007-11-20 2007-11-20 2007-11-20
    2010-01-29 2012-01-24 2013-07-04 2014-10-21 2015-10-07 2016-09-01 2017-08-31 2021-01-21 2023-04-16 2024-06-27
    2025-05-01
"""
_PUBLISHED = np.array([date.fromisoformat(day).toordinal() for day in _DATES.split()])
_PENDING, _PRIORITY = np.array([84, 183, 574, 914, 1378, 2155, 6000.0]), np.array([0, 0, 0, 171, 365, 1661, 4000.0])
_UNDATED, _NOT_FILED, _NO_PRIORITY = 0.011, 0.196, 0.5
# Members of families: the same text again, or another that names its parent. Shares of documents by number of names.
_SAME_TEXT = 0.6
_APPLICANTS, _CLASSED = (0.325, 0.985), (0.554, 0.8, 0.93, 0.97, 0.985)
_INVENTORS = (0.675, 0.73, 0.8, 0.87, 0.925, 0.957, 0.98, 0.99)
_A1, _HEADED = 0.3, 0.75
_SUFFIXES = ("Inc.", "Corporation", "Ltd.", "GmbH", "Company", "University")
_PARTS = (
    (0.0, "BACKGROUND OF THE INVENTION"),
    (0.12, "SUMMARY OF THE INVENTION"),
    (0.22, "BRIEF DESCRIPTION OF THE DRAWINGS"),
    (0.25, "DETAILED DESCRIPTION OF THE INVENTION"),
)


@dataclass(frozen=True)
class Plan:
    """Which documents are drawn: the first `documents` and a week of new ones, with texts of such a share of words."""

    documents: int
    week: int = 0
    words: float = 1.0
    seed: int = 0


class Library:
    """Draws the documents of a plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._drawing = Drawing(load_shape(), seed=plan.seed, threads=1)
        self._letters, self._ends = spellings()
        self._origins = self._drawing.origins(np.arange(plan.documents + plan.week))
        self._relations = Relations(self._origins, plan.seed)

    def write(self, first: int, last: int, file: Path) -> int:
        """Writes the documents from one number to another; how many bytes of text there were."""
        size = 0
        with file.open("wb") as raw, zstandard.ZstdCompressor(level=1).stream_writer(raw) as opened:
            for start in range(first, last, BATCH):
                lines = b"".join(self.lines(np.arange(start, min(last, start + BATCH))))
                size += len(lines)
                opened.write(lines)
        return size

    def lines(self, numbers: np.ndarray) -> Iterator[bytes]:
        """The records of documents, one per line."""
        facts = self._facts(numbers)
        member = facts["root"] != numbers
        copied = member & (shares(numbers, self.plan.seed, 1) < _SAME_TEXT)
        texts = self._texts(np.where(copied, facts["root"], numbers), self.plan.words)
        for place, (number, text) in enumerate(zip(numbers.tolist(), texts, strict=True)):
            parent = [identity(int(facts["root"][place]))] if member[place] and not copied[place] else []
            yield _line(number, text, {name: values[place] for name, values in facts["fields"].items()}, parent)

    def drafts(self, number: int) -> list[str]:
        """Drafts with about as many distinct words as a real application has, of full length, in no corpus."""
        numbers = QUERIES + np.arange(40 * number)
        rows = self._drawing.documents(numbers)
        chosen = numbers[np.argsort(np.abs(np.diff(rows.indptr) - 1_320), kind="stable")[:number]]
        return [text.draft() for text in self._texts(chosen, 1.0)]

    def _texts(self, numbers: np.ndarray, share: float) -> Iterator[_Text]:
        rows = self._drawing.documents(numbers)
        seeds = self.plan.seed
        title, abstract, claims, words = (
            np.interp(shares(numbers, seeds, sort), _TENTHS, table).astype(np.int64)
            for sort, table in ((2, _TITLE), (3, _ABSTRACT), (4, _CLAIMS), (4, _CLAIM_WORDS))
        )
        headed = shares(numbers, seeds, 5) < _HEADED
        for place, number in enumerate(numbers.tolist()):
            part = slice(rows.indptr[place], rows.indptr[place + 1])
            terms, counts = rows.indices[part], rows.data[part]
            each = _claim_sizes(int(claims[place]), int(words[place] * share))
            sizes = np.array([title[place], int(abstract[place] * share)])
            out = np.empty(buffer_size(counts), np.uint8)
            seed = np.uint64(number + 1_000_003 * (seeds + 1))
            ends = write(terms, counts, sizes, each, share, seed, out, self._letters, self._ends)
            yield _Text(out, ends, len(each), bool(headed[place]))

    def _facts(self, numbers: np.ndarray) -> dict[str, Any]:
        """Columns of what documents have besides texts."""
        seed, roots = self.plan.seed, self._origins[0, numbers]
        cited = np.interp(shares(numbers, seed, 6), LEVELS, CITED).astype(np.int64)
        links = self._relations.citations(numbers, cited)
        bounds = np.searchsorted(links[:, 0], [*numbers, numbers[-1] + 1])
        named = np.interp(shares(numbers, seed, 7), NAMED_LEVELS, NAMED).astype(np.int64)
        cites = [links[first:last, 1:] for first, last in pairwise(bounds)]
        fields = {
            "cites": [[_cited(*link) for link in each.tolist()] for each in cites],
            "named": [self._named(*each, seed) for each in zip(numbers.tolist(), named.tolist(), cites, strict=True)],
            "applicants": self._people(roots, "applicant", _APPLICANTS, 8),
            "inventors": self._people(roots, "inventor", _INVENTORS, 9),
            "classes": self._people(numbers, "class", _CLASSED, 10),
            "dates": self._dates(numbers),
            "kind": np.where(shares(numbers, seed, 11) < 0.2, "B1", "B2").tolist(),
        }
        return {"root": roots, "fields": fields}

    def _people(self, numbers: np.ndarray, kind: str, levels: tuple[float, ...], sort: int) -> list[list[int]]:
        many = np.searchsorted(np.array(levels), shares(numbers, self.plan.seed, sort), side="right")
        slots = [self._relations.names(numbers, slot, kind).tolist() for slot in range(len(levels))]
        return [list(dict.fromkeys(slots[slot][place] for slot in range(count))) for place, count in enumerate(many)]

    def _named(self, number: int, count: int, cites: np.ndarray, seed: int) -> list[str]:
        """Numbers in the text, some of them of what is cited."""
        places = np.arange(count) + number * 512
        own = shares(places, seed, 12) < NAMES_CITED
        found = [_cited(*cites[int(place) % len(cites)]) for place in places[own]] if len(cites) else []
        others = (shares(places[~own], seed, 13) * 6_000_000).astype(np.int64) + 1_000_000
        return [*found, *(f"US{other}A" for other in others.tolist())]

    def _dates(self, numbers: np.ndarray) -> list[tuple[str, str, str]]:
        seed, last = self.plan.seed, self.plan.documents
        levels = np.linspace(0, 1, len(_PUBLISHED))
        days = np.interp(np.minimum(numbers + shares(numbers, seed, 14), last) / last, levels, _PUBLISHED)
        days = np.where(numbers >= last, days + 7, days).astype(np.int64)
        filed = days - np.interp(shares(numbers, seed, 15), _TENTHS, _PENDING).astype(np.int64)
        before = filed - np.interp(shares(numbers, seed, 16), _TENTHS, _PRIORITY).astype(np.int64)
        missing = (
            (days, shares(numbers, seed, 17) < _UNDATED),
            (filed, shares(numbers, seed, 18) < _NOT_FILED),
            (before, shares(numbers, seed, 19) < _NO_PRIORITY),
        )
        columns = [
            ["" if no else date.fromordinal(day).isoformat() for day, no in zip(each.tolist(), none, strict=True)]
            for each, none in missing
        ]
        return list(zip(*columns, strict=True))


@dataclass(frozen=True)
class _Text:
    """A drawn text: title, abstract, claims, paragraphs end where `ends` says."""

    out: np.ndarray
    ends: np.ndarray
    claims: int
    headed: bool

    def _between(self, first: int, last: int) -> str:
        begin = self.ends[first - 1] if first else 0
        return self.out[begin : self.ends[last - 1]].tobytes().decode("ascii")

    @property
    def title(self) -> str:
        return self._between(0, 1).replace(".", "")

    @property
    def abstract(self) -> str:
        text = self._between(1, 2)
        return text + "." if text else ""

    def numbered(self) -> list[str]:
        """The claims with their numbers, one in eight of them independent."""
        parts = (self._between(2 + each, 3 + each) for each in range(self.claims))
        return [
            f"{number}. A device comprising: {part}."
            if number % 8 == 1
            else f"{number}. The device of claim {number // 8 * 8 + 1 if number % 8 else number - 7}, wherein {part}."
            for number, part in enumerate(parts, start=1)
        ]

    def description(self, named: list[str]) -> str:
        """The paragraphs, with headings, each line with an escaped line end."""
        paragraphs = len(self.ends) - 2 - self.claims
        naming = f"These are known from {_spoken(named)}.\\n" if named else ""
        bounds = [int(share * paragraphs) for share, _ in _PARTS] + [paragraphs]
        parts = []
        for (_, heading), first, last in zip(_PARTS, bounds[:-1], bounds[1:], strict=True):
            text = self._between(2 + self.claims + first, 2 + self.claims + last) if last > first else ""
            parts.append((f"{heading}\\n" if self.headed else "") + text)
        return naming.join([parts[0], "".join(parts[1:])]) if naming else "".join(parts)

    def draft(self) -> str:
        """The file of an application."""
        description = self.description([]).replace("\\n", "\n")
        return "\n\n".join([self.title, description, "What is claimed is:", "\n".join(self.numbered()), self.abstract])


def _claim_sizes(claims: int, words: int) -> np.ndarray:
    """Words of each claim, independent ones three times as long; what all claims begin with is left out."""
    weights = np.where(np.arange(claims) % 8 == 0, 3.0, 1.0)
    each = words * weights / max(1.0, weights.sum()) - 6
    return np.maximum(3, each).astype(np.int64)


def identity(number: int) -> str:
    """The publication number of a document."""
    bits = int(shares(np.array([number]), 3, 0)[0] * 1000)
    return f"US{2001 + bits % 25}{number:07d}A1" if bits < 1000 * _A1 else f"US{10_000_000 + number}B2"


def _cited(where: int, number: int) -> str:
    """The publication number of what is cited, in the corpus or not."""
    if where == INSIDE:
        return identity(number)
    return f"US{1_000_000 + number // 8 % 9_000_000}A" if number % 8 else f"EP{1_000_000 + number // 8 % 3_000_000}A1"


def _spoken(named: list[str]) -> str:
    """Publication numbers as authors write them."""
    return " and ".join(
        f"U.S. Patent Application Publication No. {each[2:6]}/{each[6:13]}"
        if each.endswith("A1") and each.startswith("US")
        else f"U.S. Pat. No. {int(each[2:].rstrip('AB12') or 0):,}"
        if each.startswith("US")
        else f"{each[:2]} {each[2:-2]}"
        for each in named
    )


def _firm(number: int) -> str:
    return f"{spelled(100_000 + number // 16 % 400_000).title()} {_SUFFIXES[number % len(_SUFFIXES)]}"


def _person(number: int) -> str:
    return f"{spelled(5_000 + number // 16 % 3_000).title()} {spelled(20_000 + number // 16 % 400_000).title()}"


def _symbol(group: int) -> str:
    """A class symbol; its main group is what counts."""
    return f"{'ABCDEFGH'[group % 8]}{group // 8 % 30 + 1:02d}{'BCDFG'[group // 240 % 5]} {group // 1200 * 2 + 1}/00"


def _line(number: int, text: _Text, fields: dict[str, Any], parent: list[str]) -> bytes:
    published, filed, priority = fields["dates"]
    own = identity(number)
    record = {
        "id": own if own.endswith("A1") else own[:-2] + fields["kind"],
        "title": text.title,
        "abstract": text.abstract,
        "claims": text.numbered(),
        "publication_date": published,
        "filing_date": filed,
        "priority_date": priority,
        "ipc": [_symbol(group) for group in fields["classes"]],
        "inventors": [_person(person) for person in fields["inventors"]],
        "applicants": [_firm(firm) for firm in fields["applicants"]],
        "country": "US",
        "language": "en",
        "collection": "drawn",
        "citations": [{"id": each, "category": "examiner"} for each in fields["cites"]],
        "family_refs": parent,
    }
    head = json.dumps(record)[:-1]
    return f'{head}, "description": "{text.description(fields["named"])}"}}\n'.encode()
