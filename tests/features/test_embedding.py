"""Rows of sentence encoders: tiny random ones against numpy, a real one on sentences of known similarity."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest

from extras import reason
from features.models import (
    BGE,
    WORDS,
    forward,
    needs_bge,
    network,
    tiny_model,
    tiny_weights,
    write_tokenizer,
)
from foreart.errors import BadFile, ForeartError, IndexingError, MissingExtra
from foreart.features import load
from foreart.features.vectors.embedding import Embedding
from foreart.features.vectors.encoder import Encoder
from foreart.features.vectors.model_folder import read_model_folder
from foreart.features.vectors.pooling import POOLINGS

pytest.importorskip("onnxruntime", reason=reason("onnxruntime"))
pytest.importorskip("tokenizers", reason=reason("tokenizers"))

TEXT = "a probe sends sound into tissue"
LONG = ". ".join(["a probe sends sound into tissue", "the needle", "a pump with one valve", "echoes of bone"] * 3)
WEIGHTS = tiny_weights()


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return tiny_model(tmp_path / "model")


def token_ids(text: str) -> list[int]:
    """The token ids of a text of known words."""
    return [2, *(4 + WORDS.index(word) for word in text.split()), 3]


def unit(row: np.ndarray) -> np.ndarray:
    return row / np.linalg.norm(row)


def with_json(folder: Path, name: str, form: object) -> Path:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(form))
    return folder


def tokens_of(text: str) -> np.ndarray:
    return forward(WEIGHTS, token_ids(text))


# ── one passage ──


@pytest.mark.parametrize("pooling", POOLINGS)
def test_row_is_the_pooled_network(model: Path, pooling: str) -> None:
    tokens = tokens_of(TEXT)
    expected = {"mean": tokens.mean(axis=0), "cls": tokens[0], "max": tokens.max(axis=0), "last": tokens[-1]}[pooling]
    rows = Embedding(model, pooling=pooling).fit_encode([TEXT])
    assert rows.dtype == np.float32
    assert rows[0] == pytest.approx(unit(expected), abs=1e-5)


@pytest.mark.parametrize(
    ("config", "pooling"),
    [
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, "cls"),
        ({"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True}, "mean"),
        ({"pooling_mode_max_tokens": True}, "max"),
        ({"pooling_mode_lasttoken": True, "word_embedding_dimension": 8}, "last"),
        ({"pooling_mode": "cls"}, "cls"),
        ({}, "mean"),
    ],
)
def test_pooling_defaults_to_that_of_the_folder(model: Path, config: dict[str, object], pooling: str) -> None:
    with_json(model, "1_Pooling/config.json", config)
    default = Embedding(model).fit_encode([TEXT])
    assert np.array_equal(default, Embedding(model, pooling=pooling).fit_encode([TEXT]))
    other = next(name for name in POOLINGS if name != pooling)
    assert not np.allclose(default, Embedding(model, pooling=other).fit_encode([TEXT]))


def test_pooling_folder_is_named_in_modules_json(model: Path) -> None:
    with_json(model, "modules.json", [{"type": "sentence_transformers.models.Pooling", "path": "2_Pooling"}])
    with_json(model, "2_Pooling/config.json", {"pooling_mode_cls_token": True})
    assert read_model_folder(model).pooling == "cls"


def test_prompts_are_put_before_documents_and_queries(model: Path) -> None:
    with_json(model, "config_sentence_transformers.json", {"prompts": {"query": "one device . ", "passage": "bone . "}})
    features = Embedding(model).fit(())
    plain = Embedding(model, prompt="", query_prompt="").fit(())
    assert np.array_equal(features.encode([TEXT]), plain.encode([f"bone . {TEXT}"]))
    assert np.array_equal(features.encode_queries([TEXT]), plain.encode([f"one device . {TEXT}"]))
    assert np.array_equal(plain.encode([TEXT]), plain.encode_queries([TEXT]))
    # A prompt alone is not a text.
    assert not features.encode_queries(["", "zebra"]).any()


def test_include_prompt_false_leaves_the_prompt_out_of_pooling(model: Path) -> None:
    with_json(model, "1_Pooling/config.json", {"pooling_mode_mean_tokens": True, "include_prompt": False})
    found = Embedding(model, query_prompt="one device ").fit(()).encode_queries([TEXT])[0]
    assert found == pytest.approx(unit(tokens_of(f"one device {TEXT}")[3:].mean(axis=0)), abs=1e-5)
    first = Embedding(model, pooling="cls", query_prompt="one device ").fit(()).encode_queries([TEXT])[0]
    assert first == pytest.approx(unit(tokens_of(f"one device {TEXT}")[0]), abs=1e-5)


def test_text_is_truncated_as_the_model_says_and_never_padded(model: Path) -> None:
    padding = {"strategy": {"Fixed": 30}, "direction": "Right", "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"}
    truncation = {"max_length": 3, "strategy": "LongestFirst", "stride": 0, "direction": "Right"}
    expected = Embedding(model).fit_encode([TEXT])
    write_tokenizer(model / "tokenizer.json", padding={**padding, "pad_to_multiple_of": None}, truncation=truncation)
    assert np.array_equal(Embedding(model).fit_encode([TEXT]), expected)
    with_json(model, "sentence_bert_config.json", {"max_seq_length": 5, "do_lower_case": True})
    assert np.array_equal(Embedding(model).fit_encode([TEXT])[0], Embedding(model).fit_encode(["A probe sends"])[0])


@pytest.mark.parametrize(
    ("files", "tokens"),
    [
        ({}, 40),
        ({"sentence_bert_config.json": {"max_seq_length": 9}}, 9),
        ({"sentence_bert_config.json": {"max_seq_length": 900}}, 40),
        ({"tokenizer_config.json": {"model_max_length": 1e30}}, 40),
        ({"config.json": {"max_position_embeddings": 514, "model_type": "xlm-roberta", "pad_token_id": 1}}, 512),
    ],
)
def test_maximum_number_of_tokens(model: Path, files: dict[str, object], tokens: int) -> None:
    for name, form in files.items():
        with_json(model, name, form)
    assert read_model_folder(model).tokens == tokens


# ── passages ──


def test_document_is_the_mean_of_its_passages(model: Path) -> None:
    features = Embedding(model, passage_words=6).fit(())
    parts = features.passages(LONG)
    assert len(parts) > 5
    alone = features.encode(parts)
    assert features.encode([LONG])[0] == pytest.approx(unit(alone.mean(axis=0)), abs=1e-6)


def test_groups_have_a_row_for_each_passage_and_at_least_one(model: Path) -> None:
    features = Embedding(model, passage_words=6, aggregate="max")
    texts = [TEXT, "", LONG]
    rows, ends = features.fit_encode_groups(iter(texts))
    sizes = [len(features.passages(text)) for text in texts]
    assert features.grouped
    assert np.diff(ends).tolist() == sizes
    assert sizes[:2] == [1, 1]
    assert np.array_equal(rows, features.encode([passage for text in texts for passage in features.passages(text)]))
    assert rows.dtype == np.float32
    assert not rows[1].any()
    empty, none = features.encode_groups([])
    assert (empty.shape, none.tolist()) == ((0, 8), [0])


def test_best_passage_scores_at_least_the_mean(model: Path) -> None:
    features = Embedding(model, passage_words=6, aggregate="max").fit(())
    rows, ends = features.encode_groups([LONG, TEXT])
    for query in ("a valve", "bone and tissue", "one needle hears"):
        row = features.encode_queries([query])[0]
        for start, end in pairwise(ends.tolist()):
            scores = rows[start:end] @ row
            assert scores.max() >= scores.mean() - 1e-6


def test_limit_selects_passages_evenly(model: Path) -> None:
    everything = Embedding(model, passage_words=6).passages(LONG)
    size = len(everything)
    assert Embedding(model, passage_words=6, limit=3).passages(LONG) == [
        everything[index] for index in (0, (size - 1) // 2, size - 1)
    ]
    assert Embedding(model, passage_words=6, limit=1).passages(LONG) == everything[:1]
    assert Embedding(model, passage_words=6, limit=size).passages(LONG) == everything


# ── the contract ──


@pytest.mark.parametrize("text", ["", " \n ", "?! …", "zebra quagga"])
def test_texts_without_a_known_word_give_zero_rows(model: Path, text: str) -> None:
    rows = Embedding(model).fit_encode([text, TEXT])
    assert not rows[0].any()
    assert np.linalg.norm(rows[1]) == pytest.approx(1, abs=1e-6)


def test_no_texts_give_no_rows_of_the_right_width(model: Path) -> None:
    assert Embedding(model).fit_encode([]).shape == (0, 8)


def test_constructor_only_stores(tmp_path: Path) -> None:
    features = Embedding(str(tmp_path / "nowhere"), limit=3)
    assert vars(features) == features.parameters
    assert features.parameters["model"] == str(tmp_path / "nowhere")
    assert json.loads(json.dumps(features.parameters)) == features.parameters


def test_folder_is_stored_as_absolute_path(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(model.parent)
    assert Embedding("model").parameters["model"] == str(model)


def test_texts_are_streamed(model: Path) -> None:
    read = 0

    def texts() -> Iterator[str]:
        nonlocal read
        for _ in range(200):
            read += 1
            yield TEXT

    encoder = Encoder(read_model_folder(model), threads=2)
    rows = encoder.rows(texts())
    assert len(list(islice(rows, 5))) == 5
    assert read <= 5 + 8
    rows.close()  # type: ignore[attr-defined]
    assert len(Embedding(model).fit_encode(texts())) == 200


def test_rows_do_not_depend_on_threads_and_other_texts(model: Path) -> None:
    texts = [LONG, TEXT, "", "one valve", *[f"{word} of a pump" for word in WORDS]]
    rows = Embedding(model, threads=1).fit_encode(texts)
    for threads in (2, 5, None):
        assert np.array_equal(Embedding(model, threads=threads).fit_encode(texts), rows)
    assert np.array_equal(Embedding(model).fit_encode(texts[::-1])[::-1], rows)


def test_rows_are_equal_in_another_process(model: Path) -> None:
    code = (
        "import sys, hashlib; from foreart.features.vectors.embedding import Embedding; "
        "rows = Embedding(sys.argv[1], passage_words=6).fit_encode(sys.argv[2:]); "
        "print(hashlib.sha256(rows.tobytes()).hexdigest())"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code, str(model), LONG, TEXT], capture_output=True, text=True, check=True
    ).stdout
    rows = Embedding(model, passage_words=6).fit_encode([LONG, TEXT])
    assert printed.strip() == hashlib.sha256(rows.tobytes()).hexdigest()


def test_model_file_can_be_named(model: Path) -> None:
    rows = Embedding(model).fit_encode([TEXT])
    (model / "onnx").mkdir()
    (model / "model.onnx").rename(model / "onnx" / "model.onnx")
    assert np.array_equal(Embedding(model).fit_encode([TEXT]), rows)
    (model / "onnx" / "model.onnx").rename(model / "onnx" / "rough.onnx")
    assert np.array_equal(Embedding(model, file="onnx/rough.onnx").fit_encode([TEXT]), rows)


# ── save and load ──


def test_saved_features_encode_as_before(model: Path, tmp_path: Path) -> None:
    features = Embedding(model, passage_words=6, limit=4, pooling="max", aggregate="max").fit([LONG])
    features.save(tmp_path / "features")
    again = load(tmp_path / "features")
    assert again.parameters == features.parameters
    assert again.grouped
    assert np.array_equal(again.encode([LONG, TEXT]), features.encode([LONG, TEXT]))
    digest = hashlib.sha256((model / "model.onnx").read_bytes()).hexdigest()
    assert json.loads((tmp_path / "features" / "model.json").read_text())["files"]["model.onnx"] == digest


def test_index_of_version_0_1_0_is_read(model: Path, tmp_path: Path) -> None:
    Embedding(model).fit(()).save(tmp_path / "features")
    file = tmp_path / "features" / "features.json"
    form = json.loads(file.read_text())
    for int8 in (False, True):
        file.write_text(json.dumps({**form, "parameters": {**form["parameters"], "int8": int8}}))
        if not int8:
            assert np.array_equal(load(file.parent).encode([TEXT]), Embedding(model).fit_encode([TEXT]))
    with pytest.raises(IndexingError, match="rebuild the index"):
        load(file.parent)


def test_changed_model_is_refused(model: Path, tmp_path: Path) -> None:
    Embedding(model).fit(()).save(tmp_path / "features")
    with_json(model, "1_Pooling/config.json", {"pooling_mode_cls_token": True})
    with pytest.raises(IndexingError, match=r"has changed since the index was built \(pooling\); restore the model"):
        load(tmp_path / "features")
    shutil.rmtree(model / "1_Pooling")
    load(tmp_path / "features")
    tiny_model(model, seed=2)
    with pytest.raises(IndexingError, match=r"has changed since the index was built \(model\.onnx\)"):
        load(tmp_path / "features")


def test_moved_model_is_refused(model: Path, tmp_path: Path) -> None:
    Embedding(model).fit(()).save(tmp_path / "features")
    model.rename(tmp_path / "elsewhere")
    with pytest.raises(
        IndexingError, match=r"the encoder of this index cannot be read: .*model: no such folder.*rebuild the index"
    ):
        load(tmp_path / "features")


# ── errors ──


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"pooling": "sum"}, "pooling is 'sum'; it can be mean, cls, max, last"),
        ({"aggregate": "sum"}, "it can be mean, max"),
        ({"limit": 0}, "limit is 0; it can be 1 or more"),
        ({"threads": 0}, "threads is 0; it can be 1 or more"),
        ({"passage_words": 0}, "at least one word"),
        ({"overlap": 51}, "0 to 50"),
    ],
)
def test_wrong_parameters_are_refused_by_fit(model: Path, wrong: dict[str, object], message: str) -> None:
    with pytest.raises(ForeartError, match=message):
        Embedding(model, **wrong).fit([])  # type: ignore[arg-type]


def test_missing_files_are_named(tmp_path: Path, model: Path) -> None:
    with pytest.raises(BadFile, match="nowhere: no such folder"):
        Embedding(tmp_path / "nowhere").fit(())
    with pytest.raises(BadFile, match=r"there is no file 'onnx/x\.onnx'"):
        Embedding(model, file="onnx/x.onnx").fit(())
    (model / "model.onnx").rename(model / "other.onnx")
    with pytest.raises(BadFile, match=r"no model\.onnx; name the file to use, such as file=other\.onnx"):
        Embedding(model).fit(())
    (model / "other.onnx").rename(model / "model.safetensors")
    with pytest.raises(BadFile, match=r"no model\.onnx, only weights; create one: optimum-cli export onnx --task"):
        Embedding(model).fit(())
    (model / "model.safetensors").unlink()
    with pytest.raises(BadFile, match=r"no model\.onnx, no model; create one"):
        Embedding(model).fit(())
    tiny_model(model)
    (model / "tokenizer.json").unlink()
    with pytest.raises(BadFile, match=r"model: tokenizer\.json is missing"):
        Embedding(model).fit(())


def test_damaged_files_are_refused(model: Path) -> None:
    (model / "model.onnx").write_bytes(b"no graph")
    with pytest.raises(BadFile, match=r"model\.onnx: ONNX Runtime cannot load it"):
        Embedding(model).fit_encode([TEXT])
    tiny_model(model)
    (model / "tokenizer.json").write_text("{}")
    with pytest.raises(BadFile, match=r"tokenizer\.json: not a tokenizer"):
        Embedding(model).fit_encode([TEXT])
    (model / "modules.json").write_text("{}")
    with pytest.raises(BadFile, match=r"modules\.json: not in the format"):
        Embedding(model).fit(())
    (model / "modules.json").write_text("[")
    with pytest.raises(BadFile, match=r"modules\.json: not readable"):
        Embedding(model).fit(())


def test_unsupported_poolings_are_refused(model: Path) -> None:
    both = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True}
    for config in (both, {"pooling_mode_weightedmean_tokens": True}):
        with_json(model, "1_Pooling/config.json", config)
        with pytest.raises(BadFile, match="name a pooling: mean"):
            Embedding(model).fit(())
        Embedding(model, pooling="mean").fit(())


def test_network_with_fewer_positions_than_configured_is_refused(model: Path) -> None:
    (model / "config.json").unlink()
    with pytest.raises(BadFile, match=r"model\.onnx: fails on a passage of 62 tokens"):
        Embedding(model).fit_encode(["sound " * 60])


def test_missing_libraries_name_the_extra(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("onnxruntime", "tokenizers"):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, library, None)
            with pytest.raises(MissingExtra, match=r"pip install 'foreart\[embedding\]'"):
                Embedding(model).fit_encode([TEXT])


# ── other networks ──


def max_pooling_model(folder: Path, kind: str = "int32", *, input_name: str = "input_ids", tokens: bool = True) -> Path:
    """A network whose token rows come from a table, and whose sentence row is their maximum with the first entry 0."""
    arrays = {
        "table": np.arange(60, dtype=np.float32).reshape(30, 2) ** 2,
        "second": np.array([0, 1], dtype=np.float32),
    }
    steps = [
        ("Gather", ["table", input_name], "token_embeddings"),
        ("ReduceMax", ["token_embeddings"], "largest"),
        ("Mul", ["largest", "second"], "sentence_embedding"),
    ]
    outputs: dict[str, list[str | int]] = {"sentence_embedding": ["batch", 2]}
    if tokens:
        outputs = {"token_embeddings": ["batch", "length", 2], **outputs}
    (folder / "model.onnx").write_bytes(network(steps, {input_name: kind}, outputs, arrays))
    return folder


def test_sentence_output_is_used_unless_a_pooling_is_given(model: Path) -> None:
    max_pooling_model(model)
    assert Embedding(model).fit_encode([TEXT]).tolist() == [[0, 1]]
    expected = np.mean([[(2 * number) ** 2, (2 * number + 1) ** 2] for number in token_ids(TEXT)], axis=0)
    assert Embedding(model, pooling="mean").fit_encode([TEXT])[0] == pytest.approx(unit(expected), abs=1e-6)


def test_network_with_other_inputs_is_refused(model: Path) -> None:
    max_pooling_model(model, input_name="pixel_values")
    with pytest.raises(BadFile, match=r"has the input pixel_values \(tensor\(int32\)\)"):
        Embedding(model).fit_encode([TEXT])


def test_steps_after_pooling_are_refused_unless_in_the_network(model: Path) -> None:
    with_json(
        model, "modules.json", [{"type": f"sentence_transformers.models.{step}"} for step in ("Pooling", "Dense")]
    )
    with pytest.raises(BadFile, match=r"Dense \(modules\.json\) should follow"):
        Embedding(model).fit_encode([TEXT])
    max_pooling_model(model, tokens=False)
    assert Embedding(model).fit_encode([TEXT]).tolist() == [[0, 1]]
    with pytest.raises(BadFile, match="has the outputs sentence_embedding; the one to pool"):
        Embedding(model, pooling="mean").fit_encode([TEXT])


# ── real models ──

SENTENCES = [
    "A probe on the skin sends ultrasound into the tissue and listens to the echoes.",
    "The transducer emits acoustic pulses towards the body and records their reflections.",
    "The gearbox shifts by a hydraulic clutch when the engine slows down.",
    "A transmission changes gears with an oil-driven coupling at low motor speed.",
]
UNLIKE = [(0, 2), (0, 3), (1, 2), (1, 3)]


@needs_bge
def test_bge_ranks_similar_sentences_first() -> None:
    assert BGE is not None
    rows = Embedding(BGE, pooling="cls").fit_encode(SENTENCES)
    similarity = rows @ rows.T
    assert min(similarity[0, 1], similarity[2, 3]) > 0.1 + max(similarity[pair] for pair in UNLIKE)


@needs_bge
def test_best_passage_beats_the_mean() -> None:
    """One sentence on the subject in a text about another."""
    assert BGE is not None
    features = Embedding(BGE, pooling="cls", passage_words=16, aggregate="max").fit(())
    hidden = " ".join([SENTENCES[2], SENTENCES[0], SENTENCES[3]])
    query = features.encode_queries([SENTENCES[1]])[0]
    rows, ends = features.encode_groups([hidden])
    assert (rows @ query).argmax() == 1
    assert (rows @ query).max() > features.encode([hidden])[0] @ query + 0.05
    assert ends.tolist() == [0, 3]
