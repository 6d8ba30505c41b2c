"""Running text as scans and exports leave it: lines that were broken on paper, languages that nobody names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_ENDS = re.compile(r"(?:[.:!?]|;(?:\s+(?:and|or|et|ou|und|oder))?|,\s+(?:and|or|et|ou|und|oder))$", re.IGNORECASE)
_FIGURE = re.compile(r"\(\s?\d")
_LINE = 40
_SAMPLE = 20_000
_WORDS = {
    "en": "the of and to in is that for with said which by are be an from",
    "fr": "le la les des du et une dans est par pour sur qui que au en",
    "de": "der die das und den des mit ist von dem ein eine zu im auf nach",
    "es": "el los las del y una por para con que en se es un al como",
    "it": "il gli della di che e un una per con del nel sono alla dei si",
    "pt": "o os as da do e uma um para com que em no na por dos",
    "nl": "de het een van en in is op met voor dat die wordt aan door zijn",
}


def joined_lines(lines: Iterable[str]) -> Iterator[str]:
    """Lines with those put together that paper broke in the middle of a sentence; empty lines part them, and go."""
    held = ""
    for line in lines:
        text = " ".join(line.split())
        if not text:
            if held:
                yield held
            held = ""
        elif held and _continues(held, text):
            held = held[:-1] + text if _is_hyphenated(held, text) else f"{held} {text}"
        else:
            if held:
                yield held
            held = text
    if held:
        yield held


def _continues(held: str, text: str) -> bool:
    if _ENDS.search(held):
        return False
    # A line of paper is long: a short one before a figure is a heading, `Example`, and not half a sentence.
    return (
        text[0].islower()
        or _FIGURE.match(text) is not None
        or (text[0].isdigit() and held[-1].islower() and len(held) > _LINE)
    )


def _is_hyphenated(held: str, text: str) -> bool:
    return len(held) > 2 and held[-1] == "-" and held[-2].isalpha() and text[0].islower()


def guess_language(text: str) -> str:
    """The language as two letters by its commonest words; `""` where hardly any are known."""
    words = re.findall(r"[^\W\d_]+", text[:_SAMPLE].lower())
    counts = {language: sum(map(set(known.split()).__contains__, words)) for language, known in _WORDS.items()}
    best = max(counts, key=lambda language: counts[language])
    return best if words and counts[best] * 12 > len(words) else ""
