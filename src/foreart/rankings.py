"""The rankings a person may ask for, by name; here, so that a command need not open them to list them."""

from __future__ import annotations

# How channels become one score: by what was learned here, by what foreart brings along, or by reciprocal ranks; `auto`
# takes what was learned if anything was, else what is brought along.
RANKINGS = ("auto", "learned", "brought", "rrf")
