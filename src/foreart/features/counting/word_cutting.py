"""Texts are cut into words and the words counted in one compiled pass over their bytes.

A text is read eight bytes at a time: letters and digits of ASCII are told from other signs, and made small, in all
eight at once. What stands between two spaces and has a sign beyond ASCII is cut by `tokens` itself, which never looks
across a space: neither normal forms nor small letters do.
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
# Added to a byte below 128, each sets the highest bit of those from a, behind z, from 0, behind 9.
_FROM_A, _BEHIND_Z = np.uint64(0x1F1F1F1F1F1F1F1F), np.uint64(0x0505050505050505)
_FROM_0, _BEHIND_9 = np.uint64(0x5050505050505050), np.uint64(0x4646464646464646)
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: the highest bits of a product hang on all others
_BIT_7, _BIT_29, _BIT_32, _BIT_56 = np.uint64(7), np.uint64(29), np.uint64(32), np.uint64(56)
_PAUSE = 8  # zeros behind a text, so that eight bytes can be read from each of its places


class CompiledCounter(WordCounter):
    """A word is a row of blocks of eight letters, with at least one zero behind its end; on little-endian machines."""

    def __init__(self) -> None:
        self._size = np.zeros(2, dtype=np.int64)  # words, blocks
        self._blocks = np.empty(1 << 13, dtype=np.uint64)
        self._firsts = np.zeros((1 << 12) + 1, dtype=np.int64)
        self._hashes = np.empty(1 << 12, dtype=np.uint64)
        self._last = np.full(1 << 12, -1, dtype=np.int64)  # for each word its latest place in the rows
        self._slots = np.zeros(1 << 13, dtype=np.uint32)
        self._row_ends = [0]
        self._row_terms = np.empty(0, dtype=np.uint32)
        self._row_counts = np.empty(0, dtype=np.uint32)
        self._text = np.empty(0, dtype=np.uint8)
        self._eights = np.empty(0, dtype=np.uint64)

    def __len__(self) -> int:
        """How many texts."""
        return len(self._row_ends) - 1

    @property
    def terms(self) -> int:
        """How many different words."""
        return int(self._size[0])

    def add(self, text: str | bytes) -> None:
        """One more text, as a string or in UTF-8."""
        data = text.encode("utf-8", "replace") if isinstance(text, str) else text
        row = np.array([self._row_ends[-1]] * 2, dtype=np.int64)  # where the row begins, and how far it is
        self._lay(data)
        others = b"" if data.isascii() else self._others(len(data))
        self._count(len(data), row, cut=False)
        if others:
            self._lay(others)
            self._count(len(others), row, cut=True)
        self._row_ends.append(int(row[1]))

    def rows(self) -> CountedRows:
        """All texts so far."""
        ends, postings = np.array(self._row_ends, dtype=np.int64), self._row_ends[-1]
        return CountedRows(ends, self._row_terms[:postings].copy(), self._row_counts[:postings].copy())

    def letters(self) -> tuple[np.ndarray, np.ndarray]:
        """All words in order of their numbers, as letters behind one another, and where each ends."""
        words, used = self._size.tolist()
        padded = self._blocks[:used].view(np.uint8)
        letter = padded != 0
        sizes = np.add.reduceat(letter, 8 * self._firsts[:words], dtype=np.int64) if words else np.empty(0, np.int64)
        return padded[letter], ends_of(sizes)

    def numbers(self, other: WordCounter) -> np.ndarray:
        """The number of each word of another counter; its blocks are a text that is cut already."""
        if not isinstance(other, CompiledCounter):
            raise TypeError("words of a compiled counter are told to another one only")
        data = other._blocks[: other._size[1]].tobytes()
        row = np.array([self._row_ends[-1]] * 2, dtype=np.int64)  # where the row begins, and how far it is
        self._lay(data)
        self._count(len(data), row, cut=True)
        found = self._row_terms[row[0] : row[1]].copy()
        self._last[found] = -1
        return found

    def _lay(self, data: bytes) -> None:
        """The text is laid where the loops read it."""
        size = len(data) + _PAUSE
        if size > len(self._text):
            self._text = np.empty(2 * size, dtype=np.uint8)
            self._eights = np.ndarray(len(self._text) - 7, np.uint64, self._text.data, strides=(1,))
        self._text[: len(data)] = np.frombuffer(data, dtype=np.uint8)
        self._text[len(data) : size] = 0

    def _others(self, size: int) -> bytes:
        """The words of what has signs beyond ASCII, a zero behind each; the text has zeros there then."""
        aside = np.empty(size + 1, dtype=np.uint8)
        moved = _set_aside(self._eights, self._text, size, aside)
        return "\0".join(tokens(aside[:moved].tobytes().decode("utf-8", "replace"))).encode("utf-8")

    def _count(self, size: int, row: np.ndarray, *, cut: bool) -> None:
        most = int(row[1]) + size // 2 + 1  # no text has more words
        if most > len(self._row_terms):
            self._row_terms = _longer(self._row_terms, int(row[1]), 2 * most)
            self._row_counts = _longer(self._row_counts, int(row[1]), 2 * most)
        done = 0
        while done < size:
            self._make_room((size - done) // 8 + 2)
            table = (self._size, self._blocks, self._firsts, self._hashes, self._slots)
            done = _scan(self._eights, done, size, cut, *table, row, self._last, self._row_terms, self._row_counts)

    def _make_room(self, blocks: int) -> None:
        """Room for one word of that length, and for twice as many words where half of the slots are taken."""
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
def _stops(eight: np.uint64, cut: bool) -> np.uint64:
    """The highest bit of each byte that is no part of a word: all but letters and digits, or only zeros in cut text."""
    if cut:
        return ~(((eight & _OTHERS) + _OTHERS) | eight) & _HIGHEST
    small = eight | _SMALL
    letters = (small + _FROM_A) & ~(small + _BEHIND_Z)
    return ~(letters | ((eight + _FROM_0) & ~(eight + _BEHIND_9))) & _HIGHEST


@compiled
def _mixed(value: np.uint64, block: np.uint64) -> np.uint64:
    """A hash with one more block in it."""
    value = (value ^ block) * _MULTIPLIER
    return value ^ (value >> _BIT_29)


@compiled
def _whole(value: np.uint64) -> int:
    """For counting with: a sum of both kinds of numbers would be no whole one."""
    return np.int64(value)  # type: ignore[return-value]


@compiled
def _home(value: np.uint64, slots: int) -> int:
    """The slot where the search for a word begins: the highest bits of its hash."""
    return _whole((value >> _BIT_32) * np.uint64(slots) >> _BIT_32)


@compiled
def _fill(hashes: np.ndarray, words: int, slots: np.ndarray) -> None:
    for word in range(words):
        slot = _home(hashes[word], len(slots))
        while slots[slot] != 0:
            slot = slot + 1 if slot + 1 < len(slots) else 0
        slots[slot] = word + 1


@compiled
def _scan(  # in one piece: to hand arrays to inner functions, where each use is counted, takes as long as the loop
    eights: np.ndarray,
    place: int,
    end: int,
    cut: bool,
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
    """Counts words until the text ends or there is no room for another one; how far it came."""
    words, used, start, top = size[0], size[1], row[0], row[1]
    fold = _ZERO if cut else _SMALL
    full = False
    while place < end and not full:
        stops = _stops(eights[place], cut)
        if stops & _LOWEST != _ZERO:
            place += 1
            continue
        value, behind = _ZERO, used  # the word is laid behind all others, and stays there if it is new
        while stops == _ZERO:
            block = eights[place] | fold
            blocks[behind] = block
            value = _mixed(value, block)
            behind += 1
            place += 8
            stops = _stops(eights[place], cut)
        kept = ((stops & (_ZERO - stops)) >> _BIT_7) - _ONE  # all bits of the bytes before the first stop
        block = (eights[place] | fold) & kept
        blocks[behind] = block
        value = _mixed(value, block)
        behind += 1
        place += _whole(((kept & _ONES) * _ONES) >> _BIT_56) + 1
        slot = _home(value, len(slots))
        while True:
            word = _whole(slots[slot]) - 1
            if word < 0:
                break
            if hashes[word] == value:
                same = True  # if it is so to the zero at the end
                for each in range(behind - used):
                    same &= blocks[firsts[word] + each] == blocks[used + each]
                if same:
                    break
            slot = slot + 1 if slot + 1 < len(slots) else 0
        if word < 0:
            word = words
            words += 1
            slots[slot] = words
            hashes[word] = value
            used = behind
            firsts[words] = used
            full = 2 * words >= len(slots) or used + (end - place) // 8 + 2 > len(blocks)
        if last[word] >= start:
            counts[last[word]] += 1
        else:
            last[word] = top
            terms[top] = word
            counts[top] = 1
            top += 1
    size[0], size[1], row[1] = words, used, top
    return place


@compiled
def _set_aside(eights: np.ndarray, text: np.ndarray, size: int, aside: np.ndarray) -> int:
    """Moves what stands between two spaces and has a byte beyond ASCII, and leaves zeros; how much it moved.

    Controls are spaces too.
    """
    moved, place = 0, 0
    while place < size:
        if eights[place] & _HIGHEST == _ZERO:
            place += 8
            continue
        while text[place] < 128:
            place += 1
        while place > 0 and text[place - 1] > 32:
            place -= 1
        while place < size and text[place] > 32:
            aside[moved] = text[place]
            text[place] = 0
            moved += 1
            place += 1
        aside[moved] = 32
        moved += 1
    return moved
