"""The laws that a search can apply; a separate module, so that commands can list them without loading a search."""

from __future__ import annotations

from typing import Literal

Regime = Literal["any", "epc", "us", "pct"]

REGIMES: dict[Regime, str] = {
    "any": "prior art, or mentioned, under at least one of EPC, US law and PCT",
    "epc": "European Patent Convention: Art. 54(2) and (3), 89",
    "us": "35 USC 102(a)(1) and (2), 102(d); before 2013-03-16 the law before the America Invents Act",
    "pct": "international phase: PCT Rules 33.1 (search) and 64 (examination)",
}

# The statuses that a hit can have; documents after the date and of the own family are listed separately.
HIT_STATUSES: tuple[str, ...] = ("prior art", "novelty only", "mentioned", "date unknown")
