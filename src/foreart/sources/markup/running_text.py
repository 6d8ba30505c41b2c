"""Running text of scans and exports: joins lines that were broken on paper, and guesses the language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

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
    """Joins lines that paper broke in the middle of a sentence; empty lines separate them and are left out."""
    held: list[str] = []
    for line in lines:
        text = " ".join(line.split())
        if held and not (text and _continues(held, text)):
            yield "".join(held)
            held = []
        if held and _is_hyphenated(held, text):
            held[-1] = held[-1][:-1]
        elif held:
            held.append(" ")
        if text:
            held.append(text)
    if held:
        yield "".join(held)


def _continues(held: Sequence[str], text: str) -> bool:
    if _ENDS.search("".join(part[-8:] for part in held[-4:])):
        return False
    # A line of paper is long: a short one before a figure is a heading (`Example`), not half a sentence.
    return (
        text[0].islower()
        or _FIGURE.match(text) is not None
        or (text[0].isdigit() and held[-1][-1].islower() and sum(map(len, held[-_LINE:])) > _LINE)
    )


def _is_hyphenated(held: Sequence[str], text: str) -> bool:
    last = held[-1]
    return last[-1] == "-" and last[-2:-1].isalpha() and text[0].islower() and (len(last) > 2 or len(held) > 1)


def guess_language(text: str) -> str:
    """The language as two letters by its commonest words; `""` where hardly any are known."""
    words = re.findall(r"[^\W\d_]+", text[:_SAMPLE].lower())
    counts = {language: sum(map(set(known.split()).__contains__, words)) for language, known in _WORDS.items()}
    best = max(counts, key=lambda language: counts[language])
    return best if words and counts[best] * 12 > len(words) else ""
