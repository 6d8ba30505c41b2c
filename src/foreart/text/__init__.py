"""Which text of a patent is read, and how it is split into words, sentences and passages."""

from foreart.text.query_text import QueryText
from foreart.text.sections import SECTIONS, section_text
from foreart.text.tokens import query_words, tokens

__all__ = ["SECTIONS", "QueryText", "query_words", "section_text", "tokens"]
