"""The rankings a person may ask for, by name; here, so that a command need not open them to list them."""

from __future__ import annotations

LEARNED_WEIGHTS, DEFAULT_WEIGHTS, RRF_RANKING = "learned", "default-weights", "rrf"
# How channels become one score: by weights learned on this corpus, by those that come with foreart, or by reciprocal
# ranks. `auto` takes what was learned, else the default weights.
RANKINGS = ("auto", LEARNED_WEIGHTS, DEFAULT_WEIGHTS, RRF_RANKING)
# Names of foreart 0.1, as records have them.
RENAMED = {"brought": DEFAULT_WEIGHTS}
