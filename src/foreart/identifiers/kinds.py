"""The document type of a publication, from its office and kind code."""

from __future__ import annotations

from foreart.identifiers.numbers import loose_number

_US = {"S": "design", "P": "plant", "E": "reissue", "H": "statutory invention registration"}
# US number series with letters: their type is known without a kind code.
_SERIES = {
    "D": "design",
    "PP": "plant",
    "RE": "reissue",
    "H": "statutory invention registration",
    "T": "defensive publication",
}
_EAST = ("CN", "JP", "KR", "TW")


def document_type(identity: str) -> str:
    """`utility`, `design`, `plant`, `reissue`, … for the US, `utility model` and `design` elsewhere; `""` if unknown.

    >>> document_type("USD543210S1"), document_type("US7585299B2"), document_type("DE29618318U1")
    ('design', 'utility', 'utility model')
    """
    number = loose_number(identity)
    letter = number.kind[:1]
    if number.country == "US":
        series = number.number.rstrip("0123456789")
        return _SERIES.get(series) or _US.get(letter, "utility" if letter in ("A", "B", "C") else "")
    if letter == "U" or (letter == "Y" and number.country in _EAST):
        return "utility model"
    return "design" if letter == "S" and number.country in _EAST else ""
