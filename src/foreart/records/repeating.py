"""Runs a recorded search again, with its options and the current draft."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from foreart.corpus import Corpus
from foreart.corpus.indexed_corpus import IndexedCorpus
from foreart.document.draft import Draft
from foreart.errors import BadFile, BadRequest, NotInCorpus
from foreart.records.record_data import SearchRecord, search_record
from foreart.search import Result, SearchRequest
from foreart.search.draft_source import open_draft
from foreart.search.request import options_of

Search = Callable[[SearchRequest], Result]


def repeat(
    record: SearchRecord,
    search: Search,
    corpus: Corpus,
    indexed: Callable[[], IndexedCorpus],
    *,
    draft: Draft | str | Path | None = None,
) -> SearchRecord:
    """The record of the same search run now, with the recorded cut-off date; `draft` replaces the recorded one.

    `indexed` gives the corpus that was searched.
    """
    try:
        options = options_of(record.parameters)
    except BadRequest as error:
        version = record.versions.get("foreart", "of that time")
        raise BadRequest(f"{error}: repeat it with foreart {version}") from None
    request = SearchRequest.of(_opened(record, corpus, draft), **(options | {"cutoff": record.cutoff.date}))
    result = search(request)
    again = search_record(result, indexed(), private=record.private)
    # The recorded date was passed as an option; the new record keeps the original option and its source.
    parameters = {**again.parameters, "cutoff": record.parameters.get("cutoff", "")}
    return replace(again, parameters=parameters, cutoff=record.cutoff)


def _opened(record: SearchRecord, corpus: Corpus, draft: Draft | str | Path | None) -> Draft:
    if isinstance(draft, Draft):
        return draft
    if draft is not None:
        return open_draft(str(draft), corpus)
    source = record.draft
    try:
        return open_draft(source.path or source.name, corpus)
    except (BadFile, NotInCorpus) as error:
        if source.path and Path(source.path).is_file():  # it exists but cannot be read
            raise
        was = f"was at {source.path}" if source.path else f"came from {source.name or 'no file'}"
        raise BadFile(f"the draft {was} and cannot be found there now: name its file with --draft FILE") from error
