"""A light stemmer for English and German: inflections and the most regular derivations."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Forms frequent in claims that the rules would miss or get wrong.
_ENGLISH_FORMS = {
    "movable": "move", "moveable": "move", "movement": "move", "movements": "move", "pivotal": "pivot",
    "pivotally": "pivot", "portable": "portable", "feet": "foot", "teeth": "tooth", "axes": "axis", "axles": "axle",
    "indices": "index", "vertices": "vertex", "matrices": "matrix", "held": "hold", "wound": "wind", "bent": "bend",
    "sent": "send", "driven": "drive", "drove": "drive", "chosen": "choos", "broken": "break", "woven": "weave",
    "analyses": "analysi", "analysis": "analysi", "analyzing": "analyz", "bias": "bias", "biased": "bias",
    "biases": "bias", "gases": "gas", "lens": "lens", "lenses": "lens", "bus": "bus", "buses": "bus",
    "series": "series", "species": "species", "means": "means", "apparatuses": "apparatus",
}  # fmt: skip
_GERMAN_FOLD = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss"})
_GERMAN_END = re.compile(r"(?:ern|em|er|en|es|e|s|n)$")
_VOWELS = re.compile(r"[aeiouy]+")
_DOUBLE = re.compile(r"([bdfgmnprt])\1$")
# One-syllable stems that lost an e before -ing and -ed: sliding, sensing, curved, guided, angled.
_LOST_E = re.compile(
    r"(?:^[^aeiouy]*[aeiouy][^aeiouywx]|[aeiouy][^aeiouy]*[vzc]|[^aeiouys]s|[^aeiouyn]g|ui[^aeiouy]|[bcdfgkpstz]l)$"
)
_SHORT = 4
# Suffixes tried after a stem to find the most frequent form of a word.
_ENGLISH_SUFFIXES = ("", "e", "s", "es", "ed", "ing", "ion", "ions", "able", "ly", "y", "ies", "ment")
_GERMAN_SUFFIXES = ("", "e", "en", "er", "es", "s", "n", "t", "ung", "ungen")


def stem(word: str, language: str) -> str:
    """The stem of a word; in other languages the word itself.

    >>> [stem(word, "en") for word in ("rotates", "rotating", "rotation", "rotatably", "portion", "bodies")]
    ['rotat', 'rotat', 'rotat', 'rotat', 'portion', 'body']
    """
    if language == "de":
        return _german(word)
    return _english(word) if language in ("", "en") else word


def normalised_word(word: str) -> str:
    """A word normalised for comparison: lower case, Unicode NFKC (ligatures, composed letters)."""
    lowered = word.lower()
    return lowered if lowered.isascii() else unicodedata.normalize("NFKC", lowered)


def forms(word: str, language: str) -> tuple[str, ...]:
    """Possible words with the same stem, the word itself first; not all of them exist."""
    base = stem(word, language)
    suffixes = _GERMAN_SUFFIXES if language == "de" else _ENGLISH_SUFFIXES if language in ("", "en") else ("",)
    doubled = [base + base[-1] + end for end in ("ed", "ing")] if language in ("", "en") else []
    candidates = [word, *(base + end for end in suffixes), *doubled]
    if base.endswith("y"):
        candidates.append(base[:-1] + "ies")
    return tuple(dict.fromkeys(item for item in candidates if item == word or stem(item, language) == base))


@lru_cache(maxsize=100_000)
def _english(word: str) -> str:
    if len(word) <= 3 or word in _ENGLISH_FORMS or not word[-1].isalpha():
        return _ENGLISH_FORMS.get(word, word)
    word = _participle(_adverb(_singular(word)))
    for end, shortest in (("able", 4), ("ible", 4), ("ment", 5), ("ional", 5), ("ion", 5)):
        if word.endswith(end) and len(word) - len(end) >= shortest and (end != "ion" or word[-4] in "ts"):
            word = word[: -len(end)]
    return _without_e(word)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _adverb(word: str) -> str:
    if word.endswith("ably") or word.endswith("ibly"):
        return word[:-1] + "e"
    return word[:-2] if word.endswith("ly") and len(word) > 6 else word


def _participle(word: str) -> str:
    for end in ("ing", "ed"):
        base = word[: -len(end)]
        if word.endswith(end) and len(base) >= 3 and _VOWELS.search(base) and not word.endswith("eed"):
            single = _DOUBLE.sub(r"\1", base)
            if single != base:
                return single
            if base.endswith("ll") and len(base) >= 7:
                return base[:-1]
            return base + "e" if len(base) <= _SHORT and _LOST_E.search(base) else base
    return word


def _without_e(word: str) -> str:
    """Drops the final e of long words, as their participles do; short words keep it: "plane" is not "plan"."""
    long = len(word) > _SHORT + 1 or len(_VOWELS.findall(word)) > 2
    return word[:-1] if word.endswith("e") and long else word


@lru_cache(maxsize=100_000)
def _german(word: str) -> str:
    word = word.translate(_GERMAN_FOLD)
    if len(word) <= 4 or not word[-1].isalpha():
        return word
    shorter = _GERMAN_END.sub("", word)
    word = shorter if len(shorter) >= 3 else word
    if word.endswith("ung") and len(word) >= 8:
        return word[:-3]
    return word[:-1] if word.endswith(("iert", "igt", "elt", "ert")) and len(word) >= 6 else word
