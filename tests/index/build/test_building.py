"""Segments built from texts are the same for any number of threads."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from foreart.corpus import Corpus
from foreart.corpus.scanning import stored
from foreart.document.patent import Claim, Paragraph, Patent
from foreart.features.counting.count_rows import count
from foreart.features.counting.string_arrays import joined
from foreart.index.build import segment_building
from foreart.index.build.segment_building import segment, stored_text
from foreart.index.storage.segment import Segment, SegmentArrays
from foreart.text import section_text, tokens
from index.random_snapshots import segment_arrays


def documents(number: int = 40, *, seed: int = 7) -> list[tuple[str, str]]:
    rng = random.Random(seed)
    words = [*(f"word{index}" for index in range(300)), "Größe", "ﬁlm", "the", "10°", "ΑΣ"]
    return [
        (
            f"US{index}B1",
            " ".join(rng.choices(words, k=rng.randrange(60))) + " the" * rng.choice([0, 1, 300]),
        )
        for index in range(number)
    ]


def digest(parts: list[SegmentArrays]) -> str:
    found = hashlib.blake2b()
    for part in parts:
        for name, array in part.named().items():
            found.update(f"{name} {array.dtype} {array.shape}".encode() + array.tobytes())
    return found.hexdigest()


def from_counts(given: list[tuple[str, str]]) -> SegmentArrays:
    counts = count([text for _, text in given], lambda text: tokens(text))
    rows = counts.rows
    return segment_arrays(
        [number for number, _ in given], *joined(counts.terms), (rows.indptr, rows.indices, rows.data)
    )


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segment_building, "CHUNK", 7)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("size", [1, 7, 14, 40])
def test_segment_of_documents(threads: int, size: int) -> None:
    given = documents()[:size]
    assert digest([segment(iter(given), threads=threads)]) == digest([from_counts(given)])


def test_utf_8_texts_and_other_tokenizers() -> None:
    given = documents()
    expected = from_counts(given)
    assert digest([segment([(number, text.encode()) for number, text in given])]) == digest([expected])
    other = segment(given, words=str.split, threads=2)
    assert "10°" in list(Segment(other).terms)
    assert other.words.tolist() == [len(text.split()) for _, text in given]


def test_chunks_are_limited_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    given = documents()
    monkeypatch.setattr(segment_building, "_CHUNK_SIZE", 500)
    assert digest([segment(given)]) == digest([from_counts(given)])


def test_no_documents_give_an_empty_segment() -> None:
    assert len(segment([]).words) == 0
    empty = segment([("US1", ""), ("US2", " - ")])
    assert (empty.words.tolist(), empty.row_ends.tolist(), len(empty.docs)) == ([0, 0], [0, 0, 0], 0)


def test_error_in_a_thread_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        segment([("US1", b"x")] * 30, text=lambda source: str(1 // 0), threads=2)


def test_segment_of_a_corpus(tmp_path: Path) -> None:
    given = [
        Patent(id=f"US{index}B1", title=f"Title {index}", claims=(Claim(1, text),), description=(Paragraph(text),))
        for index, (_, text) in enumerate(documents(), start=1)
    ]
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(given)
        for sections in ("full", "claims"):
            made = segment(stored(corpus), text=partial(stored_text, sections=sections), threads=2)
            assert digest([made]) == digest([from_counts([(each.id, section_text(each, sections)) for each in given])])
    row, counts = Segment(made).row(3)
    words = [Segment(made).terms[term] for term in row]
    assert dict(zip(words, counts.tolist(), strict=True)) == Counter(tokens(section_text(given[3], "claims")))
