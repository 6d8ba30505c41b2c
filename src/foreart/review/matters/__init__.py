"""Matters: review projects, each an append-only log of events in one file."""

from foreart.review.matters.export_options import MatterForm
from foreart.review.matters.matter import DEPTH, Matter
from foreart.review.matters.matter_events import CATEGORIES, JUDGEMENTS, KINDS, Event, Judged, Logged
from foreart.review.matters.matter_exports import matter_json, state_json
from foreart.review.matters.matter_folder import MatterEntry, list_matters, matter_path
from foreart.review.matters.matter_library import MatterLibrary
from foreart.review.matters.matter_opening import opened_matter, purge
from foreart.review.matters.matter_state import MatterState, fold, reviewed
from foreart.review.matters.payloads import event_json
from foreart.review.matters.purging import Purged, PurgedFile
from foreart.review.matters.rater_agreement import RaterAgreement, rater_agreements
from foreart.review.matters.review_queue import QueuedDocument, review_order, review_queue

__all__ = [
    "CATEGORIES",
    "DEPTH",
    "JUDGEMENTS",
    "KINDS",
    "Event",
    "Judged",
    "Logged",
    "Matter",
    "MatterEntry",
    "MatterForm",
    "MatterLibrary",
    "MatterState",
    "Purged",
    "PurgedFile",
    "QueuedDocument",
    "RaterAgreement",
    "event_json",
    "fold",
    "list_matters",
    "matter_json",
    "matter_path",
    "opened_matter",
    "purge",
    "rater_agreements",
    "review_order",
    "review_queue",
    "reviewed",
    "state_json",
]
