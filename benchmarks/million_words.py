"""Spellings of drawn words, and texts in which they stand: compiled, because a million texts have billions of words.

The words of a document and how often each stands in it come from `search_synthetic.py`. Claims and abstract take theirs
from a part of the vocabulary in which frequent words are likelier; the description has the rest. A word returns where
it stood before more often than by chance. Frequent numbers of words are spelled as English function words are, the
others as syllables that mean nothing; some are numerals or have digits, as in real texts.
"""

from __future__ import annotations

import numpy as np

from foreart.compiling import compiled
from search_synthetic import _ONE, _TWO, _mixed, _share

# The most frequent words in the order of the numbers of words: short ones are left out of queries.
_FREQUENT = """
    the of a and to in is for an with as be by or that are from at on which it this can 1 may 2 one first having such
    not second more invention when between 3 has other then also 4 if wherein each said claim into least 5 shown used
    example two embodiment fig 10 portion these 12 surface 6 will its 14 provided 20 include 16 thus includes 8 form
    according but 18 while present any method another further 22 however part 7 described all system comprising so 24
"""
_FUNCTION = _FREQUENT.split()
_CONSONANTS, _VOWELS = np.frombuffer(b"bcdfghklmnprstvz", np.uint8), np.frombuffer(b"aeiou", np.uint8)
_LAST = np.frombuffer(b"nrstldm", np.uint8)  # a word ends in one of these, or, one in eight, in its last vowel
_APART = 7_654_321  # so that words with neighbouring numbers look different; neither even nor a multiple of five
# The share of words with digits: below the first number, below the second, and of rarer words.
_DIGITS, _COMMON, _RARE = (0.1, 0.15, 0.33), 3_000, 30_000
_LONGEST = 16
KNOWN = 1 << 15  # words that are spelled in advance

# Of words: how many occurrences of a hundred stay near the place of the word; in a paragraph, in a sentence, in a claim
# element of a hundred.
_CLING, _PARAGRAPH, _SENTENCE, _ELEMENT = 32, 90, 24, 22
# Words return more often in long documents: their counts above 1 grow with this power of the number of different words.
_RETURN, _TYPICAL = 0.45, 1_320.0
# A word enters the vocabulary of the claims for certain if it stands in this share of the text.
_CLAIMED = 0.0033

_SPACE, _STOP, _SEMICOLON, _BACKSLASH, _N = 32, 46, 59, 92, 110


def spelled(word: int) -> str:
    """The letters of a word by its number; no two are the same."""
    if word < len(_FUNCTION):
        return _FUNCTION[word]
    out = np.zeros(_LONGEST, np.uint8)
    return bytes(out[: _spell(word, out, 0)]).decode()


