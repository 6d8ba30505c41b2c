"""Segments compared with dictionaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.features.counting.string_arrays import joined
from foreart.index.storage.segment import DOCUMENTS, Segment, SegmentArrays
from index.random_snapshots import segment_arrays

_WORDS = ["a", "aa", "b", "transmission", "transmissions", "transmis", "größe", "骨", "z\0", "z"]
_COUNTS = st.one_of(st.integers(1, 5), st.sampled_from([254, 255, 256, 70_000, 2**28]))
_ROW = st.dictionaries(st.sampled_from(_WORDS), _COUNTS, max_size=len(_WORDS))
_ROWS = st.lists(_ROW, max_size=8)


def made(rows: Sequence[dict[str, int]], *, first: int = 0, words: Sequence[str] = _WORDS) -> SegmentArrays:
    numbers = {word: number for number, word in enumerate(words)}
    terms = np.array([numbers[word] for row in rows for word in row], dtype=np.uint32)
    counts = np.array([often for row in rows for often in row.values()], dtype=np.uint32)
    ends = np.cumsum([0, *map(len, rows)])
    return segment_arrays([f"US{first + n}B1" for n in range(len(rows))], *joined(words), (ends, terms, counts))


def same(one: SegmentArrays, other: SegmentArrays) -> None:
    for name, array in one.named().items():
        assert array.dtype == other.named()[name].dtype, name
        assert array.tolist() == other.named()[name].tolist(), name


@settings(deadline=None)
@given(_ROWS)
def test_segment_equals_its_rows(rows: list[dict[str, int]]) -> None:
    arrays = made(rows)
    segment = Segment(arrays)
    df = Counter(word for row in rows for word in row)
    assert list(segment.terms) == sorted(df, key=lambda word: (-df[word], word.encode()))
    assert list(segment.ids) == [f"US{number}B1" for number in range(len(rows))]
    assert arrays.words.tolist() == [sum(row.values()) for row in rows]
    assert (len(segment), segment.postings) == (len(rows), sum(map(len, rows)))
    for document, row in enumerate(rows):
        terms, counts = segment.row(document)
        assert {segment.terms[term]: often for term, often in zip(terms, counts, strict=True)} == row
        assert terms.tolist() == sorted(terms.tolist())
    for number, word in enumerate(segment.terms):
        start, end = arrays.starts[number : number + 2].tolist()
        assert arrays.docs[start:end].tolist() == [document for document, row in enumerate(rows) if word in row]
        assert arrays.codes[start:end].tolist() == [min(row[word], 255) for row in rows if word in row]
    overflows = zip(arrays.great_terms.tolist(), arrays.great_docs.tolist(), arrays.great_counts.tolist(), strict=True)
    found = [
        (segment.terms.find([word])[0], document, count)
        for document, row in enumerate(rows)
        for word, count in row.items()
    ]
    assert list(overflows) == sorted(item for item in found if item[2] >= 255)


TYPES = {
    "term_letters": "uint8", "term_ends": "int64", "term_slots": "uint32", "id_letters": "uint8", "id_ends": "int64",
    "id_slots": "uint32", "starts": "uint32", "docs": "uint16", "codes": "uint8", "row_ends": "uint32",
    "row_terms": "uint32", "row_codes": "uint8", "great_terms": "uint32", "great_docs": "uint16",
    "great_counts": "uint32", "words": "uint32",
}  # fmt: skip


@pytest.mark.parametrize("rows", [[], [{}], [{"a": 300, "b": 1}]])
def test_array_types(rows: list[dict[str, int]]) -> None:
    assert {name: str(array.dtype) for name, array in made(rows).named().items()} == TYPES


def test_given_rows_are_not_changed() -> None:
    rows = np.array([0, 2]), np.array([1, 0], dtype=np.uint32), np.array([300, 2], dtype=np.uint32)
    segment_arrays(["US1"], *joined(["a", "b"]), rows)
    assert [part.tolist() for part in rows] == [[0, 2], [1, 0], [300, 2]]


@settings(deadline=None)
@given(_ROWS, st.permutations(_WORDS))
def test_order_of_term_numbers_does_not_matter(rows: list[dict[str, int]], words: list[str]) -> None:
    same(made(rows), made(rows, words=words))


def test_too_many_documents_are_refused() -> None:
    ends = np.zeros(DOCUMENTS + 2, dtype=np.int64)
    nothing = np.empty(0, dtype=np.uint32)
    with pytest.raises(ValueError, match="65537 documents are too many"):
        segment_arrays(map(str, range(DOCUMENTS + 1)), *joined([]), (ends, nothing, nothing))


def test_full_segment_has_all_its_documents() -> None:
    ends = np.arange(DOCUMENTS + 1)
    arrays = segment_arrays(
        map(str, range(DOCUMENTS)),
        *joined(["b", "a"]),
        (ends, np.zeros(DOCUMENTS, dtype=np.uint32), np.ones(DOCUMENTS, dtype=np.uint32)),
    )
    assert arrays.starts.tolist() == [0, DOCUMENTS]
    assert arrays.docs.tolist() == list(range(DOCUMENTS))
    assert bytes(arrays.term_letters) == b"b"
