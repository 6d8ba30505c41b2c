"""Reference numerals: the numbers by which a text names the parts of its drawings."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass

_NUMBER = re.compile(
    r"(?<![\w.,/$€:=<>±+–-])(\(?)(\d{1,4}[a-zA-Z]?['′]{0,2})(?:\s?[,-]\s?\d{1,4}[a-zA-Z]?(?=[\s,;)]))*(\)?)"
    r"(?![\w%°′'/:=]|[.,]\d|-\w|\s?[%°×]|\s?(?:[mnkµcμ]?(?:m|g|l|s|A|V|W|Hz|Pa|J|N|mol|M)|[GMk]Hz|hours?|hrs?|h"
    r"|min(?:utes?)?|sec(?:onds?)?"
    r"|days?|weeks?|years?|months?|degrees?|Grad|Prozent|percent|inch(?:es)?|feet|ft|psi|bar|ppm|times|mal|bits?"
    r"|bytes?|[MGk]B|[Mk]?bps"
    r"|dB|kDa|Da|bp|kb|rpm|mesh|wt|vol|Stunden|Minuten|Sekunden|Tagen?|Jahren?)\b)"
)
# A number after one of these words is not a reference numeral.
_PLAIN_WORDS = """
a an the this that these those said each its their his of to by from or and is are was were be at in on with without
between over under up per about approximately least most than only for as into through via within around fig figs
figure figures claim claims example examples table tables formula equation eq no nos number numbers page col column
columns line lines ser pat patent seq id version type embodiment chapter section sections note january february march
april may june july august september october november december jan feb mar apr jun jul aug sep oct nov dec der die das
den dem des ein eine einen einem einer eines und oder von zu zum zur bei mit aus auf für durch bis etwa ca circa nach
anspruch ansprüche ansprüchen beispiel figur figuren abb abbildung tabelle gleichung formel seite nr mindestens
höchstens ist sind war wird jeweils sowie als vom im am respectively also has have having comprises wherein which
where when then using use used one two three four five six first second both all any other another step steps schritt
schritte group groups paragraph pages wt vol mm cm
"""
_NO_NAME = frozenset(_PLAIN_WORDS.split())


@dataclass(frozen=True, slots=True)
class Numeral:
    """A reference numeral, the name most often used with it, and its spans (brackets included)."""

    numeral: str
    name: str
    spans: tuple[tuple[int, int], ...]


def numerals(text: str) -> tuple[Numeral, ...]:
    """The reference numerals of a text in ascending order, without amounts, claim numbers and figure numbers.

    >>> [(item.numeral, item.name) for item in numerals("A bone screw 12 of 40 mm. The bone screw 12 has a head (14).")]
    [('12', 'bone screw'), ('14', 'head')]
    """
    names: dict[str, Counter[str]] = defaultdict(Counter)
    spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
    bracketed: Counter[str] = Counter()
    for found in _NUMBER.finditer(text):
        numeral, name = found[2], _name_before(text, found.start())
        if not name or (found[1] != "") != (found[3] != "") or re.fullmatch(r"(?:1[789]|20)\d\d", numeral):
            continue
        names[numeral][name] += 1
        spans[numeral].append(found.span())
        bracketed[numeral] += bool(found[1])
    return tuple(
        Numeral(numeral, _common_name(names[numeral]), tuple(spans[numeral]))
        for numeral in sorted(names, key=_order)
        if bracketed[numeral] or _agreeing(names[numeral]) >= 2
    )


def _name_before(text: str, end: int) -> str:
    """Up to three words before offset `end` that can name a part; `""` if the last of them cannot."""
    head = text[max(0, end - 80) : end]
    words = re.split(r"[^\w’'\s-]+", head)[-1].split()
    if not words or not head[-1:].isspace():
        return ""
    name: list[str] = []
    for word in reversed(words[-3:]):
        if word.lower() in _NO_NAME or not word[0].isalpha() or len(word) < 2:
            break
        name.insert(0, word.lower() if not name or word[1:].islower() else word)
    return " ".join(name)


def _agreeing(names: Counter[str]) -> int:
    heads: Counter[str] = Counter()
    for name, count in names.items():
        heads[name.split()[-1].lower().rstrip("s")] += count
    return max(heads.values())


def _common_name(names: Counter[str]) -> str:
    """The longest ending that at least half of the numeral's names share."""
    total = sum(names.values())
    endings: Counter[str] = Counter()
    for name, count in names.items():
        words = name.split()
        for start in range(len(words)):
            endings[" ".join(words[start:])] += count
    good = [ending for ending, count in endings.items() if 2 * count >= total] or [endings.most_common(1)[0][0]]
    return max(good, key=lambda ending: (len(ending.split()), endings[ending], ending))


def _order(numeral: str) -> tuple[int, str]:
    return int(numeral.rstrip("'′").rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")), numeral
