"""Sentence boundaries: one rule and one list of abbreviations, shared by passages and quotes.

Words are runs of characters without a space, and single characters in scripts without spaces. Each word is followed
by a paragraph end, a sentence end, a clause end or no boundary.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from foreart.compiling import compiled

# A full stop after one of these, or after a single letter, does not end a sentence.
_ABBREVIATIONS = """
abb al app appl approx art bzw ca cf co col corp d.h dr e.g eq eqs et etc ex fig figs i.e inc jr ltd mr mrs no nos nr p
pat pats pp prof pub publ ref refs sec secs ser sog st u.s usw vgl vol vols vs z.b
"""
ABBREVIATIONS = tuple(_ABBREVIATIONS.split())
# Longest quote; in characters too, because sequence listings and some scripts have no spaces to count words by.
MAX_QUOTE_WORDS, MAX_QUOTE_CHARACTERS = 70, 900

PARAGRAPH_END, SENTENCE_END, CLAUSE_END, NO_END = 3, 2, 1, 0

# Character classes, as bits.
_SPACE, _IDEOGRAPH, _WIDE_MARK, ALPHANUMERIC, _LOWER, _CLOSING, _OPENING = (np.uint8(1 << bit) for bit in range(7))
_IDEOGRAPHS = ((0x3040, 0x3100), (0x3400, 0x4DC0), (0x4E00, 0xA000), (0xAC00, 0xD7B0), (0xF900, 0xFB00))
# Longer words are split: sequence listings have no spaces.
_WORD_CHARACTERS = 40
_LONGEST_ABBREVIATION = max(map(len, ABBREVIATIONS))
_NEWLINE, _STOP, _SEMICOLON, _COLON, _EXCLAMATION, _QUESTION = (ord(sign) for sign in "\n.;:!?")
_WIDE_STOP, _WIDE_EXCLAMATION, _WIDE_QUESTION = (ord(sign) for sign in "。！？")
_CASE_VARIANTS = {"İ": "I", "ı": "i", "ſ": "s", "\u212a": "K"}
# Replaces characters beyond the 65,536 of the table by one of the same class, by (alphanumeric, lower case).
_STAND_INS = {(True, True): "ß", (True, False): "Ø", (False, False): "…"}


def sentences(text: str, *, clauses: bool = False) -> list[tuple[int, int]]:
    """Start and end offsets of each sentence; long ones are split. With `clauses`, semicolons end one too.

    >>> [text[a:b] for text in ["See FIG. 2. It has a lever 12. "] for a, b in sentences(text)]
    ['See FIG. 2.', 'It has a lever 12.']
    """
    characters, starts, ends = word_spans(text)
    if not len(starts):
        return []
    boundaries = _boundaries(characters, *tables(), starts, ends)
    last = boundaries >= SENTENCE_END
    if clauses:
        last |= (boundaries == CLAUSE_END) & (characters[ends - 1] == _SEMICOLON)
    last[-1] = True
    firsts = starts[np.append(0, np.flatnonzero(last)[:-1] + 1)]
    spans = zip(firsts.tolist(), ends[last].tolist(), strict=True)
    return [part for span in spans for part in _parts(text, *span)]


def word_spans(text: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The code points of a text, and the start and end offsets of each word."""
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    if not text.isascii():
        characters = _in_table(characters)
    starts, ends = np.empty((2, len(characters)), dtype=np.int32)
    count = _words(characters, tables()[0], starts, ends)
    return characters, starts[:count], ends[:count]


def _in_table(characters: np.ndarray) -> np.ndarray:
    """Replaces code points whose class or lower case the compiled loops do not know."""
    odd = characters > 0xFFFF
    for sign in _CASE_VARIANTS:
        odd |= characters == ord(sign)
    if not odd.any():
        return characters
    codes, inverse = np.unique(characters[odd], return_inverse=True)
    signs = map(chr, codes.tolist())
    known = [_CASE_VARIANTS.get(sign) or _STAND_INS[sign.isalnum(), sign.islower()] for sign in signs]
    changed = characters.copy()
    changed[odd] = np.array([ord(sign) for sign in known], dtype=np.uint32)[inverse]
    return changed


@cache
def tables() -> tuple[np.ndarray, np.ndarray]:
    """The class of each of the first 65,536 characters, and the abbreviations encoded as integers."""
    classes = np.zeros(1 << 16, dtype=np.uint8)
    for code in range(len(classes)):
        sign = chr(code)
        classes[code] = sign.isspace() * _SPACE | sign.isalnum() * ALPHANUMERIC | sign.islower() * _LOWER
    for start, end in _IDEOGRAPHS:
        classes[start:end] |= _IDEOGRAPH
    for signs, bit in (("、。，．！？；：", _WIDE_MARK), ("\"')]}”’»", _CLOSING), ("([\"'", _OPENING)):
        classes[[ord(sign) for sign in signs]] |= bit
    known = [int.from_bytes(word.encode(), "big") for word in ABBREVIATIONS]
    return classes, np.array(known, dtype=np.int64)


