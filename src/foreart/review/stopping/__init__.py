"""When may reading stop? How many relevant documents are still unread, estimated with its error."""

from foreart.review.stopping.chance_curve import ChanceCurve
from foreart.review.stopping.gamma_poisson import (
    GammaPrior,
    log_likelihood,
    unread_at_most,
    unread_mean,
    unread_quantile,
)
from foreart.review.stopping.recalibration import Levels, levels_of
from foreart.review.stopping.recent_finds import STEP, RecentFinds
from foreart.review.stopping.sequential_rule import FEWEST, LOOKS, checked_rule, holds, in_a_row
from foreart.review.stopping.stopping_model import (
    EARLY,
    EDGES,
    StoppingModel,
    UnreadInterval,
    level_of,
    stopping_model_of,
    unread_interval,
)
from foreart.review.stopping.unread_estimate import NEXT, Stopping, estimate_sentence, no_estimate, recall_of

__all__ = [
    "EARLY",
    "EDGES",
    "FEWEST",
    "LOOKS",
    "NEXT",
    "STEP",
    "ChanceCurve",
    "GammaPrior",
    "Levels",
    "RecentFinds",
    "Stopping",
    "StoppingModel",
    "UnreadInterval",
    "checked_rule",
    "estimate_sentence",
    "holds",
    "in_a_row",
    "level_of",
    "levels_of",
    "log_likelihood",
    "no_estimate",
    "recall_of",
    "stopping_model_of",
    "unread_at_most",
    "unread_interval",
    "unread_mean",
    "unread_quantile",
]
