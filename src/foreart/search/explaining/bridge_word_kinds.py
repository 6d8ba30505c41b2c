"""The part of speech of a word, guessed from its ending: bridges between different kinds need a higher similarity."""

from __future__ import annotations

import re

_ADJECTIVE = re.compile(r"(?:ed|able|ible|al|ic|ous|ive|ar|ary|less|ful|ate|oid)$")
# Nouns of claims with the ending of another kind.
_NOUN_WORDS = """
additive adhesive animal bar bearing bed boundary bushing cable capillary carbonate casing ceramic characteristic
chemical coating collar coupling crystal derivative drive electrolyte fabric feed fitting housing interval library
lining logic material metal mineral opening pedal pillar plastic plate portal radar reed ring seed signal sleeve
sonar speed spring string substrate table terminal thread tubing variable winding wing
"""
_NOUNS = frozenset(_NOUN_WORDS.split())
# Boilerplate of offices, figures and amounts, which says nothing about the subject.
_OFFICE_WORD_LIST = """
application applications assigned assignee assignor attorney continuation continuing copending corporation corresponds
cross date dated diagram diagrammatic diagrams disclosed disclosure docket drawings eight eighteen eighty entitled
fifteen fifty filed filing fig figs fiftieth forty fragmentary fourteen granted hereby hundred incorporated isometric
issued nine ninety patent patented patents pending perspective ppm priority provisional publication publications
published reference seven seventy schematic schematical schematically serial six sixteen sixty sold teaches teaching ten
thirty thousand trademark trademarks twelve twenty
"""
OFFICE_WORDS = frozenset(_OFFICE_WORD_LIST.split())


def kind_of_word(word: str, language: str) -> str:
    """`noun`, `adjective`, `adverb` or `ing` by the ending of an English word; `""` in other languages."""
    if language not in ("", "en"):
        return ""
    if word in _NOUNS or word.removesuffix("s") in _NOUNS:
        return "noun"
    if word.endswith("ly"):
        return "adverb"
    if word.endswith("ing"):
        return "ing"
    return "adjective" if _ADJECTIVE.search(word) else "noun"


def is_noun_like(word: str, language: str) -> bool:
    """Whether a word can end a noun phrase."""
    return kind_of_word(word, language) in ("", "noun")
