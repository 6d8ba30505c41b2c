"""Which documents an index has, with the hashes of their contents: for continuing, and before an alias moves."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from foreart.cluster.opensearch.opensearch_door import OpenSearchDoor
from foreart.corpus.views import CorpusView
from foreart.errors import ClusterError

_PAGE = 10_000
# Seconds between two looks at the copies of a shard, and until they must be the same.
_LOOK, _PATIENCE = 0.1, 600.0


def refresh(door: OpenSearchDoor, index: str) -> None:
    """Makes everything that was stored visible to searches."""
    answer = door.call("POST", f"/{index}/_refresh")
    shards = answer.get("_shards", {})
    if shards.get("failed"):
        raise ClusterError(f"{shards['failed']} shards of {index} could not be refreshed: is {door.home} healthy?")


def missing_rows(door: OpenSearchDoor, index: str, view: CorpusView) -> np.ndarray:
    """The rows of the view that an index lacks; ClusterError if it has others, or with other contents."""
    missing = np.ones(len(view), dtype=bool)
    for row, content in _documents(door, index):
        if row >= len(view) or content != view.contents[row].tobytes().hex():
            raise ClusterError(
                f"the index {index} has a document that is not of this state: delete it, and run the same command again"
            )
        if not missing[row]:
            raise ClusterError(f"the index {index} has row {row} twice: delete it, and run the same command again")
        missing[row] = False
    return np.flatnonzero(missing)


def _documents(door: OpenSearchDoor, index: str) -> Iterator[tuple[int, str]]:
    """The row and the content hash of every document, in pages ordered by row."""
    last = -1
    while True:
        body = {
            "size": _PAGE,
            "_source": False,
            "stored_fields": "_none_",
            "docvalue_fields": ["row", "content"],
            "query": {"range": {"row": {"gt": last}}},
            "sort": [{"row": "asc"}],
            "track_total_hits": False,
        }
        # A replica sees what its primary has a moment later.
        where = {"allow_partial_search_results": "false", "preference": "_primary"}
        answer = door.call("POST", f"/{index}/_search", body, **where)
        check_complete(answer, index)
        hits = answer["hits"]["hits"]
        for hit in hits:
            yield int(hit["fields"]["row"][0]), str(hit["fields"]["content"][0])
        if len(hits) < _PAGE:
            return
        last = int(hits[-1]["fields"]["row"][0])


def await_copies(door: OpenSearchDoor, index: str, sleep: Callable[[float], None] = time.sleep) -> None:
    """Waits until every copy of a shard shows what its primary shows: searches ask any of them.

    Segments are copied after a refresh, and until then a copy answers with less and says that it is complete.
    """
    for _ in range(int(_PATIENCE / _LOOK)):
        answer = door.call("GET", f"/{index}/_stats/docs", level="shards")
        behind = [shard for about in answer["indices"].values() for shard in about["shards"].values() if _differ(shard)]
        if not behind:
            return
        sleep(_LOOK)
    raise ClusterError(
        f"{len(behind)} shards of {index} have a copy that is not up to date after {_PATIENCE / 60:.0f} minutes: is "
        f"{door.home} healthy? What was stored is kept: run the same command again"
    )


def _differ(copies: Sequence[Mapping[str, Any]]) -> bool:
    """Whether copies of a shard show different numbers of documents."""
    started = [copy for copy in copies if copy["routing"]["state"] in ("STARTED", "RELOCATING")]
    return len({copy["docs"]["count"] for copy in started}) > 1


def check_complete(answer: dict[str, object], index: str) -> None:
    """ClusterError if a shard has not answered: `failed` alone hides one that has no copy left."""
    shards = answer.get("_shards")
    counted = shards if isinstance(shards, dict) else {}
    total, successful = int(counted.get("total", 0)), int(counted.get("successful", 0))
    if successful != total or not total or answer.get("timed_out"):
        raise ClusterError(
            f"{total - successful} of {total} shards of {index} did not answer: try again when it is healthy"
        )
