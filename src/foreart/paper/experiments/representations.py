"""The text representations: the five of the paper and some beyond it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Source = Literal["counts", "stream", "texts"]


@dataclass(frozen=True, slots=True)
class Representation:
    """`kind` and `parameters` define the features; `whole` ones are fitted on targets too, which affects only idf.

    `learns` is the section to learn from, by default the one that is compared. `dimensions` names the parameter that is
    varied. `slow` ones are trained only on the sections of the paper, because descriptions are as long as full texts.
    """

    name: str
    label: str
    kind: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    source: Source = "counts"
    whole: bool = False
    learns: str = ""
    dimensions: str = ""
    of_paper: bool = True
    slow: bool = False


# In the order of the paper's table 1.
REPRESENTATIONS: Mapping[str, Representation] = {
    each.name: each
    for each in (
        Representation("tfidf", "Bag-of-words", "tfidf", whole=True),
        Representation("lsa", "LSA", "lsa", dimensions="dimensions"),
        Representation("kpca", "KPCA", "kpca", dimensions="dimensions"),
        Representation("word2vec", "BOW + word2vec", "word2vec", source="stream", slow=True),
        # As in the authors' scripts, whose section vectors are inferred by the model of the full texts.
        Representation("doc2vec", "doc2vec", "doc2vec", source="stream", learns="full", slow=True),
        Representation("log-tfidf", "Bag-of-words, log tf", "tfidf", {"tf": "log"}, whole=True, of_paper=False),
        Representation("bm25", "BM25", "bm25", whole=True, of_paper=False),
        Representation("ppmi", "BOW + PPMI vectors", "ppmi", source="stream", of_paper=False),
        Representation("embedding", "Sentence embedding", "embedding", {"limit": 16}, source="texts", of_paper=False),
    )
}
