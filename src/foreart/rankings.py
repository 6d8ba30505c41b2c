"""The names of the rankings; a separate module, so that commands can list them without loading a ranker."""

from __future__ import annotations

LEARNED_WEIGHTS, DEFAULT_WEIGHTS, RRF_RANKING = "learned", "default-weights", "rrf"
# How channels are fused: by weights learned on this corpus, by the default weights of foreart, or by reciprocal rank
# fusion. `auto` takes the learned weights if there are any, else the default ones.
RANKINGS = ("auto", LEARNED_WEIGHTS, DEFAULT_WEIGHTS, RRF_RANKING)
# Names of foreart 0.1, which old records contain.
RENAMED = {"brought": DEFAULT_WEIGHTS}
