"""What a person takes away."""

from foreart.report.html import html_report
from foreart.report.json_form import result_record
from foreart.report.terminal import terminal_report

__all__ = ["html_report", "result_record", "terminal_report"]
