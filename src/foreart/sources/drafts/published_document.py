"""A published document in an office's or a site's own format, read as a draft."""

from __future__ import annotations

import io

from foreart.document.draft import Draft, draft_of_patent
from foreart.document.patent import Patent
from foreart.errors import BadFile, BadRecord, ForeartError
from foreart.sources.opening.stream import DAMAGED, HEAD, Stream

_MALFORMED = (
    *DAMAGED,
    ForeartError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)


def published_draft(data: bytes, name: str) -> Draft | None:
    """The draft, or None if no format of published documents is recognised."""
    from foreart.sources.readers import recognise

    reader = recognise(data[:HEAD], name)
    if reader is None:
        return None
    patents: list[Patent] = []
    try:
        for record in reader.split(Stream(name, io.BytesIO(data))):
            if record.problem:
                raise BadRecord(record.problem)
            patents += reader.parse(record.data)
    except _MALFORMED:
        # Neither the cause nor its text is passed on: it may quote the draft.
        raise BadFile(f"{name} looks like {reader.title} and cannot be read as such") from None
    if len(patents) != 1:
        raise BadFile(f"{name} holds {len(patents) or 'no'} documents ({reader.title}): a draft is a single document")
    return draft_of_patent(patents[0])
