"""A graph made of bare weights against the same network calculated in numpy."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from features.models import MINILM, forward, needs_minilm, tiny_config, tiny_weights, write_safetensors
from foreart.errors import BadFile
from foreart.features.bert_graph import bert_graph
from foreart.features.safetensors import read_safetensors

onnxruntime = pytest.importorskip("onnxruntime")

IDS = [2, 5, 9, 4, 17, 3]


def hidden(graph: bytes, *texts: list[int]) -> np.ndarray:
    """The rows of tokens, the shorter texts padded."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    size = max(map(len, texts))
    ids = np.array([[*text, *[0] * (size - len(text))] for text in texts])
    mask = np.array([[1] * len(text) + [0] * (size - len(text)) for text in texts])
    given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    return session.run(["last_hidden_state"], given)[0]


def folder_of(place: Path, config: dict[str, object], weights: dict[str, np.ndarray], kind: str = "F32") -> Path:
    (place / "config.json").write_text(json.dumps(config))
    write_safetensors(place / "model.safetensors", weights, kind)
    return place / "model.safetensors"


@pytest.mark.parametrize("kind", ["bert", "roberta", "xlm-roberta"])
@pytest.mark.parametrize("activation", ["gelu", "gelu_new", "relu"])
def test_the_graph_is_the_network_by_the_book(tmp_path: Path, kind: str, activation: str) -> None:
    config = tiny_config(model_type=kind, hidden_act=activation, pad_token_id=1)
    weights = tiny_weights(config)
    found = hidden(bert_graph(folder_of(tmp_path, config, weights)), IDS)
    assert found[0] == pytest.approx(forward(config, weights, IDS), abs=2e-5)


def test_padding_changes_nothing(tmp_path: Path) -> None:
    config = tiny_config()
    weights = tiny_weights(config)
    graph = bert_graph(folder_of(tmp_path, config, weights))
    both = hidden(graph, IDS, IDS[:3])
    assert both[0] == pytest.approx(forward(config, weights, IDS), abs=2e-5)
    assert both[1, :3] == pytest.approx(forward(config, weights, IDS[:3]), abs=2e-5)


@pytest.mark.parametrize(("kind", "error"), [("F16", 5e-3), ("BF16", 5e-2)])
def test_half_precision_and_old_names_are_read(tmp_path: Path, kind: str, error: float) -> None:
    config = tiny_config()
    weights = tiny_weights(config)
    old = {
        f"bert.{name}".replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): array
        for name, array in weights.items()
    }
    file = folder_of(tmp_path, config, old, kind)
    for name, array in read_safetensors(file).items():
        assert array.astype(np.float32) == pytest.approx(old[name], rel=2 ** (-7 if kind == "BF16" else -10), abs=1e-6)
    found = hidden(bert_graph(file), IDS)[0]
    expected = forward(config, weights, IDS)
    assert np.linalg.norm(found - expected) / np.linalg.norm(expected) < error


def test_int8_is_near(tmp_path: Path) -> None:
    config = tiny_config(hidden_size=64, intermediate_size=96)
    weights = tiny_weights(config)
    file = folder_of(tmp_path, config, weights)
    exact, rough = hidden(bert_graph(file), IDS)[0], hidden(bert_graph(file, int8=True), IDS)[0]
    assert 0 < np.linalg.norm(exact - rough) / np.linalg.norm(exact) < 0.1


@needs_minilm
def test_a_real_model_is_the_network_by_the_book() -> None:
    assert MINILM is not None
    config = json.loads((MINILM / "config.json").read_text())
    file = MINILM / "model.safetensors"
    ids = [101, 1037, 15113, 10255, 2614, 2046, 8153, 1012, 102]
    expected = forward(config, read_safetensors(file), ids)
    assert hidden(bert_graph(file), ids)[0] == pytest.approx(expected, abs=1e-4)
    rough = hidden(bert_graph(file, int8=True), ids)[0].mean(axis=0)
    mean = expected.mean(axis=0)
    assert rough @ mean / np.linalg.norm(rough) / np.linalg.norm(mean) > 0.99


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"model_type": "mpnet"}, "model_type is 'mpnet'"),
        ({"hidden_act": "swish"}, "hidden_act is 'swish'"),
        ({"position_embedding_type": "relative_key"}, "get the model's ONNX file"),
    ],
)
def test_networks_that_are_no_bert_are_refused(tmp_path: Path, changes: dict[str, str], told: str) -> None:
    file = folder_of(tmp_path, tiny_config(**changes), tiny_weights(tiny_config()))
    with pytest.raises(BadFile, match=told):
        bert_graph(file)


def test_what_is_missing_is_told(tmp_path: Path) -> None:
    weights = tiny_weights(tiny_config())
    del weights["encoder.layer.1.output.dense.bias"]
    file = folder_of(tmp_path, tiny_config(), weights)
    with pytest.raises(BadFile, match=r"encoder\.layer\.1\.output\.dense\.bias is missing"):
        bert_graph(file)
    (tmp_path / "config.json").unlink()
    with pytest.raises(BadFile, match=r"config\.json: needed"):
        bert_graph(file)


@pytest.mark.parametrize("damage", [b"", b"12345", b"\x10" + bytes(7) + b"not JSON at all.", bytes([255] * 64)])
def test_damaged_weights_are_told(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / "model.safetensors"
    file.write_bytes(damage)
    with pytest.raises(BadFile, match="no whole safetensors file"):
        read_safetensors(file)


def test_weights_cut_short_are_told(tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    write_safetensors(file, {"a": np.ones((4, 4), np.float32)})
    file.write_bytes(file.read_bytes()[:-5])
    with pytest.raises(BadFile, match="no whole safetensors file"):
        read_safetensors(file)
