"""Rows of a sentence encoder in a local folder, passage by passage."""

from __future__ import annotations

import json
from array import array
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np

from foreart.errors import BadFile, ForeartError, IndexingError
from foreart.features.base import Features
from foreart.features.vectors.encoder import Encoder, unit
from foreart.features.vectors.model_folder import ModelFolder, fingerprint, read_model_folder
from foreart.features.vectors.pooling import POOLINGS
from foreart.text.passages import passages

AGGREGATES = ("mean", "max")

# The rows of all passages, and the offsets of the rows of each text. A text has at least one row.
Groups: TypeAlias = tuple[np.ndarray, np.ndarray]


@dataclass(eq=False)
class Embedding(Features):
    """The row of a document is the mean of its passages; with `aggregate="max"` its best passage counts.

    Nothing is learned from texts and nothing is downloaded. `model` is the folder of the encoder, `file` a file in it
    other than the default ones. `pooling` (mean, cls, max, last) and the prompts, text put before each passage of a
    document or of a query, default to those of the folder. A passage has at most `passage_words` words, of which
    `overlap` are repeated from its predecessor; of a long text, `limit` evenly spaced passages are encoded. With
    `aggregate="max"` the passages of a document are compared with the mean row of the query. `threads` (None: all
    processors) changes only the time.
    """

    name: ClassVar[str] = "embedding"
    dense: ClassVar[bool] = True
    learns: ClassVar[bool] = False

    model: str | Path
    _: KW_ONLY
    file: str | None = None
    pooling: str | None = None
    prompt: str | None = None
    query_prompt: str | None = None
    passage_words: int = 150
    overlap: int = 0
    limit: int | None = None
    aggregate: Literal["mean", "max"] = "mean"
    threads: int | None = None

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments of the constructor, with the absolute path of the folder."""
        return {**super().parameters, "model": str(Path(self.model).absolute())}

    @property
    def grouped(self) -> bool:
        """Whether a document has a row per passage and scores by the best."""
        return self.aggregate == "max"

    def fit(self, texts: Iterable[str]) -> Self:
        """Records the fingerprint and settings of the model; texts are not read."""
        self.check()
        folder = self._open()
        self.files_ = fingerprint(folder)
        self.settings_ = self._settings(folder)
        return self

    def encode(self, texts: Iterable[str]) -> np.ndarray:
        """A row for each document, the mean of its passages."""
        return self._means(texts, self.settings_["prompt"])

    def encode_queries(self, texts: Iterable[str]) -> np.ndarray:
        """A row for each query, the mean of its passages."""
        return self._means(texts, self.settings_["query_prompt"])

    def fit_encode(self, texts: Iterable[str]) -> np.ndarray:
        """Encodes; there is nothing to learn."""
        return self.fit(()).encode(texts)

    def encode_groups(self, texts: Iterable[str]) -> Groups:
        """A row for each passage of each document."""
        return self._groups(texts, self.settings_["prompt"])

    def fit_encode_groups(self, texts: Iterable[str]) -> Groups:
        """Encodes; there is nothing to learn."""
        return self.fit(()).encode_groups(texts)

    def passages(self, text: str) -> list[str]:
        """The passages of a text that are encoded, in order; one empty passage if there are none."""
        found = passages(text, words=self.passage_words, overlap=self.overlap) or [""]
        if self.limit is None or len(found) <= self.limit:
            return found
        # The first passage, the last and some between: better than the first few (docs/models.md).
        last, gaps = len(found) - 1, max(1, self.limit - 1)
        return [found[index * last // gaps] for index in range(self.limit)]

    def save_learned(self, folder: Path) -> None:
        """The fingerprint of the model and its settings."""
        record = {"files": self.files_, "settings": self.settings_}
        (folder / "model.json").write_text(json.dumps(record, indent=1, ensure_ascii=False), "utf-8")

    def load_learned(self, folder: Path) -> None:
        """Reads the files of `save_learned`, and checks that the model has not changed."""
        record = json.loads((folder / "model.json").read_text("utf-8"))
        self.files_, self.settings_ = record["files"], record["settings"]
        advice = "restore the model, or rebuild the index with its present folder"
        try:
            found = self._open()
            now = {**fingerprint(found), **self._settings(found)}
        except BadFile as error:
            raise IndexingError(f"the encoder of this index cannot be read: {error}; {advice}") from None
        changed = [name for name, value in {**self.files_, **self.settings_}.items() if now.get(name) != value]
        if changed:
            names = ", ".join(changed)
            raise IndexingError(f"{self.model}: the model has changed since the index was built ({names}); {advice}")

    def _open(self) -> ModelFolder:
        folder = read_model_folder(Path(self.model), self.file)
        if self.pooling is None and folder.pooling not in POOLINGS:
            raise BadFile(
                f"{self.model}: foreart cannot pool by {folder.pooling}; name a pooling: {', '.join(POOLINGS)}"
            )
        return folder

    def _settings(self, folder: ModelFolder) -> dict[str, Any]:
        """The settings of the model: given parameters, else those of its folder."""
        return {
            "pooling": self.pooling or folder.pooling,
            "prompt": folder.prompt if self.prompt is None else self.prompt,
            "query_prompt": folder.query_prompt if self.query_prompt is None else self.query_prompt,
            "pools_prompt": folder.pools_prompt,
            "lower_case": folder.lower_case,
            "tokens": folder.tokens,
        }

    def _encoder(self) -> Encoder:
        """Opened for the first text: a model has hundreds of megabytes."""
        if not hasattr(self, "_encoder_"):
            self._encoder_ = Encoder(self._open(), pooling=self.pooling, threads=self.threads)
        return self._encoder_

    def _each(self, texts: Iterable[str], prompt: str) -> Iterator[list[np.ndarray]]:
        """The rows of the passages of each text. The encoder reads only a few passages ahead."""
        sizes: deque[int] = deque()

        def flow() -> Iterator[str]:
            for text in texts:
                found = self.passages(text)
                sizes.append(len(found))
                yield from found

        rows = self._encoder().rows(flow(), prompt)
        for first in rows:
            yield [first, *islice(rows, sizes.popleft() - 1)]

    def _means(self, texts: Iterable[str], prompt: str) -> np.ndarray:
        rows = [_mean(found) for found in self._each(texts, prompt)]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self._encoder().width)

    def _groups(self, texts: Iterable[str], prompt: str) -> Groups:
        values, ends = array("f"), array("q", [0])
        for found in self._each(texts, prompt):
            ends.append(ends[-1] + len(found))
            for row in found:
                values.frombytes(row.tobytes())
        rows = np.frombuffer(values, dtype=np.float32) if values else np.empty(0, dtype=np.float32)
        return rows.reshape(ends[-1], self._encoder().width), np.array(ends, dtype=np.int64)

    def check(self) -> None:
        """Raises an error for invalid parameters."""
        for name, known in (("aggregate", AGGREGATES), ("pooling", (None, *POOLINGS))):
            if getattr(self, name) not in known:
                allowed = ", ".join(str(each) for each in known if each)
                raise ForeartError(f"{name} is {getattr(self, name)!r}; it can be {allowed}")
        if self.limit is not None and self.limit < 1:
            raise ForeartError(f"limit is {self.limit}; it can be 1 or more")
        if self.threads is not None and self.threads < 1:
            raise ForeartError(f"threads is {self.threads}; it can be 1 or more")
        passages("", words=self.passage_words, overlap=self.overlap)


def _mean(rows: list[np.ndarray]) -> np.ndarray:
    return rows[0] if len(rows) == 1 else unit(np.asarray(rows, dtype=np.float64).mean(axis=0))
