"""What a person takes away."""

from foreart.report.html import html_report
from foreart.report.json_form import result_record
from foreart.report.records import diff, read_record, search_record, write_record
from foreart.report.terminal import terminal_report

__all__ = [
    "diff",
    "html_report",
    "read_record",
    "result_record",
    "search_record",
    "terminal_report",
    "write_record",
]
