"""The language of a text, guessed from its function words or its script."""

from __future__ import annotations

import re
from collections import Counter

# Words frequent in one language and rare or unknown in the others.
_WORDS = {
    "en": "the of and to is that with for by which wherein are or from has comprising",
    "de": "der die das und ist mit von den dem ein eine einer zur wobei wird nach auf sich oder daß dass",
    "fr": "le les des et est une dans que pour par sur avec du dont selon cette aux sont",
    "es": "el los las del y una que para por con según está comprende dicho",
    "it": "il che di e della per con una nel secondo dei gli alla comprendente",
    "nl": "het een van en de met voor is dat volgens waarbij wordt door",
    "pt": "os uma que para com não por da do dos das ao compreendendo",
}
_OWNERS = {
    word: [code for code, words in _WORDS.items() if word in words.split()]
    for words in _WORDS.values()
    for word in words.split()
}
_SCRIPTS = (
    ("ja", r"[\u3040-\u30ff]"),
    ("ko", r"[\uac00-\ud7af]"),
    ("zh", r"[\u4e00-\u9fff]"),
    ("ru", r"[\u0400-\u04ff]"),
)
_LONGEST = 60_000


def guess_language(text: str) -> str:
    """`en`, `de` and some others as two letters, `other` if it is none of them, `""` if there are too few words.

    >>> guess_language("Die Schraube ist mit dem Hebel verbunden, wobei der Hebel schwenkbar ist.")
    'de'
    """
    sample = text[:_LONGEST]
    letters = sum(map(str.isalpha, sample))
    for code, script in _SCRIPTS:
        if letters and len(re.findall(script, sample)) > 0.2 * letters:
            return code
    words = Counter(re.findall(r"[^\W\d_]+", sample.lower()))
    total = sum(words.values())
    if total < 5:
        return ""
    scores: Counter[str] = Counter()
    for word, count in words.items():
        for code in _OWNERS.get(word, ()):
            scores[code] += count
    best = max(_WORDS, key=lambda code: (scores[code], code))
    return best if scores[best] >= 0.08 * total else "other"
