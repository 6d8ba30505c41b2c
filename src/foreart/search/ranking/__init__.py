"""Channels, their signals, and the fusion into one ranking."""

from foreart.search.ranking.calibration import Calibration, calibrate, chance
from foreart.search.ranking.citation_graph import CitationGraph
from foreart.search.ranking.default_weights import default_weights
from foreart.search.ranking.fused import RRF, FusedComparison, FusedRanker
from foreart.search.ranking.fusion import ReciprocalRanks, Weighted
from foreart.search.ranking.learned import FILE as LEARNED
from foreart.search.ranking.learned import Fold, Learned, Ranking, learned_of, load_learned, outgrown, write_learned
from foreart.search.ranking.logistic import Logistic, fit_logistic
from foreart.search.ranking.neighbours import (
    DraftFeatures,
    NeighbourExample,
    Neighbours,
    draft_features,
    fit_neighbours,
    neighbour_example,
)
from foreart.search.ranking.query_forms import FORMS, QueryForms, query_forms_of
from foreart.search.ranking.ranking_folder import open_inputs, open_ranker, ranking_path, ranking_state
from foreart.search.ranking.ranking_inputs import RankingInputs, ranking_inputs_of
from foreart.search.ranking.signals import CHANNELS, Channel, Signals
from foreart.search.ranking.text_channels import NEEDED, TEXT_CHANNELS, TextChannel, TextIndexes

__all__ = [
    "CHANNELS",
    "FORMS",
    "LEARNED",
    "NEEDED",
    "RRF",
    "TEXT_CHANNELS",
    "Calibration",
    "Channel",
    "CitationGraph",
    "DraftFeatures",
    "Fold",
    "FusedComparison",
    "FusedRanker",
    "Learned",
    "Logistic",
    "NeighbourExample",
    "Neighbours",
    "QueryForms",
    "Ranking",
    "RankingInputs",
    "ReciprocalRanks",
    "Signals",
    "TextChannel",
    "TextIndexes",
    "Weighted",
    "calibrate",
    "chance",
    "default_weights",
    "draft_features",
    "fit_logistic",
    "fit_neighbours",
    "learned_of",
    "load_learned",
    "neighbour_example",
    "open_inputs",
    "open_ranker",
    "outgrown",
    "query_forms_of",
    "ranking_inputs_of",
    "ranking_path",
    "ranking_state",
    "write_learned",
]
