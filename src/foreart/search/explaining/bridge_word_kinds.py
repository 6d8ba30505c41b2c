"""What kind of word a word looks like, by its ending: a noun is not bridged to an adjective as easily as to a noun."""

from __future__ import annotations

import re

_ADJECTIVE = re.compile(r"(?:ed|able|ible|al|ic|ous|ive|ar|ary|less|ful|ate|oid)$")
# Nouns of claims that end like something else.
_NOUN_WORDS = """
additive adhesive animal bar bearing bed boundary bushing cable capillary carbonate casing ceramic characteristic
chemical coating collar coupling crystal derivative drive electrolyte fabric feed fitting housing interval library
lining logic material metal mineral opening pedal pillar plastic plate portal radar reed ring seed signal sleeve
sonar speed spring string substrate table terminal thread tubing variable winding wing
"""
_NOUNS = frozenset(_NOUN_WORDS.split())
# Words of offices, figures and amounts: they stand in every patent and mean nothing of the thing.
_OFFICE_WORDS = """
application applications assigned assignee assignor attorney continuation continuing copending corporation corresponds
cross date dated diagram diagrammatic diagrams disclosed disclosure docket drawings eight eighteen eighty entitled
fifteen fifty filed filing fig figs fiftieth forty fragmentary fourteen granted hereby hundred incorporated isometric
issued nine ninety patent patented patents pending perspective ppm priority provisional publication publications
published reference seven seventy schematic schematical schematically serial six sixteen sixty sold teaches teaching ten
thirty thousand trademark trademarks twelve twenty
"""
OF_OFFICES = frozenset(_OFFICE_WORDS.split())


def kind_of_word(word: str, language: str) -> str:
    """`noun`, `adjective`, `adverb` or `ing` as an English word looks; the same for all words of other languages."""
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
    """Whether a phrase may end with it."""
    return kind_of_word(word, language) in ("", "noun")
