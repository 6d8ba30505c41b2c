"""The text of a query, tokenized once for all indexes that share a tokenizer."""

from __future__ import annotations

from dataclasses import dataclass, field

from foreart.text.tokens import Tokenizer, query_words


@dataclass(frozen=True, slots=True, eq=False)
class QueryText:
    """A text that several indexes are queried with."""

    text: str
    _terms: dict[Tokenizer, list[str]] = field(default_factory=dict, init=False, repr=False)

    def terms(self, tokenizer: Tokenizer) -> list[str]:
        """The tokens that are searched for: `query_words` drops numbers and very short words."""
        if tokenizer not in self._terms:
            self._terms[tokenizer] = query_words(tokenizer(self.text))
        return self._terms[tokenizer]

    def forget_terms(self) -> None:
        """Frees the tokens, which take ten times the memory of the text; they are made again if they are needed."""
        self._terms.clear()
