"""What of a patent we read, and how we cut it."""

from foreart.text.passages import passage_spans, passages
from foreart.text.sections import SECTIONS, section_text
from foreart.text.tokens import asking, tokens

__all__ = ["SECTIONS", "asking", "passage_spans", "passages", "section_text", "tokens"]
