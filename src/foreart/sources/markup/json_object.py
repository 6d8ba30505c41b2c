"""JSON objects as collections publish them: one per line, one per file, or many in an array."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from foreart.errors import BadRecord
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.record_splitting import json_values, lines
from foreart.sources.opening.stream import Stream

_BOM = b"\xef\xbb\xbf"
# A string, a string truncated by the end of the head, or a structural character; nothing in it can backtrack.
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|".*|[{}\[\],]', re.DOTALL)
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def first_keys(head: bytes) -> frozenset[str]:
    """The keys of the first object of a file that starts with these bytes, as far as they are visible."""
    text = head.removeprefix(_BOM).lstrip()
    if not text.startswith((b"{", b"[")):
        return frozenset()
    keys: set[str] = set()
    depth = level = 0
    previous = ""
    for match in _TOKEN.finditer(text.decode("utf-8", "replace")):
        token = match[0]
        if token in "{[":
            depth += 1
            if token == "{" and not level:
                level = depth
        elif token in "}]":
            if depth == level:
                break
            depth -= 1
        elif depth == level and previous in ("{", ",") and len(token) > 1 and token.endswith('"'):
            keys.add(token[1:-1])
        previous = token
    return frozenset(keys) if level in (1, 2) else frozenset()


def objects(stream: Stream) -> Iterator[RawRecord]:
    """One record per object. Files with one object per line are split by line: a malformed one affects no other."""
    first, newline, _ = stream.head.removeprefix(_BOM).strip().partition(b"\n")
    if first.startswith(b"{") and (first.rstrip().endswith(b"}") or not newline):
        return lines(stream)
    return json_values(stream)


def load(data: bytes) -> dict[str, Any]:
    """The object in these bytes; its texts can be encoded in UTF-8: lone surrogates are replaced."""
    data = data.removeprefix(_BOM).strip()
    try:
        value = json.loads(_decode(data), strict=False)
        if _SURROGATE.search(data):
            plain = json.dumps(value, ensure_ascii=False)
            value = json.loads(plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))
    except RecursionError:
        raise BadRecord("nested too deeply") from None
    except ValueError as error:
        raise BadRecord(f"not valid JSON: {error}") from None
    if not isinstance(value, dict):
        raise BadRecord("not a JSON object")
    return value


def string(value: object) -> str:
    """A value as text: `""` for null, a list as lines."""
    if value is None or isinstance(value, bool | dict):
        return ""
    if isinstance(value, list):
        return "\n".join(part for part in map(string, value) if part)
    return str(value).strip()


def strings(value: object) -> tuple[str, ...]:
    """A value as distinct, non-empty texts; a single text gives one."""
    parts = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(text for text in map(string, parts) if text))


def mappings(value: object) -> list[dict[str, Any]]:
    """The objects in a list, or the one object given instead of a list."""
    parts = value if isinstance(value, list) else [value]
    return [part for part in parts if isinstance(part, dict)]


def folded(text: str) -> str:
    """The text with white space folded within lines, without empty lines."""
    return "\n".join(line for line in (" ".join(raw.split()) for raw in text.splitlines()) if line)


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
