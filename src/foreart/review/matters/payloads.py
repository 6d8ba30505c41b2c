"""Events as bytes, and back: JSON with the kind, time and rater, compressed if it is long."""

from __future__ import annotations

import json

import zstandard

from foreart.errors import BadRequest
from foreart.review.matters.matter_events import KINDS, Event, Logged, kind_of
from foreart.typed_json import TypeMismatch, from_json, to_json

# Shorter ones are kept readable for anyone who opens an unsealed file with another program.
_LONG = 4096
_LARGEST = 1 << 30
_ZSTANDARD = b"\x28\xb5\x2f\xfd"


class UnreadablePayload(ValueError):
    """Bytes are not an event that this version knows."""


def to_payload(event: Event, *, time: str, rater: str) -> bytes:
    """An event as bytes."""
    record = {"kind": kind_of(event), "time": time, "rater": rater, "event": to_json(event)}
    data = _json(record)
    return zstandard.ZstdCompressor(level=6).compress(data) if len(data) > _LONG else data


def from_payload(n: int, payload: bytes) -> Logged[Event]:
    """The event that `to_payload` wrote, with its number."""
    try:
        data = _decompressed(payload) if payload[:4] == _ZSTANDARD else payload
        record = json.loads(data)
        kind = KINDS[record["kind"]]
        event: Event = from_json(kind, record["event"], record["kind"])
        return Logged(n, str(record["time"]), str(record["rater"]), event)
    except KeyError as error:
        raise UnreadablePayload(f"it has no kind that this version knows ({error})") from None
    except BadRequest:  # a flipped byte of an open matter; the sentence would quote what a person wrote
        raise UnreadablePayload("it has a value that no event can have") from None
    except TypeMismatch as error:
        raise UnreadablePayload(f"it is not an event of this version: {error}") from None
    except (ValueError, TypeError, RecursionError, zstandard.ZstdError):
        raise UnreadablePayload("it is not JSON") from None


def event_json(logged: Logged[Event]) -> dict[str, object]:
    """An event for programs: number, time, rater and kind, and its own fields beside them."""
    return {
        "n": logged.n,
        "time": logged.time,
        "rater": logged.rater,
        "kind": kind_of(logged.event),
        **to_json(logged.event),
    }


def _decompressed(payload: bytes) -> bytes:
    return zstandard.ZstdDecompressor().decompress(payload, max_output_size=_LARGEST)


def _json(record: object) -> bytes:
    try:
        return json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode()
    except UnicodeEncodeError:  # a lone surrogate in a title or a draft
        return json.dumps(record, separators=(",", ":")).encode()
