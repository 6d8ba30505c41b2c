"""The texts of a corpus, tokenized once by part; sections are composed of parts."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from foreart.corpus import Corpus
from foreart.document.patent import Patent
from foreart.errors import StaleIndex
from foreart.features import Counts, TokenStream, tokenized
from foreart.paper.experiments.work import Done, Work
from foreart.text import SECTIONS, tokens

# In the order of the full text, so that the stream of all parts is the stream of the full text.
PARTS: Mapping[str, Callable[[Patent], str]] = {
    "title": lambda patent: patent.title,
    "abstract": lambda patent: patent.abstract,
    "description": lambda patent: patent.description_text,
    "claims": lambda patent: "\n".join(claim.text for claim in patent.claims),
}
_CHANGED = "was changed by another program while it was in use: start again"


class SectionTexts:
    """Counts and token streams of the sections. The stream is large and deleted after the run; counts are kept."""

    def __init__(self, corpus: Corpus, work: Work, *, as_published: bool = False) -> None:
        self.corpus = corpus
        self.work = work
        self.settings: Mapping[str, Any] = {"as_published": as_published}
        self._held: tuple[str, Counts] | None = None

    def counts(self, section: str) -> Counts:
        """Word counts of a section of each document; the last section stays in memory."""
        if self._held is None or self._held[0] != section:
            self._held = None  # freed before the next is loaded, because a section is large
            self._held = (section, self._counts(section))
        return self._held[1]

    def stream(self, section: str, rows: np.ndarray) -> TokenStream:
        """The words of a section of some documents in order, if the stream was kept when the texts were tokenized."""
        done = self.work.load("stream", self.settings)
        if done is None:
            raise StaleIndex(f"{self.work.folder} {_CHANGED}")
        ids, ends = done.arrays["ids"], np.array(done.arrays["ends"])
        positions = (rows[:, None] * len(PARTS) + _parts(section)).ravel()
        selected = _selected(ids, ends, positions)
        sizes = np.diff(ends)[positions].reshape(-1, len(_parts(section))).sum(axis=1)
        return TokenStream(
            _terms(done.arrays["terms"]), selected, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        )

    def has(self, *, stream: bool) -> bool:
        """Whether the texts are already tokenized."""
        return all(
            self.work.load(name, self.settings) is not None for name in (["stream"] if stream else []) + ["counts"]
        )

    def cut(self, *, stream: bool, progress: Callable[[float], None] = lambda share: None) -> None:
        """Reads every document once and stores counts, and optionally the stream; `progress` gets the share done."""
        started = time.monotonic()
        before = self.corpus.fingerprint
        tokenized_parts = tokenized(self._read(progress), self._words)
        if self.corpus.fingerprint != before:
            raise StaleIndex(
                f"the corpus {self.corpus.path} changed while it was read: start again when nothing writes to it"
            )
        terms, rows = _packed(tokenized_parts.terms), tokenized_parts.counts().rows
        if stream:
            self.work.save(
                "stream",
                self.settings,
                Done({}, {"ids": tokenized_parts.ids, "ends": tokenized_parts.ends, "terms": terms}),
            )
        arrays = {"data": rows.data, "columns": rows.indices, "ends": rows.indptr, "terms": terms}
        self.work.save("counts", self.settings, Done({}, arrays, round(time.monotonic() - started, 3)))

    def drop_stream(self) -> None:
        """Deletes the stream."""
        self.work.forget("stream", self.settings)

    @property
    def seconds(self) -> float | None:
        """Seconds that tokenizing took."""
        done = self.work.load("counts", self.settings)
        return None if done is None else done.seconds

    def _counts(self, section: str) -> Counts:
        """The counts of a section's parts, summed per document, without words that occur in none."""
        done = self.work.load("counts", self.settings)
        if done is None:
            raise StaleIndex(f"{self.work.folder} {_CHANGED}")
        terms, parts = _terms(done.arrays["terms"]), _parts(section)
        data, columns, ends = (np.asarray(done.arrays[name]) for name in ("data", "columns", "ends"))
        documents = (len(ends) - 1) // len(PARTS)
        positions = (np.arange(documents)[:, None] * len(PARTS) + parts).ravel()
        ones, starts = np.ones(len(positions), np.int32), np.arange(documents + 1) * len(parts)
        summing = csr_array((ones, positions, starts), shape=(documents, len(ends) - 1))
        rows = csr_array(summing @ csr_array((data, columns, ends), shape=(len(ends) - 1, len(terms))))
        rows.sort_indices()
        return Counts(terms, rows).narrowed()

    def _read(self, progress: Callable[[float], None]) -> Iterator[str]:
        total = len(self.corpus)
        for number, patent in enumerate(self.corpus, start=1):
            yield from (part(patent) for part in PARTS.values())
            progress(number / total)

    def _words(self, text: str) -> list[str]:
        return tokens(text, as_published=self.settings["as_published"])


def _parts(section: str) -> np.ndarray:
    """The positions of a section's parts; the title is part of every section."""
    names = list(PARTS)
    return np.array(sorted(names.index(name) for name in ("title", *SECTIONS[section])))


def _selected(ids: np.ndarray, ends: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Some texts of a stream concatenated, in a temporary file that is deleted with the array."""
    total = int(np.diff(ends)[positions].sum())
    if not total:
        return np.empty(0, np.int32)
    with tempfile.TemporaryFile() as file:  # the memory map stays valid after the file is closed
        selected = np.memmap(file, dtype=np.int32, mode="w+", shape=(total,))
    start = 0
    for first, last in zip(ends[positions].tolist(), ends[positions + 1].tolist(), strict=True):
        selected[start : start + last - first] = ids[first:last]
        start += last - first
    return selected


def _packed(terms: Sequence[str]) -> np.ndarray:
    return np.frombuffer("\n".join(terms).encode(), dtype=np.uint8)


def _terms(packed: np.ndarray) -> list[str]:
    text = packed.tobytes().decode()
    return text.split("\n") if text else []
