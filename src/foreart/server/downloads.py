"""Files as answers: always a download, because a page made of documents must not run under our address."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from typing import Any

from fastapi.responses import Response

# The media type of each form, which is also the ending of the name.
MEDIA_TYPES = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "html": "text/html; charset=utf-8",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}


def download(content: bytes, name: str, media_type: str) -> Response:
    """A file with a name."""
    return Response(content, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def made_download(found: bytes, stem: str, form: str) -> Response:
    """A file that a worker has made: its bytes in base 64, as a JSON string."""
    return download(base64.b64decode(json.loads(found)), f"{stem}.{form}", MEDIA_TYPES[form])


def file_responses(forms: Iterable[str]) -> dict[int | str, dict[str, Any]]:
    """The responses of a route that answers with a file in one of these forms, for its schema."""
    kinds = (MEDIA_TYPES[form].partition(";")[0] for form in forms)
    return {200: {"description": "The file.", "content": {kind: {} for kind in kinds}}}
