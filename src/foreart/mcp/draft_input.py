"""The draft that a tool is given: a text, a patent of the corpus, or a file of an allowed folder."""

from __future__ import annotations

import json

from foreart.child_process import in_child
from foreart.document.draft import Draft
from foreart.errors import BadRequest
from foreart.mcp.allowed_files import allowed_bytes
from foreart.mcp.tool_context import ToolContext
from foreart.search.draft_source import publication_draft
from foreart.sources.drafts import draft_of_text
from foreart.sources.drafts.upload_reading import read_upload
from foreart.typed_json import from_json

FEWEST_LETTERS = 20


def draft_given(context: ToolContext, *, text: str = "", number: str = "", file: str = "") -> Draft:
    """The draft of exactly one of these sources. A file is parsed in a process of its own, with limits."""
    if [bool(text), bool(number), bool(file)].count(True) != 1:
        also = ", or `file`, in an allowed folder" if context.allowed else ""
        raise BadRequest(f"give exactly one of `text`, the draft itself, and `number`, a patent of the corpus{also}")
    if number:
        corpus = context.library.corpus
        return publication_draft(corpus.latest(number), corpus)
    if file:
        return _draft_of_file(file, context)
    return text_draft(text)


def text_draft(text: str) -> Draft:
    """A text as a draft; BadRequest if it is too short to be compared."""
    if sum(map(str.isalpha, text)) < FEWEST_LETTERS:
        raise BadRequest(
            f"the text has fewer than {FEWEST_LETTERS} letters: give the draft, or at least a claim or paragraph of it"
        )
    return draft_of_text(_well_formed(text), "text")


def _draft_of_file(file: str, context: ToolContext) -> Draft:
    name, data = allowed_bytes(file, context.allowed)
    draft: Draft = from_json(Draft, json.loads(in_child(read_upload, data, _shown(name), {}, what="the file")))
    return draft


def _well_formed(text: str) -> str:
    """Without NUL and lone surrogates, which no file has."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def _shown(name: str) -> str:
    return "".join(sign if sign.isprintable() else "_" for sign in name)[:100]
