"""Figures and findings in words, the same in every output format."""

from foreart.report.wording.phrases import LAWS, count, percent, plain, signed, whole_percent

__all__ = ["LAWS", "count", "percent", "plain", "signed", "whole_percent"]
