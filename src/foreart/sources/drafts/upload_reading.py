"""Reads an uploaded draft; runs in a child process, and so imports nothing of the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from foreart.sources.drafts import correction_of, draft_of_bytes
from foreart.typed_json import to_json


def read_upload(data: bytes, name: str, corrections: Mapping[str, Any]) -> Any:  # noqa: ANN401 JSON
    """The draft of a file's bytes as JSON, with corrections as of a sidecar."""
    correction = correction_of(dict(corrections), "the corrections") if corrections else None
    return to_json(draft_of_bytes(data, name, correction))
