"""String arrays against Python strings."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from foreart.features.counting.string_arrays import alphabetical, blocks, frozen, hashes, joined, split, taken

# Many that share a prefix of 8 or 16 bytes, and zero bytes, which are also the padding.
_STRINGS = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.text(st.sampled_from("ab\0"), max_size=20),
        st.sampled_from(["transmis", "transmission", "transmissions", "a" * 16, "a" * 17, "a" * 16 + "\0"]),
    ),
    max_size=30,
)


def hashed(encoded: bytes) -> int:
    """The reference hash of a string, in blocks of eight bytes."""
    value = 0
    for position in range(0, len(encoded), 8):
        value = (value ^ int.from_bytes(encoded[position : position + 8], "little")) * 0x9E3779B97F4A7C15 % 2**64
        value ^= value >> 29
    return value


def test_joined_strings() -> None:
    letters, ends = joined(["ab", "", "é", "\ud800"])
    assert bytes(letters) == b"ab\xc3\xa9?"
    assert ends.tolist() == [0, 2, 2, 4, 5]
    assert split(letters, ends) == ["ab", "", "é", "?"]
    assert split(*joined([])) == []
    assert blocks(letters, ends, np.array([2, 0, 1]), 1).tolist() == [0xA9, ord("b"), 0]


@settings(deadline=None, max_examples=200)
@given(_STRINGS)
@example(["a\0", "a", "a\0\0", "a", ""])
def test_order_is_by_bytes(strings: list[str]) -> None:
    letters, ends = joined(strings)
    encoded = [string.encode("utf-8", "replace") for string in strings]
    order, equal = alphabetical(letters, ends)
    assert sorted(order.tolist()) == list(range(len(strings)))
    found = [encoded[number] for number in order]
    assert found == sorted(encoded)
    assert equal.tolist() == [position > 0 and found[position] == found[position - 1] for position in range(len(found))]


@settings(deadline=None)
@given(_STRINGS, st.data())
def test_hashes_copies_and_blocks(strings: list[str], data: st.DataObject) -> None:
    letters, ends = joined(strings)
    encoded = [string.encode("utf-8", "replace") for string in strings]
    number = st.integers(0, max(0, len(strings) - 1))
    chosen = np.array(data.draw(st.lists(number, max_size=9)) if strings else [], dtype=np.int64)
    found = hashes(letters, ends)
    assert found.dtype == np.uint64
    assert found.tolist() == [hashed(each) for each in encoded]
    copied, bounds = taken(letters, ends, chosen)
    assert [bytes(copied[a:b]) for a, b in pairwise(bounds)] == [encoded[number] for number in chosen]
    assert blocks(letters, ends, chosen, 8).tolist() == [
        int.from_bytes(encoded[number][8:16], "little") for number in chosen
    ]


def test_frozen_view_is_read_only() -> None:
    own = np.arange(3)
    view = frozen(own)
    own[0] = 7
    assert view.tolist() == [7, 1, 2]
    assert own.flags.writeable
    assert not view.flags.writeable
