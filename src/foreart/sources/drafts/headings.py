"""The headings by which an application is divided, in English and German."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Part = Literal["title", "abstract", "description", "claims"]

_OF = r"(?:\s+(?:of|to|der|des|zu|zum|zur|von)\b.{1,80})?"
_PATTERNS: dict[Part, str] = {
    "title": r"title(?:\s+of\s+(?:the\s+)?invention)?|titel(?:\s+der\s+erfindung)?|bezeichnung(?:\s+der\s+erfindung)?",
    "abstract": r"abstract(?:\s+of\s+the\s+(?:disclosure|invention))?|zusammenfassung",
    "claims": r"(?:patent\s+)?claims?|what\s+is\s+claimed(?:\s+is)?|what\s+(?:we|i)\s+claim(?:\s+is)?|(?:we|i)\s+claim"
    r"|(?:the\s+)?invention\s+claimed(?:\s+is)?|(?:patent)?ansprüche|patentansprueche|(?:es\s+wird\s+)?beansprucht\s+wird",
    "description": rf"(?:technical\s+)?field{_OF}|(?:technical\s+)?background(?:\s+art)?{_OF}"
    rf"|(?:description\s+of\s+(?:the\s+)?)?(?:related|prior)\s+art|(?:brief\s+)?summary{_OF}|disclosure{_OF}"
    rf"|(?:brief\s+|detailed\s+)?description{_OF}|(?:drawings|figures)|(?:preferred\s+)?embodiments?{_OF}"
    rf"|cross[- ]reference{_OF}|industrial\s+applicability|statement\s+(?:regarding|of)\b.{{1,80}}"
    rf"|(?:technisches\s+)?gebiet{_OF}|(?:technischer\s+)?hintergrund{_OF}|stand\s+der\s+technik"
    rf"|zusammenfassung\s+der\s+erfindung|aufgabe{_OF}|figurenbeschreibung|bezugszeichenliste"
    rf"|(?:kurze\s+|kurz|ausführliche\s+|detaillierte\s+|detail)?beschreibung{_OF}|ausführungsbeispiele?",
}
_NUMBERING = r"(?:(?:\d{1,2}(?:\.\d{1,2})*|[IVX]{1,4}|[A-H])[.)]?\s+)?"
_WHOLE = {
    part: re.compile(rf"{_NUMBERING}(?P<heading>{pattern})\s*(?:[:.]?$|:\s*(?P<rest>\S.*)$)", re.IGNORECASE | re.DOTALL)
    for part, pattern in _PATTERNS.items()
}
_LONGEST = 120


@dataclass(frozen=True, slots=True)
class Heading:
    """A known heading: the part it opens, and text that follows it on its line."""

    part: Part
    text: str
    rest: str = ""


def known_heading(line: str) -> Heading | None:
    """The heading a line is, or None. Markdown signs and numbering are looked through.

    >>> known_heading("## 1. Technical Field"), known_heading("The field of use is wide.")
    (Heading(part='description', text='Technical Field', rest=''), None)
    """
    text = unmarked(line)
    if not text or text[0].islower():
        return None
    for part, pattern in _WHOLE.items():
        found = pattern.match(text)
        if found and len(found["heading"]) <= _LONGEST:
            return Heading(part, found["heading"], found["rest"] or "")
    return None


def unmarked(line: str) -> str:
    """A line without the signs that make it a heading or bold in Markdown."""
    text = re.sub(r"^#{1,6}\s+|\s+#+$", "", line.strip())
    return re.sub(r"^(\*\*|__)(.+)\1(:?)$", r"\2\3", text).strip()
