"""Channels, their signals, and the fusion into one ranking."""

from foreart.search.ranking.candidate_choice import DEPTH, EXACT, candidate_rows, draft_query, nearest_known
from foreart.search.ranking.candidate_recall import read_candidates
from foreart.search.ranking.fused import FusedComparison, FusedRanker
from foreart.search.ranking.fusion import ReciprocalRanks, Weighted
from foreart.search.ranking.fusion_choice import RRF
from foreart.search.ranking.logistic import Logistic, fit_logistic
from foreart.search.ranking.near.citation_graph import CitationGraph
from foreart.search.ranking.near.draft_query import DraftFeatures, DraftQuery
from foreart.search.ranking.near.neighbourhood import Neighbourhood
from foreart.search.ranking.near.neighbours import (
    NeighbourExample,
    Neighbours,
    fit_neighbours,
    neighbour_example,
)
from foreart.search.ranking.near.siblings import MIN_RELEVANT, Siblings
from foreart.search.ranking.near.sparse_columns import SparseColumn
from foreart.search.ranking.query_forms import FORMS, QueryForms, query_forms_of
from foreart.search.ranking.ranking_folder import (
    measure_candidates,
    open_inputs,
    open_ranker,
    ranking_path,
    ranking_state,
)
from foreart.search.ranking.ranking_inputs import NO_MODELS, RankingInputs, SignalModels, ranking_inputs_of
from foreart.search.ranking.signals import CHANNELS, HUB_PLACES, Channel, Hubs, Signals, of_citations, signals
from foreart.search.ranking.text_channels import (
    LEARNED_CHANNELS,
    NEEDED,
    TEXT_CHANNELS,
    ChannelQueries,
    TextChannel,
    TextIndexes,
)
from foreart.search.ranking.weights.calibration import Calibration, KindRule, calibrate, chance, kind_rule
from foreart.search.ranking.weights.default_weights import default_weights
from foreart.search.ranking.weights.held_out import HeldOut
from foreart.search.ranking.weights.learned import FILE as LEARNED
from foreart.search.ranking.weights.learned import (
    Fold,
    Learned,
    Ranking,
    WeightSet,
    learned_of,
    load_learned,
    outgrown,
    write_learned,
)

__all__ = [
    "CHANNELS",
    "DEPTH",
    "EXACT",
    "FORMS",
    "HUB_PLACES",
    "LEARNED",
    "LEARNED_CHANNELS",
    "MIN_RELEVANT",
    "NEEDED",
    "NO_MODELS",
    "RRF",
    "TEXT_CHANNELS",
    "Calibration",
    "Channel",
    "ChannelQueries",
    "CitationGraph",
    "DraftFeatures",
    "DraftQuery",
    "Fold",
    "FusedComparison",
    "FusedRanker",
    "HeldOut",
    "Hubs",
    "KindRule",
    "Learned",
    "Logistic",
    "NeighbourExample",
    "Neighbourhood",
    "Neighbours",
    "QueryForms",
    "Ranking",
    "RankingInputs",
    "ReciprocalRanks",
    "Siblings",
    "SignalModels",
    "Signals",
    "SparseColumn",
    "TextChannel",
    "TextIndexes",
    "WeightSet",
    "Weighted",
    "calibrate",
    "candidate_rows",
    "chance",
    "default_weights",
    "draft_query",
    "fit_logistic",
    "fit_neighbours",
    "kind_rule",
    "learned_of",
    "load_learned",
    "measure_candidates",
    "nearest_known",
    "neighbour_example",
    "of_citations",
    "open_inputs",
    "open_ranker",
    "outgrown",
    "query_forms_of",
    "ranking_inputs_of",
    "ranking_path",
    "ranking_state",
    "read_candidates",
    "signals",
    "write_learned",
]
