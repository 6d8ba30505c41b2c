"""Reads a folder with a sentence encoder in the layout of Hugging Face and sentence-transformers.

model/
├── model.onnx                          or onnx/model.onnx, or the file named
├── tokenizer.json                      the tokenizer
├── modules.json                        optional: the steps after the network
├── 1_Pooling/config.json               optional: the pooling (default: mean)
├── sentence_bert_config.json           optional: the maximum number of tokens
└── config_sentence_transformers.json   optional: the prompts of queries and documents
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foreart.errors import BadFile
from foreart.features.vectors.pooling import FLAGS

GRAPHS = ("model.onnx", "onnx/model.onnx")
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_STEPS = ("Transformer", "Pooling", "Normalize")
_MAX_TOKENS = 512


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """The configuration of a folder. `pooling` and `steps` (after pooling) may be unsupported by foreart."""

    graph: Path
    tokenizer: Path
    pooling: str
    prompt: str
    query_prompt: str
    pools_prompt: bool
    tokens: int
    lower_case: bool
    steps: tuple[str, ...]


def read_model_folder(folder: Path, file: str | None = None) -> ModelFolder:
    """Reads the configuration; the error names a file that is missing."""
    if not folder.is_dir():
        raise BadFile(f"{folder}: no such folder; name one with a sentence encoder (model.onnx and tokenizer.json)")
    graph = _graph(folder, file)
    tokenizer = folder / "tokenizer.json"
    if not tokenizer.is_file():
        raise BadFile(f"{folder}: tokenizer.json is missing; download it from the source of the model")
    steps = [str(module.get("type", "")).rsplit(".", 1)[-1] for module in _json(folder / "modules.json", [])]
    pooling = _json(folder / _pooling_path(folder) / "config.json", {})
    sentences = _json(folder / "sentence_bert_config.json", {})
    prompts = _json(folder / "config_sentence_transformers.json", {})
    return ModelFolder(
        graph=graph,
        tokenizer=tokenizer,
        pooling=_pooling(pooling),
        prompt=_prompt(prompts, "document", "passage"),
        query_prompt=_prompt(prompts, "query"),
        pools_prompt=bool(pooling.get("include_prompt", True)),
        tokens=_tokens(folder, sentences),
        lower_case=bool(sentences.get("do_lower_case", False)),
        steps=tuple(step for step in steps if step not in _STEPS),
    )


def fingerprint(model: ModelFolder) -> dict[str, str]:
    """The SHA-256 of the network and the tokenizer, by file name."""
    files = [model.graph, *sorted(model.graph.parent.glob(f"{model.graph.name}[._]data*")), model.tokenizer]
    return {file.name: _sha256(file) for file in files}


def _sha256(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise BadFile(f"{file}: not readable ({error})") from None


def _graph(folder: Path, file: str | None) -> Path:
    for name in GRAPHS if file is None else (file,):
        if (folder / name).is_file():
            return folder / name
    if file is not None:
        raise BadFile(f"{folder}: there is no file {file!r}")
    others = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.onnx"))
    if others:
        raise BadFile(f"{folder}: no {GRAPHS[0]}; name the file to use, such as file={others[0]}")
    found = "only weights" if any(any(folder.glob(name)) for name in _WEIGHTS) else "no model"
    raise BadFile(
        f"{folder}: no {GRAPHS[0]}, {found}; create one: "
        f"optimum-cli export onnx --task feature-extraction --model {folder} {folder}"
    )


def _pooling_path(folder: Path) -> str:
    """The folder of the pooling step, `1_Pooling` unless modules.json names another."""
    for module in _json(folder / "modules.json", []):
        if str(module.get("type", "")).endswith(".Pooling"):
            return str(module.get("path", "1_Pooling"))
    return "1_Pooling"


def _pooling(config: Mapping[str, Any]) -> str:
    """The name of the pooling; several, or an unknown one, as named in the file."""
    flags = [flag for flag, value in config.items() if flag.startswith("pooling_mode_") and value]
    if "pooling_mode" in config:
        flags = [f"pooling_mode_{config['pooling_mode']}"]
    return " and ".join(sorted({FLAGS.get(flag, flag) for flag in flags})) or "mean"


def _prompt(config: Mapping[str, Any], *names: str) -> str:
    prompts = config.get("prompts") or {}
    for name in (*names, config.get("default_prompt_name")):
        if name is not None and prompts.get(name):
            return str(prompts[name])
    return ""


def _tokens(folder: Path, sentences: Mapping[str, Any]) -> int:
    """The maximum number of tokens: as in sentence-transformers, at most the number of positions."""
    config = _json(folder / "config.json", {})
    positions = config.get("max_position_embeddings") or _MAX_TOKENS
    if "roberta" in str(config.get("model_type")):
        positions -= config.get("pad_token_id", 1) + 1
    limit = sentences.get("max_seq_length") or _json(folder / "tokenizer_config.json", {}).get("model_max_length")
    return int(min(limit or _MAX_TOKENS, positions))


def _json(file: Path, absent: Any) -> Any:  # noqa: ANN401
    if not file.is_file():
        return absent
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadFile(f"{file}: not readable ({error})") from None
    if not isinstance(found, type(absent)):
        raise BadFile(f"{file}: not in the format of sentence-transformers")
    return found
