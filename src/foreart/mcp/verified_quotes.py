"""Quotes for tools: each is looked up in the stored document first, and one that is not there is never given."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from foreart.corpus import Corpus
from foreart.search.charting import QuotableTexts, Stated
from foreart.text.sentences import sentences
from foreart.text.tokens import tokens

# Longest quote in letters, unless a single sentence is longer.
LONGEST_QUOTE = 500
WITHHELD = "{} not given, because the stored text has changed since the indexes were built: `foreart build`"


@dataclass(frozen=True, slots=True)
class VerifiedQuote:
    """A verbatim excerpt of a stored document that was found, character by character, at this place of it."""

    text: str
    place: str


class QuoteGate:
    """Lets through only quotes that stand in the corpus as it is now; `withheld` counts the others."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._texts: dict[str, QuotableTexts | None] = {}
        self.withheld = 0

    def passed(self, number: str, place: str, text: str) -> VerifiedQuote | None:
        """The quote, if it stands at that place of that document."""
        texts = self._of(number)
        if texts is None or not text.strip() or texts.fault(Stated(number, place, text)):
            self.withheld += 1
            return None
        return VerifiedQuote(text, place)

    def located(self, number: str, text: str, place: str = "") -> VerifiedQuote | None:
        """The quote with a place where it stands: `place` if it is there, else the first."""
        texts = self._of(number)
        labels = texts.labels_of(text) if texts is not None else []
        return self.passed(number, place if place in labels or not labels else labels[0], text)

    def notes(self) -> list[str]:
        """A sentence if quotes were withheld."""
        if not self.withheld:
            return []
        return [WITHHELD.format("1 quote is" if self.withheld == 1 else f"{self.withheld} quotes are")]

    def _of(self, number: str) -> QuotableTexts | None:
        if number not in self._texts:
            # Not another publication of the same number, which a look-up would find.
            exists = number in self._corpus.find(number)
            self._texts[number] = QuotableTexts(self._corpus[number]) if exists else None
        return self._texts[number]


def best_sentences(text: str, words: Collection[str], limit: int = LONGEST_QUOTE) -> str:
    """The run of whole sentences within the limit that has most of these words: a part of the text, verbatim."""
    if len(text) <= limit:
        return text
    wanted = set(words)
    spans = sentences(text) or [(0, limit)]
    found = [wanted.intersection(tokens(text[start:end])) for start, end in spans]
    best, best_count = spans[0], -1
    for first, (start, end) in enumerate(spans):
        last, shared = first, set(found[first])
        while last + 1 < len(spans) and spans[last + 1][1] - start <= limit:
            last += 1
            shared |= found[last]
        if len(shared) > best_count:
            best, best_count = (start, max(end, spans[last][1])), len(shared)
    return text[best[0] : best[1]]
