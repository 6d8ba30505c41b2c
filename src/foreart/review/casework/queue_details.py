"""What a person needs to judge a document: front page, status, closest passage, and why it is in the queue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from foreart.corpus import Corpus
from foreart.document.patent import Patent
from foreart.records.record_data import Listed
from foreart.review.casework.matter_review import QueueItem
from foreart.search import Passage
from foreart.search.evidence import best_passage

_CHANNELS, _WORDS = 3, 6

Tokenizer = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class QueueDetail:
    """A document of the queue. `known` is whether the corpus still has it; if not, only the record's fields are filled.

    `channels` are the greatest contributions to the score of the search, `words` those to the similarity of the texts.
    """

    item: QueueItem
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


def queue_detail(item: QueueItem, corpus: Corpus, tokenize: Tokenizer | None) -> QueueDetail:
    """The details of a document; without a tokenizer no passage is chosen."""
    queued, hit = item.queued, item.queued.hit
    channels = _greatest(hit.parts)[:_CHANNELS] if hit else ()
    words = tuple(word for word, _ in _greatest(hit.words)) if hit else ()
    if queued.id not in corpus:
        title, published = (hit.title, hit.published) if hit else ("", "")
        return QueueDetail(item, False, title, published, channels=channels, words=words[:_WORDS])
    patent = corpus[queued.id]
    return QueueDetail(
        item=item,
        known=True,
        title=patent.title,
        published=patent.published,
        filed=patent.filed,
        priority=patent.priority,
        applicants=patent.applicants,
        abstract=patent.abstract,
        claim=patent.claims[0].text if patent.claims else "",
        passage=_passage(patent, hit, tokenize) if tokenize and hit else None,
        channels=channels,
        words=words[:_WORDS],
    )


def _greatest(shares: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """The positive contributions, greatest first."""
    return tuple(
        sorted(((key, share) for key, share in shares.items() if share > 0), key=lambda item: (-item[1], item[0]))
    )


def _passage(patent: Patent, hit: Listed, tokenize: Tokenizer) -> Passage | None:
    shares = dict(_greatest(hit.words))
    return best_passage(patent, shares, words=tokenize) if shares else None
