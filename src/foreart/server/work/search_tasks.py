"""Searches and look-ups of one library, as JSON; they run in worker processes and change nothing."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from foreart.document.draft import Draft
from foreart.document.figures import figures
from foreart.document.record import to_record
from foreart.errors import BadRequest, CorpusError, NotInCorpus
from foreart.identifiers.numbers import parse_number
from foreart.library import Library
from foreart.report.exports.result_json import result_record
from foreart.report.exports.result_lines import result_csv
from foreart.search import Result, SearchRequest
from foreart.search.draft_source import publication_draft

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


def search_file_task(library: Library, draft: Draft | str, options: Mapping[str, Any], form: str) -> str:
    """The result of a search as a file of that form, in base64."""
    return base64.b64encode(_WRITERS[form](searched(library, draft, options))).decode("ascii")


def searched(library: Library, draft: Draft | str, options: Mapping[str, Any]) -> Result:
    """The result of a search of a draft, or of a patent of the corpus given by its number."""
    return library.search(request(library, draft, options))


def request(library: Library, draft: Draft | str, options: Mapping[str, Any]) -> SearchRequest:
    """A request of options that came over HTTP: lists of numbers never name files."""
    require_corpus(library)
    found = patent_draft(library, draft) if isinstance(draft, str) else draft
    numbers = {name: _numbers(options[name]) for name in ("ignore", "only_new") if options.get(name)}
    return SearchRequest.of(found, **{**options, **numbers})


def patent_draft(library: Library, number: str) -> Draft:
    """A patent of the corpus as a draft; the number is never read as the name of a file."""
    require_corpus(library)
    return publication_draft(document_id(library, number), library.corpus)


def document_task(library: Library, number: str) -> dict[str, Any]:
    """A patent of the corpus, as `foreart show --json` prints it, and what its figures show as offsets."""
    require_corpus(library)
    record = to_record(library.corpus[document_id(library, number)])
    shown = [
        {"figure": item.labels, "start": item.start, "end": item.end}
        for item in figures(record["description"] or "")
        if item.kind == "statement"
    ]
    return {**record, "figures": shown}


def document_id(library: Library, number: str) -> str:
    """The id of a number, with or without kind code: the latest publication."""
    return library.corpus.latest(number)


def require_corpus(library: Library) -> None:
    """NotInCorpus if the library is empty: no task may create a corpus by looking into it."""
    if not library.corpus_path.exists():
        raise NotInCorpus("the library has no documents yet: add files first")


def known_task(library: Library, numbers: Sequence[str]) -> dict[str, bool]:
    """Whether each number is in the corpus."""
    if not library.corpus_path.exists():
        return dict.fromkeys(numbers, False)
    return {number: number in library.corpus for number in numbers}


def _html(result: Result) -> bytes:
    from foreart.report.pages.search_page import search_html

    return search_html(result, made=datetime.now().astimezone().isoformat(timespec="minutes")).encode("utf-8")


_WRITERS: Mapping[str, Callable[[Result], bytes]] = {
    "json": lambda result: json.dumps(result_record(result), ensure_ascii=False, indent=1).encode(),
    "csv": lambda result: result_csv(result).encode("utf-8"),
    "html": _html,
}


def _numbers(texts: Sequence[str]) -> list[str]:
    return [str(parse_number(text)) for text in texts]
