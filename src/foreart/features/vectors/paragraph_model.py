"""gensim's paragraph vectors, for full texts, with reproducible inference and saved as plain arrays."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from foreart.errors import IndexingError
from foreart.features.vectors.gensim_models import TokenChunks, chunks, gensim

# A gensim model: gensim has no types.
Model = Any

# How the context words and the text vector predict a word.
# `cbow_mean` and not `dm_mean`: the constructor of gensim 4 stores `dm_mean` and then overwrites it by `cbow_mean`.
METHODS: dict[str, dict[str, int]] = {
    "sum": {"dm": 1, "cbow_mean": 0},
    "mean": {"dm": 1, "cbow_mean": 1},
    "concatenation": {"dm": 1, "dm_concat": 1},
    "bag": {"dm": 0},
}
# gensim's padding word before the start and after the end of a text.
NO_WORD = "\0"

_KIND = "doc2vec"
_ARRAYS = {"vectors": np.float32, "hidden": np.float32, "keeping": np.uint32}
# What only one of the two ways to predict needs: counterexamples are drawn, a hierarchical softmax has a Huffman tree.
_DRAWING, _COUNTS = {"drawing": np.uint32}, {"counts": np.int64}


def make_model(settings: dict[str, Any], *, method: str) -> Model:
    """An untrained model."""
    return gensim("doc2vec", _KIND).Doc2Vec(**settings, **METHODS[method], min_count=1)


def train(model: Model, texts: TokenChunks, totals: dict[str, int], *, epochs: int) -> None:
    """Trains the model; chunks of a text share a vector, which is dropped afterwards."""
    tagged = gensim("doc2vec", _KIND).TaggedDocument
    model.dv.index_to_key = list(range(len(texts.stream)))
    model.build_vocab_from_freq(totals, corpus_count=len(texts.stream))
    _complete_tree(model)
    tagged_chunks = TokenChunks(texts.stream, texts.known, lambda chunk, text: tagged(chunk, [text]))
    if totals:  # gensim refuses to train on no words
        model.train(tagged_chunks, total_words=sum(totals.values()), epochs=epochs)
    model.dv.vectors, model.dv.index_to_key = model.dv.vectors[:0], []


def infer(model: Model, words: Sequence[str], *, key: int, seed: int, epochs: int, rate: float) -> np.ndarray:
    """Infers the vector of a text of known words, starting from one that `key` and the seed determine.

    The learning rate falls from `rate` to that at the end of training.

    gensim's own `infer_vector` reads 10,000 words, starts from Python's salted hash, and continues the random state of
    the previous text; this runs its loop over all chunks in each round.
    """
    model = copy.copy(model)  # its generator is set below, and several threads may infer at once
    random = np.random.default_rng([key, seed])
    size = model.vector_size
    vector = ((random.random((1, size)) - 0.5) / size).astype(np.float32)
    model.random = np.random.RandomState(int(random.integers(2**32)))  # the only generator that gensim's loops support
    learn = _loop(model, vector)
    parts = list(chunks(words))
    for current in np.linspace(rate, model.min_alpha, epochs).tolist():
        for part in parts:
            learn(model, part, [0], current)
    inferred: np.ndarray = vector[0]
    return inferred


def _loop(model: Model, vector: np.ndarray) -> Callable[..., int]:
    """gensim's loop over the words of a text, with all weights but the text vector frozen.

    Work buffers are always passed in: those that the loop allocates itself are freed before use (gensim 4.4).
    """
    name = "dbow" if model.sg else "dm_concat" if model.dm_concat else "dm"
    memory = {part: np.zeros(model.layer1_size, np.float32) for part in (("work",) if model.sg else ("work", "neu1"))}
    fixed = {"learn_words": False, "learn_hidden": False, "doctags_lockf": np.ones(1, np.float32)}
    return partial(
        getattr(gensim("doc2vec", _KIND), f"train_document_{name}"), doctag_vectors=vector, **fixed, **memory
    )


def save_model(folder: Path, model: Model) -> None:
    """Writes the arrays that `infer` needs."""
    (folder / "words.json").write_text(json.dumps(model.wv.index_to_key, ensure_ascii=False), "utf-8")
    state = {
        "vectors": model.wv.vectors,
        "hidden": model.syn1 if model.hs else model.syn1neg,
        "keeping": model.wv.expandos.get("sample_int", np.empty(0)),  # missing if there are no words
        "drawing": getattr(model, "cum_table", None),
        "counts": model.wv.expandos.get("count", np.empty(0)),
    }
    for name, kind in _arrays(model).items():
        np.save(folder / f"{name}.npy", state[name].astype(kind, copy=False))


def load_model(folder: Path, model: Model) -> Model:
    """Loads the files of `save_model` into a new model. Checks sizes: compiled loops would read out of bounds."""
    words = json.loads((folder / "words.json").read_text("utf-8"))
    arrays = {name: np.load(folder / f"{name}.npy") for name in _arrays(model)}
    widths = {"vectors": (model.vector_size,), "hidden": (model.layer1_size,)}
    for name, array in arrays.items():
        if array.shape != (len(words), *widths.get(name, ())) or array.dtype != _arrays(model)[name]:
            raise IndexingError(f"{folder / name}.npy does not fit words.json; rebuild the index")
    model.wv.index_to_key = words
    model.wv.key_to_index = {word: index for index, word in enumerate(words)}
    model.wv.vectors = np.ascontiguousarray(arrays["vectors"])
    model.wv.expandos["sample_int"] = arrays["keeping"]
    hidden = np.ascontiguousarray(arrays["hidden"])
    if model.hs:
        model.syn1, model.wv.expandos["count"] = hidden, arrays["counts"]
        model.create_binary_tree()
        _complete_tree(model)
    else:
        model.syn1neg, model.cum_table = hidden, arrays["drawing"]
    return model


def _arrays(model: Model) -> Mapping[str, type[np.generic]]:
    """The arrays of a model and their types."""
    return {**_ARRAYS, **(_COUNTS if model.hs else _DRAWING)}


def _complete_tree(model: Model) -> None:
    """Gives the only word of a vocabulary an array as its path: gensim leaves a list, whose memory its loops read."""
    if model.hs and len(model.wv) == 1:
        model.wv.expandos["code"][0], model.wv.expandos["point"][0] = np.empty(0, np.uint8), np.empty(0, np.uint32)
