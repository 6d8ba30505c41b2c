"""How can a search be repeated, and what has changed since?"""

from foreart.report.records.causes import CAUSES, Cause
from foreart.report.records.difference import FATES, Difference, Line, Place, diff, difference_json
from foreart.report.records.page import difference_page
from foreart.report.records.record import DraftSource, Listed, SearchRecord, search_record
from foreart.report.records.record_file import read_record, record_json, write_record
from foreart.report.records.repeating import all_parameters, repeat
from foreart.report.records.table import difference_table

__all__ = [
    "CAUSES",
    "FATES",
    "Cause",
    "Difference",
    "DraftSource",
    "Line",
    "Listed",
    "Place",
    "SearchRecord",
    "all_parameters",
    "diff",
    "difference_json",
    "difference_page",
    "difference_table",
    "read_record",
    "record_json",
    "repeat",
    "search_record",
    "write_record",
]
