"""Which text of a patent is read, and how it is cut into words, sentences and passages."""

from foreart.text.sections import SECTIONS, section_text
from foreart.text.tokens import asking, tokens

__all__ = ["SECTIONS", "asking", "section_text", "tokens"]
