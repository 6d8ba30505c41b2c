"""The contract of every kind of features: one battery over all examples of all kinds."""

from __future__ import annotations

import gc
import inspect
import json
import os
import subprocess
import sys
import unicodedata
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array, issparse

from features.examples import EXAMPLES, FOREIGN, QUERY, TEXTS, Example, learned
from foreart.errors import ForeartError, IndexingError
from foreart.features import FEATURES, Features, load, make

ROOT = Path(__file__).resolve().parents[2]
EMPTY = "* … !"
LEARNING = [name for name, example in EXAMPLES.items() if example.learns]


@pytest.fixture(params=EXAMPLES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def example(name: str) -> Example:
    return EXAMPLES[name]


def array(rows: object) -> np.ndarray:
    return rows.toarray() if issparse(rows) else np.asarray(rows)  # type: ignore[attr-defined]


def same(left: object, right: object, tolerance: float) -> None:
    np.testing.assert_allclose(array(left), array(right), rtol=0, atol=tolerance)


def check_form(features: Features, rows: object, count: int) -> None:
    """Checks the form of rows: shape, type, finite values, unit length."""
    values = array(rows)
    assert values.shape[0] == count
    assert np.isfinite(values).all()
    if not features.dense:
        assert isinstance(rows, csr_array)
        assert rows.dtype == np.float64
        assert rows.has_sorted_indices
        assert (rows.data != 0).all()
        assert rows.shape[1] == len(features.terms)
        return
    assert isinstance(rows, np.ndarray)
    assert rows.dtype == np.float32
    lengths = np.linalg.norm(values.astype(np.float64), axis=1)
    np.testing.assert_allclose(lengths[lengths > 0], 1.0, atol=1e-5)


def test_every_kind_has_an_example() -> None:
    assert {example.kind for example in EXAMPLES.values()} == set(FEATURES)
    assert all(kind.name == name for name, kind in FEATURES.items())


def test_constructor_only_stores(example: Example) -> None:
    features = example.make()
    assert set(vars(features)) == set(inspect.signature(type(features)).parameters)
    assert all(getattr(features, key) == value for key, value in example.parameters.items())
    assert json.loads(json.dumps(features.parameters)) == features.parameters
    assert type(features)(**features.parameters).parameters == features.parameters


def test_unknown_parameter_is_refused(example: Example) -> None:
    with pytest.raises(ForeartError, match="has no parameter 'wrong'"):
        make(example.kind, {"wrong": 1})
    with pytest.raises(TypeError, match="wrong"):
        FEATURES[example.kind](wrong=1)  # type: ignore[call-arg]


def test_encoding_before_fit_is_an_error(example: Example) -> None:
    for encode in (example.make().encode, example.make().encode_queries):
        with pytest.raises(ForeartError, match="fit"):
            encode(TEXTS)


def test_fit_returns_the_features_and_rows_have_the_right_form(name: str) -> None:
    features = learned(name)
    assert isinstance(features, FEATURES[EXAMPLES[name].kind])
    rows, queries = features.encode(TEXTS), features.encode_queries([*TEXTS, QUERY])
    check_form(features, rows, len(TEXTS))
    check_form(features, queries, len(TEXTS) + 1)
    assert rows.shape[1] == queries.shape[1]
    assert features.measure in ("cosine", "linear")
    check_form(features, features.encode([]), 0)
    assert features.encode([]).shape[1] == rows.shape[1]


def test_texts_are_read_once_and_not_kept(name: str, example: Example) -> None:
    learned(name)  # skips if an extra is missing

    class Text(str):
        """A text that can be weakly referenced."""

    references: list[weakref.ref[Text]] = []

    def once() -> Iterator[Text]:
        for text in TEXTS:
            made = Text(text)
            references.append(weakref.ref(made))
            yield made
            del made

    features = example.make()
    rows = features.fit_encode(once())
    gc.collect()
    assert len(references) == len(TEXTS)
    assert not any(text() is not None for text in references)
    same(rows, learned(name).encode(TEXTS), example.tolerance)


def test_rows_do_not_depend_on_other_texts(name: str, example: Example) -> None:
    features = learned(name)
    rows = array(features.encode(TEXTS))
    same(np.concatenate([array(features.encode([text])) for text in TEXTS]), rows, example.tolerance)
    same(array(features.encode(TEXTS * 7))[-len(TEXTS) :], rows, example.tolerance)
    same(features.encode(TEXTS[::-1]), rows[::-1], example.tolerance)


def test_saved_features_make_the_same_rows(name: str, example: Example, tmp_path: Path) -> None:
    features = learned(name)
    features.save(tmp_path / "features")
    again = load(tmp_path / "features")
    assert type(again) is type(features)
    assert again.parameters == features.parameters
    same(again.encode(TEXTS), features.encode(TEXTS), 0.0)
    same(again.encode_queries([QUERY]), features.encode_queries([QUERY]), 0.0)
    assert again.words(QUERY) == features.words(QUERY)
    assert {file.suffix for file in tmp_path.rglob("*.*")} <= {".npy", ".json"}


def test_every_file_is_needed(name: str, tmp_path: Path) -> None:
    learned(name).save(tmp_path / "complete")
    files = sorted(file.name for file in (tmp_path / "complete").iterdir())
    for missing in files:
        damaged = tmp_path / missing
        damaged.mkdir()
        for other in files:
            if other != missing:
                (damaged / other).hardlink_to(tmp_path / "complete" / other)
        with pytest.raises(IndexingError, match="rebuild the index"):
            load(damaged)


@pytest.mark.parametrize("name", LEARNING)
def test_texts_without_known_words_have_empty_rows(name: str) -> None:
    features = learned(name)
    texts = ["", EMPTY, "zyzzyva quokka"]
    assert not array(features.encode(texts)).any()
    assert not array(features.encode_queries(texts)).any()
    assert array(features.encode([*texts, TEXTS[0]]))[-1].any()


@pytest.mark.parametrize("name", LEARNING)
def test_nearest_text_has_the_same_topic(name: str) -> None:
    """By the measure of the kind."""
    features = learned(name)
    rows, queries = array(features.encode(TEXTS[:40])), array(features.encode_queries(TEXTS[:40]))
    scores = queries @ rows.T
    np.fill_diagonal(scores, -np.inf)
    assert (scores.argmax(axis=1) % 4 == np.arange(40) % 4).mean() > 0.9


@pytest.mark.parametrize("name", LEARNING)
@pytest.mark.parametrize("texts", [["bone screw bone"], ["bone screw plate"] * 5, [EMPTY, ""], ["", "bone screw"]])
def test_small_corpora_are_encoded(name: str, texts: list[str]) -> None:
    learned(name)
    features = EXAMPLES[name].make()
    rows = features.fit_encode(iter(texts))
    check_form(features, rows, len(texts))
    same(features.encode(texts), rows, 1e-6)
    for text, row in zip(texts, array(rows), strict=True):
        same(row, array(rows)[texts.index(text)], 1e-6)


@pytest.mark.parametrize("name", LEARNING)
def test_fit_on_no_texts_is_an_error(name: str) -> None:
    learned(name)
    with pytest.raises(ForeartError, match="no texts"):
        EXAMPLES[name].make().fit(iter(()))


def test_terms_are_the_words_of_the_texts(name: str) -> None:
    features = learned(name)
    if features.dense:
        assert len(features.terms) == 0
        return
    terms = list(features.terms)
    assert terms == sorted(set(terms))
    for text in TEXTS:
        row = features.encode([text])
        words = {terms[column] for column in row.indices}
        assert words <= set(features.words(text)) <= set(terms)


def test_as_published_selects_the_tokenizer(name: str) -> None:
    published = bool(EXAMPLES[name].parameters.get("as_published", False))
    words = learned(name).words("Device-10 at http://x.com/a Größe")
    expected = ["device-11", "at", "grosse"] if published else ["device", "10", "at", "http", "x", "com", "a", "größe"]
    assert words == expected


def test_composed_and_decomposed_letters_are_equal(name: str, example: Example) -> None:
    features = learned(name)
    decomposed = unicodedata.normalize("NFD", FOREIGN)
    assert decomposed != FOREIGN
    same(features.encode([decomposed]), features.encode([FOREIGN]), example.tolerance)
    if example.learns:
        assert array(features.encode([FOREIGN])).any()


def test_parts_sum_to_the_query(name: str) -> None:
    features = learned(name)
    for text in (QUERY, TEXTS[0], FOREIGN):
        found = features.parts(text)
        if found is None:
            return
        row = array(features.encode_queries([text]))[0].astype(np.float64)
        assert len(found.words) == len(found.products(row)) == len(set(found.words))
        assert set(found.words) <= {*features.words(text), ""}
        same(found.total / np.linalg.norm(found.total), row / np.linalg.norm(row), 1e-6)
        other = array(features.encode([TEXTS[1]]))[0].astype(np.float64)
        assert found.products(other).sum() == pytest.approx(found.total @ other, abs=1e-9)
    unknown = features.parts("zyzzyva")
    assert unknown is not None
    assert len(unknown.words) == len(unknown.products(row)) == 0


def test_parts_are_weighted_word_vectors(name: str) -> None:
    """Each part of a query is a positive multiple of the word vector."""
    features = learned(name)
    columns, found = features.word_columns, features.parts(QUERY)
    if columns is None or found is None:
        return
    row = array(features.encode([TEXTS[0]]))[0].astype(np.float64)
    words = [word for word in found.words if word]
    vectors = features.word_rows([columns[word] for word in words])
    shares = dict(zip(found.words, found.products(row).tolist(), strict=True))
    weights = [
        shares[word] / (vector @ row) for word, vector in zip(words, vectors, strict=True) if abs(vector @ row) > 1e-3
    ]
    assert weights
    assert min(weights) > 0


_PROGRAM = """
import sys
from pathlib import Path
import numpy as np
from features.examples import EXAMPLES, QUERY, TEXTS
folder = Path(sys.argv[1])
for number, name in enumerate(sys.argv[2:]):
    features = EXAMPLES[name].make()
    rows = features.fit_encode(iter(TEXTS))
    query = features.encode_queries([QUERY])
    dense = [each if features.dense else each.toarray() for each in (rows, query)]
    np.save(folder / f"{number}.npy", np.concatenate(dense))
"""


def test_rows_are_equal_across_processes_and_thread_counts(tmp_path: Path) -> None:
    """With different hash salts and numbers of threads."""
    names = [name for name in EXAMPLES if _available(name)]
    running = []
    for threads in ("1", "2"):
        folder = tmp_path / threads
        folder.mkdir()
        variables = {f"{library}_NUM_THREADS": threads for library in ("OPENBLAS", "OMP", "MKL", "NUMBA")}
        paths = os.pathsep.join([str(ROOT / "tests"), str(ROOT / "src")])
        environment = {**os.environ, **variables, "PYTHONHASHSEED": threads, "PYTHONPATH": paths}
        command = [sys.executable, "-c", _PROGRAM, str(folder), *names]
        running.append(subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True))
    for process in running:
        errors = process.communicate()[1]
        assert process.returncode == 0, errors
    for number, name in enumerate(names):
        left, right = (np.load(tmp_path / threads / f"{number}.npy") for threads in ("1", "2"))
        same(left, right, EXAMPLES[name].tolerance)


def _available(name: str) -> bool:
    try:
        learned(name)
    except pytest.skip.Exception:
        return False
    return True
