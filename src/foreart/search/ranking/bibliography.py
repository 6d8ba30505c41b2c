"""Who cites whom, who names whom, and whose they are: all that ranking knows of documents beside their words."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from foreart.corpus import Corpus
from foreart.corpus.bibliography import Entry, Names, entries, names_of
from foreart.document.named_numbers import named_numbers
from foreart.durable import replacing
from foreart.errors import IndexingError, StaleIndex
from foreart.identifiers.date_spans import day
from foreart.identifiers.parties import folded_name
from foreart.parallel import in_order
from foreart.processes import WorkerProcesses
from foreart.search.ranking.ragged import Ragged, hashed, numbered

FORM = 3
FILE = "bibliography.npz"
Progress = Callable[[int, int], None]
# Documents that go to another process at once; fewer than this are read here.
_CHUNK = 64
_LISTS = ("cited", "named", "applicants", "inventors", "classes")
# What reading a file with wrong bytes in it ends in: a byte may ask for a password, or for another way of packing.
_DAMAGES = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    EOFError,
    OSError,
    RuntimeError,
)


@dataclass(frozen=True, eq=False)
class Bibliography:
    """By row of the corpus. `cited` and `named` (in the text) are places in `numbers`, and so is `own`.

    People and classes are hashes of their names; `days` are first days of the date that orders prior art. Where no
    document has a citation (`from_texts`), the patents that texts name stand for citations.
    """

    corpus: str
    ids: tuple[str, ...]
    contents: np.ndarray
    days: np.ndarray
    families: np.ndarray
    numbers: np.ndarray
    own: np.ndarray
    cited: Ragged
    named: Ragged
    applicants: Ragged
    inventors: Ragged
    classes: Ragged
    from_texts: bool = False

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def row(self) -> dict[str, int]:
        """The row of each id."""
        return {number: row for row, number in enumerate(self.ids)}

    @cached_property
    def lists(self) -> csr_array:
        """Documents by the numbers they cite, inside the corpus or not."""
        return self.cited.incidence(len(self.numbers))

    @cached_property
    def cites(self) -> csr_array:
        """Documents by the documents of the corpus that they cite."""
        return self._links(self.cited)

    @cached_property
    def cited_by(self) -> csr_array:
        """Documents by those of the corpus that cite them."""
        return csr_array(self.cites.T.tocsr())

    @cached_property
    def named_by(self) -> csr_array:
        """Documents by those of the corpus that name them in their text."""
        return csr_array(self._links(self.named).T.tocsr())

    @cached_property
    def listed_by(self) -> csr_array:
        """Numbers by the documents that cite them."""
        return csr_array(self.lists.T.tocsr())

    @cached_property
    def class_table(self) -> tuple[np.ndarray, csr_array]:
        """The classes there are, and documents by their classes: rare ones weigh more, every document the same."""
        names, (lists,) = numbered([self.classes])
        table = lists.incidence(len(names))
        weights = np.log((1.0 + len(self)) / (1.0 + np.bincount(lists.values, minlength=len(names))))
        table.data = weights[table.indices].astype(np.float32)
        lengths = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
        table.data /= np.repeat(np.where(lengths > 0, lengths, 1.0), np.diff(table.indptr)).astype(np.float32)
        return names, table

    def relatives(self, row: int) -> np.ndarray:
        """All rows of the family of a row, itself among them."""
        family = self.families[row]
        if family < 0:
            return np.array([row])
        order, names = self._by_family
        first, last = np.searchsorted(names, [family, family + 1])
        found: np.ndarray = order[first:last]
        return found

    @cached_property
    def _by_family(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows in order of their families, and these: to look through all rows for each would take hours."""
        order = np.argsort(self.families, kind="stable")
        return order, self.families[order]

    def places(self, hashes: np.ndarray) -> np.ndarray:
        """Where in `numbers` some hashes stand; those that are nowhere are left out."""
        at = np.searchsorted(self.numbers, hashes)
        at = at[at < len(self.numbers)]
        return at[np.isin(self.numbers[at], hashes)].astype(np.int32)

    def rows_of(self, places: np.ndarray) -> np.ndarray:
        """The documents of the corpus that have these numbers."""
        return np.flatnonzero(np.isin(self.own, places[places >= 0]))

    def _links(self, lists: Ragged) -> csr_array:
        order = np.argsort(self.own, kind="stable")
        # Where the documents of each number stand in that order; -1 is the number of those that have none.
        ends = np.cumsum(np.bincount(self.own + 1, minlength=len(self.numbers) + 1))
        bounds = np.concatenate([[0], ends])
        first, last = bounds[lists.values + 1], bounds[lists.values + 2]
        times = last - first
        starts = np.concatenate([[0], np.cumsum(times)])[lists.starts]
        offsets = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
        columns = order[np.repeat(first, times) + offsets]
        rows = np.repeat(np.arange(len(self)), np.diff(starts))
        kept = columns != rows
        found = csr_array((np.ones(int(kept.sum()), np.float32), (rows[kept], columns[kept])), shape=(len(self),) * 2)
        found.sum_duplicates()
        found.data[:] = 1.0
        return found


