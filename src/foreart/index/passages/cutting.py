"""Passages as `foreart.text.passages` cuts them, found in one compiled pass: a whole corpus in seconds."""

from __future__ import annotations

from functools import cache

import numpy as np

from foreart.features.compiling import compiled
from foreart.text.passages import passage_spans

# What a sign may be, as bits.
_SPACE, _ALONE, _MARK, _LETTER, _SMALL, _CLOSING, _OPENING, _STRANGE = (np.uint8(1 << bit) for bit in range(8))
_SIGNS = (
    range(0x3040, 0x3100),
    range(0x3400, 0x4DC0),
    range(0x4E00, 0xA000),
    range(0xAC00, 0xD7B0),
    range(0xF900, 0xFB00),
)
_LONGEST = 40
_ABBREVIATIONS = (
    "abb al app appl approx art bzw ca cf co corp d.h dr e.g eq eqs et etc ex fig figs i.e inc jr ltd mr mrs ms no nos "
    "nr p pat pats pp prof pub publ ref refs sec ser st u.s usw vgl vol vols vs z.b"
)
_PARAGRAPH, _SENTENCE, _CLAUSE, _NOWHERE = 3, 2, 1, 0
_NEWLINE, _STOP, _SEMICOLON, _COLON, _EXCLAMATION, _QUESTION = (ord(sign) for sign in "\n.;:!?")
_WIDE_STOP, _WIDE_EXCLAMATION, _WIDE_QUESTION = (ord(sign) for sign in "。！？")


def spans(text: str, words: int) -> list[tuple[int, int]]:
    """The same as `passage_spans(text, words=words)`."""
    signs = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    # Units, then passages: as starts and ends.
    starts, ends, first, last = np.empty((4, len(signs)), dtype=np.int32)
    kinds, known = _tables()
    number = _units(signs, kinds, starts, ends)
    if number < 0:
        return passage_spans(text, words=words)
    number = _cut(signs, kinds, known, starts, ends, number, words, first, last)
    return list(zip(first[:number].tolist(), last[:number].tolist(), strict=True))


@cache
def _tables() -> tuple[np.ndarray, np.ndarray]:
    """The kind of each sign of the first 65,536, and the abbreviations as numbers."""
    kinds = np.zeros(1 << 16, dtype=np.uint8)
    for code in range(len(kinds)):
        sign = chr(code)
        kinds[code] = sign.isspace() * _SPACE | sign.isalnum() * _LETTER | sign.islower() * _SMALL
    for those in _SIGNS:
        kinds[those.start : those.stop] |= _ALONE
    # Letters that match others of ASCII when case is ignored, and halves of signs: left to Python.
    strange = "".join(map(chr, range(0xD800, 0xE000))) + "İıſ\u212a"
    for sign_set, bit in (
        ("、。，．！？；：", _MARK),
        ("\"')]}”’»", _CLOSING),
        ("([\"'", _OPENING),
        (strange, _STRANGE),
    ):
        kinds[[ord(sign) for sign in sign_set]] |= bit
    known = [int.from_bytes(word.encode(), "big") for word in _ABBREVIATIONS.split()]
    return kinds, np.array(known, dtype=np.int64)


@compiled
def _units(signs: np.ndarray, kinds: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> int:
    """Where words begin and end, and how many there are; -1 if the text has a sign that is left to Python."""
    number = place = 0
    size = len(signs)
    while place < size:
        if signs[place] >= len(kinds) or kinds[signs[place]] & _STRANGE:
            return -1
        kind = kinds[signs[place]]
        if kind & _SPACE:
            place += 1
            continue
        starts[number] = place
        place += 1
        if kind & _ALONE:
            while place < size and signs[place] < len(kinds) and kinds[signs[place]] & _MARK:
                place += 1
        else:
            last = min(size, place + _LONGEST - 1)
            while place < last and signs[place] < len(kinds) and not kinds[signs[place]] & (_SPACE | _ALONE | _STRANGE):
                place += 1
        ends[number] = place
        number += 1
    return number


@compiled
def _cut(
    signs: np.ndarray,
    kinds: np.ndarray,
    known: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    units: int,
    words: int,
    first: np.ndarray,
    last: np.ndarray,
) -> int:
    """Where passages begin and end, and how many have a letter or digit."""
    number = start = 0
    while start < units:
        rest = units - start
        end = units
        if rest > words:
            share = rest / -(-rest // words)
            goal = start + min(words, int(np.rint(share)))
            lowest, highest = start + max(1, int(np.rint(0.75 * share))), start + min(words, int(np.rint(1.25 * share)))
            end = lowest
            best = -1
            for place in range(lowest, highest + 1):
                quality = _break(signs, kinds, known, starts[place - 1], ends[place - 1], starts[place])
                if quality > best or (quality == best and abs(place - goal) <= abs(end - goal)):
                    best, end = quality, place
        for place in range(starts[start], ends[end - 1]):
            if kinds[signs[place]] & _LETTER:
                first[number], last[number] = starts[start], ends[end - 1]
                number += 1
                break
        start = end
    return number


@compiled
def _break(signs: np.ndarray, kinds: np.ndarray, known: np.ndarray, first: int, last: int, following: int) -> int:
    """How good a place it is to cut before the word that begins at `following`."""
    if following == last and signs[last - 1] not in (_WIDE_STOP, _WIDE_EXCLAMATION, _WIDE_QUESTION):
        return _NOWHERE
    for place in range(last, following):
        if signs[place] == _NEWLINE:
            return _PARAGRAPH
    while last > first and kinds[signs[last - 1]] & _CLOSING:
        last -= 1
    if last == first:
        return _NOWHERE
    sign = signs[last - 1]
    if sign in (_EXCLAMATION, _QUESTION, _WIDE_STOP, _WIDE_EXCLAMATION, _WIDE_QUESTION):
        return _SENTENCE
    if sign == _STOP and not kinds[signs[following]] & _SMALL and _ends_sentence(signs, kinds, known, first, last):
        return _SENTENCE
    return _CLAUSE if sign in (_SEMICOLON, _COLON) else _NOWHERE


@compiled
def _ends_sentence(signs: np.ndarray, kinds: np.ndarray, known: np.ndarray, first: int, last: int) -> bool:
    """Whether the full stop behind a word ends a sentence: not behind an initial or an abbreviation."""
    while last > first and signs[last - 1] == _STOP:
        last -= 1
    while first < last and kinds[signs[first]] & _OPENING:
        first += 1
    if last - first < 2:
        return False
    if last - first > 6:
        return True
    word = np.int64(0)
    for place in range(first, last):
        sign = np.int64(signs[place])
        if sign >= 128:
            return True
        word = word * 256 + (sign + 32 if 65 <= sign <= 90 else sign)
    for abbreviation in known:  # noqa: SIM110 as it is compiled
        if abbreviation == word:
            return False
    return True