@compiled
def _words(characters: np.ndarray, classes: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> int:
    """Writes word offsets to `starts` and `ends`; returns the number of words."""
    count = position = 0
    size = len(characters)
    while position < size:
        kind = classes[characters[position]]
        if kind & _SPACE:
            position += 1
            continue
        starts[count] = position
        position += 1
        if kind & _IDEOGRAPH:
            while position < size and classes[characters[position]] & _WIDE_MARK:
                position += 1
        else:
            last = min(size, position + _WORD_CHARACTERS - 1)
            while position < last and not classes[characters[position]] & (_SPACE | _IDEOGRAPH):
                if characters[position - 1] in (_WIDE_STOP, _WIDE_EXCLAMATION, _WIDE_QUESTION):
                    break
                position += 1
        ends[count] = position
        count += 1
    return count


@compiled
def _boundaries(
    characters: np.ndarray, classes: np.ndarray, known: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> np.ndarray:
    """The boundary after each word; `NO_END` after the last."""
    boundaries = np.zeros(len(starts), dtype=np.uint8)
    for word in range(len(starts) - 1):
        boundaries[word] = boundary_after(characters, classes, known, starts[word], ends[word], starts[word + 1])
    return boundaries


@compiled
def boundary_after(
    characters: np.ndarray, classes: np.ndarray, known: np.ndarray, first: int, last: int, following: int
) -> int:
    """The boundary after the word from `first` to `last`, where the next word starts at `following`."""
    sign = characters[last - 1]
    if following == last and sign not in (_WIDE_STOP, _WIDE_EXCLAMATION, _WIDE_QUESTION):
        return NO_END
    for position in range(last, following):
        if characters[position] == _NEWLINE:
            return PARAGRAPH_END
    while last > first and classes[characters[last - 1]] & _CLOSING:
        last -= 1
    if last == first:
        return NO_END
    sign = characters[last - 1]
    if sign in (_EXCLAMATION, _QUESTION, _WIDE_STOP, _WIDE_EXCLAMATION, _WIDE_QUESTION):
        return SENTENCE_END
    if (
        sign == _STOP
        and not classes[characters[following]] & _LOWER
        and _stops(characters, classes, known, first, last)
    ):
        return SENTENCE_END
    return CLAUSE_END if sign in (_SEMICOLON, _COLON) else NO_END


@compiled
def _stops(characters: np.ndarray, classes: np.ndarray, known: np.ndarray, first: int, last: int) -> bool:
    """Whether the full stop after a word ends a sentence: not after an initial or an abbreviation."""
    alone = last - first == 1
    while last > first and characters[last - 1] == _STOP:
        last -= 1
    while first < last and classes[characters[first]] & _OPENING:
        first += 1
    if first == last:
        return alone  # an ellipsis does not end one
    if last - first > _LONGEST_ABBREVIATION:
        return True
    word = np.int64(0)
    for position in range(first, last):
        sign = np.int64(characters[position])
        if sign >= 128:
            return True
        word = word * 256 + (sign + 32 if 65 <= sign <= 90 else sign)
    if last - first == 1 and 97 <= word <= 122:
        return False
    for abbreviation in known:  # noqa: SIM110 as it is compiled
        if abbreviation == word:
            return False
    return True


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentence; if too long to quote, split near its middle at a semicolon, else a comma, else a space."""
    if text.count(" ", start, end) < MAX_QUOTE_WORDS and end - start <= MAX_QUOTE_CHARACTERS:
        yield start, end
        return
    middle = (start + end) // 2
    for sign in ("; ", ": ", ", ", " "):
        before, after = text.rfind(sign, start + 1, middle), text.find(sign, middle, end - 1)
        cuts = [offset + len(sign.rstrip()) for offset in (before, after) if offset > 0]
        near = [cut for cut in cuts if abs(cut - middle) < (end - start) * 0.4]
        if near:
            cut = min(near, key=lambda offset: abs(offset - middle))
            yield from _parts(text, start, cut)
            rest = cut + len(text[cut:end]) - len(text[cut:end].lstrip())
            yield from _parts(text, rest, end)
            return
    yield from _parts(text, start, middle)
    yield from _parts(text, middle, end)
