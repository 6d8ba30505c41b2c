"""Texts cut once by parts are the texts of every section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from foreart.corpus import Corpus
from foreart.library import Library
from foreart.paper.experiments.section_texts import SectionTexts
from foreart.paper.experiments.work import Work
from foreart.text import SECTIONS, section_text, tokens

SAMPLE = Path(str(resources.files("foreart").joinpath("sample")))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    with Library(tmp_path_factory.mktemp("library")) as library:
        library.add([SAMPLE / "patents.jsonl"])
        yield library.corpus


@pytest.mark.parametrize("as_published", [False, True])
def test_words_of_every_section_are_those_of_its_text(corpus: Corpus, tmp_path: Path, as_published: bool) -> None:
    texts = SectionTexts(corpus, Work(tmp_path, basis={}), as_published=as_published)
    assert not texts.has(stream=False)
    shares: list[float] = []
    texts.cut(stream=True, progress=shares.append)
    assert shares[-1] == 1.0
    assert texts.has(stream=True)
    chosen = np.array([3, 0, 49])
    patents = list(corpus)
    for section in SECTIONS:
        expected = [tokens(section_text(patent, section), as_published=as_published) for patent in patents]
        stream = texts.stream(section, chosen)
        assert [[stream.terms[word] for word in text] for text in stream] == [expected[row] for row in chosen]
        counts = texts.counts(section)
        assert counts.document_frequencies.min() > 0
        assert list(counts.terms) == sorted({word for words in expected for word in words})
        for row, words in enumerate(expected):
            part = slice(counts.rows.indptr[row], counts.rows.indptr[row + 1])
            found = {counts.terms[column]: int(number) for column, number in
                     zip(counts.rows.indices[part], counts.rows.data[part], strict=True)}  # fmt: skip
            assert found == dict(Counter(words))


def test_the_tape_goes_and_counts_stay(corpus: Corpus, tmp_path: Path) -> None:
    texts = SectionTexts(corpus, Work(tmp_path, basis={}))
    texts.cut(stream=True)
    texts.drop_stream()
    assert not texts.has(stream=True)
    assert texts.has(stream=False)
    again = SectionTexts(corpus, Work(tmp_path, basis={}))
    assert again.counts("claims").rows.sum() == texts.counts("claims").rows.sum()
