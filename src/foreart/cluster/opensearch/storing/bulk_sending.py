"""Sends documents in bulk: each exactly once, failed ones alone again, slower when the cluster says it is busy."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from foreart.cluster.opensearch.opensearch_door import OpenSearchDoor
from foreart.cluster.opensearch.opensearch_faults import (
    BLOCKED,
    BUSY,
    ClusterBusy,
    blocked,
    error_types,
    refused_request,
)
from foreart.cluster.opensearch.storing.document_records import SentDocument
from foreart.errors import ClusterError

# A request ends after so many documents or bytes.
_DOCUMENTS, _BYTES = 250, 3 << 20
# Seconds before what failed is sent again, doubled each time up to the largest, and for how long in all.
_WAIT, _LONGEST_WAIT, _PATIENCE = 0.5, 30.0, 600.0
_THERE = 409


class BulkSender:
    """Creates documents behind an alias, never in an index that the request would make; `sleep` waits for seconds."""

    def __init__(self, door: OpenSearchDoor, alias: str, sleep: Callable[[float], None] = time.sleep) -> None:
        self._door, self._alias, self._sleep = door, alias, sleep

    def send(self, documents: Iterable[SentDocument], sent: Callable[[int], None] = lambda number: None) -> None:
        """Creates all documents that are not there; calls `sent` with the number of each request."""
        batch: list[SentDocument] = []
        size = 0
        for document in documents:
            if batch and (len(batch) == _DOCUMENTS or size + len(document.lines) > _BYTES):
                sent(self._all(batch))
                batch, size = [], 0
            batch.append(document)
            size += len(document.lines)
        if batch:
            sent(self._all(batch))

    def _all(self, batch: Sequence[SentDocument]) -> int:
        """Sends one request, and what failed of it again, until everything is there."""
        left, waited, wait = list(batch), 0.0, _WAIT
        while left:
            left, problem = self._failed(left)
            if left:
                if waited >= _PATIENCE:
                    raise ClusterError(
                        f"{self._door.home} has been too busy for {waited / 60:.0f} minutes ({problem}): run the same "
                        "command again later; what was stored is kept"
                    )
                self._sleep(wait)
                waited, wait = waited + wait, min(2 * wait, _LONGEST_WAIT)
        return len(batch)

    def _failed(self, batch: Sequence[SentDocument]) -> tuple[list[SentDocument], str]:
        """The documents of a request that must be sent again, and why; an error that stays is raised."""
        body = "".join(document.lines for document in batch)
        try:
            answer = self._door.call("POST", f"/{self._alias}/_bulk", body, require_alias="true")
        except ClusterBusy:  # all of the request
            return list(batch), "too many requests"
        items = answer.get("items", ())
        if len(items) != len(batch):
            raise ClusterError(f"{self._door.home} answered for {len(items)} of {len(batch)} documents: store again")
        left, problem = [], ""
        for document, item in zip(batch, items, strict=True):
            about = item.get("create", {})
            if self._must_be_repeated(document, about):
                left.append(document)
                problem = ", ".join(sorted(error_types(about.get("error"))))
        return left, problem

    def _must_be_repeated(self, document: SentDocument, about: dict[str, Any]) -> bool:
        status, error = int(about.get("status", 0)), about.get("error")
        if error is None or status == _THERE:
            return False
        types = error_types(error)
        if BLOCKED in types:
            raise blocked(self._door.home, error)
        if types & BUSY or status in (429, 502, 503, 504):
            return True
        if status == 404:
            raise refused_request(self._door.home, error, status=status)
        raise ClusterError(f"{self._door.home} refused {document.id} ({', '.join(sorted(types))}): its log says more")
