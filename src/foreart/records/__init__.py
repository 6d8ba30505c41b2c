"""How can a search be repeated, and what has changed since?"""

from foreart.records.change_causes import CAUSES, Cause
from foreart.records.difference import FATES, Difference, Line, Place, diff, difference_json
from foreart.records.record_data import Listed, SearchRecord, search_record
from foreart.records.record_file import read_record, record_json, write_record
from foreart.records.repeating import repeat

__all__ = [
    "CAUSES",
    "FATES",
    "Cause",
    "Difference",
    "Line",
    "Listed",
    "Place",
    "SearchRecord",
    "diff",
    "difference_json",
    "read_record",
    "record_json",
    "repeat",
    "search_record",
    "write_record",
]