@compiled
def _spell(word: int, out: np.ndarray, at: int) -> int:
    """Writes three syllables or four and a last consonant, or three digits and letters."""
    bits = _mixed(np.uint64(word) ^ _TWO)
    share = _DIGITS[0] if word < _COMMON else _DIGITS[1] if word < _RARE else _DIGITS[2]
    rest = word
    if _share(bits) < share:
        for power in (100, 10, 1):
            out[at] = 48 + word // power % 10
            at += 1
        rest = word // 1000
        while rest:
            out[at] = 97 + rest % 26
            rest //= 26
            at += 1
        return at
    syllables = 3 if word < 80**3 else 4
    rest = word * _APART % (80**3 if word < 80**3 else 80**4)
    for _ in range(syllables):
        syllable = rest % 80
        out[at], out[at + 1] = _CONSONANTS[syllable // 5], _VOWELS[syllable % 5]
        rest //= 80
        at += 2
    last = np.int64(bits & np.uint64(7))
    if last < len(_LAST):
        out[at] = _LAST[last]
        at += 1
    return at


def spellings() -> tuple[np.ndarray, np.ndarray]:
    """The letters of all known words, and where each ends."""
    words = [spelled(word).encode() for word in range(KNOWN)]
    return np.frombuffer(b"".join(words), np.uint8), np.cumsum([0, *map(len, words)])


@compiled
def _put(word: int, out: np.ndarray, at: int, letters: np.ndarray, ends: np.ndarray) -> int:
    if word >= KNOWN:
        return _spell(word, out, at)
    for place in range(ends[word], ends[word + 1]):
        out[at] = letters[place]
        at += 1
    return at


@compiled
def _sentences(
    words: np.ndarray, out: np.ndarray, at: int, letters: np.ndarray, ends: np.ndarray, every: int, sign: int
) -> int:
    """Words in pieces of about the same length, each but the last followed by a sign; capitals after stops."""
    large = sign == _STOP
    for place in range(len(words)):
        begin = at
        at = _put(words[place], out, at, letters, ends)
        if large and out[begin] >= 97:
            out[begin] -= 32
        large = False
        if place + 1 < len(words):
            if place % every == every - 1 and place + every // 2 < len(words):
                out[at] = sign
                at += 1
                large = sign == _STOP
            out[at] = _SPACE
            at += 1
    return at


@compiled
def _thinned(counts: np.ndarray, share: float, state: np.uint64) -> np.ndarray:
    """Every occurrence stays with this chance."""
    kept = np.zeros_like(counts)
    for place in range(len(counts)):
        for _ in range(counts[place]):
            state = _mixed(state)
            kept[place] += _share(state) < share
    return kept


@compiled
def _returning(counts: np.ndarray, state: np.uint64) -> np.ndarray:
    """Counts of a document as long as this one, from those of documents of any length."""
    factor = (len(counts) / _TYPICAL) ** _RETURN
    found = np.empty_like(counts)
    for place in range(len(counts)):
        state = _mixed(state)
        found[place] = 1 + np.int64((counts[place] - 1) * factor + _share(state))
    return found


@compiled
def _chosen(counts: np.ndarray, total: int, wanted: int, state: np.uint64) -> np.ndarray:
    """Places of words for claims and abstract, taken from the counts, of which one stays for the description."""
    pool, weights = np.empty(len(counts), np.int64), np.empty(len(counts), np.int64)
    size, sum_ = 0, 0
    for place in range(len(counts)):
        state = _mixed(state)
        if _share(state) * total * _CLAIMED < counts[place]:
            sum_ += counts[place]
            pool[size], weights[size] = place, sum_
            size += 1
    found = np.empty(wanted if size else 0, np.int64)
    for each in range(len(found)):
        state = _mixed(state)
        place = pool[np.searchsorted(weights[:size], np.int64(_share(state) * sum_), side="right")]
        found[each] = place
        if counts[place] > 1:
            counts[place] -= 1
    return found


@compiled
def _scattered(terms: np.ndarray, counts: np.ndarray, state: np.uint64) -> tuple[np.ndarray, np.ndarray]:
    """The words of all paragraphs, and where each of them begins; words cling to a paragraph of theirs."""
    total = counts.sum()
    paragraphs = max(1, total // _PARAGRAPH)
    where, starts = np.empty(total, np.int32), np.zeros(paragraphs + 1, np.int64)
    entry = 0
    for place in range(len(terms)):
        home = np.int64(_share(_mixed(state ^ _mixed(np.uint64(terms[place]) ^ _ONE))) * paragraphs)
        for _ in range(counts[place]):
            state = _mixed(state)
            near = np.int64(state & np.uint64(127)) * 100 < _CLING * 128
            where[entry] = home if near else np.int64(_share(state) * paragraphs)
            starts[where[entry] + 1] += 1
            entry += 1
    starts = np.cumsum(starts)
    words, filled, entry = np.empty(total, np.int32), starts[:-1].copy(), 0
    for place in range(len(terms)):
        for _ in range(counts[place]):
            words[filled[where[entry]]] = terms[place]
            filled[where[entry]] += 1
            entry += 1
    for paragraph in range(paragraphs):
        first, last = starts[paragraph], starts[paragraph + 1]
        for place in range(first, last - 1):
            state = _mixed(state)
            other = place + np.int64(_share(state) * (last - place))
            words[place], words[other] = words[other], words[place]
    return words, starts


def buffer_size(counts: np.ndarray) -> int:
    """How many bytes the text of such counts may take."""
    longest = max(1.0, (len(counts) / _TYPICAL) ** _RETURN)
    return int((int(counts.sum()) * longest + len(counts)) * (_LONGEST + 3)) + 100


@compiled
def write(
    terms: np.ndarray,
    counts: np.ndarray,
    sizes: np.ndarray,
    claims: np.ndarray,
    share: float,
    seed: np.uint64,
    out: np.ndarray,
    letters: np.ndarray,
    ends: np.ndarray,
) -> np.ndarray:
    """Writes title, abstract, the claims (`claims` words each) and the paragraphs of a document; where each ends.

    `seed` decides the order: the same document with the same seed has the same description.
    """
    counts = _returning(counts, _mixed(seed ^ _ONE))
    if share < 1.0:
        counts = _thinned(counts, share, _mixed(seed ^ _TWO ^ _ONE))
    total = counts.sum()
    wanted = min(sizes[0] + sizes[1] + claims.sum(), total // 2)
    taken = terms[_chosen(counts, total, wanted, _mixed(seed ^ _TWO))]
    words, starts = _scattered(terms, counts, _mixed(seed))
    found = np.empty(2 + len(claims) + len(starts) - 1, np.int64)
    at, first = 0, 0
    for part in range(2 + len(claims)):
        last = min(len(taken), first + (sizes[part] if part < 2 else claims[part - 2]))
        if part < 2:
            at = _sentences(taken[first:last], out, at, letters, ends, _SENTENCE, _STOP)
        else:
            at = _sentences(taken[first:last], out, at, letters, ends, _ELEMENT, _SEMICOLON)
        found[part], first = at, last
    for paragraph in range(len(starts) - 1):
        if starts[paragraph + 1] > starts[paragraph]:
            part_words = words[starts[paragraph] : starts[paragraph + 1]]
            at = _sentences(part_words, out, at, letters, ends, _SENTENCE, _STOP)
            out[at], out[at + 1], out[at + 2] = _STOP, _BACKSLASH, _N
            at += 3
        found[2 + len(claims) + paragraph] = at
    return found
