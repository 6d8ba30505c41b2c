"""gensim's paragraph vectors, with what it leaves open: whole texts, rows that no salted hash decides, plain files."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from foreart.errors import IndexingError
from foreart.features.vectors.gensim_door import TokenChunks, cut, gensim

# Any model of gensim's: it has no types.
Model = Any

# How the words around and the text's vector foretell a word.
METHODS: dict[str, dict[str, int]] = {"mean": {"dm": 1}, "concatenation": {"dm": 1, "dm_concat": 1}, "bag": {"dm": 0}}
# What gensim takes for a word before the beginning and after the end.
NO_WORD = "\0"

_KIND = "doc2vec"
_ARRAYS = {"vectors": np.float32, "hidden": np.float32, "drawing": np.uint32, "keeping": np.uint32}


def make_model(settings: dict[str, Any], *, method: str) -> Model:
    """A model that has not learned anything yet."""
    return gensim("doc2vec", _KIND).Doc2Vec(**settings, **METHODS[method], min_count=1)


def train(model: Model, pieces: TokenChunks, tags: Sequence[int], totals: dict[str, int], *, epochs: int) -> np.ndarray:
    """The vector of each tag after training; pieces of one text have one tag, and so may equal texts."""
    tagged = gensim("doc2vec", _KIND).TaggedDocument
    model.dv.index_to_key = list(range(max(tags, default=-1) + 1))
    model.build_vocab_from_freq(totals, corpus_count=len(tags))
    whole = TokenChunks(pieces.stream, pieces.known, lambda piece, text: tagged(piece, [tags[text]]))
    if totals:  # gensim refuses to train no words
        model.train(whole, total_words=sum(totals.values()), epochs=epochs)
    found: np.ndarray = model.dv.vectors
    model.dv.vectors, model.dv.index_to_key = found[:0], []
    return found


def infer(model: Model, words: Sequence[str], *, key: int, seed: int, epochs: int) -> np.ndarray:
    """The vector that would fit known words best, beginning at one that `key` and seed decide.

    gensim's own `infer_vector` reads 10,000 words, begins where Python's salted hash says, and draws on from the text
    before; so this is its loop, over all pieces in each round.
    """
    model = copy.copy(model)  # its generator is set below, and two threads may ask at once
    chance = np.random.default_rng([key, seed])
    size = model.vector_size
    vector = ((chance.random((1, size)) - 0.5) / size).astype(np.float32)
    model.random = np.random.RandomState(int(chance.integers(2**32)))  # the only generator that gensim's loops know
    learn = _loop(model, vector)
    pieces = list(cut(words))
    for rate in np.linspace(model.alpha, model.min_alpha, epochs).tolist():
        for piece in pieces:
            learn(model, piece, [0], rate)
    found: np.ndarray = vector[0]
    return found


def _loop(model: Model, vector: np.ndarray) -> Callable[..., int]:
    """gensim's loop over the words of a text, with all but the text's vector held fast.

    The loop is always given memory to work in: what it takes for itself it frees before use (gensim 4.4).
    """
    name = "dbow" if model.sg else "dm_concat" if model.dm_concat else "dm"
    memory = {part: np.zeros(model.layer1_size, np.float32) for part in (("work",) if model.sg else ("work", "neu1"))}
    fixed = {"learn_words": False, "learn_hidden": False, "doctags_lockf": np.ones(1, np.float32)}
    return partial(
        getattr(gensim("doc2vec", _KIND), f"train_document_{name}"), doctag_vectors=vector, **fixed, **memory
    )


def save_model(folder: Path, model: Model) -> None:
    """All that `infer` needs."""
    (folder / "words.json").write_text(json.dumps(model.wv.index_to_key, ensure_ascii=False), "utf-8")
    keeping = model.wv.expandos.get("sample_int", np.empty(0))  # none where there are no words
    arrays = model.wv.vectors, model.syn1neg, model.cum_table, keeping
    for name, array in zip(_ARRAYS, arrays, strict=True):
        np.save(folder / f"{name}.npy", array.astype(_ARRAYS[name], copy=False))


def load_model(folder: Path, model: Model) -> Model:
    """Gives a new model what `save_model` wrote. Sizes are checked, for compiled loops would read beyond the end."""
    words = json.loads((folder / "words.json").read_text("utf-8"))
    arrays = {name: np.load(folder / f"{name}.npy") for name in _ARRAYS}
    widths = {"vectors": (model.vector_size,), "hidden": (model.layer1_size,), "drawing": (), "keeping": ()}
    for name, array in arrays.items():
        if array.shape != (len(words), *widths[name]) or array.dtype != _ARRAYS[name]:
            raise IndexingError(f"{folder / name}.npy does not fit the words beside it; build the index anew")
    model.wv.index_to_key = words
    model.wv.key_to_index = {word: place for place, word in enumerate(words)}
    model.wv.vectors, model.syn1neg = np.ascontiguousarray(arrays["vectors"]), np.ascontiguousarray(arrays["hidden"])
    model.cum_table = arrays["drawing"]
    model.wv.expandos["sample_int"] = arrays["keeping"]
    return model
