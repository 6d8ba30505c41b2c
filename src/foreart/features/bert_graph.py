"""A BERT of which only the weights are there becomes a graph that ONNX Runtime can run.

Many model folders hold `model.safetensors` and `config.json` and no graph. Devlin et al. (2019) describe the network;
RoBERTa and XLM-RoBERTa are the same but for where positions begin.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from foreart.errors import BadFile
from foreart.features.onnx_graph import OnnxGraph
from foreart.features.safetensors import read_safetensors

MODEL_TYPES = ("bert", "roberta", "xlm-roberta", "camembert")
ACTIVATIONS = ("gelu", "gelu_new", "gelu_pytorch_tanh", "relu")

# Protobuf cannot hold more.
_MOST_BYTES = 2**31 - 2**20


def bert_graph(weights: Path, *, int8: bool = False) -> bytes:
    """The ONNX model of a `.safetensors` file with `config.json` beside it; its output is `last_hidden_state`.

    `int8` rounds the matrices to 7 bits, a scale for each column, and the numbers that go in to 8 at run time: with 8
    and 8 the sums of pairs overflow on processors without VNNI instructions.
    """
    config = _config(weights.with_name("config.json"))
    arrays = _named(read_safetensors(weights))
    if not int8 and sum(array.size * 4 for array in arrays.values()) > _MOST_BYTES:
        raise BadFile(f"{weights}: over 2 GB as float32; get the model's ONNX file instead, or use int8")
    try:
        return _Bert(config, arrays, int8=int8).to_bytes()
    except KeyError as error:
        raise BadFile(f"{weights}: {error.args[0]} is missing, in the weights or in config.json") from None


class _Bert:
    """Writes the layers one after the other."""

    def __init__(self, config: Mapping[str, Any], arrays: Mapping[str, np.ndarray], *, int8: bool) -> None:
        self._config = config
        self._arrays = arrays
        self._int8 = int8
        self._graph = OnnxGraph()

    def to_bytes(self) -> bytes:
        """Embeddings, layers, output."""
        graph = self._graph
        ids, mask, kinds = (
            graph.input(name, "int64", ["batch", "length"])
            for name in ("input_ids", "attention_mask", "token_type_ids")
        )
        hidden = self._embeddings(ids, kinds)
        ignored = self._ignored(mask)
        for layer in range(self._config["num_hidden_layers"]):
            hidden = self._layer(f"encoder.layer.{layer}", hidden, ignored)
        graph.rename(hidden, "last_hidden_state")
        graph.output("last_hidden_state", "float32", ["batch", "length", self._config["hidden_size"]])
        return graph.to_bytes()

    def _embeddings(self, ids: str, kinds: str) -> str:
        graph = self._graph
        words = graph.node("Gather", self._array("embeddings.word_embeddings.weight"), ids)
        types = graph.node("Gather", self._array("embeddings.token_type_embeddings.weight"), kinds)
        # RoBERTa counts positions from the one after the padding sign's number.
        first = 0 if self._config["model_type"] == "bert" else self._config["pad_token_id"] + 1
        table = graph.array(self._weights("embeddings.position_embeddings.weight")[first:])
        zero, one = (graph.array(np.array([number], dtype=np.int64)) for number in (0, 1))
        length = graph.node("Slice", graph.node("Shape", ids), one, graph.array(np.array([2], dtype=np.int64)))
        places = graph.node("Slice", table, zero, length, zero)
        total = graph.node("Add", graph.node("Add", words, types), places)
        return self._norm("embeddings.LayerNorm", total)

    def _ignored(self, mask: str) -> str:
        """0 where a token counts, a very low number where it is padding."""
        graph = self._graph
        wide = graph.node("Unsqueeze", mask, graph.array(np.array([1, 2], dtype=np.int64)))
        padding = graph.node("Sub", self._number(1.0), graph.node("Cast", wide, to=1))
        return graph.node("Mul", padding, self._number(-1e9))

    def _layer(self, name: str, hidden: str, ignored: str) -> str:
        graph = self._graph
        attended = self._linear(f"{name}.attention.output.dense", self._attention(name, hidden, ignored))
        hidden = self._norm(f"{name}.attention.output.LayerNorm", graph.node("Add", attended, hidden))
        inner = self._activation(self._linear(f"{name}.intermediate.dense", hidden))
        outer = self._linear(f"{name}.output.dense", inner)
        return self._norm(f"{name}.output.LayerNorm", graph.node("Add", outer, hidden))

    def _attention(self, name: str, hidden: str, ignored: str) -> str:
        graph = self._graph
        heads = self._config["num_attention_heads"]
        size = self._config["hidden_size"] // heads
        split = graph.array(np.array([0, 0, heads, size], dtype=np.int64))

        def part(kind: str, order: tuple[int, ...]) -> str:
            whole = self._linear(f"{name}.attention.self.{kind}", hidden)
            return graph.node("Transpose", graph.node("Reshape", whole, split), perm=order)

        query, key, value = (
            part(kind, order)
            for kind, order in (("query", (0, 2, 1, 3)), ("key", (0, 2, 3, 1)), ("value", (0, 2, 1, 3)))
        )
        likeness = graph.node("Mul", graph.node("MatMul", query, key), self._number(1 / math.sqrt(size)))
        shares = graph.node("Softmax", graph.node("Add", likeness, ignored), axis=-1)
        mixed = graph.node("Transpose", graph.node("MatMul", shares, value), perm=(0, 2, 1, 3))
        return graph.node("Reshape", mixed, graph.array(np.array([0, 0, heads * size], dtype=np.int64)))

    def _linear(self, name: str, hidden: str) -> str:
        graph = self._graph
        matrix = self._weights(f"{name}.weight").T
        bias = self._array(f"{name}.bias")
        if not self._int8:
            return graph.node("Add", graph.node("MatMul", hidden, graph.array(matrix)), bias)
        scales = np.maximum(np.abs(matrix).max(axis=0), 1e-12) / 63
        rounded, scale, zero = graph.nodes("DynamicQuantizeLinear", [hidden], 3)
        whole = graph.node("MatMulInteger", rounded, graph.array(np.rint(matrix / scales).astype(np.int8)), zero)
        scaled = graph.node("Mul", scale, graph.array(scales))
        return graph.node("Add", graph.node("Mul", graph.node("Cast", whole, to=1), scaled), bias)

    def _activation(self, hidden: str) -> str:
        """GELU is x·Φ(x) (Hendrycks and Gimpel, 2016), exact or by its tanh approximation."""
        graph = self._graph
        kind = self._config["hidden_act"]
        if kind == "relu":
            return graph.node("Relu", hidden)
        if kind == "gelu":
            bent = graph.node("Erf", graph.node("Div", hidden, self._number(math.sqrt(2))))
        else:
            cube = graph.node("Mul", graph.node("Mul", hidden, hidden), hidden)
            inner = graph.node("Add", hidden, graph.node("Mul", cube, self._number(0.044715)))
            bent = graph.node("Tanh", graph.node("Mul", inner, self._number(math.sqrt(2 / math.pi))))
        doubled = graph.node("Mul", hidden, graph.node("Add", bent, self._number(1.0)))
        return graph.node("Mul", doubled, self._number(0.5))

    def _norm(self, name: str, hidden: str) -> str:
        scale, shift = self._array(f"{name}.weight"), self._array(f"{name}.bias")
        epsilon = float(self._config.get("layer_norm_eps", 1e-12))
        return self._graph.node("LayerNormalization", hidden, scale, shift, axis=-1, epsilon=epsilon)

    def _number(self, value: float) -> str:
        return self._graph.array(np.array(value, dtype=np.float32))

    def _array(self, name: str) -> str:
        return self._graph.array(self._weights(name))

    def _weights(self, name: str) -> np.ndarray:
        return self._arrays[name].astype(np.float32)


def _config(file: Path) -> dict[str, Any]:
    try:
        config: dict[str, Any] = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadFile(f"{file}: needed to run model.safetensors, and not readable ({error})") from None
    wanted = {
        "model_type": MODEL_TYPES,
        "hidden_act": ACTIVATIONS,
        "position_embedding_type": ("absolute", None),
    }
    for key, known in wanted.items():
        if config.get(key) not in known:
            raise BadFile(
                f"{file}: {key} is {config.get(key)!r}; of weights alone foreart can run "
                f"{', '.join(str(item) for item in known if item)}: get the model's ONNX file instead"
            )
    return config


def _named(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Names without the prefix that a model saved as part of a larger one has, and with today's words for old ones."""
    renamed = {}
    for name, array in arrays.items():
        plain = name.removeprefix("bert.").removeprefix("roberta.")
        renamed[plain.replace("gamma", "weight").replace("beta", "bias")] = array
    return renamed
