"""Search records: written, read, repeated and compared."""

from foreart.records.change_causes import CAUSES, ChangeCause
from foreart.records.difference import FATES, Difference, DocumentChange, ListPlace, diff, difference_json
from foreart.records.record_data import Listed, SearchRecord, search_record
from foreart.records.record_file import read_record, record_json, save_record, write_record
from foreart.records.repeating import repeat

__all__ = [
    "CAUSES",
    "FATES",
    "ChangeCause",
    "Difference",
    "DocumentChange",
    "ListPlace",
    "Listed",
    "SearchRecord",
    "diff",
    "difference_json",
    "read_record",
    "record_json",
    "repeat",
    "save_record",
    "search_record",
    "write_record",
]
