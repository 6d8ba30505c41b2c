"""Texts by what they mean: rows of a sentence encoder in a local folder, passage by passage."""

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

# The rows of all passages, and where those of each text begin and the last ends. A text has at least one row.
Groups: TypeAlias = tuple[np.ndarray, np.ndarray]


@dataclass(eq=False)
class Embedding(Features):
    """A document's row is the mean of the rows of its passages; with `aggregate="max"` its best passage counts.

    Nothing is learned from texts and nothing is downloaded. `model` is the folder of the encoder, `file` a file in it
    other than the usual ones. `pooling` (mean, cls, max, last) and the prompts, words put before each passage of a
    document or of a query, are those the folder names unless they are given. A passage has at most `passage_words`
    words, of which `overlap` stand in the one before it too; of a long text `limit` passages are taken, first to last.
    With `aggregate="max"` a document's passages are compared with the mean row of the query. The number of `threads`,
    all processors if None, changes nothing but the time.
    """

    name: ClassVar[str] = "embedding"
    dense: ClassVar[bool] = True

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
        """What the constructor was given; the folder by its whole path, so that it is found from anywhere."""
        return {**super().parameters, "model": str(Path(self.model).absolute())}

    @property
    def grouped(self) -> bool:
        """Whether a document has a row for each passage, of which the best counts."""
        return self.aggregate == "max"

    def fit(self, texts: Iterable[str]) -> Self:
        """Looks at the model and remembers which it is; of the texts nothing is read."""
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
        """Encodes: there is nothing to learn."""
        return self.fit(()).encode(texts)

    def encode_groups(self, texts: Iterable[str]) -> Groups:
        """A row for each passage of each document."""
        return self._groups(texts, self.settings_["prompt"])

    def fit_encode_groups(self, texts: Iterable[str]) -> Groups:
        """Encodes: there is nothing to learn."""
        return self.fit(()).encode_groups(texts)

    def passages(self, text: str) -> list[str]:
        """The passages of a text that have rows, in their order; one that is empty if there are none."""
        found = passages(text, words=self.passage_words, overlap=self.overlap) or [""]
        if self.limit is None or len(found) <= self.limit:
            return found
        # The first passage, the last and those between: better here than the first few (docs/models.md).
        last, gaps = len(found) - 1, max(1, self.limit - 1)
        return [found[place * last // gaps] for place in range(self.limit)]

    def save_learned(self, folder: Path) -> None:
        """The fingerprint of the model and how it was used."""
        form = {"files": self.files_, "settings": self.settings_}
        (folder / "model.json").write_text(json.dumps(form, indent=1, ensure_ascii=False), "utf-8")

    def load_learned(self, folder: Path) -> None:
        """Makes sure that the model is the one it was."""
        form = json.loads((folder / "model.json").read_text("utf-8"))
        self.files_, self.settings_ = form["files"], form["settings"]
        advice = "put the model back as it was, or build the index anew with the folder that holds it now"
        try:
            found = self._open()
            now = {**fingerprint(found), **self._settings(found)}
        except BadFile as error:
            raise IndexingError(f"the encoder of this index is gone: {error}; {advice}") from None
        changed = [name for name, value in {**self.files_, **self.settings_}.items() if now.get(name) != value]
        if changed:
            told = ", ".join(changed)
            raise IndexingError(f"{self.model}: the model has changed since the index was built ({told}); {advice}")

    def _open(self) -> ModelFolder:
        folder = read_model_folder(Path(self.model), self.file)
        if self.pooling is None and folder.pooling not in POOLINGS:
            raise BadFile(
                f"{self.model}: foreart cannot pool by {folder.pooling}; name a pooling: {', '.join(POOLINGS)}"
            )
        return folder

    def _settings(self, folder: ModelFolder) -> dict[str, Any]:
        """How the model is used: what was asked for, else what its folder says."""
        return {
            "pooling": self.pooling or folder.pooling,
            "prompt": folder.prompt if self.prompt is None else self.prompt,
            "query_prompt": folder.query_prompt if self.query_prompt is None else self.query_prompt,
            "pools_prompt": folder.pools_prompt,
            "lower_case": folder.lower_case,
            "tokens": folder.tokens,
        }

    def _encoder(self) -> Encoder:
        """Opened when the first text comes: a model is some hundred megabytes."""
        if not hasattr(self, "_encoder_"):
            self._encoder_ = Encoder(self._open(), pooling=self.pooling, threads=self.threads)
        return self._encoder_

    def _each(self, texts: Iterable[str], prompt: str) -> Iterator[list[np.ndarray]]:
        """The rows of the passages of each text. The encoder reads ahead, but never more than a few passages."""
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
        numbers, ends = array("f"), array("q", [0])
        for found in self._each(texts, prompt):
            ends.append(ends[-1] + len(found))
            for row in found:
                numbers.frombytes(row.tobytes())
        rows = np.frombuffer(numbers, dtype=np.float32) if numbers else np.empty(0, dtype=np.float32)
        return rows.reshape(ends[-1], self._encoder().width), np.array(ends, dtype=np.int64)

    def check(self) -> None:
        """Refuses parameters without a meaning."""
        for name, known in (("aggregate", AGGREGATES), ("pooling", (None, *POOLINGS))):
            if getattr(self, name) not in known:
                told = ", ".join(str(each) for each in known if each)
                raise ForeartError(f"{name} is {getattr(self, name)!r}; it can be {told}")
        if self.limit is not None and self.limit < 1:
            raise ForeartError(f"limit is {self.limit}; at least one passage of a text is taken")
        if self.threads is not None and self.threads < 1:
            raise ForeartError(f"threads is {self.threads}; at least one thread works")
        passages("", words=self.passage_words, overlap=self.overlap)


def _mean(rows: list[np.ndarray]) -> np.ndarray:
    return rows[0] if len(rows) == 1 else unit(np.asarray(rows, dtype=np.float64).mean(axis=0))
