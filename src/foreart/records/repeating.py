"""From a record back to the search: its draft, and its parameters as the search of this version takes them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_type_hints

from foreart import corpus as corpus_room
from foreart import index as index_room
from foreart import search as search_room
from foreart.corpus import Corpus
from foreart.document import draft as draft_room
from foreart.document.draft import Draft, draft_of_patent
from foreart.errors import BadFile, BadNumber, ForeartError, NotInCorpus, StaleIndex
from foreart.records.documents import turnover, turnover_text
from foreart.records.record_data import SearchRecord, documents_of, search_record
from foreart.records.typed_json import Misfit, from_json
from foreart.search import Result
from foreart.sources import read_draft

# A search of a library: a draft, and all parameters by name.
Search = Callable[..., Result]


def repeat(
    record: SearchRecord, search: Search, corpus: Corpus, *, draft: Draft | str | Path | None = None
) -> SearchRecord:
    """The search of a record once more, asked as it was then, of the draft as it is now unless another one is given."""
    asked = recorded_parameters(search, record)
    opened, file = _opened(record, corpus, draft)
    try:
        result = search(opened, **asked)
    except StaleIndex as error:
        since = turnover_text(turnover(record.documents, documents_of(corpus)))
        raise StaleIndex(f"{error}; documents since the record: {since}") from None
    again = search_record(result, corpus, all_parameters(search, asked), draft=file, private=record.private)
    # The day was given, so that it is the same; asked as before, the search had found it in the same way.
    parameters = {**again.parameters, "cutoff": record.parameters.get("cutoff", "")}
    return replace(again, parameters=parameters, cutoff=record.cutoff)


def all_parameters(search: Search, given: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a search by name: those given, and what the others are if they are not."""
    known = _keywords(search)
    for name in given:
        if name not in known:
            raise TypeError(f"a search has no parameter {name!r}; it has {', '.join(known)}")
    return {name: given.get(name, parameter.default) for name, parameter in known.items()}


def recorded_parameters(search: Search, record: SearchRecord) -> dict[str, Any]:
    """The parameters of a record as a search takes them, with the cut-off date that counted then."""
    hints = _hints(search)
    found: dict[str, Any] = {}
    for name, value in record.parameters.items():
        try:
            found[name] = from_json(hints[name], value, name)
        except (KeyError, Misfit):
            raise ForeartError(
                f"the search was asked with {name}={value!r}, which foreart {version('foreart')} does not know: "
                f"repeat it with foreart {record.versions.get('foreart', 'of that time')}"
            ) from None
    return {**found, "cutoff": record.cutoff.date}


def _opened(record: SearchRecord, corpus: Corpus, draft: Draft | str | Path | None) -> tuple[Draft, str]:
    """The draft and its file, `""` if it has none."""
    if isinstance(draft, Draft):
        return draft, ""
    if draft is not None:
        return _draft_at(str(draft), corpus)
    source = record.draft
    try:
        return _draft_at(source.path or source.name, corpus)
    except (BadFile, NotInCorpus) as error:
        if source.path and Path(source.path).is_file():  # it is there, and something is wrong with it
            raise
        was = f"was at {source.path}" if source.path else f"came from {source.name or 'no file'}"
        raise BadFile(f"the draft {was}, where it cannot be found now: say where it is with --draft FILE") from error


def _draft_at(source: str, corpus: Corpus) -> tuple[Draft, str]:
    """The draft in a file, or the patent of the corpus whose number is given, as a draft."""
    if source == "-":
        return read_draft(source), ""
    if Path(source).is_file():
        return read_draft(source), source
    try:
        return draft_of_patent(corpus[source]), ""
    except BadNumber:
        raise BadFile(f"{source}: there is no such file, and it is no publication number") from None


def _keywords(search: Search) -> dict[str, inspect.Parameter]:
    every = inspect.signature(search).parameters
    return {name: item for name, item in every.items() if item.kind is inspect.Parameter.KEYWORD_ONLY}


def _hints(search: Search) -> dict[str, Any]:
    """The types of the parameters; names that only type checkers import are looked up in the rooms below."""
    names: dict[str, Any] = {}
    for room in (draft_room, corpus_room, index_room, search_room):
        names |= vars(room)
    told = {name: item.annotation for name, item in _keywords(search).items()}
    names |= getattr(search, "__globals__", None) or getattr(getattr(search, "__func__", None), "__globals__", {})
    return get_type_hints(SimpleNamespace(__annotations__=told), globalns=names)
