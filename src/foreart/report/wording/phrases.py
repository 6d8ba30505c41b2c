"""Numbers, counts and texts of unknown origin as every report prints them."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foreart.search import Regime

LAWS: dict[Regime, str] = {"any": "EPC, US or PCT law", "epc": "the EPC", "us": "US law", "pct": "the PCT"}


def plain(text: str) -> str:
    """A text of unknown origin without control characters, which could change what a terminal or page shows."""
    if text.isprintable():
        return text
    return "".join(
        char if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cs", "Cf", "Zl", "Zp") else " "
        for char in text
    )


def count(number: int, one: str, many: str = "") -> str:
    """`1 document`, `1,735 documents`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def percent(share: float) -> str:
    """`57 %`, and one more digit below 10 %: `3.1 %`."""
    return f"{share * 100:.1f} %" if 0 < share < 0.1 else f"{share * 100:.0f} %"


def whole_percent(share: float) -> str:
    """`57 %`, `< 1 %`."""
    return "< 1 %" if 0 < share < 0.01 else f"{share * 100:.0f} %"


def signed(value: float, digits: int = 2) -> str:
    """A contribution with its sign (a minus sign, not a hyphen), and one more digit if small; `0` for none."""
    if not value:
        return "0"
    return f"{value:+.{digits + (abs(value) < 0.1)}f}".replace("-", "\u2212")
