"""The passages of documents that are closest to a paragraph of a draft, by the words that the two share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from foreart.corpus import Corpus
from foreart.document.draft import Draft
from foreart.document.elements import Element
from foreart.errors import BadRequest, NotInCorpus
from foreart.index.query.snapshot_counts import frequencies
from foreart.index.storage.snapshot import Snapshot
from foreart.search.charting.chart_building import columns_of, vocabulary_of
from foreart.search.charting.chart_rows import weighted_rows
from foreart.search.charting.claim_chart import Quote
from foreart.search.charting.coverage import Wanted
from foreart.search.charting.places import text_fingerprint
from foreart.search.charting.quoting import Windows, separate_quotes
from foreart.search.charting.reference_words import read
from foreart.text.tokens import WORD

PASSAGES = 5
# A passage with less of the words of a paragraph has hardly anything to do with it.
_MIN_COVERAGE = 0.1


@dataclass(frozen=True, slots=True)
class ReferencePassages:
    """The passages of one document, best first: verbatim excerpts with their places."""

    id: str
    fingerprint: str
    language: str
    quotes: tuple[Quote, ...]


def passages(
    draft: Draft, paragraph: int, ids: Iterable[str], corpus: Corpus, postings: Snapshot, *, limit: int = PASSAGES
) -> tuple[ReferencePassages, ...]:
    """For each document at most `limit` passages that are close to `draft.description[paragraph]`, counted from 0.

    Words are weighted by their document frequency in the postings, as those of claim elements are in a chart.
    """
    if not 0 <= paragraph < len(draft.description):
        raise BadRequest(f"the draft has {len(draft.description)} paragraphs: there is no number {paragraph}")
    text = draft.description[paragraph].text
    numbers = list(ids)
    if not WORD.search(text):
        return tuple(_of(number, corpus, ()) for number in numbers)
    whole = Element(claim=0, text=text, start=0, end=len(text), kind="element")
    charted = weighted_rows(draft, [("", whole)], lambda words: frequencies(postings, words).tolist(), len(postings))
    columns = columns_of(charted)
    vocabulary = vocabulary_of(charted, columns, draft.language)
    wanted = Wanted.of(charted[0].terms, columns)
    words = [term.word for term in charted[0].terms]
    found = []
    for number in numbers:
        windows = Windows(read(corpus[_id(number, corpus)], vocabulary))
        best = separate_quotes(wanted, windows, words, limit)
        found.append(_of(number, corpus, tuple(quote for quote in best if quote.coverage >= _MIN_COVERAGE)))
    return tuple(found)


def _of(number: str, corpus: Corpus, best: tuple[Quote, ...]) -> ReferencePassages:
    patent = corpus[_id(number, corpus)]
    return ReferencePassages(patent.id, text_fingerprint(patent), patent.language, best)


def _id(number: str, corpus: Corpus) -> str:
    matches = corpus.find(number)
    if not matches:
        raise NotInCorpus(f"{number} is not in the corpus: load it with `foreart add` to read it")
    return matches[-1]
