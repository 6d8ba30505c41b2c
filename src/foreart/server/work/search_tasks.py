"""Searches and look-ups of one library, as JSON; they run in worker processes and change nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from foreart.document.draft import Draft
from foreart.document.record import to_record
from foreart.errors import BadRequest, CorpusError, NotInCorpus
from foreart.identifiers.numbers import parse_number
from foreart.known_documents import document_id, patent_draft, require_corpus
from foreart.library import Library
from foreart.report.exports.result_json import result_record
from foreart.search import Result, SearchRequest

# Warms what a first search needs; long enough to be compared by every channel.
_WARMING = "A device with a housing, a pump, a sensor and a controller that compares a measured value with a threshold."


def warm(library: Library) -> int:
    """Opens the indexes and compiles what a search needs; nothing if there are none."""
    if not library.corpus_path.exists() or not library.indexes:
        return 0
    try:
        return len(library.search(Draft(title=_WARMING, abstract=_WARMING), k=3))
    except (BadRequest, CorpusError, NotInCorpus):
        return 0


def search_task(library: Library, draft: Draft | str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The result of a search, as `foreart search --json` prints it."""
    return result_record(searched(library, draft, options))


def searched(library: Library, draft: Draft | str, options: Mapping[str, Any]) -> Result:
    """The result of a search of a draft, or of a patent of the corpus given by its number."""
    return library.search(request(library, draft, options))


def request(library: Library, draft: Draft | str, options: Mapping[str, Any]) -> SearchRequest:
    """A request of options that came over HTTP: lists of numbers never name files."""
    require_corpus(library)
    found = patent_draft(library, draft) if isinstance(draft, str) else draft
    numbers = {name: _numbers(options[name]) for name in ("ignore", "only_new") if options.get(name)}
    return SearchRequest.of(found, **{**options, **numbers})


def document_task(library: Library, number: str) -> dict[str, Any]:
    """A patent of the corpus, as `foreart show --json` prints it."""
    require_corpus(library)
    return to_record(library.corpus[document_id(library, number)])


def known_task(library: Library, numbers: Sequence[str]) -> dict[str, bool]:
    """Whether each number is in the corpus."""
    if not library.corpus_path.exists():
        return dict.fromkeys(numbers, False)
    return {number: number in library.corpus for number in numbers}


def _numbers(texts: Sequence[str]) -> list[str]:
    return [str(parse_number(text)) for text in texts]