def read_bibliography(
    corpus: Corpus, before: Bibliography | None = None, *, workers: int = 1, progress: Progress | None = None
) -> Bibliography:
    """Reads a corpus, with several `workers` in processes; texts only of documents that are new since `before`."""
    fingerprint = corpus.fingerprint
    known = list(entries(corpus))
    kept = _kept(before, known)
    fresh = iter(_read(corpus, [entry for entry in known if entry.id not in kept], workers, progress))
    inside = [kept.get(entry.id) or next(fresh) for entry in known]
    families = {
        name: place for place, name in enumerate(dict.fromkeys(entry.family for entry in known if entry.family))
    }
    cited, named = Ragged.of(hashed(entry.cited) for entry in known), Ragged.of(item[0] for item in inside)
    from_texts = not len(cited.values)
    # A draft may name a document that no other one names.
    keys = Ragged.of(hashed([entry.key]) for entry in known)
    numbers, (cited, named, own) = numbered([named if from_texts else cited, named, keys])
    return Bibliography(
        corpus=fingerprint,
        ids=tuple(entry.id for entry in known),
        contents=np.frombuffer(b"".join(entry.content for entry in known), dtype="V16"),
        days=np.array([day(entry.date) for entry in known], dtype=np.int32),
        families=np.array([families.get(entry.family, -1) for entry in known], dtype=np.int32),
        numbers=numbers,
        own=own.values,
        cited=cited,
        named=named,
        applicants=Ragged.of(hashed(map(folded_name, entry.applicants)) for entry in known),
        inventors=Ragged.of(item[1] for item in inside),
        classes=Ragged.of(hashed(map(main_group, entry.classes)) for entry in known),
        from_texts=from_texts,
    )


def main_group(symbol: str) -> str:
    """The main group of a class symbol: `A61B 8` of `A61B 8/12`."""
    return symbol.partition("/")[0]


Inside = tuple[np.ndarray, np.ndarray]


def _kept(before: Bibliography | None, known: list[Entry]) -> dict[str, Inside]:
    """Numbers and inventors of the documents that are as they were."""
    if before is None:
        return {}
    old = dict(zip(before.ids, before.contents.tolist(), strict=True))
    same = [entry.id for entry in known if old.get(entry.id) == entry.content]
    rows = before.row
    return {
        number: (before.numbers[before.named.row(rows[number])], before.inventors.row(rows[number])) for number in same
    }


def _read(corpus: Corpus, wanted: list[Entry], workers: int, progress: Progress | None) -> Iterator[Inside]:
    records = names_of(corpus, [entry.serial for entry in wanted])
    chunks = iter(lambda: list(islice(records, _CHUNK)), [])
    done = 0
    if len(wanted) <= _CHUNK or workers < 2:
        found: Iterator[list[Inside]] = map(_inside, chunks)
    else:
        found = _by_processes(chunks, workers)
    for part in found:
        done += len(part)
        if progress is not None:
            progress(done, len(wanted))
        yield from part


def _by_processes(chunks: Iterator[list[Names]], workers: int) -> Iterator[list[Inside]]:
    """In processes: to read numbers is Python's work, of which one process does one at a time."""
    with WorkerProcesses(workers, preload=(__name__,)) as pool:
        yield from in_order(pool, _inside, chunks, ahead=8)


def _inside(names: list[Names]) -> list[Inside]:
    return [(hashed(named_numbers(item.description)), hashed(map(folded_name, item.inventors))) for item in names]


def write_bibliography(made: Bibliography, folder: Path) -> None:
    """Writes it, at one moment: whoever opens it finds the old or the new one."""
    lists = {f"{name}_{part}": getattr(getattr(made, name), part) for name in _LISTS for part in ("starts", "values")}
    plain = {name: getattr(made, name) for name in ("contents", "days", "families", "numbers", "own")}
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(folder / FILE) as file:
        about = {
            "form": np.array(FORM),
            "corpus": np.array(made.corpus),
            "from_texts": np.array(made.from_texts),
            "ids": np.array([number.encode() for number in made.ids], dtype="S"),
        }
        np.savez(file, allow_pickle=False, **about, **plain, **lists)


def load_bibliography(folder: Path) -> Bibliography:
    """What was written; a sentence that says what to do if it is not there, or not as it was."""
    path = folder / FILE
    if not path.exists():
        raise IndexingError(f"there is no {path}: `foreart build` makes it")
    try:
        with path.open("rb") as file, np.load(file) as stored:
            found = {name: stored[name] for name in stored.files}
        if int(found.pop("form")) != FORM:
            raise StaleIndex(f"{path} is of another version of foreart: run `foreart build`")
        lists = {name: Ragged(found.pop(f"{name}_starts"), found.pop(f"{name}_values")) for name in _LISTS}
        ids = tuple(number.decode() for number in found.pop("ids").tolist())
        corpus, from_texts = str(found.pop("corpus")), bool(found.pop("from_texts"))
        return Bibliography(ids=ids, corpus=corpus, from_texts=from_texts, **lists, **found)  # type: ignore[arg-type]
    except _DAMAGES as error:
        raise IndexingError(f"{path} is damaged ({type(error).__name__}): run `foreart build`") from None
