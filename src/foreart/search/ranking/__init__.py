"""All channels fused into one ranking."""

from foreart.search.ranking.bibliography import FILE as BIBLIOGRAPHY
from foreart.search.ranking.bibliography import (
    Bibliography,
    load_bibliography,
    read_bibliography,
    write_bibliography,
)
from foreart.search.ranking.brought import brought_along
from foreart.search.ranking.calibration import Calibration, calibrate, chance
from foreart.search.ranking.folder import (
    open_ground,
    open_ranker,
    ranking_path,
    ranking_state,
    renew_bibliography,
)
from foreart.search.ranking.fused import RRF, FusedComparison, FusedRanker
from foreart.search.ranking.fusion import ReciprocalRanks, Weighted
from foreart.search.ranking.ground import Ground, ground_of
from foreart.search.ranking.learned import FILE as LEARNED
from foreart.search.ranking.learned import Fold, Learned, Ranking, learned_of, load_learned, write_learned
from foreart.search.ranking.logistic import Logistic, fit_logistic
from foreart.search.ranking.neighbours import Compared, Example, Neighbours, compared, example, fit_neighbours
from foreart.search.ranking.question import FORMS, Question, question_of
from foreart.search.ranking.ragged import Ragged
from foreart.search.ranking.signals import CHANNELS, Channel, Signals
from foreart.search.ranking.soundness import outgrown, problems
from foreart.search.ranking.texts import NEEDED, TEXT_CHANNELS, TextChannel, Texts

__all__ = [
    "BIBLIOGRAPHY",
    "CHANNELS",
    "FORMS",
    "LEARNED",
    "NEEDED",
    "RRF",
    "TEXT_CHANNELS",
    "Bibliography",
    "Calibration",
    "Channel",
    "Compared",
    "Example",
    "Fold",
    "FusedComparison",
    "FusedRanker",
    "Ground",
    "Learned",
    "Logistic",
    "Neighbours",
    "Question",
    "Ragged",
    "Ranking",
    "ReciprocalRanks",
    "Signals",
    "TextChannel",
    "Texts",
    "Weighted",
    "brought_along",
    "calibrate",
    "chance",
    "compared",
    "example",
    "fit_logistic",
    "fit_neighbours",
    "ground_of",
    "learned_of",
    "load_bibliography",
    "load_learned",
    "open_ground",
    "open_ranker",
    "outgrown",
    "problems",
    "question_of",
    "ranking_path",
    "ranking_state",
    "read_bibliography",
    "renew_bibliography",
    "write_bibliography",
    "write_learned",
]
