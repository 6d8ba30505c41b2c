"""Success in one shape: an object with `"ok": true`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fastapi.responses import Response

_OK = b'{"ok":true'


def answer(values: Mapping[str, Any], *, status: int = 200) -> Response:
    """An answer of JSON values."""
    return json_bytes(json.dumps(values, ensure_ascii=False).encode(), status=status)


def json_bytes(data: bytes, *, extra: Mapping[str, Any] | None = None, status: int = 200) -> Response:
    """An answer of a JSON object that a worker has made; it is not parsed again. `extra` are further keys."""
    parts = [data[1:-1].strip(), json.dumps(extra, ensure_ascii=False).encode()[1:-1] if extra else b""]
    body = b",".join([_OK, *filter(None, parts)]) + b"}"
    return Response(body, status, media_type="application/json")
