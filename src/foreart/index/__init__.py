"""Indexes of documents: the most similar documents to a query, and why."""

from foreart.index.index import Description, Explanation, Index, QueryTerm, Question, Verb, answers
from foreart.index.registry import load, stored_at, verify
from foreart.index.row_folder import write

__all__ = [
    "Description",
    "Explanation",
    "Index",
    "QueryTerm",
    "Question",
    "Verb",
    "answers",
    "load",
    "stored_at",
    "verify",
    "write",
]
