"""Running text of scans and exports: joins the lines of printed pages, and guesses the language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

_SENTENCE_END = re.compile(
    r"(?:[.:!?]|;(?:\s+(?:and|or|et|ou|und|oder))?|,\s+(?:and|or|et|ou|und|oder))$", re.IGNORECASE
)
_NUMERAL = re.compile(r"\(\s?\d")
_MIN_LINE = 40
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
    """Joins lines that break in the middle of a sentence; empty lines separate paragraphs and are dropped."""
    pending: list[str] = []
    for line in lines:
        text = " ".join(line.split())
        if pending and not (text and _continues(pending, text)):
            yield "".join(pending)
            pending = []
        if pending and _is_hyphenated(pending, text):
            pending[-1] = pending[-1][:-1]
        elif pending:
            pending.append(" ")
        if text:
            pending.append(text)
    if pending:
        yield "".join(pending)


def _continues(pending: Sequence[str], text: str) -> bool:
    if _SENTENCE_END.search("".join(part[-8:] for part in pending[-4:])):
        return False
    # Printed lines are long: a short one before a number is a heading (`Example`), not half a sentence.
    return (
        text[0].islower()
        or _NUMERAL.match(text) is not None
        or (text[0].isdigit() and pending[-1][-1].islower() and sum(map(len, pending[-_MIN_LINE:])) > _MIN_LINE)
    )


def _is_hyphenated(pending: Sequence[str], text: str) -> bool:
    last = pending[-1]
    return last[-1] == "-" and last[-2:-1].isalpha() and text[0].islower() and (len(last) > 2 or len(pending) > 1)


def guess_language(text: str) -> str:
    """The two-letter language code by the most frequent words; `""` if too few are recognised."""
    words = re.findall(r"[^\W\d_]+", text[:_SAMPLE].lower())
    counts = {language: sum(map(set(known.split()).__contains__, words)) for language, known in _WORDS.items()}
    best = max(counts, key=lambda language: counts[language])
    return best if words and counts[best] * 12 > len(words) else ""
