"""Tokenizes texts and counts their words in one compiled pass over the bytes.

A text is read eight bytes at a time: all eight are classified as ASCII letters and digits or other characters, and
lowered, in parallel. Runs between two spaces that contain non-ASCII characters are left to `tokens`, whose result does
not depend on text across a space: neither normalisation nor lower-casing looks there.
"""

from __future__ import annotations

import numpy as np

from foreart.compiling import compiled
from foreart.features.counting.string_arrays import ends_of
from foreart.features.counting.word_counts import CountedRows, WordCounter
from foreart.text import tokens

_ZERO, _ONE, _LOWEST = np.uint64(0), np.uint64(1), np.uint64(0x80)
_HIGHEST, _OTHERS = np.uint64(0x8080808080808080), np.uint64(0x7F7F7F7F7F7F7F7F)
_ONES, _SMALL = np.uint64(0x0101010101010101), np.uint64(0x2020202020202020)
# Added to a byte below 128, each sets the highest bit of bytes from a, after z, from 0, after 9.
_FROM_A, _AFTER_Z = np.uint64(0x1F1F1F1F1F1F1F1F), np.uint64(0x0505050505050505)
_FROM_0, _AFTER_9 = np.uint64(0x5050505050505050), np.uint64(0x4646464646464646)
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: the highest bits of a product depend on all others
_BIT_7, _BIT_29, _BIT_32, _BIT_56 = np.uint64(7), np.uint64(29), np.uint64(32), np.uint64(56)
_PADDING = 8  # zeros after a text, so that eight bytes can be read from each of its offsets


