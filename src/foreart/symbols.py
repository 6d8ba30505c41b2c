"""One spelling for class symbols of CPC and IPC: `A61B 17/70`."""

from __future__ import annotations

import re

_SYMBOL = re.compile(r"^\s*([A-HY])\s?(\d\d)\s?([A-Z])\s*(?:0*(\d{1,4})(?:\s*[/:]\s*(\d{1,6}))?)?")
_FIXED = re.compile(r"^\s*([A-H]\d\d[A-Z])\s*(\d{1,3})(\d\d)\s*$")
_SUBCLASS = re.compile(r"^([A-HY])\s?(\d\d)\s?([A-Z])")


def class_symbol(text: str) -> str:
    """The symbol as offices print it today; `""` for what is none.

    >>> class_symbol("A61B0017700000"), class_symbol("B08B003/00"), class_symbol("A61B")
    ('A61B 17/70', 'B08B 3/00', 'A61B')
    """
    padded = re.match(r"^\s*([A-HY]\d\d[A-Z])(\d{4})(\d{6})\s*$", text)  # DOCDB: 4 + 6 digits
    if padded:
        return _symbol(padded[1], padded[2], padded[3].rstrip("0").ljust(2, "0"))
    match = _SYMBOL.match(text)
    if not match:
        return ""
    subclass = match[1] + match[2] + match[3]
    return _symbol(subclass, match[4], match[5])


def fixed_symbol(text: str) -> str:
    """A symbol of the fixed-width US files, `G06F 1516` or `G06F  728`: the last two figures are the subgroup."""
    match = _FIXED.match(text)
    if match:
        return _symbol(match[1], match[2], match[3])
    long = re.match(r"^\s*([A-H]\d\d[A-Z])\s*(\d{1,3}?)(\d{2,4})\s*$", text)
    return _symbol(long[1], long[2], long[3]) if long else class_symbol(text)


def subclass(symbol: str) -> str:
    """The first four places, `A61B`; `""` for what is no symbol."""
    match = _SUBCLASS.match(symbol)
    return match[1] + match[2] + match[3] if match else ""


def _symbol(head: str, group: str | None, subgroup: str | None) -> str:
    if not group:
        return head
    main = group.lstrip("0") or "0"
    return f"{head} {main}/{subgroup}" if subgroup else f"{head} {main}"
