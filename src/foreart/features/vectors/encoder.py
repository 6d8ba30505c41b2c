"""Encodes passages as unit rows; the only module that uses ONNX Runtime and tokenizers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from foreart.errors import BadFile, MissingExtra
from foreart.features.vectors.model_folder import ModelFolder
from foreart.features.vectors.pooling import POOLINGS
from foreart.parallel import cores, in_order

_INPUTS = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
_INPUT_TYPES: dict[str, type[np.integer[Any]]] = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
_TOKEN_OUTPUTS = ("last_hidden_state", "token_embeddings")
_SENTENCE_OUTPUT = "sentence_embedding"
_ERRORS = ("Fail", "InvalidArgument", "InvalidGraph", "InvalidProtobuf", "NotImplemented", "RuntimeException")
# Pending passages per thread: enough that none waits, few enough to bound the memory.
_AHEAD = 4


class Encoder:
    """Encodes one passage at a time in each thread, without padding, so that a row depends only on its passage.

    A run uses one core and several passages run in parallel: rows are bit for bit the same with any number of threads.
    """

    def __init__(self, model: ModelFolder, *, pooling: str | None = None, threads: int | None = None) -> None:
        self._model = model
        self._tokenizer, self._unknown = _tokenizer(model)
        self._session, self._errors = _session(model)
        self._inputs = _inputs(self._session, model)
        self._output, self._pooled = _output(self._session, model, pooling)
        self._pooling = pooling or model.pooling
        self._threads = threads or cores()
        self.width = len(self._run([0]))

    def rows(self, passages: Iterable[str], prompt: str = "") -> Iterator[np.ndarray]:
        """A row for each passage, in order; all zero if the model knows no word of it."""
        prefix = self._prefix_length(prompt)
        row = partial(self._row, prompt=prompt, prefix=prefix)
        with ThreadPoolExecutor(self._threads) as pool:
            yield from in_order(pool, row, passages, ahead=_AHEAD * self._threads)

    def _row(self, passage: str, prompt: str, prefix: int) -> np.ndarray:
        found = self._encode(prompt + passage)
        own = zip(found.ids[prefix:], found.special_tokens_mask[prefix:], strict=True)
        if all(special or token == self._unknown for token, special in own):
            return np.zeros(self.width, dtype=np.float32)
        return unit(self._run(found.ids, 0 if self._model.pools_prompt else prefix))

    def _prefix_length(self, prompt: str) -> int:
        """The number of tokens before those of the passage."""
        found = self._encode(prompt)
        words = [position for position, special in enumerate(found.special_tokens_mask) if not special]
        return words[-1] + 1 if words else 0

    def _encode(self, text: str) -> Any:  # noqa: ANN401
        return self._tokenizer.encode(text.lower() if self._model.lower_case else text)

    def _run(self, ids: Sequence[int], skipped: int = 0) -> np.ndarray:
        size = len(ids)
        values = dict(zip(_INPUTS, (ids, [1] * size, [0] * size, range(size)), strict=True))
        given = {name: np.array([values[name]], dtype=kind) for name, kind in self._inputs.items()}
        try:
            found = self._session.run([self._output], given)[0][0]
        except self._errors as error:
            raise BadFile(f"{self._model.graph}: fails on a passage of {size} tokens ({error})") from None
        if not self._pooled:
            # The first token represents the full passage; a prompt does not move it.
            found = POOLINGS[self._pooling](found if self._pooling == "cls" else found[skipped:])
        return np.asarray(found, dtype=np.float32)


def unit(row: np.ndarray) -> np.ndarray:
    """The row divided by its length; zeros stay zero."""
    length = float(np.linalg.norm(row.astype(np.float64)))
    return (row / length).astype(np.float32) if length else row.astype(np.float32)


def _tokenizer(model: ModelFolder) -> tuple[Any, int | None]:
    """The tokenizer, and its id for unknown tokens."""
    try:
        import tokenizers
    except ImportError:
        raise MissingExtra("Features by a sentence encoder", "embedding") from None
    try:
        text = model.tokenizer.read_text("utf-8")
        unknown = json.loads(text)["model"].get("unk_token")
        made = tokenizers.Tokenizer.from_str(text)
    except Exception as error:  # noqa: BLE001 - the library's own errors are bare Exceptions
        raise BadFile(
            f"{model.tokenizer}: not a tokenizer that this version of tokenizers can read ({error})"
        ) from None
    # Padding and truncation settings of the file are not those of the model.
    made.no_padding()
    made.enable_truncation(model.tokens)
    return made, None if unknown is None else made.token_to_id(unknown)


def _session(model: ModelFolder) -> tuple[Any, tuple[type[Exception], ...]]:
    """An inference session, and the errors it may raise."""
    try:
        import onnxruntime
        from onnxruntime.capi import onnxruntime_pybind11_state as state
    except ImportError:
        raise MissingExtra("Features by a sentence encoder", "embedding") from None
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # errors are raised, not printed
    errors = tuple(getattr(state, name) for name in _ERRORS)
    try:
        return onnxruntime.InferenceSession(str(model.graph), options, providers=["CPUExecutionProvider"]), errors
    except errors as error:
        raise BadFile(f"{model.graph}: ONNX Runtime cannot load it ({error})") from None


def _inputs(session: Any, model: ModelFolder) -> dict[str, type[np.integer[Any]]]:  # noqa: ANN401
    wanted = {given.name: given.type for given in session.get_inputs()}
    for name, kind in wanted.items():
        if name not in _INPUTS or kind not in _INPUT_TYPES:
            raise BadFile(f"{model.graph}: has the input {name} ({kind}); a sentence encoder has {', '.join(_INPUTS)}")
    return {name: _INPUT_TYPES[kind] for name, kind in wanted.items()}


def _output(session: Any, model: ModelFolder, pooling: str | None) -> tuple[str, bool]:  # noqa: ANN401
    """The output to use, and whether it is already pooled to one row per passage."""
    ranks = {output.name: len(output.shape) for output in session.get_outputs()}
    tokens = [name for name in (*_TOKEN_OUTPUTS, *ranks) if ranks.get(name) == 3]
    if _SENTENCE_OUTPUT in ranks and not pooling:
        return _SENTENCE_OUTPUT, True
    if tokens:
        if model.steps:
            raise BadFile(
                f"{model.graph}: {' and '.join(model.steps)} (modules.json) should follow, which is not supported; "
                f"export the model with its {_SENTENCE_OUTPUT} as output"
            )
        return tokens[0], False
    if len(ranks) == 1 and set(ranks.values()) == {2} and not pooling:
        return next(iter(ranks)), True
    raise BadFile(
        f"{model.graph}: has the outputs {', '.join(ranks)}; the one to pool must be {' or '.join(_TOKEN_OUTPUTS)}"
    )