class CompiledCounter(WordCounter):
    """Stores a word as blocks of eight bytes with at least one zero at the end; needs a little-endian machine."""

    def __init__(self) -> None:
        self._size = np.zeros(2, dtype=np.int64)  # words, blocks
        self._blocks = np.empty(1 << 13, dtype=np.uint64)
        self._firsts = np.zeros((1 << 12) + 1, dtype=np.int64)
        self._hashes = np.empty(1 << 12, dtype=np.uint64)
        self._last = np.full(1 << 12, -1, dtype=np.int64)  # for each word its latest position in the rows
        self._slots = np.zeros(1 << 13, dtype=np.uint32)
        self._row_ends = [0]
        self._row_terms = np.empty(0, dtype=np.uint32)
        self._row_counts = np.empty(0, dtype=np.uint32)
        self._text = np.empty(0, dtype=np.uint8)
        self._eights = np.empty(0, dtype=np.uint64)

    def __len__(self) -> int:
        """The number of texts."""
        return len(self._row_ends) - 1

    @property
    def terms(self) -> int:
        """The number of distinct words."""
        return int(self._size[0])

    def add(self, text: str | bytes) -> None:
        """Appends a text, as a string or in UTF-8."""
        data = text.encode("utf-8", "replace") if isinstance(text, str) else text
        row = np.array([self._row_ends[-1]] * 2, dtype=np.int64)  # start and current end of the row
        self._load(data)
        others = b"" if data.isascii() else self._non_ascii(len(data))
        self._count(len(data), row, split=False)
        if others:
            self._load(others)
            self._count(len(others), row, split=True)
        self._row_ends.append(int(row[1]))

    def rows(self) -> CountedRows:
        """All texts so far."""
        ends, postings = np.array(self._row_ends, dtype=np.int64), self._row_ends[-1]
        return CountedRows(ends, self._row_terms[:postings].copy(), self._row_counts[:postings].copy())

    def letters(self) -> tuple[np.ndarray, np.ndarray]:
        """All words in order of their ids, as a string array (`string_arrays`)."""
        words, used = self._size.tolist()
        padded = self._blocks[:used].view(np.uint8)
        letter = padded != 0
        sizes = np.add.reduceat(letter, 8 * self._firsts[:words], dtype=np.int64) if words else np.empty(0, np.int64)
        return padded[letter], ends_of(sizes)

    def ids_of(self, other: WordCounter) -> np.ndarray:
        """The id here of each word of another counter, whose blocks are read as a text that is already split."""
        if not isinstance(other, CompiledCounter):
            raise TypeError("a compiled counter takes words only from another compiled counter")
        return self._ids_of_split(other._blocks[: other._size[1]].tobytes())

    def ids_of_strings(self, letters: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """The same for the words of a string array, as `letters` returned them."""
        separated = np.zeros(len(letters) + len(ends) - 1, dtype=np.uint8)
        separated[np.arange(len(letters)) + np.repeat(np.arange(len(ends) - 1), np.diff(ends))] = letters
        return self._ids_of_split(separated.tobytes())

    def _ids_of_split(self, data: bytes) -> np.ndarray:
        """The ids of distinct words that are separated by zeros."""
        row = np.array([self._row_ends[-1]] * 2, dtype=np.int64)  # start and current end of the row
        self._load(data)
        self._count(len(data), row, split=True)
        ids = self._row_terms[row[0] : row[1]].copy()
        self._last[ids] = -1
        return ids

    def _load(self, data: bytes) -> None:
        """Copies a text to the buffer that the loops read."""
        size = len(data) + _PADDING
        if size > len(self._text):
            self._text = np.empty(2 * size, dtype=np.uint8)
            self._eights = np.ndarray(len(self._text) - 7, np.uint64, self._text.data, strides=(1,))
        self._text[: len(data)] = np.frombuffer(data, dtype=np.uint8)
        self._text[len(data) : size] = 0

    def _non_ascii(self, size: int) -> bytes:
        """Moves runs with non-ASCII characters out of the buffer; returns their words, separated by zeros."""
        aside = np.empty(size + 1, dtype=np.uint8)
        moved = _set_aside(self._eights, self._text, size, aside)
        return "\0".join(tokens(aside[:moved].tobytes().decode("utf-8", "replace"))).encode("utf-8")

    def _count(self, size: int, row: np.ndarray, *, split: bool) -> None:
        limit = int(row[1]) + size // 2 + 1  # no text has more words
        if limit > len(self._row_terms):
            self._row_terms = _longer(self._row_terms, int(row[1]), 2 * limit)
            self._row_counts = _longer(self._row_counts, int(row[1]), 2 * limit)
        done = 0
        while done < size:
            self._reserve((size - done) // 8 + 2)
            table = (self._size, self._blocks, self._firsts, self._hashes, self._slots)
            done = _scan(self._eights, done, size, split, *table, row, self._last, self._row_terms, self._row_counts)

    def _reserve(self, blocks: int) -> None:
        """Reserves space for one word of that length, and doubles the table if half of its slots are used."""
        words, used = self._size.tolist()
        if used + blocks > len(self._blocks):
            self._blocks = _longer(self._blocks, used, 2 * used + blocks)
        if 2 * words >= len(self._slots):
            self._firsts = _longer(self._firsts, words + 1, 2 * words + 1)
            self._hashes = _longer(self._hashes, words, 2 * words)
            self._last = _longer(self._last, words, 2 * words)
            self._last[words:] = -1
            self._slots = np.zeros(2 * len(self._slots), dtype=np.uint32)
            _fill(self._hashes, words, self._slots)


def _longer(array: np.ndarray, used: int, size: int) -> np.ndarray:
    longer = np.empty(size, dtype=array.dtype)
    longer[:used] = array[:used]
    return longer


@compiled
def _stops(eight: np.uint64, split: bool) -> np.uint64:
    """Sets the highest bit of each byte outside words: other than letters and digits, or only zeros in split text."""
    if split:
        return ~(((eight & _OTHERS) + _OTHERS) | eight) & _HIGHEST
    small = eight | _SMALL
    letters = (small + _FROM_A) & ~(small + _AFTER_Z)
    return ~(letters | ((eight + _FROM_0) & ~(eight + _AFTER_9))) & _HIGHEST


@compiled
def _mixed(value: np.uint64, block: np.uint64) -> np.uint64:
    """Adds a block to a hash."""
    value = (value ^ block) * _MULTIPLIER
    return value ^ (value >> _BIT_29)


@compiled
def _signed(value: np.uint64) -> int:
    """A signed integer: numba adds unsigned and signed ones as floats."""
    return np.int64(value)  # type: ignore[return-value]


@compiled
def _home(value: np.uint64, slots: int) -> int:
    """The slot where the search for a word starts: the highest bits of its hash."""
    return _signed((value >> _BIT_32) * np.uint64(slots) >> _BIT_32)


@compiled
def _fill(hashes: np.ndarray, words: int, slots: np.ndarray) -> None:
    for word in range(words):
        slot = _home(hashes[word], len(slots))
        while slots[slot] != 0:
            slot = slot + 1 if slot + 1 < len(slots) else 0
        slots[slot] = word + 1


@compiled
def _scan(  # one function: passing arrays to inner functions (reference counts) would double the time
    eights: np.ndarray,
    offset: int,
    end: int,
    split: bool,
    size: np.ndarray,
    blocks: np.ndarray,
    firsts: np.ndarray,
    hashes: np.ndarray,
    slots: np.ndarray,
    row: np.ndarray,
    last: np.ndarray,
    terms: np.ndarray,
    counts: np.ndarray,
) -> int:
    """Counts words until the text ends or the table is full; returns the offset reached."""
    words, used, start, top = size[0], size[1], row[0], row[1]
    fold = _ZERO if split else _SMALL
    full = False
    while offset < end and not full:
        stops = _stops(eights[offset], split)
        if stops & _LOWEST != _ZERO:
            offset += 1
            continue
        value, tail = _ZERO, used  # the word is written after all others, and stays there if it is new
        while stops == _ZERO:
            block = eights[offset] | fold
            blocks[tail] = block
            value = _mixed(value, block)
            tail += 1
            offset += 8
            stops = _stops(eights[offset], split)
        kept = ((stops & (_ZERO - stops)) >> _BIT_7) - _ONE  # all bits of the bytes before the first stop
        block = (eights[offset] | fold) & kept
        blocks[tail] = block
        value = _mixed(value, block)
        tail += 1
        offset += _signed(((kept & _ONES) * _ONES) >> _BIT_56) + 1
        slot = _home(value, len(slots))
        while True:
            word = _signed(slots[slot]) - 1
            if word < 0:
                break
            if hashes[word] == value:
                same = True
                for each in range(tail - used):
                    same &= blocks[firsts[word] + each] == blocks[used + each]
                if same:
                    break
            slot = slot + 1 if slot + 1 < len(slots) else 0
        if word < 0:
            word = words
            words += 1
            slots[slot] = words
            hashes[word] = value
            used = tail
            firsts[words] = used
            full = 2 * words >= len(slots) or used + (end - offset) // 8 + 2 > len(blocks)
        if last[word] >= start:
            counts[last[word]] += 1
        else:
            last[word] = top
            terms[top] = word
            counts[top] = 1
            top += 1
    size[0], size[1], row[1] = words, used, top
    return offset


@compiled
def _set_aside(eights: np.ndarray, text: np.ndarray, size: int, aside: np.ndarray) -> int:
    """Moves runs between two spaces that contain non-ASCII bytes to `aside`, leaving zeros; returns the bytes moved.

    Control characters are spaces too.
    """
    moved, offset = 0, 0
    while offset < size:
        if eights[offset] & _HIGHEST == _ZERO:
            offset += 8
            continue
        while text[offset] < 128:
            offset += 1
        while offset > 0 and text[offset - 1] > 32:
            offset -= 1
        while offset < size and text[offset] > 32:
            aside[moved] = text[offset]
            text[offset] = 0
            moved += 1
            offset += 1
        aside[moved] = 32
        moved += 1
    return moved
