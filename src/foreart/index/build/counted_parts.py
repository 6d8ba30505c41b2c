"""The words of some documents, counted by one task and kept in a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from foreart.corpus import Corpus
from foreart.corpus.record_files import read_records, record_path
from foreart.features.counting.string_arrays import ends_of, joined
from foreart.features.counting.text_counts import word_counter
from foreart.index.build.coded_rows import CodedRows, coded
from foreart.index.build.corpus_scan import digests_of
from foreart.index.build.row_reader import RowReader
from foreart.index.storage.manifest import FORM
from foreart.part_files import PartFolder, PartTask, is_intact, read_part, write_part


@dataclass(frozen=True)
class CountTask(PartTask):
    """Counts the words of the patents in a file of records."""

    reader: RowReader
    records: Path
    path: Path
    documents: int

    @classmethod
    def of(cls, parts: PartFolder, corpus: Corpus, reader: RowReader, serials: Sequence[int]) -> CountTask:
        """The task for some patents."""
        records = record_path(parts, corpus, serials)
        about = FORM, reader.sections, reader.cutting, reader.size, records.name
        return cls(reader, records, parts.path("counts", *about), len(serials))

    def is_written(self, root: Path) -> bool:
        """Whether they are counted."""
        return is_intact(root / self.path)

    def write(self, root: Path) -> None:
        """Counts them; one core, since every worker has tasks of its own."""
        counter = word_counter(self.reader.tokenizer)
        records = read_records(root / self.records)
        ids: list[str] = []
        sizes: list[int] = []
        for record in records:
            rows = self.reader.texts(record.id, record.json)
            sizes.append(len(rows))
            for number, text in rows:
                ids.append(number)
                counter.add(text)
        made = coded(*counter.rows())
        letters, ends = counter.letters()
        _, digests = digests_of((0, record.id, record.content) for record in records)
        names, name_ends = joined(ids)
        own = {field.name: getattr(made, field.name) for field in fields(made)}
        words = {"word_letters": letters, "word_ends": ends, "id_letters": names, "id_ends": name_ends}
        write_part(root / self.path, {**own, **words, "sizes": np.array(sizes, dtype=np.int64), "digests": digests})


@dataclass(frozen=True, eq=False)
class CountedPart:
    """The rows of some documents over words of their own; `sizes` is the number of rows of each document."""

    rows: CodedRows
    words: tuple[np.ndarray, np.ndarray]
    ids: tuple[np.ndarray, np.ndarray]
    sizes: np.ndarray
    digests: np.ndarray  # of each document

    @classmethod
    def read(cls, path: Path) -> CountedPart:
        """Opens a part; its arrays are memory-mapped."""
        arrays = read_part(path)
        rows = CodedRows(**{field.name: arrays[field.name] for field in fields(CodedRows)})
        words, ids = ((arrays[f"{name}_letters"], arrays[f"{name}_ends"]) for name in ("word", "id"))
        return cls(rows, words, ids, arrays["sizes"], arrays["digests"])

    def part(self, first: int, last: int) -> CountedPart:
        """The documents from `first` to before `last`, over the same words."""
        start, end = ends_of(self.sizes)[[first, last]].tolist()
        letters, ends = self.ids
        bounds = ends[start : end + 1]
        ids = letters[bounds[0] : bounds[-1]], bounds - bounds[0]
        return CountedPart(
            self.rows.part(start, end), self.words, ids, self.sizes[first:last], self.digests[first:last]
        )
