"""Where sentences end: the one rule and the one list of abbreviations, for passages and for quotes.

A text is read as words: runs without a space, and each sign of a script without spaces. Behind every word stands a
paragraph end, a sentence end, a clause end or nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from foreart.compiling import compiled

# A full stop behind one of these, or behind a single letter, does not end a sentence.
_ABBREVIATIONS = """
abb al app appl approx art bzw ca cf co col corp d.h dr e.g eq eqs et etc ex fig figs i.e inc jr ltd mr mrs no nos nr p
pat pats pp prof pub publ ref refs sec secs ser sog st u.s usw vgl vol vols vs z.b
"""
ABBREVIATIONS = tuple(_ABBREVIATIONS.split())
# The most words and characters of a quote; sequence listings and some scripts have no spaces to count words by.
QUOTED_WORDS, QUOTED_CHARACTERS = 70, 900

PARAGRAPH_END, SENTENCE_END, CLAUSE_END, NO_END = 3, 2, 1, 0

# Character classes, as bits.
_SPACE, _IDEOGRAPH, _WIDE_MARK, ALPHANUMERIC, _LOWER, _CLOSING, _OPENING = (np.uint8(1 << bit) for bit in range(7))
_IDEOGRAPHS = ((0x3040, 0x3100), (0x3400, 0x4DC0), (0x4E00, 0xA000), (0xAC00, 0xD7B0), (0xF900, 0xFB00))
# Other words are split at this length: sequence listings have no spaces.
_WORD_CHARACTERS = 40
_LONGEST_ABBREVIATION = max(map(len, ABBREVIATIONS))
_NEWLINE, _STOP, _SEMICOLON, _COLON, _EXCLAMATION, _QUESTION = (ord(sign) for sign in "\n.;:!?")
_WIDE_STOP, _WIDE_EXCLAMATION, _WIDE_QUESTION = (ord(sign) for sign in "。！？")
_CASE_VARIANTS = {"İ": "I", "ı": "i", "ſ": "s", "\u212a": "K"}
# Any character of the same class stands in for one beyond the 65,536 of the table, by (alphanumeric, lower case).
_STAND_INS = {(True, True): "ß", (True, False): "Ø", (False, False): "…"}


def sentences(text: str, *, clauses: bool = False) -> list[tuple[int, int]]:
    """The start and end of each sentence; long ones in parts. With `clauses`, semicolons end one too, as in claims.

    >>> [text[a:b] for text in ["See FIG. 2. It has a lever 12. "] for a, b in sentences(text)]
    ['See FIG. 2.', 'It has a lever 12.']
    """
    characters, starts, ends = words_of(text)
    if not len(starts):
        return []
    found = _ends(characters, *tables(), starts, ends)
    last = found >= SENTENCE_END
    if clauses:
        last |= (found == CLAUSE_END) & (characters[ends - 1] == _SEMICOLON)
    last[-1] = True
    firsts = starts[np.append(0, np.flatnonzero(last)[:-1] + 1)]
    spans = zip(firsts.tolist(), ends[last].tolist(), strict=True)
    return [part for span in spans for part in _parts(text, *span)]


def words_of(text: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The code points of a text, and the start and end of each word."""
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    if not text.isascii():
        characters = _in_table(characters)
    starts, ends = np.empty((2, len(characters)), dtype=np.int32)
    number = _words(characters, tables()[0], starts, ends)
    return characters, starts[:number], ends[:number]


def _in_table(characters: np.ndarray) -> np.ndarray:
    """The code points, with those replaced whose class or lower case the compiled loops do not know."""
    odd = characters > 0xFFFF
    for sign in _CASE_VARIANTS:
        odd |= characters == ord(sign)
    if not odd.any():
        return characters
    codes, places = np.unique(characters[odd], return_inverse=True)
    signs = map(chr, codes.tolist())
    known = [_CASE_VARIANTS.get(sign) or _STAND_INS[sign.isalnum(), sign.islower()] for sign in signs]
    changed = characters.copy()
    changed[odd] = np.array([ord(sign) for sign in known], dtype=np.uint32)[places]
    return changed


@cache
def tables() -> tuple[np.ndarray, np.ndarray]:
    """The class of each of the first 65,536 characters, and the abbreviations as numbers."""
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
    """Fills in where words start and end; returns how many there are."""
    number = place = 0
    size = len(characters)
    while place < size:
        kind = classes[characters[place]]
        if kind & _SPACE:
            place += 1
            continue
        starts[number] = place
        place += 1
        if kind & _IDEOGRAPH:
            while place < size and classes[characters[place]] & _WIDE_MARK:
                place += 1
        else:
            last = min(size, place + _WORD_CHARACTERS - 1)
            while place < last and not classes[characters[place]] & (_SPACE | _IDEOGRAPH):
                if characters[place - 1] in (_WIDE_STOP, _WIDE_EXCLAMATION, _WIDE_QUESTION):
                    break
                place += 1
        ends[number] = place
        number += 1
    return number


@compiled
def _ends(
    characters: np.ndarray, classes: np.ndarray, known: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> np.ndarray:
    """What ends behind each word; nothing behind the last."""
    found = np.zeros(len(starts), dtype=np.uint8)
    for word in range(len(starts) - 1):
        found[word] = end_behind(characters, classes, known, starts[word], ends[word], starts[word + 1])
    return found


@compiled
def end_behind(
    characters: np.ndarray, classes: np.ndarray, known: np.ndarray, first: int, last: int, following: int
) -> int:
    """What ends behind the word from `first` to `last`, where the next one begins at `following`."""
    sign = characters[last - 1]
    if following == last and sign not in (_WIDE_STOP, _WIDE_EXCLAMATION, _WIDE_QUESTION):
        return NO_END
    for place in range(last, following):
        if characters[place] == _NEWLINE:
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
    """Whether the full stop behind a word ends a sentence: not behind an initial or an abbreviation."""
    alone = last - first == 1
    while last > first and characters[last - 1] == _STOP:
        last -= 1
    while first < last and classes[characters[first]] & _OPENING:
        first += 1
    if first == last:
        return alone  # an ellipsis does not
    if last - first > _LONGEST_ABBREVIATION:
        return True
    word = np.int64(0)
    for place in range(first, last):
        sign = np.int64(characters[place])
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
    """A sentence; where it is too long to quote, split near its middle at a semicolon, else a comma, else a space."""
    if text.count(" ", start, end) < QUOTED_WORDS and end - start <= QUOTED_CHARACTERS:
        yield start, end
        return
    middle = (start + end) // 2
    for sign in ("; ", ": ", ", ", " "):
        before, after = text.rfind(sign, start + 1, middle), text.find(sign, middle, end - 1)
        places = [place + len(sign.rstrip()) for place in (before, after) if place > 0]
        near = [place for place in places if abs(place - middle) < (end - start) * 0.4]
        if near:
            cut = min(near, key=lambda place: abs(place - middle))
            yield from _parts(text, start, cut)
            rest = cut + len(text[cut:end]) - len(text[cut:end].lstrip())
            yield from _parts(text, rest, end)
            return
    yield from _parts(text, start, middle)
    yield from _parts(text, middle, end)
