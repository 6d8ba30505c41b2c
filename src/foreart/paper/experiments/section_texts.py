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

# In the order of the full text, of which the stream of all parts is then the stream as it is.
PARTS: Mapping[str, Callable[[Patent], str]] = {
    "title": lambda patent: patent.title,
    "abstract": lambda patent: patent.abstract,
    "description": lambda patent: patent.description_text,
    "claims": lambda patent: "\n".join(claim.text for claim in patent.claims),
}
_STRANGER = "was changed by another program while it was in use: start again"


class SectionTexts:
    """Counts and token streams of the sections. The stream is large and is deleted after the run; counts are kept."""

    def __init__(self, corpus: Corpus, work: Work, *, as_published: bool = False) -> None:
        self.corpus = corpus
        self.work = work
        self.settings: Mapping[str, Any] = {"as_published": as_published}
        self._held: tuple[str, Counts] | None = None

    def counts(self, section: str) -> Counts:
        """How often each word stands in each document's section; the last one asked for stays in memory."""
        if self._held is None or self._held[0] != section:
            self._held = None  # before the next is made: one section is large enough
            self._held = (section, self._counts(section))
        return self._held[1]

    def stream(self, section: str, rows: np.ndarray) -> TokenStream:
        """The words of a section in their order, of some documents, if the stream was kept when the texts were cut."""
        done = self.work.load("stream", self.settings)
        if done is None:
            raise StaleIndex(f"{self.work.folder} {_STRANGER}")
        ids, ends = done.arrays["ids"], np.array(done.arrays["ends"])
        places = (rows[:, None] * len(PARTS) + _parts(section)).ravel()
        taken = _taken(ids, ends, places)
        sizes = np.diff(ends)[places].reshape(-1, len(_parts(section))).sum(axis=1)
        return TokenStream(
            _terms(done.arrays["terms"]), taken, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        )

    def has(self, *, stream: bool) -> bool:
        """Whether the texts need not be cut any more."""
        return all(
            self.work.load(name, self.settings) is not None for name in (["stream"] if stream else []) + ["counts"]
        )

    def cut(self, *, stream: bool, progress: Callable[[float], None] = lambda share: None) -> None:
        """Reads every document once and keeps counts, and the stream if asked; `progress` gets the share done."""
        began = time.monotonic()
        before = self.corpus.fingerprint
        made = tokenized(self._read(progress), self._words)
        if self.corpus.fingerprint != before:
            raise StaleIndex(
                f"the corpus {self.corpus.path} changed while it was read: start again when nothing writes to it"
            )
        terms, rows = _packed(made.terms), made.counts().rows
        if stream:
            self.work.save("stream", self.settings, Done({}, {"ids": made.ids, "ends": made.ends, "terms": terms}))
        arrays = {"data": rows.data, "columns": rows.indices, "ends": rows.indptr, "terms": terms}
        self.work.save("counts", self.settings, Done({}, arrays, round(time.monotonic() - began, 3)))

    def drop_tape(self) -> None:
        """Frees the space that the stream takes."""
        self.work.forget("stream", self.settings)

    @property
    def seconds(self) -> float | None:
        """How long the cutting took."""
        done = self.work.load("counts", self.settings)
        return None if done is None else done.seconds

    def _counts(self, section: str) -> Counts:
        """The parts of each document summed, without the words of no section."""
        done = self.work.load("counts", self.settings)
        if done is None:
            raise StaleIndex(f"{self.work.folder} {_STRANGER}")
        terms, parts = _terms(done.arrays["terms"]), _parts(section)
        data, columns, ends = (np.asarray(done.arrays[name]) for name in ("data", "columns", "ends"))
        documents = (len(ends) - 1) // len(PARTS)
        places = (np.arange(documents)[:, None] * len(PARTS) + parts).ravel()
        ones, starts = np.ones(len(places), np.int32), np.arange(documents + 1) * len(parts)
        summing = csr_array((ones, places, starts), shape=(documents, len(ends) - 1))
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
    """The places of a section's parts; the title is one of every section."""
    names = list(PARTS)
    return np.array(sorted(names.index(name) for name in ("title", *SECTIONS[section])))


def _taken(ids: np.ndarray, ends: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Some texts of a stream one behind the other, in a temporary file that goes with the array."""
    total = int(np.diff(ends)[places].sum())
    if not total:
        return np.empty(0, np.int32)
    with tempfile.TemporaryFile() as file:  # a map of an open file stays when the file is closed
        taken = np.memmap(file, dtype=np.int32, mode="w+", shape=(total,))
    start = 0
    for begin, end in zip(ends[places].tolist(), ends[places + 1].tolist(), strict=True):
        taken[start : start + end - begin] = ids[begin:end]
        start += end - begin
    return taken


def _packed(terms: Sequence[str]) -> np.ndarray:
    return np.frombuffer("\n".join(terms).encode(), dtype=np.uint8)


def _terms(packed: np.ndarray) -> list[str]:
    text = packed.tobytes().decode()
    return text.split("\n") if text else []
