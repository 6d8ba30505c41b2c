"""Several searches of one index in one request; whatever is missing is an error, never a shorter list."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from foreart.cluster.opensearch.opensearch_door import OpenSearchDoor, lines
from foreart.cluster.opensearch.opensearch_faults import BUSY, GONE, ClusterBusy, error_types, refused_request
from foreart.cluster.opensearch.storing.stored_documents import check_complete
from foreart.errors import ClusterError, StaleIndex

# Rows, best first, and scores.
Found = tuple[np.ndarray, np.ndarray]
# Seconds before the next attempt while a lost node is replaced, doubled each time, and how many attempts.
_PAUSE, _ATTEMPTS = 0.5, 6
_PATH = (
    "responses.error,responses.status,responses.timed_out,responses._shards.total,responses._shards.successful,"
    "responses.hits.total,responses.hits.hits._score,responses.hits.hits.fields.row"
)


class MultiSearch:
    """Searches one index. `gone` is called when it was deleted, `sleep` waits for seconds."""

    def __init__(
        self,
        door: OpenSearchDoor,
        index: str,
        sleep: Callable[[float], None] = time.sleep,
        gone: Callable[[], None] = lambda: None,
    ) -> None:
        self._door, self.index, self._sleep, self._gone = door, index, sleep, gone

    def found(self, bodies: Sequence[dict[str, Any]]) -> list[Found]:
        """What each search finds; those that failed because a node was lost are asked again."""
        try:
            return self._found(bodies)
        except StaleIndex:
            self._gone()
            raise

    def _found(self, bodies: Sequence[dict[str, Any]]) -> list[Found]:
        found: dict[int, Found] = {}
        left = list(range(len(bodies)))
        for attempt in range(_ATTEMPTS):
            left = self._still_left(bodies, left, found, last=attempt == _ATTEMPTS - 1)
            if not left:
                break
            self._sleep(_PAUSE * 2**attempt)
        return [found[number] for number in range(len(bodies))]

    def _still_left(
        self, bodies: Sequence[dict[str, Any]], left: Sequence[int], found: dict[int, Found], *, last: bool
    ) -> list[int]:
        """Asks some searches and keeps what they find; those that may be answered a moment later."""
        try:
            answers = self._asked([bodies[number] for number in left])
        except ClusterBusy:  # all of the request
            if last:
                raise
            return list(left)
        again = []
        for number, answer in zip(left, answers, strict=True):
            try:
                found[number] = self._checked(answer)
            except StaleIndex:
                raise
            except ClusterError:
                if last or not _passing(answer):
                    raise
                again.append(number)
        return again

    def _asked(self, bodies: Sequence[dict[str, Any]]) -> list[Any]:
        header = {"index": self.index, "allow_partial_search_results": False}
        records = [record for body in bodies for record in (header, body)]
        answers = self._door.call("POST", "/_msearch", lines(records), filter_path=_PATH).get("responses", [])
        if len(answers) != len(bodies):
            raise ClusterError(f"{self._door.home} answered {len(answers)} of {len(bodies)} searches: search again")
        return list(answers)

    def _checked(self, answer: Any) -> Found:  # noqa: ANN401
        if "error" in answer:
            raise refused_request(self._door.home, answer["error"], status=int(answer.get("status", 0)))
        check_complete(answer, self.index)
        hits = answer.get("hits", {}).get("hits", [])
        rows = np.array([hit["fields"]["row"][0] for hit in hits], dtype=np.int64)
        return rows, np.array([hit["_score"] for hit in hits], dtype=np.float64)


def _passing(answer: Any) -> bool:  # noqa: ANN401
    """Whether an answer failed for something that ends by itself, such as a node that was lost."""
    if "error" not in answer:
        return True
    types = error_types(answer["error"])
    return not types & GONE and (bool(types & BUSY) or int(answer.get("status", 0)) in (429, 502, 503, 504))
