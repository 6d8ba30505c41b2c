"""The result of one check of a library or the installation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """The result of one check: `ok`, `note` (information) or `bad` (the sentence says how to repair it)."""

    subject: str
    state: Literal["ok", "note", "bad"]
    sentence: str
