"""What a person needs to judge a document: front page, status, closest passage, and why it is in the queue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from foreart.corpus import Corpus
from foreart.document.patent import Patent
from foreart.records.record_data import Listed
from foreart.review.matters.review_queue import QueuedDocument
from foreart.search import Passage
from foreart.search.evidence import best_passage

_CHANNELS, _WORDS = 3, 6

Tokenizer = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class QueueDetail:
    """A document of the queue. `known` is whether the corpus still has it; if not, only the record's fields are filled.

    `channels` are the greatest contributions to the score of the search, `words` those to the similarity of the texts.
    """

    queued: QueuedDocument
    known: bool
    title: str
    published: str
    filed: str = ""
    priority: str = ""
    applicants: tuple[str, ...] = ()
    abstract: str = ""
    claim: str = ""
    passage: Passage | None = None
    channels: tuple[tuple[str, float], ...] = ()
    words: tuple[str, ...] = ()


def queue_detail(queued: QueuedDocument, corpus: Corpus, tokenize: Tokenizer | None) -> QueueDetail:
    """The details of a document; without a tokenizer no passage is chosen."""
    hit = queued.hit
    channels = tuple(sorted(hit.parts.items(), key=lambda part: (-part[1], part[0]))[:_CHANNELS])
    words = tuple(word for word, share in sorted(hit.words.items(), key=lambda item: (-item[1], item[0])) if share > 0)
    if queued.id not in corpus:
        return QueueDetail(queued, False, hit.title, hit.published, channels=channels, words=words[:_WORDS])
    patent = corpus[queued.id]
    return QueueDetail(
        queued=queued,
        known=True,
        title=patent.title,
        published=patent.published,
        filed=patent.filed,
        priority=patent.priority,
        applicants=patent.applicants,
        abstract=patent.abstract,
        claim=patent.claims[0].text if patent.claims else "",
        passage=_passage(patent, hit, tokenize) if tokenize else None,
        channels=tuple(channel for channel in channels if channel[1] > 0),
        words=words[:_WORDS],
    )


def _passage(patent: Patent, hit: Listed, tokenize: Tokenizer) -> Passage | None:
    shares = {word: share for word, share in hit.words.items() if share > 0}
    return best_passage(patent, shares, words=tokenize) if shares else None
